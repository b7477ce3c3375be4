package buildcache

import (
	"bytes"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/memo"
	"github.com/gpudocs/gpudocs/internal/report"
)

func entry(size int) Entry {
	return Entry{Duration: 1900 * time.Millisecond, Stderr: &report.Stream{Text: "warning\n"},
		Files: []File{{"saxpy", 0o755, bytes.Repeat([]byte("x"), size)}, {"sub/a.o", 0o644, []byte{0}}}}
}

func TestCache(t *testing.T) {
	c := Cache(filepath.Join(t.TempDir(), "builds"))
	key, other := memo.KeyOf("a"), memo.KeyOf("b")
	if _, ok := c.Get(key); ok {
		t.Error("an empty cache has an entry")
	}
	c.Put(key, entry(100))
	got, ok := c.Get(key)
	if diff := cmp.Diff(entry(100), got); !ok || diff != "" {
		t.Errorf("%v (-want +got)\n%s", ok, diff)
	}
	if _, ok := c.Get(other); ok {
		t.Error("another key has the entry")
	}
	if err := os.Rename(c.path(key), c.path(other)); err != nil {
		t.Fatal(err)
	}
	if _, ok := c.Get(other); ok {
		t.Error("the entry of another key is accepted")
	}
}

// TestDamaged cuts an entry at every length and changes every byte: it counts as missing, and can be made again.
func TestDamaged(t *testing.T) {
	c, key := Cache(t.TempDir()), memo.KeyOf("a")
	c.Put(key, entry(10))
	whole, err := os.ReadFile(c.path(key))
	if err != nil {
		t.Fatal(err)
	}
	damage := func(what string, data []byte) {
		if err := os.WriteFile(c.path(key), data, 0o600); err != nil {
			t.Fatal(err)
		}
		if e, ok := c.Get(key); ok {
			t.Errorf("%s: %+v", what, e)
		}
	}
	for i := range whole {
		changed := bytes.Clone(whole)
		changed[i] ^= 0x40
		damage("changed", changed)
		damage("cut", whole[:i])
	}
	c.Put(key, entry(10))
	if _, ok := c.Get(key); !ok {
		t.Error("a damaged entry is not replaced")
	}
}

// limit sets the limit of all entries.
func limit(t *testing.T, most int64) {
	before := maxTotal
	t.Cleanup(func() { maxTotal = before })
	maxTotal = most
}

func TestLimits(t *testing.T) {
	limit(t, 5000)
	c := Cache(t.TempDir())
	keys := []memo.Key{memo.KeyOf("a"), memo.KeyOf("b"), memo.KeyOf("c")}
	old := time.Now().Add(-2 * time.Hour)
	tmp := filepath.Join(string(c), ".0123.456")
	if err := os.WriteFile(tmp, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for i, k := range keys {
		c.Put(k, entry(2000))
		if i < 2 {
			_ = os.Chtimes(c.path(k), old, old.Add(time.Duration(i)*time.Minute))
		}
		if i == 1 {
			c.Get(keys[0]) // used: now the second one is the oldest
		}
	}
	for i, want := range []bool{true, false, true} {
		if _, ok := c.Get(keys[i]); ok != want {
			t.Errorf("entry %d is there: %v", i, ok)
		}
	}
	_ = os.Chtimes(tmp, old, old)
	c.Put(keys[1], entry(2000))
	if _, err := os.Stat(tmp); err == nil {
		t.Error("what a killed process left behind is still there")
	}
}

// TestTogether uses the same folder from many goroutines: what is read is always whole.
func TestTogether(t *testing.T) {
	limit(t, 100_000)
	dir, key := t.TempDir(), memo.KeyOf("a")
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			c := Cache(dir)
			for range 20 {
				c.Put(key, entry(1000))
				c.Put(memo.KeyOf("n", i), entry(20_000))
				if e, ok := c.Get(key); ok && len(e.Files) != 2 {
					t.Error("half an entry")
				}
			}
		})
	}
	all.Wait()
}

func TestChanged(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a.c", "1")
	write("old", "1")
	before, err := StateOf(dir)
	if err != nil {
		t.Fatal(err)
	}
	write("a.out", "2")
	write("old", "3")
	changed, err := before.Changed(dir)
	if diff := cmp.Diff([]File{{"a.out", 0o600, []byte("2")}, {"old", 0o600, []byte("3")}}, changed); err != nil || diff != "" {
		t.Errorf("%v (-want +got)\n%s", err, diff)
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "link")); err != nil {
		t.Skip(err)
	}
	if changed, err := before.Changed(dir); err == nil {
		t.Errorf("a new link is no fault: %v", changed)
	}
	os.Remove(filepath.Join(dir, "link"))
	os.Remove(filepath.Join(dir, "a.c"))
	if changed, err := before.Changed(dir); err == nil {
		t.Errorf("a file that is gone is no fault: %v", changed)
	}
}
