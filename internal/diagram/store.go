package diagram

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"maps"
	"slices"
)

// A store is what Mermaid has drawn, in this run and in earlier ones. It holds
// drawings as they were before they were cleaned: those of an earlier run are
// believed no more than those of this one.
type store struct {
	all   map[string]drawn // by key
	used  map[string]bool  // in this run
	fresh bool             // something is not in the file yet
}

const (
	// version is that of Mermaid in mermaid/ and of what draws with it.
	version = "mermaid 11.17.2, 2"
	// maxStored bounds the file that is read and written, in bytes.
	maxStored = 16 << 20
)

// storeFile is the form of the file.
type storeFile struct {
	Version  string           `json:"version"`
	Diagrams map[string]drawn `json:"diagrams"`
}

func key(source string) string {
	sum := sha256.Sum256([]byte(source))
	return hex.EncodeToString(sum[:16])
}

func (s *store) take(source string) (drawn, bool) {
	k := key(source)
	d, ok := s.all[k]
	if ok {
		s.use(k)
	}
	return d, ok
}

func (s *store) put(source string, d drawn) {
	if s.all == nil {
		s.all = map[string]drawn{}
	}
	s.all[key(source)], s.fresh = d, true
	s.use(key(source))
}

func (s *store) use(k string) {
	if s.used == nil {
		s.used = map[string]bool{}
	}
	s.used[k] = true
}

// open reads what an earlier run has stored. What is none of ours is nothing: it
// can all be drawn again.
func (d *Drawer) open() {
	if d.Open == nil {
		return
	}
	r, err := d.Open()
	if err != nil {
		return
	}
	defer func() { _ = r.Close() }() // it was only read
	var file storeFile
	if json.NewDecoder(io.LimitReader(r, maxStored)).Decode(&file) == nil && file.Version == version {
		d.stored.all = file.Diagrams
	}
}

// Fresh tells whether Store would write more than Open has read.
func (d *Drawer) Fresh() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.stored.fresh
}

// Store writes what was drawn, for [Drawer.Open] of a later run: the diagrams of
// this run, then those of earlier ones while there is room.
func (d *Drawer) Store(w io.Writer) error {
	d.mu.Lock()
	file := storeFile{version, map[string]drawn{}}
	room := maxStored
	for _, used := range []bool{true, false} {
		for _, k := range slices.Sorted(maps.Keys(d.stored.all)) {
			// A quote is two bytes in JSON; the rest of a drawing is small.
			made := d.stored.all[k]
			if size := 2*(len(made.Body)+len(made.Title)+len(made.Description)) + 200; d.stored.used[k] == used && size <= room {
				file.Diagrams[k] = made
				room -= size
			}
		}
	}
	d.stored.fresh = false
	d.mu.Unlock()
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(file)
}
