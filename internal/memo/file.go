package memo

import (
	"encoding/json"
	"io"
	"maps"
	"slices"
)

const (
	// maxStored bounds the file that is read and written, in bytes, and maxOne one
	// thing in it.
	maxStored = 16 << 20
	maxOne    = 4 << 20
)

// file is the form of the file.
type file[Raw any] struct {
	Version string         `json:"version"`
	Results map[string]Raw `json:"made"`
}

func (m *Memo[Raw, Done]) open() { m.stored = m.read() }

// read returns the content of the file. If it is not valid it is ignored, as everything
// can be computed again.
func (m *Memo[Raw, Done]) read() map[string]Raw {
	none := map[string]Raw{}
	if m.options.Open == nil {
		return none
	}
	r, err := m.options.Open()
	if err != nil {
		return none
	}
	defer func() { _ = r.Close() }() // it was only read
	var f file[Raw]
	if json.NewDecoder(io.LimitReader(r, maxStored)).Decode(&f) != nil || f.Version != m.options.Version || f.Results == nil {
		return none
	}
	return f.Results
}

// put notes that this run uses a thing, which may be new. The lock is held.
func (m *Memo[Raw, Done]) put(key string, raw Raw, stored bool) {
	size := m.size(key, raw)
	if size > maxOne {
		return
	}
	m.used[key] = true
	if stored {
		return
	}
	if m.room -= size; m.room < 0 { // serve may run for weeks
		clear(m.stored)
		clear(m.used)
		m.used[key], m.room = true, maxStored-size
	}
	m.stored[key], m.fresh = raw, true
}

// size is the encoded size of a result in the file: JSON takes two bytes for a quote,
// and names and punctuation.
func (m *Memo[Raw, Done]) size(key string, raw Raw) int {
	return 2*(len(key)+m.options.Size(raw)) + 200
}

// Fresh reports whether Write would write more than Open has read.
func (m *Memo[Raw, Done]) Fresh() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.fresh
}

// Write writes what was made, for a later run: the things of this run, then those of
// earlier ones and of other processes while there is room.
func (m *Memo[Raw, Done]) Write(w io.Writer) error {
	m.opened.Do(m.open)
	others := m.read()
	m.mu.Lock()
	maps.Copy(others, m.stored)
	f := file[Raw]{m.options.Version, map[string]Raw{}}
	room := maxStored - 1<<10
	for _, used := range []bool{true, false} {
		for _, key := range slices.Sorted(maps.Keys(others)) {
			if size := m.size(key, others[key]); m.used[key] == used && size <= room {
				f.Results[key] = others[key]
				room -= size
			}
		}
	}
	m.fresh = false
	m.mu.Unlock()
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(f)
}
