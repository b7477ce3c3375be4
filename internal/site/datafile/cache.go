package datafile

import (
	"fmt"
	"io/fs"
	"sync"

	"github.com/gpudocs/gpudocs/internal/memo"
	"github.com/gpudocs/gpudocs/internal/site"
)

// A Reader finds files for one page.
type Reader struct {
	cache *Cache
	// Queries are what was asked.
	Queries []Query
	seen    map[Query]bool
}

// NewReader returns the reader of a page.
func NewReader(c *Cache) *Reader { return &Reader{cache: c, seen: map[Query]bool{}} }

// A Query asks, for a page in a folder below the site's, for the files of a pattern, or those of a module by
// its name.
type Query struct{ folder, pattern, module string }

// An answer is what a query found.
type answer struct {
	files  []site.DataFile
	folder string
	fault  error
	key    memo.Key // of all of it
}

// Files returns the files that a pattern names, for a page in a folder below the site's.
func (r *Reader) Files(folder, pattern string) ([]site.DataFile, error) {
	return r.ask(Query{folder: folder, pattern: pattern})
}

// Module returns the files of the module in a folder that Python code imports by a name, and of those that
// these import: what Python would find if the code lay there. Of a package these are all modules. It
// returns nothing for a module that is elsewhere.
func (r *Reader) Module(folder, name string) ([]site.DataFile, error) {
	return r.ask(Query{folder: folder, module: name})
}

func (r *Reader) ask(q Query) ([]site.DataFile, error) {
	if !r.seen[q] {
		r.seen[q], r.Queries = true, append(r.Queries, q)
	}
	a := r.cache.answer(q)
	return a.files, a.fault
}

// A Cache finds and hashes files. It is safe for concurrent use.
type Cache struct {
	fsys    fs.FS
	sums    *memo.FileSums // nil to hash none
	answers table[Query, answer]
	imports table[string, []Import] // of modules
}

// NewCache returns a cache for the files of a site. before is the cache of an earlier load, or nil.
func NewCache(fsys fs.FS, before *Cache) *Cache {
	if before != nil {
		return &Cache{fsys: fsys, sums: before.sums}
	}
	return &Cache{fsys: fsys, sums: &memo.FileSums{}}
}

// Key returns a key of the answers to queries.
func (c *Cache) Key(queries []Query) memo.Key {
	var all []string
	for _, q := range queries {
		key := c.answer(q).key
		all = append(all, string(key[:]))
	}
	return memo.KeyOf(all...)
}

// Found returns the paths of the files that answer a query, and the folder in which another file may.
func (c *Cache) Found(q Query) (paths []string, folder string) {
	a := c.answer(q)
	for _, f := range a.files {
		paths = append(paths, f.Path)
	}
	return paths, a.folder
}

func (c *Cache) answer(q Query) answer {
	return c.answers.get(q, func() (a answer) {
		if q.module != "" {
			a = c.findModules(q)
		} else if p, err := parse(q.folder, q.pattern); err != nil {
			a = answer{folder: q.folder, fault: err}
		} else {
			a.files, a.fault = c.find(p)
			a.folder = p.folder()
		}
		a.key = a.hash()
		return a
	})
}

// hash returns the key of all that was found.
func (a *answer) hash() memo.Key {
	var all []string
	for _, f := range a.files {
		all = append(all, fmt.Sprintf("%#v", f))
	}
	if a.fault != nil {
		all = append(all, a.fault.Error())
	}
	return memo.KeyOf(all...)
}

// A table computes the value of each key once.
type table[K comparable, V any] struct{ values sync.Map }

func (t *table[K, V]) get(key K, compute func() V) V {
	value, _ := t.values.LoadOrStore(key, sync.OnceValue(compute))
	return value.(func() V)()
}
