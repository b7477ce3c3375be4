package project

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/verify/update"
)

// open writes the files of a site into a folder of its own.
func open(t *testing.T, files map[string]string) *Project {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		write(t, filepath.Join(dir, name), text)
	}
	p, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// small is a site of one page that runs nothing.
func small(more map[string]string) map[string]string {
	files := map[string]string{site.ConfigFile: "", "content/en/index.md": "# A\n"}
	for name, text := range more {
		files[name] = text
	}
	return files
}

// ran is the time of the checks of these tests.
var ran = time.Date(2026, 3, 14, 15, 9, 26, 0, time.UTC)

// reportOf returns the report of a machine with one check.
func reportOf(machine string) *report.Report {
	return &report.Report{
		Schema: report.Schema, Generator: "made up for this test",
		Machine: report.Machine{Name: machine, OS: "Debian", Arch: "amd64", GPU: report.GPU{Status: report.GPUNone}},
		Checks: []report.Check{{
			ID: "aaaaaaaaaaaaaaaaaaaaaaaaaa", Kind: report.KindBash, Page: "a", Name: "b",
			Places: []report.Place{{File: "a.md", Line: 1}}, Outcome: report.Passed, Ran: ran,
		}},
	}
}

// encoded returns the file of a machine's report.
func encoded(t *testing.T, machine string) string {
	t.Helper()
	data, err := report.Encode(reportOf(machine))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// told returns an error as a person reads it, with its hint.
func told(err error) string {
	if err == nil {
		return ""
	}
	fault := (*diag.Fault)(nil)
	if !errors.As(err, &fault) {
		return "no fault: " + err.Error()
	}
	return err.Error() + " | " + diag.Plain(err).Hint().String()
}

func TestOpenMissing(t *testing.T) {
	_, err := Open(filepath.Join(t.TempDir(), "none"))
	if got := told(err); !strings.Contains(got, "none") || strings.HasPrefix(got, "no fault") || strings.HasSuffix(got, "| ") {
		t.Error(got)
	}
}

func TestPaths(t *testing.T) {
	p := open(t, small(map[string]string{"content/en/b/c.md": "# C\n"}))
	inside := filepath.Join(p.Dir, "content", "en", "index.md")
	got, err := p.Below([]string{inside, filepath.Dir(inside), p.Dir, "content/en", filepath.Dir(p.Dir), filepath.Join(p.Dir, "none.md")})
	want := []string{"content/en/index.md", "content/en", ".", "content/en", filepath.ToSlash(filepath.Dir(p.Dir)), filepath.ToSlash(filepath.Join(p.Dir, "none.md"))}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got  %q, %v\nwant %q", got, err, want)
	}
	for _, tt := range []struct {
		dir, file string
		want      bool
	}{{"a", "a", true}, {"a", "a/b", true}, {"a/", "a/b", true}, {".", "a/b", true}, {"a", "ab", false}, {"a/b", "a", false}} {
		if got := Covers(tt.dir, tt.file); got != tt.want {
			t.Errorf("%s covers %s: %v", tt.dir, tt.file, got)
		}
	}
}

// TestMakePrivate: git ignores the folder, and what a user wrote into its .gitignore stays.
func TestMakePrivate(t *testing.T) {
	p := open(t, small(nil))
	for _, want := range []string{"*\n", "mine\n"} {
		if err := p.MakePrivate(); err != nil {
			t.Fatal(err)
		}
		file := p.Path(PrivateDir, ".gitignore")
		if got, err := os.ReadFile(file); err != nil || string(got) != want {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
		write(t, file, "mine\n")
	}
}

// TestLock: the locks of several machines are taken together or not at all.
func TestLock(t *testing.T) {
	p := open(t, small(nil))
	release, err := p.Lock("b", "a", "b")
	if err != nil {
		t.Fatal(err)
	}
	again, err := p.Lock("a", "c")
	if got := told(err); again != nil || !strings.Contains(got, " a") || strings.HasPrefix(got, "no fault") {
		t.Errorf("locked: %s", got)
	}
	release()
	for _, machine := range []string{"a", "b", "c"} {
		release, err := p.Lock(machine)
		if err != nil {
			t.Fatalf("%s is still locked: %v", machine, err)
		}
		release()
	}
}

// TestWaitLock: who has to wait is told so once, and gets the lock when it is free.
func TestWaitLock(t *testing.T) {
	p := open(t, small(nil))
	first, err := p.WaitLock(t.Context(), "a", func(diag.Text) { t.Error("the lock was free") })
	if err != nil {
		t.Fatal(err)
	}
	waited := 0
	second, err := p.WaitLock(t.Context(), "a", func(why diag.Text) {
		if waited++; why.Key() != "cli.waiting_lock" {
			t.Error(why)
		}
		first()
	})
	if err != nil || waited != 1 {
		t.Fatalf("%v, waited %d times", err, waited)
	}
	second()
}

// TestWritePages: all pages are replaced, or none if one has changed.
func TestWritePages(t *testing.T) {
	p := open(t, map[string]string{"a.md": "a", "b.md": "b"})
	pages := []update.PageUpdate{{Name: "a.md", Old: []byte("a"), New: []byte("A")}, {Name: "b.md", Old: []byte("other"), New: []byte("B")}}
	if err := p.WritePages(pages); !errors.Is(err, ErrPageChanged) || !strings.Contains(err.Error(), "b.md") {
		t.Error(err)
	}
	read := func() (all string) {
		for _, page := range pages {
			data, _ := os.ReadFile(p.Path(page.Name))
			all += string(data)
		}
		return all
	}
	if got := read(); got != "ab" {
		t.Errorf("one page has changed: %s", got)
	}
	pages[1].Old = []byte("b")
	if err := p.WritePages(pages); err != nil || read() != "AB" {
		t.Errorf("%v, %s", err, read())
	}
	entries, _ := os.ReadDir(p.Dir)
	if len(entries) != 2 {
		t.Errorf("left over: %v", entries)
	}
	if err := p.WritePages([]update.PageUpdate{{Name: "c.md"}}); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
