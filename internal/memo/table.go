package memo

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"hash/crc32"
	"io"
	"maps"
	"slices"
	"sort"
	"sync"
	"sync/atomic"
)

// A Table caches bytes, in a run and in a file between runs. Each value has a key that names all it depends on. Opening a
// table is cheap: the file is read as it is, and a value is looked up when it is requested. A Table is safe for use by
// several goroutines; create it with [NewTable].
//
// The file is a magic word with the version, the number of values, the key, position, length and checksum of each,
// sorted by key, and the values. A file that is damaged or of another version is ignored.
type Table struct {
	magic [magicSize]byte
	open  func() ([]byte, error)
	file  func() tableFile
	mu    sync.RWMutex
	fresh map[Key][]byte // not in the file that was read
	size  int            // of fresh, in bytes
	dirty bool           // fresh has values that Write has not written
}

// MaxTable limits the file, in bytes, and the new values in memory, because serve may run for weeks.
const MaxTable = 64 << 20

const (
	magicSize = 32
	headSize  = magicSize + 4
	entrySize = len(Key{}) + 12
)

// NewTable returns a table for a version of the code, with the results that open
// returns. Nothing is opened before the first use; open may be nil.
func NewTable(version string, open func() ([]byte, error)) *Table {
	t := &Table{magic: sha256.Sum256([]byte("gpudocs table 1 " + version)), open: open, fresh: map[Key][]byte{}}
	t.file = sync.OnceValue(t.read)
	return t
}

// Get returns a value, which must not be modified.
func (t *Table) Get(k Key) ([]byte, bool) {
	t.mu.RLock()
	data, ok := t.fresh[k]
	t.mu.RUnlock()
	if ok {
		return data, true
	}
	return t.file().get(k)
}

// Put adds a value, unless it is too large for a file.
func (t *Table) Put(k Key, data []byte) {
	if headSize+entrySize+len(data) > MaxTable {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.size += entrySize + len(data); t.size > MaxTable {
		clear(t.fresh)
		t.size = entrySize + len(data)
	}
	t.fresh[k], t.dirty = data, true
}

// Fresh reports whether Write would write more than was read or written.
func (t *Table) Fresh() bool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.dirty
}

// Write writes the table for a later run: new values, then those of the file that this run has used, then others,
// including those that other processes have written meanwhile, as far as they fit.
func (t *Table) Write(w io.Writer) error {
	before, now := t.file(), t.read()
	values, room := map[Key][]byte{}, MaxTable-headSize
	add := func(k Key, data []byte) {
		if _, known := values[k]; !known && entrySize+len(data) <= room {
			values[k] = data
			room -= entrySize + len(data)
		}
	}
	t.mu.Lock()
	for _, k := range sorted(t.fresh) {
		add(k, t.fresh[k])
	}
	t.dirty = false
	t.mu.Unlock()
	for i := range before.used {
		if data, ok := before.value(i); ok && before.used[i].Load() {
			add(Key(before.key(i)), data)
		}
	}
	for i := range now.used {
		if data, ok := now.value(i); ok {
			add(Key(now.key(i)), data)
		}
	}
	_, err := w.Write(encode(t.magic, values))
	return err
}

func sorted(values map[Key][]byte) []Key {
	return slices.SortedFunc(maps.Keys(values), func(a, b Key) int { return bytes.Compare(a[:], b[:]) })
}

func encode(magic [magicSize]byte, values map[Key][]byte) []byte {
	keys := sorted(values)
	out := binary.LittleEndian.AppendUint32(magic[:], uint32(len(keys)))
	at := 0
	for _, k := range keys {
		out = append(out, k[:]...)
		out = binary.LittleEndian.AppendUint32(out, uint32(at))
		out = binary.LittleEndian.AppendUint32(out, uint32(len(values[k])))
		out = binary.LittleEndian.AppendUint32(out, checksum(k[:], values[k]))
		at += len(values[k])
	}
	for _, k := range keys {
		out = append(out, values[k]...)
	}
	return out
}

// checksum covers a value and its key, so a value under another key is detected.
func checksum(key, data []byte) uint32 {
	return crc32.Update(crc32.ChecksumIEEE(key), crc32.IEEETable, data)
}

// A tableFile is the content of a file.
type tableFile struct {
	entries, values []byte
	used            []atomic.Bool // by entry
}

// read returns the current content of the file, or nothing if it is not valid.
func (t *Table) read() tableFile {
	if t.open == nil {
		return tableFile{}
	}
	data, err := t.open()
	if err != nil || len(data) < headSize || len(data) > MaxTable || !bytes.Equal(data[:magicSize], t.magic[:]) {
		return tableFile{}
	}
	n := int64(binary.LittleEndian.Uint32(data[magicSize:]))
	if data = data[headSize:]; n*int64(entrySize) > int64(len(data)) {
		return tableFile{}
	}
	end := int(n) * entrySize
	f := tableFile{data[:end], data[end:], make([]atomic.Bool, n)}
	total := int64(0)
	for i := range f.used {
		total += f.number(i, 1)
	}
	if total > int64(len(f.values)) { // values that overlap would take long to check
		return tableFile{}
	}
	return f
}

func (f tableFile) key(i int) []byte { return f.entries[i*entrySize:][:len(Key{})] }

// number returns a number of an entry: 0 is the position of its value, 1 the length, 2 the checksum.
func (f tableFile) number(i, which int) int64 {
	return int64(binary.LittleEndian.Uint32(f.entries[i*entrySize+len(Key{})+4*which:]))
}

// value returns a value, if it is not damaged.
func (f tableFile) value(i int) (data []byte, ok bool) {
	from := f.number(i, 0)
	to := from + f.number(i, 1)
	if to > int64(len(f.values)) {
		return nil, false
	}
	data = f.values[from:to:to]
	return data, checksum(f.key(i), data) == uint32(f.number(i, 2))
}

func (f tableFile) get(k Key) (data []byte, ok bool) {
	i, found := sort.Find(len(f.used), func(i int) int { return bytes.Compare(k[:], f.key(i)) })
	if !found {
		return nil, false
	}
	if data, ok = f.value(i); ok {
		f.used[i].Store(true)
	}
	return data, ok
}
