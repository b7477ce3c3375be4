package ssh

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// program writes a file to pack.
func program(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(file, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	return file
}

// sent unpacks what packed returns.
func sent(t *testing.T, file string, cache programCache) string {
	t.Helper()
	data, err := packed(file, cache)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// names returns the names of the files in a cache.
func names(t *testing.T, cache programCache) (out []string) {
	t.Helper()
	entries, err := os.ReadDir(string(cache))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

func TestKept(t *testing.T) {
	t.Parallel()
	cache := programCache(filepath.Join(t.TempDir(), "gpudocs", "programs"))
	text := strings.Repeat("a program ", 1000)
	file := program(t, text)
	if got := sent(t, file, cache); got != text {
		t.Fatalf("%.40q is sent", got)
	}
	one := names(t, cache)
	if len(one) != 1 {
		t.Fatal(one)
	}
	// The cached file is what is sent: the packed form of another program shows that.
	place := filepath.Join(string(cache), one[0])
	other, err := pack(strings.NewReader("another"))
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(place)
	if err != nil {
		t.Fatal(err)
	}
	if err := cache.write(place, other); err != nil {
		t.Fatal(err)
	}
	if got := sent(t, file, cache); got != "another" {
		t.Errorf("%.40q is sent instead of the cached file", got)
	}
	// Another program has another name, and a cache that cannot be created is no error.
	if got := sent(t, program(t, text+"!"), cache); got != text+"!" || len(names(t, cache)) != 2 {
		t.Errorf("%.40q, %q", got, names(t, cache))
	}
	for _, none := range []programCache{"", programCache(filepath.Join(file, "below"))} {
		if got := sent(t, file, none); got != text {
			t.Errorf("%.40q is sent without a cache", got)
		}
	}

	flipped := bytes.Clone(whole)
	flipped[len(flipped)/2] ^= 1
	for what, data := range map[string][]byte{"empty": nil, "cut": whole[:len(whole)-1], "cut in the sum": whole[:20], "longer": append(bytes.Clone(whole), 0), "flipped": flipped} {
		if err := os.WriteFile(place, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if got := sent(t, file, cache); got != text {
			t.Errorf("%s: %.40q is sent", what, got)
		}
		if now, err := os.ReadFile(place); err != nil || !bytes.Equal(now, whole) {
			t.Errorf("%s: it is not written again: %v", what, err)
		}
	}
}

// A file that others may write to is not sent.
func TestKeptIsPrivate(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("modes say nothing here")
	}
	for _, c := range []struct {
		what         string
		folder, file os.FileMode
		want         string
	}{
		{"private", 0o700, 0o600, "another"},
		{"readable", 0o755, 0o644, "another"},
		{"the file is the group's too", 0o700, 0o660, "ours"},
		{"the file is everybody's", 0o700, 0o602, "ours"},
		{"the folder is everybody's", 0o777, 0o600, "ours"},
	} {
		cache, file := programCache(t.TempDir()), program(t, "ours")
		sent(t, file, cache)
		place := filepath.Join(string(cache), names(t, cache)[0])
		other, err := pack(strings.NewReader("another"))
		if err != nil {
			t.Fatal(err)
		}
		if err := cache.write(place, other); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(place, c.file); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(string(cache), c.folder); err != nil {
			t.Fatal(err)
		}
		if got := sent(t, file, cache); got != c.want {
			t.Errorf("%s: %q is sent", c.what, got)
		}
	}
}

// The most recently used files stay; temporary files of killed processes are removed.
func TestKeptIsBounded(t *testing.T) {
	t.Parallel()
	cache := programCache(filepath.Join(t.TempDir(), "programs"))
	var files []string
	for i := range maxCached + 2 {
		files = append(files, program(t, fmt.Sprint("program ", i)))
	}
	sent(t, files[0], cache)
	first := names(t, cache)[0]
	past := time.Now().Add(-2 * maxTemporary)
	left, fresh := filepath.Join(string(cache), ".program.1"), filepath.Join(string(cache), ".program.2")
	for _, name := range []string{left, fresh} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chtimes(left, past, past); err != nil {
		t.Fatal(err)
	}
	for i, file := range files[1:] {
		sent(t, file, cache)
		for _, name := range names(t, cache) { // each run is a minute after the previous one
			place := filepath.Join(string(cache), name)
			if info, err := os.Stat(place); err == nil && time.Since(info.ModTime()) < time.Minute/2 && place != fresh {
				then := time.Now().Add(time.Duration(i-len(files)) * time.Minute)
				if err := os.Chtimes(place, then, then); err != nil {
					t.Fatal(err)
				}
			}
		}
		sent(t, files[0], cache)
	}
	got := strings.Join(names(t, cache), " ")
	if n := len(strings.Fields(got)); n != maxCached+1 || !strings.Contains(got, first) || !strings.Contains(got, filepath.Base(fresh)) {
		t.Errorf("%d files are cached, %s; %s is used most", n, got, first)
	}
}

// Many runs at once, each of which may find the cache in any state.
func TestKeptAtOnce(t *testing.T) {
	t.Parallel()
	cache := programCache(filepath.Join(t.TempDir(), "programs"))
	var files []string
	for i := range maxCached + 1 {
		files = append(files, program(t, strings.Repeat(fmt.Sprint(i), 1<<16)))
	}
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			file := files[i%len(files)]
			data, err := packed(file, cache)
			if err != nil {
				t.Error(err)
				return
			}
			z, err := gzip.NewReader(bytes.NewReader(data))
			if err != nil {
				t.Error(err)
				return
			}
			if got, err := io.ReadAll(z); err != nil || string(got) != strings.Repeat(fmt.Sprint(i%len(files)), 1<<16) {
				t.Errorf("%.10q is sent for %d: %v", got, i, err)
			}
		})
	}
	all.Wait()
	if got := names(t, cache); len(got) > maxCached {
		t.Errorf("cached files %q", got)
	}
}
