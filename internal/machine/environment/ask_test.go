package environment

import (
	"strings"
	"testing"
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
	if _, ok := (Environment{Unavailable: "it is broken"}).Ask(t.Context(), []string{"sh"}, nil); ok {
		t.Error("an environment that is not there has answered")
	}
}
