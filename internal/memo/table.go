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

// A Table remembers many small things, in a run and in a file between runs: bytes by a key that
// names all that they depend on. Unlike a [Memo] it costs next to nothing to open, for the
// file is read as it is and each thing looked at when it is asked for. It is safe for use by
// several goroutines; make it with [NewTable].
//
// The file is a magic word with the version, the number of things, for each its key, place, length and
// checksum, sorted by key, and then the things. One that is damaged is as none.
type Table struct {
	magic [magicSize]byte
	open  func() ([]byte, error)
	file  func() tableFile
	mu    sync.RWMutex
	fresh map[Key][]byte // not in the file yet
	size  int            // of what is fresh
}

// A Key is a hash.
type Key [16]byte

// MaxTable bounds the file, in bytes, and what is fresh in memory: serve may run for weeks.
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

// Put remembers a thing.
func (t *Table) Put(k Key, data []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.size += entrySize + len(data); t.size > MaxTable {
		clear(t.fresh)
		t.size = entrySize + len(data)
	}
	t.fresh[k] = data
}

// Fresh reports whether Write would write more than what was read.
func (t *Table) Fresh() bool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return len(t.fresh) > 0
}

// Write writes the table for a later run: new values, values used in this run, and
// other values of the file, including those of other processes, as far as they fit.
func (t *Table) Write(w io.Writer) error {
	own, now := t.file(), t.read()
	kept, room := map[Key][]byte{}, MaxTable-headSize
	keep := func(k Key, data []byte) {
		if _, known := kept[k]; !known && entrySize+len(data) <= room {
			kept[k] = data
			room -= entrySize + len(data)
		}
	}
	t.mu.RLock()
	for _, k := range sorted(t.fresh) {
		keep(k, t.fresh[k])
	}
	t.mu.RUnlock()
	for i := range own.used {
		if data, ok := own.thing(i); ok && own.used[i].Load() {
			keep(Key(own.key(i)), data)
		}
	}
	for i := range now.used {
		if data, ok := now.thing(i); ok {
			keep(Key(now.key(i)), data)
		}
	}
	_, err := w.Write(layOut(t.magic, kept))
	return err
}

func sorted(things map[Key][]byte) []Key {
	return slices.SortedFunc(maps.Keys(things), func(a, b Key) int { return bytes.Compare(a[:], b[:]) })
}

func layOut(magic [magicSize]byte, things map[Key][]byte) []byte {
	keys := sorted(things)
	out := binary.LittleEndian.AppendUint32(magic[:], uint32(len(keys)))
	at := 0
	for _, k := range keys {
		out = append(out, k[:]...)
		out = binary.LittleEndian.AppendUint32(out, uint32(at))
		out = binary.LittleEndian.AppendUint32(out, uint32(len(things[k])))
		out = binary.LittleEndian.AppendUint32(out, checksum(k[:], things[k]))
		at += len(things[k])
	}
	for _, k := range keys {
		out = append(out, things[k]...)
	}
	return out
}

// checksum covers a value and its key, so a value under another key is detected.
func checksum(key, data []byte) uint32 {
	return crc32.Update(crc32.ChecksumIEEE(key), crc32.IEEETable, data)
}

// A tableFile is the content of a file.
type tableFile struct {
	entries, things []byte
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
	return tableFile{data[:end], data[end:], make([]atomic.Bool, n)}
}

func (f tableFile) key(i int) []byte { return f.entries[i*entrySize:][:len(Key{})] }

// thing returns one, if it is whole.
func (f tableFile) thing(i int) (data []byte, ok bool) {
	entry := f.entries[i*entrySize:][:entrySize]
	number := func(i int) int64 { return int64(binary.LittleEndian.Uint32(entry[len(Key{})+4*i:])) }
	from, to := number(0), number(0)+number(1)
	if to > int64(len(f.things)) {
		return nil, false
	}
	data = f.things[from:to:to]
	return data, checksum(f.key(i), data) == uint32(number(2))
}

func (f tableFile) get(k Key) (data []byte, ok bool) {
	i, found := sort.Find(len(f.used), func(i int) int { return bytes.Compare(k[:], f.key(i)) })
	if !found {
		return nil, false
	}
	if data, ok = f.thing(i); ok {
		f.used[i].Store(true)
	}
	return data, ok
}
