package site

import (
	"slices"
	"testing"
)

// TestTraits checks that the IDs of checks in environments of python and conda are what they always
// were, and that every newer key is part of them.
func TestTraits(t *testing.T) {
	old := Environment{Python: "p"}
	if want := []string{"python p", "conda "}; !slices.Equal(old.Traits(), want) {
		t.Errorf("got %q, want %q", old.Traits(), want)
	}
	for _, e := range []Environment{
		{Python: "p", UV: "u"}, {Python: "p", Pixi: "x"}, {Python: "p", Modules: []string{"m"}}, {Python: "p", Setup: "s"}, {Python: "p", Vars: map[string]string{"a": ""}},
	} {
		if slices.Equal(e.Traits(), old.Traits()) {
			t.Errorf("%+v is the same as without its key", e)
		}
	}
	packages := Environment{Python: "p", Packages: []string{"torch"}}
	if !slices.Equal(packages.Traits(), old.Traits()) {
		t.Error("the ID depends on packages")
	}
}

func TestLocked(t *testing.T) {
	for _, c := range []struct {
		e                Environment
		tool, file, lock string
	}{
		{Environment{UV: "a/requirements.txt"}, "uv", "a/requirements.txt", "a/requirements.txt"},
		{Environment{UV: "a/pyproject.toml"}, "uv", "a/pyproject.toml", "a/uv.lock"},
		{Environment{UV: "setup.py"}, "uv", "setup.py", ""},
		{Environment{Pixi: "pixi.toml"}, "pixi", "pixi.toml", "pixi.lock"},
		{Environment{Pixi: "x.txt"}, "pixi", "x.txt", ""},
		{Environment{Conda: "e/environment.yaml"}, "conda", "e/environment.yaml", "e/environment.yaml"},
		{Environment{Conda: "base"}, "", "", ""},
		{Environment{Python: "requirements.txt"}, "", "", ""},
	} {
		if tool, file, lock := c.e.Locked(); tool != c.tool || file != c.file || lock != c.lock {
			t.Errorf("%+v: %q, %q, %q", c.e, tool, file, lock)
		}
	}
}
