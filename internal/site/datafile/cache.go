package datafile

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/gpudocs/gpudocs/internal/memo"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A Reader finds files for one page.
type Reader struct {
	cache *Cache
	// Queries are what was asked.
	Queries []Query
	asked   map[Query]bool
}

// NewReader returns the reader of a page.
func NewReader(c *Cache) *Reader { return &Reader{cache: c, asked: map[Query]bool{}} }

// A Query asks, for a page in a folder below the site's, for the files of a pattern, or those of a module by
// its name, or for the names that modules in the folder may have.
type Query struct{ folder, pattern, module string }

// Folder returns the folder whose files may answer the query: the one that the pattern names before its
// first wildcard.
func (q Query) Folder() string {
	p, problem := Parse(q.pattern)
	if problem != nil {
		return q.folder
	}
	base := "."
	if !p.Root {
		base = path.Join(q.folder, strings.Repeat("../", p.Up))
	}
	for _, s := range p.Segments[:len(p.Segments)-1] {
		if !literal(s) {
			break
		}
		base = path.Join(base, s)
	}
	return base
}

// Paths returns the paths of the files that a query finds.
func (c *Cache) Paths(q Query) (paths []string) {
	for _, f := range c.answer(q).files {
		paths = append(paths, f.Path)
	}
	return paths
}

// An answer is what a query found.
type answer struct {
	files   []site.DataFile
	names   []string
	problem *Problem
	key     memo.Key // of all of it
}

// A Cache finds and hashes files. It is safe for concurrent use.
type Cache struct {
	fsys    fs.FS
	answers table[Query, answer]
	folders table[string, listing]
	sums    table[string, hashed]
	imports table[string, []string] // of modules
	before  *Cache
}

// NewCache returns a cache for the files of a site. before is the cache of an earlier load, or nil.
func NewCache(fsys fs.FS, before *Cache) *Cache {
	if before != nil {
		before.before = nil // or all earlier files would stay in memory
	}
	return &Cache{fsys: fsys, before: before}
}

// Key returns a key of the answers to queries.
func (c *Cache) Key(queries []Query) memo.Key {
	h := memo.NewHash("data files")
	for _, q := range queries {
		h.Add(c.answer(q).key)
	}
	return h.Key()
}

func (c *Cache) answer(q Query) answer {
	return c.answers.get(q, func() answer {
		a := c.find(q)
		h := memo.NewHash("answer")
		h.Add(a.files, a.names, a.problem != nil)
		if a.problem != nil {
			h.Add(a.problem.Message.String())
		}
		a.key = h.Key()
		return a
	})
}

func (c *Cache) find(q Query) answer {
	switch {
	case q.module != "":
		return c.findModules(q)
	case q.pattern == "":
		return answer{names: c.moduleNames(q.folder)}
	}
	s, problem := c.search(q)
	if problem != nil {
		return answer{problem: problem}
	}
	files, problem := s.hash()
	return answer{files: files, problem: problem}
}

func (r *Reader) ask(q Query) answer {
	if !r.asked[q] {
		r.asked[q], r.Queries = true, append(r.Queries, q)
	}
	return r.cache.answer(q)
}

// A table computes the value of each key once.
type table[K comparable, V any] struct {
	mu     sync.Mutex
	values map[K]func() V
}

func (t *table[K, V]) get(key K, compute func() V) V {
	t.mu.Lock()
	value := t.values[key]
	if value == nil {
		if t.values == nil {
			t.values = map[K]func() V{}
		}
		value = sync.OnceValue(compute)
		t.values[key] = value
	}
	t.mu.Unlock()
	return value()
}

// known returns a value that was computed before.
func (t *table[K, V]) known(key K) (v V, ok bool) {
	t.mu.Lock()
	value := t.values[key]
	t.mu.Unlock()
	if value == nil {
		return v, false
	}
	return value(), true
}

// A hashed file is the hash of a file's content, with the size and time by which a later change is noticed.
type hashed struct {
	size    int64
	changed time.Time
	sum     string
	err     error
}

// settled is how long before it is hashed a file must have been changed: within it, a second change may
// leave the time as it is.
const settled = 2 * time.Second

// sum returns the SHA-256 of a file.
func (c *Cache) sum(name string, info fs.FileInfo) (string, error) {
	h := c.sums.get(name, func() hashed {
		if c.before != nil {
			if h, ok := c.before.sums.known(name); ok && h.err == nil && !h.changed.IsZero() && h.size == info.Size() && h.changed.Equal(info.ModTime()) {
				return h
			}
		}
		h := hashed{size: info.Size(), changed: info.ModTime()}
		if time.Since(h.changed) < settled {
			h.changed = time.Time{}
		}
		h.sum, h.err = hashFile(c.fsys, name)
		return h
	})
	return h.sum, h.err
}

func hashFile(fsys fs.FS, name string) (string, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	n, err := io.Copy(h, io.LimitReader(f, site.MaxCopied+1))
	if err == nil && n > site.MaxCopied {
		err = errors.New("it grows")
	}
	return hex.EncodeToString(h.Sum(nil)), err
}

// unreadable returns the problem of a file that cannot be read.
func unreadable(name string, err error) *Problem {
	d := diag.Unreadable(name, err)
	return &Problem{diag.Say("diag.message-at", "place", name, "what", d.Message), d.Hint}
}
