package pyenv

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/machine/pyenv/pyenvtest"
	"github.com/gpudocs/gpudocs/internal/report"
)

// program writes an interpreter that must not be executed.
func program(t *testing.T, parts ...string) (path string) {
	t.Helper()
	path = filepath.Join(parts...)
	pyenvtest.Write(t, path, "#!/bin/sh\ntouch '"+path+".ran'\n")
	if err := os.Chmod(path, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := os.Stat(path + ".ran"); err == nil {
			t.Errorf("%s was executed", path)
		}
	})
	return path
}

func link(t *testing.T, to string, parts ...string) (path string) {
	t.Helper()
	path = filepath.Join(parts...)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(to, path); err != nil {
		t.Skip(err)
	}
	return path
}

// lines lists the found interpreters, with the test's folders replaced by their names.
func lines(found []Python, dirs map[string]string) (out []string) {
	for _, p := range found {
		line := fmt.Sprintf("%q %s %s %s", p.Name, p.Kind, p.From, p.Path+p.Missing.Error())
		for name, dir := range dirs {
			line = strings.ReplaceAll(line, dir, name)
		}
		if strings.Contains(line, "LAB") || strings.Contains(line, "HOME") || p.Missing != nil {
			out = append(out, line)
		}
	}
	return out
}

