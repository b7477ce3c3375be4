package check

import (
	"cmp"
	"encoding/json"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/gpudocs/gpudocs/internal/atomicfile"
)

// A Cache stores answers in a file between runs. Good ones are valid for a week, others for an
// hour. A nil Cache stores nothing.
type Cache struct {
	file    string
	refresh bool
	now     func() time.Time

	mu      sync.Mutex
	answers map[string]Answer
}

const (
	cacheVersion = 1
	goodFor      = 7 * 24 * time.Hour
	badFor       = time.Hour
	maxAnswers   = 20000
	maxCacheFile = 32 << 20
)

// A cacheFile is the format of the file.
type cacheFile struct {
	Version int               `json:"version"`
	Answers map[string]Answer `json:"answers"`
}

// OpenCache reads a cache. If the file does not exist or has another format, the cache is empty.
// With refresh, stored answers are ignored and replaced by new ones.
func OpenCache(file string, refresh bool) *Cache {
	c := &Cache{file: file, refresh: refresh, now: time.Now, answers: map[string]Answer{}}
	f, err := os.Open(file)
	if err != nil {
		return c
	}
	defer f.Close()
	var read cacheFile
	if json.NewDecoder(io.LimitReader(f, maxCacheFile)).Decode(&read) == nil && read.Version == cacheVersion && read.Answers != nil {
		c.answers = read.Answers
	}
	return c
}

// get returns an answer that is still valid and covers all fragments.
func (c *Cache) get(address string, fragments []string) (Answer, bool) {
	if c == nil || c.refresh {
		return Answer{}, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	a, ok := c.answers[address]
	age, limit := c.now().Sub(a.At), badFor
	if a.Status/100 == 2 {
		limit = goodFor
	}
	if !ok || a.Private || age < 0 || age > limit {
		return Answer{}, false
	}
	for _, f := range fragments {
		if _, known := a.Fragments[f]; !known && a.Status/100 == 2 {
			return Answer{}, false
		}
	}
	return a, true
}

func (c *Cache) put(address string, a Answer) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.answers[address] = a
}

// Save writes the cache without outdated answers and, if it is too large, without the oldest.
// Another run reads either the old file or the new one.
func (c *Cache) Save() error {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	type entry struct {
		address string
		Answer
	}
	var all []entry
	for address, a := range c.answers {
		if c.now().Sub(a.At) <= goodFor && !a.Private {
			all = append(all, entry{address, a})
		}
	}
	slices.SortFunc(all, func(a, b entry) int { return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.address, b.address)) })
	out := cacheFile{cacheVersion, map[string]Answer{}}
	for _, e := range all[:min(len(all), maxAnswers)] {
		out.Answers[e.address] = e.Answer
	}
	data, err := json.Marshal(out)
	if err != nil {
		return err
	}
	return atomicfile.Write(c.file, data, 0o600)
}
