package environment

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/machine/container"
	"github.com/gpudocs/gpudocs/internal/machine/container/containertest"
	"github.com/gpudocs/gpudocs/internal/machine/pyenv"
	"github.com/gpudocs/gpudocs/internal/report"
)

// TestImage checks that the image's own Python is asked, with an image of Podman.
func TestImage(t *testing.T) {
	rootfs := containertest.Rootfs(t)
	h := containertest.Host(t, container.Podman)
	for _, kv := range h.Env {
		if name, value, _ := strings.Cut(kv, "="); strings.HasPrefix(name, "CONTAINERS_") {
			t.Setenv(name, value)
		}
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv(container.Variable, container.Podman)
	spec := Spec{Container: "docker://registry.example/test:1", Vars: map[string]string{"A": "b"}}
	if e := Resolve(t.Context(), "img", spec, ""); !e.Unmade || e.Image != nil ||
		e.Unavailable.Error() != "no-environment: image-missing: docker://registry.example/test:1" {
		t.Errorf("%+v", e)
	}
	if _, err := Sync(t.Context(), spec, ""); err == nil || !strings.HasPrefix(err.Error(), "podman: exit status 125: ") {
		t.Errorf("an image of a registry that does not exist: %v", err)
	}
	containertest.Import(t, h, rootfs, "registry.example/test:1")
	e := Resolve(t.Context(), "img", spec, "")
	if e.Unavailable != nil || e.LookPath("bash") != "/usr/bin/bash" || e.Python.Missing != nil {
		t.Fatalf("%+v", e)
	}
	if v := e.Versions(); len(v) != 1 || v[0].Name != "image" || len(v[0].Version) != 12 || !strings.HasPrefix(e.Image.Digest, "sha256:"+v[0].Version) {
		t.Errorf("%v", v)
	}
	a := pyenv.Ask(t.Context(), e.Python, []string{"torch"})
	if a.Err != nil || len(a.Packages) != 1 || a.Packages[0] != (report.Package{Name: "torch", Version: containertest.Torch}) || len(a.Frameworks) != 1 {
		t.Errorf("%+v", a)
	}
	found, ok := e.Ask(t.Context(), []string{"bash", "podman"}, []string{"gcc"}) // podman is outside of it
	if !ok || !found["has bash"] || found["has podman"] || found["module gcc"] {
		t.Errorf("%v, %v", found, ok)
	}
	if list, err := pyenv.Packages(t.Context(), e.Python, []string{"torch", "json", "no_such"}); err != nil || len(list) != 3 ||
		list[0] != (pyenv.Found{Has: true, Version: containertest.Torch}) || !list[1].Has || list[2].Has {
		t.Errorf("%+v, %v", list, err)
	}
	if made, err := Sync(t.Context(), spec, ""); made || err != nil {
		t.Errorf("it is there: %v, %v", made, err)
	}
	spec.Python = "python2.7"
	if e := Resolve(t.Context(), "img", spec, ""); e.Unavailable != nil || e.Python.Missing.Error() != "no-interpreter: image: python2.7" {
		t.Errorf("%+v", e.Python)
	}
}
