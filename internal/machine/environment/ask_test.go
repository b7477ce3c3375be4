package environment

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/test/programtest"
)

// TestAsk looks for modules without loading one, and for programs without running one.
func TestAsk(t *testing.T) {
	dir := lmod(t)
	for name, tt := range map[string]struct {
		spec Spec
		want map[string]bool
	}{
		"none": {Spec{}, map[string]bool{"has sh": true, "has no-such": false, "module gcc": false}},
		"path": {Spec{Vars: map[string]string{"MODULEPATH": dir}}, map[string]bool{"has sh": true, "module gcc": true, "module gcc/12.2.0": true,
			"module gcc/13": false, "module bare": true, "module broken/1": true, "module no-such": false}},
		"loaded": {Spec{Modules: []string{"cuda"}, Vars: map[string]string{"MODULEPATH": dir}}, map[string]bool{"module cuda": true, "module cuda/12.4": true,
			"module cuda/13": false, "module bare": true}},
	} {
		e := Resolve(t.Context(), "x", tt.spec, t.TempDir())
		var programs, modules []string
		for ask := range tt.want {
			if name, is := strings.CutPrefix(ask, "has "); is {
				programs = append(programs, name)
			} else {
				name, _ := strings.CutPrefix(ask, "module ")
				modules = append(modules, name)
			}
		}
		found, ok := e.Ask(t.Context(), programs, modules)
		for ask, want := range tt.want {
			if !ok || found[ask] != want {
				t.Errorf("%s, %s: %v, %v", name, ask, found[ask], ok)
			}
		}
	}
	if _, ok := (Environment{Unavailable: &report.Reason{}}).Ask(t.Context(), []string{"sh"}, nil); ok {
		t.Error("an environment that is not there has answered")
	}
}

// TestAskManagers asks for programs of managers of versions, which are in PATH whether or not there is a version to start.
func TestAskManagers(t *testing.T) {
	programtest.Need(t, "bash")
	dir := t.TempDir()
	shims := filepath.Join(dir, "shims")
	for name, text := range map[string]string{
		"shims/python3.9": "echo 'pyenv: python3.9: command not found' >&2; exit 127", // pyenv, rbenv, nodenv
		"shims/node":      "echo 'No version is set for command node' >&2; exit 126",  // asdf
		"shims/tool":      "exit 2",                                                   // knows no --version
		"shims/ruby":      "echo ruby 3.3",
		"broken":          "exit 127", // no shim, and not asked for what it may take for something else
		"rustup":          `[ "$1 $2" = "which cargo" ] || { echo "error: rustup could not choose a version of $2" >&2; exit 1; }`,
		"mise":            `[ "$1 $2" = "which deno" ]`,
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{"rustc": "rustup", "cargo": "rustup", "shims/bun": "mise", "shims/deno": "mise"} {
		link, target = filepath.Join(dir, link), filepath.Join(dir, target)
		if err := os.Link(target, link); err != nil { // rustup makes hard links, mise symbolic ones
			t.Fatal(err)
		}
	}
	e := Resolve(t.Context(), "x", Spec{Vars: map[string]string{"PATH": shims + ":" + dir + ":" + os.Getenv("PATH")}}, t.TempDir())
	want := map[string]bool{"python3.9": false, "node": false, "tool": true, "ruby": true, "broken": true, "rustup": true, "mise": true,
		"rustc": false, "cargo": true, "bun": false, "deno": true, "sh": true, "no-such": false}
	found, ok := e.Ask(t.Context(), slices.Collect(maps.Keys(want)), nil)
	for program, want := range want {
		if !ok || found["has "+program] != want {
			t.Errorf("%s: %v, %v, want %v", program, found["has "+program], ok, want)
		}
	}
}
