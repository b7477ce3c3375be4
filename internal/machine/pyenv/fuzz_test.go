package pyenv

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gpudocs/gpudocs/internal/machine/pyenv/pyenvtest"
	"github.com/gpudocs/gpudocs/internal/machine/subprocess"
	"github.com/gpudocs/gpudocs/internal/report"
)

// FuzzParse: whatever an interpreter prints, the parsed result is valid for a report.
func FuzzParse(f *testing.F) {
	f.Add([]byte("half a line\nmark{\"name\": \"Python 3.12.4\", \"versions\": [\"1\"], \"dists\": {\"torch\": {\"version\": \"2.6.0\", " +
		"\"requires\": [\"nvidia-cuda-runtime-cu12==12.4.127\"]}}, \"modules\": {\"torch\": {\"values\": {\"cuda\": null}, \"has\": []}}, \"conda\": [\"cuda-version-12.4-h\"]}\nbye"))
	f.Add([]byte(`mark{"name": "\ud800", "versions": [null], "modules": {"torch": null, "jax": {}, "cupy": {"values": {"__version__": "/home"}}}}`))
	f.Add([]byte(`mark{"name": "P", "versions": [""], "dists": {"jax-cuda99999999999999999999-plugin": {}, "cupy-cuda": {}, "mxnet-cu": {}, "jaxlib": {"version": "+cuda"}}, "modules": {"jax": {}, "cupy": {}, "mxnet": {}}}`))
	f.Fuzz(func(t *testing.T, out []byte) {
		s, err := parse(subprocess.Result{Stdout: out}, "mark", 1, 0)
		if err != nil {
			return
		}
		var names []string
		for _, k := range s.frameworks() {
			names = append(names, k.Name)
			if len(k.Version) > 200 || k.Version != "" && !plain.MatchString(k.Version) || len(k.CUDA) > 5 || strings.Trim(k.CUDA, ".0123456789") != "" {
				t.Errorf("%+v", k)
			}
			if k.CPUOnly && (k.CUDA != "" || k.ROCm) {
				t.Errorf("both for CPUs only and for GPUs: %+v", k)
			}
		}
		if n := len(names); n > report.MaxFrameworks || n != len(slices.Compact(slices.Sorted(slices.Values(names)))) {
			t.Errorf("%q", names)
		}
		for _, text := range []string{short(s.Name), short(s.Versions[0])} {
			if len(text) > 200 || !utf8.ValidString(text) {
				t.Errorf("%q", text)
			}
		}
	})
}

// FuzzAsk: whatever is in the files and the metadata of a framework, the interpreter answers,
// and executes none of it.
func FuzzAsk(f *testing.F) {
	python := pyenvtest.Python(f)
	deep := func(part string) []byte { return []byte("cuda = " + strings.Repeat(part, 30_000/len(part))) }
	for _, code := range [][]byte{nil, []byte("__version__ = '1'\ncuda: str = '12.4'\n"), []byte("cuda = 1e999999\nhip = 10**9**9\n"), []byte("\x00"), []byte("\xff\xfe"),
		[]byte("# coding: rot13\nphqn = '12.4'"), []byte("# coding: no-such\n"), []byte("build_info = f([('cuda_version', '12.4'), 1])"), []byte("build_info = {}()\n*cuda, hip = 1, 2\n"),
		deep("("), deep("["), deep("{1:"), deep("-"), deep("not "), deep("a."), deep("1+"), deep("lambda:"), deep("f'{"), deep("1 if 1 else "), []byte(strings.Repeat("if 1:\n", 5000)),
		[]byte("cuda = " + strings.Repeat("9", 30_000)), []byte("open('ran', 'w')\nimport os; os.mkdir('ran')\n")} {
		f.Add(code, []byte("Version: 1\n"))
	}
	f.Add([]byte("x"), []byte(strings.Repeat("Requires-Dist: cuda\n", 1000)+"Version:\rVersion:2\n"))
	f.Fuzz(func(t *testing.T, code, described []byte) {
		dir := t.TempDir()
		for name, text := range map[string]string{
			"torch/__init__.py": "open('" + dir + "/ran', 'w')\n", "torch/version.py": string(code), "tensorflow/__init__.py": "", "tensorflow/python/platform/build_info.py": string(code),
			"torch-1.dist-info/METADATA": string(described), "tensorflow-1.egg-info": string(described),
		} {
			pyenvtest.Write(t, filepath.Join(dir, name), text)
		}
		t.Setenv("PYTHONPATH", dir)
		a := Ask(t.Context(), Python{Path: python}, []string{"torch"})
		if a.Err != nil || len(a.Frameworks) != 2 || len(a.Packages) != 1 {
			t.Errorf("%+v", a)
		}
		for _, ran := range []string{filepath.Join(dir, "ran"), "/ran"} {
			if _, err := os.Stat(ran); err == nil {
				t.Errorf("%s: something was executed", ran)
			}
		}
	})
}
