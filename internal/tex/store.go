package tex

import (
	"encoding/json"
	"io"
	"maps"
	"slices"
)

// A store is what Temml has made of formulas, in this run and in earlier ones. It
// holds markup as Temml writes it: [clean] believes that of an earlier run no
// more than that of this one.
type store struct {
	all   map[string]string // by key
	used  map[string]bool   // in this run
	fresh bool              // something is not in the file yet
}

const (
	// version is that of Temml in temml/ and of what counting makes of it.
	version = "temml 0.13.5, 1"
	// maxStored bounds the file that is read and written, in bytes, and maxMarkup a
	// formula in it.
	maxStored = 16 << 20
	maxMarkup = 64 << 10
)

// storeFile is the form of the file.
type storeFile struct {
	Version  string            `json:"version"`
	Formulas map[string]string `json:"formulas"`
}

func (f formula) key() string {
	if f.display {
		return "$$" + f.tex
	}
	return "$" + f.tex
}

func (s *store) take(f formula) (string, bool) {
	key := f.key()
	markup, ok := s.all[key]
	if ok {
		s.use(key)
	}
	return markup, ok
}

func (s *store) put(f formula, markup string) {
	if len(markup) > maxMarkup {
		return
	}
	if s.all == nil {
		s.all = map[string]string{}
	}
	s.all[f.key()], s.fresh = markup, true
	s.use(f.key())
}

func (s *store) use(key string) {
	if s.used == nil {
		s.used = map[string]bool{}
	}
	s.used[key] = true
}

// open reads what an earlier run has stored. What is none of ours is nothing: it
// can all be made again.
func (c *Converter) open() {
	if c.Open == nil {
		return
	}
	r, err := c.Open()
	if err != nil {
		return
	}
	defer func() { _ = r.Close() }() // it was only read
	var file storeFile
	if json.NewDecoder(io.LimitReader(r, maxStored)).Decode(&file) == nil && file.Version == version {
		c.stored.all = file.Formulas
	}
}

// Fresh tells whether Store would write more than Open has read.
func (c *Converter) Fresh() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stored.fresh
}

// Store writes what was made, for [Converter.Open] of a later run: the formulas of
// this run, then those of earlier ones while there is room.
func (c *Converter) Store(w io.Writer) error {
	c.mu.Lock()
	file := storeFile{version, map[string]string{}}
	room := maxStored
	for _, used := range []bool{true, false} {
		for _, key := range slices.Sorted(maps.Keys(c.stored.all)) {
			// JSON writes <, > and & with \u.... unless told otherwise, a quote with two bytes.
			if size := 2*(len(key)+len(c.stored.all[key])) + 8; c.stored.used[key] == used && size <= room {
				file.Formulas[key] = c.stored.all[key]
				room -= size
			}
		}
	}
	c.stored.fresh = false
	c.mu.Unlock()
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(file)
}
