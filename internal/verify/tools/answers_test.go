package tools

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/gpudocs/gpudocs/internal/machine/container"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/verify/session"
	"github.com/gpudocs/gpudocs/test/programtest"
)

// TestHasRuntime: has("podman") means that a container can be started, and so for each runtime that is tried.
func TestHasRuntime(t *testing.T) {
	programtest.Need(t, "bash")
	if runtime.GOOS != "linux" {
		t.Skip("containers run on Linux only")
	}
	dir := t.TempDir()
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	var facts []ask.Fact
	for _, name := range container.Runtimes {
		facts = append(facts, ask.Call(ask.Has, name))
	}
	for script, want := range map[string]bool{"exit 0": true, "echo 'no cgroups' >&2; exit 126": false} {
		for _, name := range container.Runtimes {
			if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		set := Finder{}.Find(t.Context(), []Key{{Interpreter: session.Python}})
		answers := Finder{}.Answers(t.Context(), set, map[string][]ask.Fact{"": facts})
		if len(answers) != len(facts) {
			t.Errorf("%s: %v", script, answers)
		}
		for _, a := range answers {
			if want := want || a.Ask == string(ask.Call(ask.Has, container.Enroot)); a.Has != want {
				t.Errorf("%s: %+v, want %v", script, a, want)
			}
		}
	}
}
