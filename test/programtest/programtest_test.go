package programtest

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestFault asks programs that are in PATH and do not work, as managers of versions, stubs and broken installations leave them.
func TestFault(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the programs are scripts of a shell")
	}
	dir := t.TempDir()
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	for _, c := range []struct{ name, script, want string }{
		{"fine-tool", "echo 1.0", ""},
		{"rustc", "echo 'error: rustup could not choose a version of rustc to run' >&2; echo more >&2; exit 1",
			"rustc does not work: exit status 1: error: rustup could not choose a version of rustc to run"},
		{"pyenv-tool", "echo 'pyenv: python3.9: command not found'; exit 127", "pyenv-tool does not work: exit status 127: pyenv: python3.9: command not found"},
		{"gcc", `[ "$1" = --version ] || { echo "stdio.h: No such file" >&2; exit 1; }`, "gcc does not work: exit status 1: stdio.h: No such file"},
		{"stub-tool", "exit 1", "stub-tool does not work: exit status 1"},
		{"dead-tool", "kill -SEGV $$", "dead-tool does not work: signal: segmentation fault"},
		{"pdfinfo", "exit 1", ""},
		{"sshd", "exit 127", "sshd does not work: exit status 127"},
	} {
		if err := os.WriteFile(filepath.Join(dir, c.name), []byte("#!/bin/sh\n"+c.script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := Fault(c.name); err != nil {
			got = err.Error()
		}
		if c.want == "" && got != "" || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	if err := Fault("no-such-program"); err == nil || err.Error() != "no-such-program is not installed" {
		t.Error(err)
	}
	r := &recorder{TB: t}
	if Need(r, "fine-tool"); r.skipped != "" {
		t.Error(r.skipped)
	}
	if Need(r, "fine-tool", "stub-tool"); r.skipped != "stub-tool does not work: exit status 1" {
		t.Error(r.skipped)
	}
}

// A recorder is a test that may be skipped without being so.
type recorder struct {
	testing.TB
	skipped string
}

func (r *recorder) Skip(args ...any) { r.skipped = fmt.Sprint(args...) }

// TestAsked: a program is asked once, however many tests need it.
func TestAsked(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	Need(t, "sh")
	if err := os.WriteFile(filepath.Join(dir, "counted-tool"), []byte("#!/bin/sh\necho x >>"+dir+"/count\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := Fault("counted-tool"); err != nil {
			t.Fatal(err)
		}
	}
	if count, err := os.ReadFile(filepath.Join(dir, "count")); err != nil || string(count) != "x\n" {
		t.Errorf("%q, %v", count, err)
	}
}
