package environment

import (
	"archive/zip"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/internal/machine/pyenv"
	"github.com/gpudocs/gpudocs/internal/machine/pyenv/pyenvtest"
	"github.com/gpudocs/gpudocs/internal/report"
)

// uv makes uv the only tool, without the network and with an empty cache, and returns its path.
func uv(t *testing.T) string {
	t.Helper()
	program := filepath.Join(os.Getenv("GPUDOCS_TEST_VENV"), "bin", "uv")
	if os.Getenv("GPUDOCS_TEST_VENV") == "" {
		t.Skip("GPUDOCS_TEST_VENV names no environment with uv")
	}
	bin := t.TempDir()
	if err := os.Symlink(program, filepath.Join(bin, "uv")); err != nil {
		t.Fatal(err)
	}
	python := pyenvtest.Python(t)
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("UV_OFFLINE", "1")
	t.Setenv("UV_PYTHON", python)
	t.Setenv("PATH", bin+":/usr/bin:/bin")
	return program
}

// wheel writes the wheel of a package with one module.
func wheel(t *testing.T, dir, version string) {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, "mathx-"+version+"-py3-none-any.whl"))
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	info := "mathx-" + version + ".dist-info/"
	for _, file := range [][2]string{
		{"mathx.py", "def twice(x): return 2 * x\n"},
		{info + "METADATA", "Metadata-Version: 2.1\nName: mathx\nVersion: " + version + "\n"},
		{info + "WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"},
		{info + "RECORD", "mathx.py,,\n" + info + "METADATA,,\n" + info + "WHEEL,,\n" + info + "RECORD,,\n"},
	} {
		w, err := z.Create(file[0])
		if err == nil {
			_, err = w.Write([]byte(file[1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(z.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
}

func TestRequirements(t *testing.T) {
	uv(t)
	site := t.TempDir()
	wheel(t, site, "1.0")
	wheel(t, site, "2.0")
	pyenvtest.Write(t, filepath.Join(site, "requirements.txt"), "./mathx-1.0-py3-none-any.whl\n")
	s := Spec{Tool: UV, File: "requirements.txt", Lock: "requirements.txt", Setup: "export GREETING=hello", Vars: map[string]string{"A": "1"}}
	resolve := func() Environment { return Resolve(t.Context(), "x", s, site) }
	e := resolve()
	if !e.Unmade || e.Unavailable.Error() != "no-environment: not-synced" || len(e.Lock) != 64 {
		t.Fatalf("%+v", e)
	}
	// Two at once make one.
	var group sync.WaitGroup
	var mu sync.Mutex
	n := 0
	for range 2 {
		group.Go(func() {
			made, err := Sync(t.Context(), s, site)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Error(err)
			}
			if made {
				n++
			}
		})
	}
	group.Wait()
	if n != 1 {
		t.Errorf("made %d times", n)
	}
	if e = resolve(); e.Unavailable != nil || e.Python.Kind != pyenv.KindVenv || e.LookPath("python") != filepath.Join(e.Python.BinDir, "python") {
		t.Fatalf("%+v", e)
	}
	a := pyenv.Ask(t.Context(), e.Python, []string{"mathx"})
	if a.Err != nil || len(a.Packages) != 1 || a.Packages[0] != (report.Package{Name: "mathx", Version: "1.0"}) {
		t.Errorf("%+v", a)
	}
	if v := e.Versions(); len(v) != 1 || v[0].Name != "requirements.txt" || v[0].Version != e.Lock[:12] {
		t.Errorf("%v", v)
	}
	// Another lock is another environment, and the earlier one is still there.
	first := e.Lock
	pyenvtest.Write(t, filepath.Join(site, "requirements.txt"), "./mathx-2.0-py3-none-any.whl\n")
	if e = resolve(); !e.Unmade || e.Lock == first {
		t.Errorf("%+v", e)
	}
	pyenvtest.Write(t, filepath.Join(site, "requirements.txt"), "./mathx-1.0-py3-none-any.whl\n")
	if e = resolve(); e.Unmade || e.Lock != first {
		t.Errorf("%+v", e)
	}
}

// TestIncluded checks that files which requirements include count, and that a folder is not that of another site.
func TestIncluded(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	site, other := t.TempDir(), t.TempDir()
	locate := func(s Spec, site string) locked {
		l, err := s.locate(site)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	for _, dir := range []string{site, other} {
		pyenvtest.Write(t, filepath.Join(dir, "r/base.txt"), "--constraint=../limits.txt\n-r base.txt\n")
		pyenvtest.Write(t, filepath.Join(dir, "limits.txt"), "a==1\n")
	}
	for _, c := range []struct {
		name, text string
		follows    bool // limits.txt
		shared     bool // with another site
	}{
		{"requirements.txt", "b==1\n-r r/base.txt # both\n", true, true},
		{"requirements.txt", "b==1\n# via\n#   -r r/base.txt\nc @ https://example.org/c.whl\n-r none.txt\n", false, true},
		{"requirements.txt", "b @ file:///opt/b\n", false, false},
		{"requirements.txt", "-c limits.txt\n./package\n", true, false},
		{"requirements.txt", "-e .\n", false, false},
		{"environment.yml", "dependencies:\n  - pip:\n    - -r r/base.txt\n", true, true},
		{"environment.yml", "dependencies:\n  - pip:\n    - \"-e ./package\"\n", false, false},
	} {
		s := Spec{Tool: UV, File: c.name, Lock: c.name}
		for _, dir := range []string{site, other} {
			pyenvtest.Write(t, filepath.Join(dir, c.name), c.text)
		}
		pyenvtest.Write(t, filepath.Join(site, "limits.txt"), "a==1\n")
		before := locate(s, site)
		if shared := locate(s, other).dir == before.dir; shared != c.shared {
			t.Errorf("%q: shared %v", c.text, shared)
		}
		pyenvtest.Write(t, filepath.Join(site, "limits.txt"), "a==2\n")
		after := locate(s, site)
		if (before.sum != after.sum) != c.follows || (before.dir != after.dir) != c.follows {
			t.Errorf("%q: %s and %s after a change", c.text, before.sum, after.sum)
		}
	}
}

// TestMadeAgain checks that an environment that has lost its Python is made again.
func TestMadeAgain(t *testing.T) {
	uv(t)
	site := t.TempDir()
	pyenvtest.Write(t, filepath.Join(site, "requirements.txt"), "# nothing\n")
	s := Spec{Tool: UV, File: "requirements.txt", Lock: "requirements.txt"}
	if made, err := Sync(t.Context(), s, site); !made || err != nil {
		t.Fatal(made, err)
	}
	if err := os.RemoveAll(Resolve(t.Context(), "x", s, site).Python.BinDir); err != nil {
		t.Fatal(err)
	}
	if e := Resolve(t.Context(), "x", s, site); !e.Unmade {
		t.Errorf("%+v", e)
	}
	l, err := s.locate(site)
	if err != nil {
		t.Fatal(err)
	}
	with := os.Getenv("PATH")
	t.Setenv("PATH", "/usr/bin:/bin")
	if made, err := Sync(t.Context(), s, site); made || !errors.Is(err, ErrNoTool) {
		t.Error(made, err)
	}
	t.Setenv("PATH", with)
	if _, err := os.Stat(l.stamp()); err == nil {
		t.Error("what is being made again has the stamp of the first time")
	}
	if made, err := Sync(t.Context(), s, site); !made || err != nil || Resolve(t.Context(), "x", s, site).Unavailable != nil {
		t.Error(made, err)
	}
}

func TestProject(t *testing.T) {
	program := uv(t)
	site := t.TempDir()
	wheel(t, site, "1.0")
	project := "[project]\nname = 'course'\nversion = '0.1'\ndependencies = ['mathx']\n[tool.uv.sources]\nmathx = {path = 'mathx-1.0-py3-none-any.whl'}\n"
	pyenvtest.Write(t, filepath.Join(site, "pyproject.toml"), project)
	cmd := exec.Command(program, "lock", "--project", site)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	s := Spec{Tool: UV, File: "pyproject.toml", Lock: "uv.lock"}
	if made, err := Sync(t.Context(), s, site); !made || err != nil {
		t.Fatal(made, err)
	}
	e := Resolve(t.Context(), "x", s, site)
	if a := pyenv.Ask(t.Context(), e.Python, []string{"mathx"}); a.Err != nil || a.Packages[0].Version != "1.0" {
		t.Errorf("%+v", a)
	}
	// A lock that is out of date is not used, and leaves nothing.
	pyenvtest.Write(t, filepath.Join(site, "pyproject.toml"), strings.Replace(project, "version = '0.1'", "version = '0.1'\nrequires-python = '>=3.7'", 1))
	made, err := Sync(t.Context(), s, site)
	fault, is := errors.AsType[*ToolError](err)
	if made || !is || fault.Command != "uv sync --locked" || !strings.Contains(fault.Output, "needs to be updated") {
		t.Fatalf("%v, %+v", made, fault)
	}
	l, err := s.locate(site)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(l.dir, "env")); err == nil || l.isComplete() {
		t.Error("a failed sync left an environment")
	}
}

// TestSyncFails checks what does not count as made.
func TestSyncFails(t *testing.T) {
	uv(t)
	site := t.TempDir()
	pyenvtest.Write(t, filepath.Join(site, "requirements.txt"), "# nothing\n")
	s := Spec{Tool: UV, File: "requirements.txt", Lock: "requirements.txt"}
	cancelled, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if made, err := Sync(cancelled, s, site); made || err == nil {
		t.Error(made, err)
	}
	if e := Resolve(t.Context(), "x", s, site); !e.Unmade {
		t.Errorf("%+v", e)
	}
	l, err := s.locate(site)
	if err != nil {
		t.Fatal(err)
	}
	pyenvtest.Write(t, filepath.Join(l.dir, "env", "left"), "by a process that was killed\n")
	if made, err := Sync(t.Context(), s, site); !made || err != nil {
		t.Error(made, err)
	}
	if _, err := os.Stat(filepath.Join(l.dir, "env", "left")); err == nil {
		t.Error("leftovers are part of an environment")
	}
	for _, c := range []struct {
		name, lock, want string
		spec             Spec
	}{
		{"no tool", "x", "mamba, micromamba, conda: is not installed", Spec{Tool: Conda, File: "environment.yml", Lock: "environment.yml"}},
		{"no such package", "no-such-package-mathx==1\n", "uv pip install --python $ENV -r requirements.txt: ", s},
		{"a link out of the site", "", "path escapes from parent", Spec{Tool: UV, File: "link.txt", Lock: "link.txt"}},
		{"no such file", "", "no-file: none.txt", Spec{Tool: UV, File: "none.txt", Lock: "none.txt"}},
		{"a setup that fails", "# x\n", "setup-failed: 1", Spec{Tool: UV, File: "requirements.txt", Lock: "requirements.txt", Setup: "false"}},
	} {
		if c.lock != "" {
			pyenvtest.Write(t, filepath.Join(site, c.spec.File), c.lock)
		}
		if c.spec.File == "link.txt" {
			if err := os.Symlink("/etc/passwd", filepath.Join(site, "link.txt")); err != nil {
				t.Fatal(err)
			}
		}
		if made, err := Sync(t.Context(), c.spec, site); made || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, %v, want %s", c.name, made, err, c.want)
		}
	}
}

// TestCondaAndPixi checks how conda and pixi are called. They are fakes, as neither is in a package
// registry: this shows what gpudocs asks for and makes of the answer, not that they do it.
func TestCondaAndPixi(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("fakes are shell scripts")
	}
	python := pyenvtest.Python(t)
	for _, c := range []struct{ name, script, calls string }{
		{"conda", "prefix=$4\n", "env create -p $ENV/env -f $SITE/environment.yml\n"},
		{"pixi", "[ -f \"$(dirname \"$4\")/pixi.lock\" ] || exit 1\nprefix=$(dirname \"$4\")/.pixi/envs/default\n", "install --locked --manifest-path $ENV/env/pixi.toml\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			pyenvtest.Nothing(t)
			t.Setenv("XDG_CACHE_HOME", t.TempDir())
			site, bin := t.TempDir(), t.TempDir()
			calls := filepath.Join(bin, "calls")
			pyenvtest.Write(t, filepath.Join(bin, c.name), "#!/bin/sh\nset -e\necho \"$@\" >>"+calls+"\n"+c.script+
				"mkdir -p \"$prefix/bin\" \"$prefix/conda-meta\"\nln -s "+python+" \"$prefix/bin/python\"\n")
			if err := os.Chmod(filepath.Join(bin, c.name), 0o700); err != nil {
				t.Fatal(err)
			}
			t.Setenv("PATH", bin+":/usr/bin:/bin")
			s := Spec{Tool: Conda, File: "environment.yml", Lock: "environment.yml"}
			if c.name == "pixi" {
				s = Spec{Tool: Pixi, File: "pixi.toml", Lock: "pixi.lock"}
			}
			pyenvtest.Write(t, filepath.Join(site, s.File), "x\n")
			pyenvtest.Write(t, filepath.Join(site, s.Lock), "x\n")
			if made, err := Sync(t.Context(), s, site); !made || err != nil {
				t.Fatal(made, err)
			}
			l, err := s.locate(site)
			if err != nil {
				t.Fatal(err)
			}
			got, _ := os.ReadFile(calls)
			if text := strings.NewReplacer(l.dir, "$ENV", site, "$SITE").Replace(string(got)); text != c.calls {
				t.Errorf("calls %q, want %q", text, c.calls)
			}
			e := Resolve(t.Context(), "x", s, site)
			if e.Unavailable != nil || e.Python.Kind != pyenv.KindConda || !strings.HasPrefix(e.Python.Path, l.prefix()) || pyenv.Variable(e.Environ(), "CONDA_PREFIX") != l.prefix() {
				t.Errorf("%+v", e.Python)
			}
		})
	}
}
