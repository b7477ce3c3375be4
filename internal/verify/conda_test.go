package verify

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/verify/session"
)

// realPython is the interpreter itself, for python3 may be a shim that needs
// its own home.
func realPython(t *testing.T) string {
	t.Helper()
	need(t, "python3")
	out, err := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// noConda takes away what this machine has, and gives an empty home.
func noConda(t *testing.T) (home string) {
	for _, key := range []string{"CONDA_EXE", "CONDA_PREFIX", "CONDA_DEFAULT_ENV", "CONDA_ROOT", "CONDA_ENVS_DIRS", "CONDA_ENVS_PATH",
		"CONDARC", "MAMBARC", "MAMBA_ROOT_PREFIX", "PIXI_HOME"} {
		t.Setenv(key, "")
	}
	home = t.TempDir()
	t.Setenv("HOME", home)
	return home
}

// makePrefix makes an environment: a link to a Python that is there.
func makePrefix(t *testing.T, python string, parts ...string) (prefix string) {
	t.Helper()
	prefix = filepath.Join(parts...)
	bin := filepath.Join(prefix, "bin")
	if err := errors.Join(os.MkdirAll(bin, 0o755), os.Symlink(python, filepath.Join(bin, "python"))); err != nil {
		t.Fatal(err)
	}
	return prefix
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// TestCondaPlaces puts an environment where each tool keeps its own.
func TestCondaPlaces(t *testing.T) {
	python := realPython(t)
	for _, c := range []struct {
		name string
		set  func(t *testing.T, home, lab string)
		at   string // below home, or below the lab's folder
	}{
		{"active", func(t *testing.T, home, lab string) {
			t.Setenv("CONDA_PREFIX", filepath.Join(lab, "some", "where"))
			t.Setenv("CONDA_DEFAULT_ENV", "gpu")
		}, "lab/some/where"},
		{"active, by its prefix", func(t *testing.T, home, lab string) {
			t.Setenv("CONDA_PREFIX", filepath.Join(lab, "gpu"))
			t.Setenv("CONDA_DEFAULT_ENV", filepath.Join(lab, "gpu"))
		}, "lab/gpu"},
		{"CONDA_ENVS_DIRS", func(t *testing.T, home, lab string) {
			t.Setenv("CONDA_ENVS_DIRS", "/nowhere"+string(filepath.ListSeparator)+lab)
		}, "lab/gpu"},
		{"CONDA_ENVS_PATH", func(t *testing.T, home, lab string) { t.Setenv("CONDA_ENVS_PATH", lab) }, "lab/gpu"},
		{".condarc", func(t *testing.T, home, lab string) {
			write(t, filepath.Join(home, ".condarc"), "channels: [conda-forge]\nenvs_dirs:\n  - /nowhere\n  - "+lab+"\n")
		}, "lab/gpu"},
		{".condarc with ~", func(t *testing.T, home, lab string) {
			write(t, filepath.Join(home, ".condarc"), "envs_dirs: [~/lab/envs]\n")
		}, "home/lab/envs/gpu"},
		{".condarc with a variable", func(t *testing.T, home, lab string) {
			t.Setenv("LAB", lab)
			write(t, filepath.Join(home, ".conda", ".condarc"), "envs_dirs: ['$LAB/envs']\n")
		}, "lab/envs/gpu"},
		{"CONDARC", func(t *testing.T, home, lab string) {
			t.Setenv("CONDARC", filepath.Join(lab, "rc"))
			write(t, filepath.Join(lab, "rc"), "envs_dirs: ["+lab+"/envs]\n")
		}, "lab/envs/gpu"},
		{".mambarc", func(t *testing.T, home, lab string) {
			write(t, filepath.Join(home, ".mambarc"), "envs_dirs: ["+lab+"]\n")
		}, "lab/gpu"},
		{"CONDA_EXE", func(t *testing.T, home, lab string) { t.Setenv("CONDA_EXE", filepath.Join(lab, "bin", "conda")) }, "lab/envs/gpu"},
		{"MAMBA_ROOT_PREFIX", func(t *testing.T, home, lab string) { t.Setenv("MAMBA_ROOT_PREFIX", lab) }, "lab/envs/gpu"},
		{"conda in PATH", func(t *testing.T, home, lab string) {
			write(t, filepath.Join(lab, "condabin", "conda"), "#!/bin/sh\nexit 1\n")
			if err := os.Chmod(filepath.Join(lab, "condabin", "conda"), 0o755); err != nil {
				t.Fatal(err)
			}
			t.Setenv("PATH", filepath.Join(lab, "condabin")+string(filepath.ListSeparator)+os.Getenv("PATH"))
		}, "lab/envs/gpu"},
		{"miniforge3", nil, "home/miniforge3/envs/gpu"},
		{"micromamba 1", nil, "home/micromamba/envs/gpu"},
		{"micromamba 2", nil, "home/.local/share/mamba/envs/gpu"},
		{"~/.conda/envs", nil, "home/.conda/envs/gpu"},
		{"environments.txt", func(t *testing.T, home, lab string) {
			write(t, filepath.Join(home, ".conda", "environments.txt"), "/gone/gpu\n"+lab+"/far/gpu\n")
		}, "lab/far/gpu"},
		{"pixi", nil, "lab/.pixi/envs/gpu"},
		{"pixi global", nil, "home/.pixi/envs/gpu"},
		{"PIXI_HOME", func(t *testing.T, home, lab string) { t.Setenv("PIXI_HOME", lab) }, "lab/envs/gpu"},
		{"a broken .condarc", func(t *testing.T, home, lab string) {
			write(t, filepath.Join(home, ".condarc"), "envs_dirs: {a\n")
		}, "home/miniconda3/envs/gpu"},
	} {
		t.Run(c.name, func(t *testing.T) {
			home, lab := noConda(t), t.TempDir()
			if c.set != nil {
				c.set(t, home, lab)
			}
			place, rest, _ := strings.Cut(c.at, "/")
			want := makePrefix(t, python, map[string]string{"home": home, "lab": lab}[place], rest)
			i := interpreter{family: session.Python}
			missing := i.conda("gpu", filepath.Join(lab, "docs", "site"))
			if missing != "" || i.path != filepath.Join(want, "bin", "python") || i.binDir != filepath.Join(want, "bin") ||
				!slices.Contains(i.env, "CONDA_PREFIX="+want) || !slices.Contains(i.env, "CONDA_DEFAULT_ENV="+filepath.Base("gpu")) {
				t.Errorf("missing %q, %+v", missing, i)
			}
		})
	}
}

// TestCondaMissing: names of what is there, and no paths.
func TestCondaMissing(t *testing.T) {
	python := realPython(t)
	home := noConda(t)
	missing := func(name string) string {
		i := interpreter{family: session.Python}
		return i.conda(name, home)
	}
	base := filepath.Join(home, "miniforge3")
	for _, dir := range []string{"miniforge3/envs/empty", "miniforge3/envs/.trash"} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	// Another machine's folders in /opt do not matter here.
	if here := missing("gpu"); !strings.HasPrefix(here, `conda environment "gpu"; found: `) {
		t.Errorf("%q", here)
	} else if !strings.HasSuffix(here, "found: none") {
		t.Skipf("this machine has environments of its own: %s", here)
	}
	makePrefix(t, python, base)
	makePrefix(t, python, base, "envs", "torch")
	makePrefix(t, python, home, "micromamba", "envs", "torch")
	write(t, filepath.Join(base, "envs", "tools", "conda-meta", "history"), "")
	write(t, filepath.Join(home, ".conda", "environments.txt"), base+"\n"+makePrefix(t, python, home, "far", "jax")+"\n")
	if got, want := missing("gpu"), `conda environment "gpu"; found: base, jax, tools, torch`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := missing("tools"), `python in conda environment "tools"`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := missing(filepath.Join(home, "no", "such")), fmt.Sprintf("conda environment %q", filepath.Join(home, "no", "such")); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for _, name := range []string{"base", "torch", filepath.Join(base, "envs", "torch")} {
		if got := missing(name); got != "" {
			t.Errorf("%s: missing %q", name, got)
		}
	}
	bash := interpreter{family: session.Bash}
	if got := bash.conda("tools", home); got != "" || bash.binDir != filepath.Join(base, "envs", "tools", "bin") {
		t.Errorf("bash without a Python: missing %q, %+v", got, bash)
	}
	for n := range 40 {
		makePrefix(t, python, base, "envs", fmt.Sprintf("many%02d", n))
	}
	if got := missing("gpu"); !strings.HasSuffix(got, ", many17, 24 more") {
		t.Errorf("%q", got)
	}
}
