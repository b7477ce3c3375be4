package pyenv

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/machine/pyenv/pyenvtest"
)

// TestCondaPlaces puts an environment into the place of each tool.
func TestCondaPlaces(t *testing.T) {
	python := pyenvtest.Python(t)
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
			pyenvtest.Write(t, filepath.Join(home, ".condarc"), "channels: [conda-forge]\nenvs_dirs:\n  - /nowhere\n  - "+lab+"\n")
		}, "lab/gpu"},
		{".condarc with ~", func(t *testing.T, home, lab string) {
			pyenvtest.Write(t, filepath.Join(home, ".condarc"), "envs_dirs: [~/lab/envs]\n")
		}, "home/lab/envs/gpu"},
		{".condarc with a variable", func(t *testing.T, home, lab string) {
			t.Setenv("LAB", lab)
			pyenvtest.Write(t, filepath.Join(home, ".conda", ".condarc"), "envs_dirs: ['$LAB/envs']\n")
		}, "lab/envs/gpu"},
		{"CONDARC", func(t *testing.T, home, lab string) {
			t.Setenv("CONDARC", filepath.Join(lab, "rc"))
			pyenvtest.Write(t, filepath.Join(lab, "rc"), "envs_dirs: ["+lab+"/envs]\n")
		}, "lab/envs/gpu"},
		{".mambarc", func(t *testing.T, home, lab string) {
			pyenvtest.Write(t, filepath.Join(home, ".mambarc"), "envs_dirs: ["+lab+"]\n")
		}, "lab/gpu"},
		{"CONDA_EXE", func(t *testing.T, home, lab string) { t.Setenv("CONDA_EXE", filepath.Join(lab, "bin", "conda")) }, "lab/envs/gpu"},
		{"MAMBA_ROOT_PREFIX", func(t *testing.T, home, lab string) { t.Setenv("MAMBA_ROOT_PREFIX", lab) }, "lab/envs/gpu"},
		{"conda in PATH", func(t *testing.T, home, lab string) {
			pyenvtest.Write(t, filepath.Join(lab, "condabin", "conda"), "#!/bin/sh\nexit 1\n")
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
			pyenvtest.Write(t, filepath.Join(home, ".conda", "environments.txt"), lab+"/gone/gpu\n"+lab+"/far/gpu\n")
		}, "lab/far/gpu"},
		{"pixi", nil, "lab/.pixi/envs/gpu"},
		{"pixi global", nil, "home/.pixi/envs/gpu"},
		{"PIXI_HOME", func(t *testing.T, home, lab string) { t.Setenv("PIXI_HOME", lab) }, "lab/envs/gpu"},
		{"a broken .condarc", func(t *testing.T, home, lab string) {
			pyenvtest.Write(t, filepath.Join(home, ".condarc"), "envs_dirs: {a\n")
		}, "home/miniconda3/envs/gpu"},
	} {
		t.Run(c.name, func(t *testing.T) {
			home, lab := pyenvtest.Nothing(t), t.TempDir()
			if c.set != nil {
				c.set(t, home, lab)
			}
			place, rest, _ := strings.Cut(c.at, "/")
			want := pyenvtest.Prefix(t, python, map[string]string{"home": home, "lab": lab}[place], rest)
			p := Resolve("e", Spec{Conda: "gpu"}, filepath.Join(lab, "docs", "site"))
			if p.Missing != nil || p.Path != filepath.Join(want, "bin", "python") || p.BinDir != filepath.Join(want, "bin") ||
				!slices.Contains(p.Env, "CONDA_PREFIX="+want) || !slices.Contains(p.Env, "CONDA_DEFAULT_ENV="+filepath.Base("gpu")) {
				t.Errorf("%+v", p)
			}
		})
	}
}

// TestCondaMissing: the hint lists the names of existing environments, and no paths.
func TestCondaMissing(t *testing.T) {
	python := pyenvtest.Python(t)
	home := pyenvtest.Nothing(t)
	missing := func(name string) string { return Resolve("e", Spec{Conda: name}, home).Missing.Error() }
	base := filepath.Join(home, "miniforge3")
	for _, dir := range []string{"miniforge3/envs/empty", "miniforge3/envs/.trash"} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, pattern := range []string{"/opt/*conda*", "/opt/*forge*", "/etc/conda", "/var/lib/conda"} {
		if found, _ := filepath.Glob(pattern); len(found) > 0 {
			t.Skipf("this machine may have environments of its own: %q", found)
		}
	}
	t.Setenv("PATH", filepath.Dir(python)) // and without a conda there
	if got, want := missing("gpu"), "no-interpreter: conda: gpu"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	pyenvtest.Prefix(t, python, base)
	pyenvtest.Prefix(t, python, base, "envs", "torch")
	pyenvtest.Prefix(t, python, home, "micromamba", "envs", "torch")
	pyenvtest.Write(t, filepath.Join(base, "envs", "tools", "conda-meta", "history"), "")
	pyenvtest.Write(t, filepath.Join(home, ".conda", "environments.txt"), base+"\n"+pyenvtest.Prefix(t, python, home, "far", "jax")+"\n")
	if got, want := missing("gpu"), "no-interpreter: conda: gpu: base, jax, tools, torch"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := missing("tools"), "no-interpreter: conda-python: tools"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := missing(filepath.Join(home, "no", "such")), "no-interpreter: conda: "+filepath.Join(home, "no", "such"); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for _, name := range []string{"base", "torch", filepath.Join(base, "envs", "torch")} {
		if got := missing(name); got != "" {
			t.Errorf("%s: missing %q", name, got)
		}
	}
	if p := Resolve("e", Spec{Conda: "tools"}, home); p.Path != "" || p.BinDir != filepath.Join(base, "envs", "tools", "bin") {
		t.Errorf("without a Python: %+v", p)
	}
	for n := range 40 {
		pyenvtest.Prefix(t, python, base, "envs", fmt.Sprintf("many%02d", n))
	}
	if got := missing("gpu"); !strings.HasSuffix(got, ", many17, ...") {
		t.Errorf("%q", got)
	}
}