// TestFind puts environments of every kind on a machine, with several paths to most of them.
// What the machine itself has in /opt does not matter.
func TestFind(t *testing.T) {
	home, lab := pyenvtest.Nothing(t), t.TempDir()
	in := func(parts ...string) string { return filepath.Join(append([]string{lab}, parts...)...) }
	system := program(t, lab, "usr/bin/python3.11")
	link(t, "python3.11", lab, "usr/bin/python3")
	link(t, "usr/bin", lab, "bin")
	venvs := func(dir string) string {
		pyenvtest.Write(t, filepath.Join(dir, "pyvenv.cfg"), "home = /usr/bin\nuv = 0.5.1\n")
		link(t, "python", dir, "bin/python3")
		return link(t, system, dir, "bin/python")
	}
	venvs(in("lab", "llm"))
	venvs(in("site", ".venv"))
	venvs(in("site", "venv"))
	venvs(in("far"))
	conda := func(dir string) {
		pyenvtest.Write(t, filepath.Join(dir, "conda-meta", "history"), "")
		program(t, dir, "bin/python3.12")
		link(t, "python3.12", dir, "bin/python")
	}
	conda(filepath.Join(home, "miniforge3"))
	conda(filepath.Join(home, "miniforge3/envs/gpu"))
	pyenvtest.Write(t, filepath.Join(home, "miniforge3/envs/tools/conda-meta/history"), "")
	pyenv := filepath.Join(home, ".pyenv")
	for _, v := range []string{"3.9.18", "3.12.1"} {
		program(t, pyenv, "versions", v, "bin", "python3")
	}
	program(t, pyenv, "shims/python3")
	pyenvtest.Write(t, filepath.Join(pyenv, "version"), "9.9\n3.12.1\n")
	venvs(filepath.Join(pyenv, "versions/3.9.18/envs/old"))
	link(t, "3.9.18/envs/old", pyenv, "versions/old")

	t.Setenv("PATH", strings.Join([]string{filepath.Join(pyenv, "shims"), "relative", in("usr/bin"), in("bin"), in("far", "bin")}, string(filepath.ListSeparator)))
	t.Setenv("VIRTUAL_ENV", in("lab", "llm"))
	t.Setenv("CONDA_PREFIX", filepath.Join(home, "miniforge3/envs/gpu"))
	link(t, filepath.Join(home, "miniforge3/envs"), home, ".conda/envs")
	got := lines(Find(in("site"), map[string]Spec{"torch": {Python: in("far", "bin", "python")}, "same": {Python: "venv/bin/python"},
		"gpu": {Conda: "gpu"}, "none": {Conda: "none"}, "gone": {Python: in("gone", "python")}, "machine": {}}), map[string]string{"LAB": lab, "HOME": home})
	want := []string{
		`"" pyenv path HOME/.pyenv/shims/python3`,
		`"gone" configured config no-interpreter: LAB/gone/python`,
		`"gpu" conda config HOME/miniforge3/envs/gpu/bin/python`,
		`"machine" pyenv path HOME/.pyenv/shims/python3`,
		`"none" conda config no-interpreter: conda: none: base, gpu, tools`,
		`"same" configured config LAB/site/venv/bin/python`,
		`"torch" configured config LAB/far/bin/python`,
		`"python3" system path LAB/usr/bin/python3`,
		`"llm" venv active LAB/lab/llm/bin/python3`,
		`".venv" venv site LAB/site/.venv/bin/python3`,
		`"base" conda conda HOME/miniforge3/bin/python`,
		`"3.9.18" pyenv pyenv HOME/.pyenv/versions/3.9.18/bin/python3`,
		`"old" venv pyenv HOME/.pyenv/versions/old/bin/python3`,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// TestFindActive: an activated environment is found once, as the machine's own Python.
func TestFindActive(t *testing.T) {
	pyenvtest.Nothing(t)
	dir := filepath.Join(t.TempDir(), "llm")
	if out, err := exec.Command(pyenvtest.Python(t), "-m", "venv", "--without-pip", dir).CombinedOutput(); err != nil {
		t.Skipf("no environment can be made: %v, %s", err, out)
	}
	t.Setenv("VIRTUAL_ENV", dir)
	t.Setenv("PATH", filepath.Join(dir, "bin"))
	want := []string{`"" venv path LAB/bin/python3`}
	if d := cmp.Diff(want, lines(Find(t.TempDir(), nil), map[string]string{"LAB": dir})); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// TestFindNothing: a machine without any environment.
func TestFindNothing(t *testing.T) {
	pyenvtest.Nothing(t)
	t.Setenv("PATH", t.TempDir())
	if got := Find(t.TempDir(), nil); len(got) == 0 || got[0].Missing.Error() != "no-interpreter: python3" || got[0].Path != "" {
		t.Errorf("%+v", got)
	}
}

// TestFindMany: at most as many as a report holds, those of the site among them.
func TestFindMany(t *testing.T) {
	home := pyenvtest.Nothing(t)
	t.Setenv("PATH", t.TempDir())
	for n := range 2 * report.MaxEnvironments {
		program(t, home, ".pyenv/versions", fmt.Sprint(n), "bin/python")
		program(t, home, "miniforge3/envs", fmt.Sprint(n), "bin/python")
	}
	found := Find(t.TempDir(), map[string]Spec{"mine": {Python: filepath.Join(home, ".pyenv/versions/9/bin/python")}})
	if len(found) != report.MaxEnvironments || found[1].Name != "mine" {
		t.Errorf("%d, %+v", len(found), found[:2])
	}
}

// TestFindBroken: folders that are not environments, cyclic links and the like are skipped.
func TestFindBroken(t *testing.T) {
	home, root := pyenvtest.Nothing(t), t.TempDir()
	t.Setenv("PATH", t.TempDir())
	link(t, ".venv", root, ".venv")
	link(t, "b", home, ".pyenv/versions/a/bin")
	link(t, "a", home, ".pyenv/versions/a/b")
	link(t, "python3", home, ".pyenv/versions/c/bin/python3")
	link(t, "/nowhere", home, ".pyenv/versions/d")
	link(t, "envs", home, "miniforge3/envs")
	pyenvtest.Write(t, filepath.Join(home, ".pyenv/versions/e/bin/python3"), "not to be executed")
	pyenvtest.Write(t, filepath.Join(home, ".pyenv/versions/f"), "no folder")
	pyenvtest.Write(t, filepath.Join(home, "mambaforge/envs"), "no folder")
	pyenvtest.Write(t, filepath.Join(root, "venv/pyvenv.cfg"), "")
	if err := os.MkdirAll(filepath.Join(home, ".conda/environments.txt"), 0o755); err != nil {
		t.Fatal(err)
	}
	pyenvtest.Write(t, filepath.Join(home, ".condarc"), "envs_dirs: &a [*a]\n")
	t.Setenv("VIRTUAL_ENV", "relative")
	if got := lines(Find(root, nil)[1:], map[string]string{"HOME": home, "LAB": root}); len(got) > 0 {
		t.Errorf("%q", got)
	}
}

// TestGather: a path that never answers does not affect the others.
func TestGather(t *testing.T) {
	stuck := make(chan struct{})
	defer close(stuck)
	one := func() []Python { return []Python{{Name: "one"}} }
	never := func() []Python { <-stuck; return []Python{{Name: "never"}} }
	found := gather(100*time.Millisecond, one, never, one)
	var names []string
	for _, p := range slices.Concat(found...) {
		names = append(names, p.Name)
	}
	if len(found) != 3 || !slices.Equal(names, []string{"one", "one"}) {
		t.Errorf("%+v", found)
	}
}
