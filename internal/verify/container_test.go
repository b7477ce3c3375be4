package verify

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/machine/container"
	"github.com/gpudocs/gpudocs/internal/machine/container/containertest"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/test/programtest"
)

// TestContainerEnvironment runs a page in an image of Podman: what the image has decides, not the
// machine. Results are kept as long as the image is the same, and no container runs where the site
// asks for a sandbox.
func TestContainerEnvironment(t *testing.T) {
	if testing.Short() {
		t.Skip("runtimes take seconds, and none of their code is ours")
	}
	rootfs := containertest.Rootfs(t)
	h := containertest.Host(t, container.Podman)
	for _, kv := range h.Env {
		if name, value, _ := strings.Cut(kv, "="); strings.HasPrefix(name, "CONTAINERS_") {
			t.Setenv(name, value)
		}
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv(container.Variable, container.Podman)
	const name = "registry.example/page:1"
	containertest.Import(t, h, rootfs, name)

	config := "title = \"T\"\n[env.img]\ncontainer = \"" + name + "\"\nvars = {A = \"b\"}\n[env.folder]\ncontainer = \"" + rootfs +
		"\"\n[env.gone]\ncontainer = \"docker://registry.example/gone:1\"\n"
	const page = "```bash {run env=img name=bash}\necho $A >file; ls / | cat\n```\n" +
		"```python {run env=img name=torch needs=\"torch >= 2\"}\nimport torch\n```\n" +
		"```python {run env=img name=newer needs=\"torch >= 3\" session=other}\n1/0\n```\n" +
		"```c {run env=img name=c session=c}\nint main() {}\n```\n" +
		"```bash {run env=folder name=folder}\ntrue\n```\n" +
		"```bash {run env=gone name=gone}\ntrue\n```\n"
	s := loadSite(t, map[string]string{"gpudocs.toml": config, "content/pt/a.md": page})
	o := Options{Keep: true, Root: t.TempDir()}
	first := verify(t, s, noGPU, o)
	want := []string{
		"bash passed", "torch passed", "newer skipped software-unmet (img: Python) (torch >= 3; torch 2.6.0)", "c skipped no-interpreter (gcc)", "folder passed",
		"gone skipped no-environment (image-missing: docker://registry.example/gone:1)",
	}
	got := outcomes(first)
	for i := range got { // the image has the Python of this machine
		got[i] = regexp.MustCompile(`Python [0-9.]+`).ReplaceAllString(got[i], "Python")
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	images := map[string]string{}
	for _, e := range first.Machine.Environments {
		images[e.Name] = e.Image
	}
	if names := slices.Sorted(maps.Keys(images)); !slices.Equal(names, []string{"folder", "img"}) || images["folder"] != "" || !strings.HasPrefix(images["img"], "sha256:") {
		t.Errorf("images %q", images)
	}
	if got := ranAgain(t, s, first, o); !slices.Equal(got, []string{"newer", "c", "folder", "gone"}) {
		t.Errorf("with the same image %q ran", got)
	}
	if err := os.WriteFile(filepath.Join(rootfs, "etc/new"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	containertest.Import(t, h, rootfs, name)
	if got := ranAgain(t, s, first, o); len(got) != 6 {
		t.Errorf("with another image only %q ran", got)
	}
	programtest.NeedSandbox(t)
	o.Confine.Sandbox = site.SandboxBwrap
	if got := outcomes(verify(t, s, noGPU, o)); !slices.Contains(got, "bash skipped no-sandbox (container)") {
		t.Errorf("%q", got)
	}
}

// ranAgain runs the site with an earlier report, and returns the names of the checks that ran.
func ranAgain(t *testing.T, s *site.Site, previous *report.Report, o Options) (names []string) {
	t.Helper()
	plan, err := NewPlan(s, Filter{})
	if err != nil {
		t.Fatal(err)
	}
	o.Machine, o.Generator, o.Env, o.Jobs = "m", "test", s.Config.Env, 1
	o.Probe = func(context.Context) report.GPU { return noGPU }
	o.Progress = func(e Event) {
		if e.Finished != nil {
			names = append(names, e.Finished.Name)
		}
	}
	if _, err := Run(t.Context(), plan, previous, o); err != nil {
		t.Fatal(err)
	}
	return names
}
