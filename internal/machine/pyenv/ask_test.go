package pyenv

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/internal/machine/pyenv/pyenvtest"
	"github.com/gpudocs/gpudocs/internal/machine/subprocess"
	"github.com/gpudocs/gpudocs/internal/report"
)

// site creates a folder of installed packages, and makes every Python look there.
func site(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		pyenvtest.Write(t, filepath.Join(dir, name), text)
	}
	t.Setenv("PYTHONPATH", dir)
	return dir
}

func metadata(name, version string, requires ...string) string {
	text := "Metadata-Version: 2.1\nName: " + name + "\nVersion: " + version + "\n"
	for _, r := range requires {
		text += "Requires-Dist: " + r + "\n"
	}
	return text + "\nVersion: of the description\nRequires-Dist: nvidia-cuda-runtime-cu12==1.2\n"
}

// askFor queries a Python that has only the packages of site, and fails without an answer.
func askFor(t *testing.T, declared ...string) Answer {
	t.Helper()
	a := Ask(t.Context(), Python{Path: pyenvtest.Bare(t)}, declared)
	if a.Err != nil || !strings.HasPrefix(a.Interpreter, "Python 3.") {
		t.Fatalf("%+v", a)
	}
	return a
}

// all holds each framework as pip installs it, without the code.
var all = map[string]string{
	"torch/__init__.py": "raise SystemExit('it was imported')\n",
	"torch/version.py": "from typing import Optional\n\n__all__ = ['__version__', 'debug', 'cuda', 'git_version', 'hip']\n" +
		"__version__ = '2.6.0+cu124'\ndebug = False\ncuda: Optional[str] = '12.4'\ngit_version = 'f00'\nhip: Optional[str] = None\n",
	"torch-2.6.0+cu124.dist-info/METADATA": metadata("torch", "2.6.0+cu124"),

	"tensorflow/__init__.py": "1/0\n",
	"tensorflow/python/platform/build_info.py": "\"\"\"Auto-generated\"\"\"\nimport collections\n\nbuild_info = collections.OrderedDict([('cpu_compiler', '/usr/lib/llvm-18/bin/clang'), " +
		"('cuda_compute_capabilities', ['sm_60', 'compute_90']), ('cuda_version', '12.5.1'), ('is_cuda_build', True), ('is_rocm_build', False)])\n",
	"tensorflow-2.18.0.dist-info/METADATA": metadata("tensorflow", "2.18.0"),

	"jax/__init__.py":                                     "1/0\n",
	"jax-0.5.0.dist-info/METADATA":                        metadata("jax", "0.5.0", "jaxlib<=0.5.0,>=0.5.0", `jax-cuda12-plugin<=0.5.0,>=0.5.0; extra == "cuda12"`),
	"jaxlib-0.5.0.dist-info/METADATA":                     metadata("jaxlib", "0.5.0"),
	"jax_cuda12_plugin-0.5.0.dist-info/METADATA":          metadata("jax-cuda12-plugin", "0.5.0", `nvidia-cuda-runtime-cu12>=12.1.105; extra == "with-cuda"`),
	"nvidia_cuda_runtime_cu12-12.8.90.dist-info/METADATA": metadata("nvidia-cuda-runtime-cu12", "12.8.90"),

	"cupy/__init__.py": "1/0\n", "cupy/_version.py": "__version__ = '13.3.0'\n",
	"cupy_cuda11x-13.3.0.dist-info/METADATA": metadata("cupy-cuda11x", "13.3.0"),

	"mxnet/__init__.py": "1/0\n", "mxnet/libinfo.py": "import os\n__version__ = \"1.9.1\"\n",
	"mxnet_cu112-1.9.1.dist-info/METADATA": metadata("mxnet-cu112", "1.9.1"),

	"numba/__init__.py": "1/0\n", "numba-0.60.0.egg-info": metadata("numba", "0.60.0"),

	"paddle/__init__.py":         "1/0\n",
	"paddle/version/__init__.py": "full_version    = '2.6.1'\ncuda_version    = '11.7'\ndef cuda():\n    return cuda_version\n",

	"onnxruntime/__init__.py":                    "1/0\n",
	"onnxruntime/capi/build_and_package_info.py": "package_name = 'onnxruntime-gpu'\n__version__ = '1.20.1'\ncuda_version = '12.2'\n",
}

var allWant = []report.Framework{
	{Name: "torch", Version: "2.6.0+cu124", CUDA: "12.4"},
	{Name: "tensorflow", Version: "2.18.0", CUDA: "12.5"},
	{Name: "jax", Version: "0.5.0", CUDA: "12.8"},
	{Name: "cupy", Version: "13.3.0", CUDA: "11"},
	{Name: "mxnet", Version: "1.9.1", CUDA: "11.2"},
	{Name: "numba", Version: "0.60.0", CUDA: "12.8"},
	{Name: "paddle", Version: "2.6.1", CUDA: "11.7"},
	{Name: "onnxruntime", Version: "1.20.1", CUDA: "12.2"},
}

// TestAsk queries every Python 3 of this machine: the oldest is 3.6 at best.
func TestAsk(t *testing.T) {
	pythons := []string{pyenvtest.Python(t), "/usr/bin/python3"}
	home, _ := os.UserHomeDir()
	more, _ := filepath.Glob(filepath.Join(home, ".pyenv/versions/3.*/bin/python"))
	site(t, all)
	for _, python := range append(pythons, more...) {
		out, err := exec.Command(python, "-c", "import platform; print(platform.python_version())").Output()
		if err != nil {
			continue // an incomplete installation
		}
		a := Ask(t.Context(), Python{Path: python}, []string{"torch", "Jax_Cuda12.plugin", "no-such-package", "torch"})
		packages := []report.Package{{Name: "Jax_Cuda12.plugin", Version: "0.5.0"}, {Name: "no-such-package"}, {Name: "torch", Version: "2.6.0+cu124"}}
		if want := "Python " + strings.TrimSpace(string(out)); a.Interpreter != want || a.Err != nil || !slices.Equal(a.Packages, packages) {
			t.Errorf("%s: %+v, want %s", python, a, want)
		}
		if !slices.Equal(a.Frameworks, allWant) {
			t.Errorf("%s:\n got %+v\nwant %+v", python, a.Frameworks, allWant)
		}
	}
}

// TestAskLayouts: the layouts of packages in folders, and what is no package.
func TestAskLayouts(t *testing.T) {
	const cpu = "__version__ = '2.6.0+cpu'\ncuda = None\nhip = None\n"
	torch := func(version, cuda string) []report.Framework {
		return []report.Framework{{Name: "torch", Version: version, CUDA: cuda, CPUOnly: cuda == ""}}
	}
	for _, c := range []struct {
		name    string
		files   map[string]string
		want    []report.Framework
		version string // of the package torch
	}{
		{"Debian", map[string]string{"torch/__init__.py": "", "torch/version.py": "__version__ = '1.13.0a0'\ndebug = False\ncuda = None\ngit_version = 'Unknown'\nhip = None\n",
			"torch-1.13.0a0+gitunknown.egg-info/PKG-INFO": metadata("torch", "1.13.0a0+gitunknown")}, torch("1.13.0a0", ""), "1.13.0a0+gitunknown"},
		{"editable, by a path", map[string]string{"src/torch/__init__.py": "", "src/torch/version.py": cpu, "src/torch.egg-info/PKG-INFO": metadata("torch", "2.6.0a0"),
			"sitecustomize.py": "import os, sys\nsys.path.append(os.path.join(os.path.dirname(__file__), 'src'))\n"}, torch("2.6.0+cpu", ""), "2.6.0a0"},
		{"editable, by a finder", map[string]string{"src/torch/__init__.py": "", "src/torch/version.py": cpu, "torch-2.6.0a0.dist-info/METADATA": metadata("torch", "2.6.0a0"),
			"sitecustomize.py": "import os, sys\nfrom importlib.util import spec_from_file_location\nsrc = os.path.join(os.path.dirname(__file__), 'src', 'torch')\n" +
				"class Finder:\n    @classmethod\n    def find_spec(cls, name, path=None, target=None):\n        if name == 'torch':\n" +
				"            return spec_from_file_location(name, os.path.join(src, '__init__.py'), submodule_search_locations=[src])\n" +
				"sys.meta_path.append(Finder)\n"}, torch("2.6.0+cpu", ""), "2.6.0a0"},
		{"an egg", map[string]string{"torch-1.0-py3.6.egg/torch/__init__.py": "", "torch-1.0-py3.6.egg/torch/version.py": "__version__ = '1.0'\ncuda = '9.0'\n",
			"torch-1.0-py3.6.egg/EGG-INFO/PKG-INFO": metadata("torch", "1.0"),
			"sitecustomize.py":                      "import os, sys\nsys.path.append(os.path.join(os.path.dirname(__file__), 'torch-1.0-py3.6.egg'))\n"}, torch("1.0", "9.0"), "1.0"},
		{"two, the first in sys.path counts", map[string]string{"torch/__init__.py": "", "torch/version.py": cpu, "torch-2.6.0.dist-info/METADATA": metadata("torch", "2.6.0"),
			"behind/torch/__init__.py": "", "behind/torch/version.py": "__version__ = '1.0'\ncuda = '9.0'\n", "behind/torch-1.0.dist-info/METADATA": metadata("torch", "1.0"),
			"sitecustomize.py": "import os, sys\nsys.path.append(os.path.join(os.path.dirname(__file__), 'behind'))\n"}, torch("2.6.0+cpu", ""), "2.6.0"},
		{"a folder without __init__", map[string]string{"torch/version.py": cpu}, nil, ""},
		{"metadata alone", map[string]string{"torch-2.6.0.dist-info/METADATA": metadata("torch", "2.6.0")}, nil, "2.6.0"},
		{"what pip put aside", map[string]string{"~orch-2.6.0.dist-info/METADATA": metadata("torch", "2.6.0")}, nil, ""},
		{"a dist-info without metadata", map[string]string{"torch-2.6.0.dist-info/RECORD": ""}, nil, ""},
		{"a dist-info that is a file", map[string]string{"torch-2.6.0.dist-info": metadata("torch", "2.6.0")}, nil, ""},
		{"empty metadata", map[string]string{"torch-2.6.0.dist-info/METADATA": "", "torch/__init__.py": ""}, []report.Framework{{Name: "torch"}}, ""},
		{"bad UTF-8", map[string]string{"torch-2.6.0.dist-info/METADATA": "Name: \xff\xfe\nVersion: 2.6.0\n", "torch/__init__.py": "", "torch/version.py": "cuda = '\xff'\n"},
			[]report.Framework{{Name: "torch", Version: "2.6.0"}}, "2.6.0"},
		{"CRLF", map[string]string{"torch-2.6.0.dist-info/METADATA": "Name: torch\r\nVersion: 2.6.0\r\n\r\nVersion: 1\r\n"}, nil, "2.6.0"},
		{"a path for a version", map[string]string{"torch/__init__.py": "", "torch/version.py": "__version__ = '/home/ana/torch'\ncuda = '12.4'\n"},
			[]report.Framework{{Name: "torch", CUDA: "12.4"}}, ""},
		{"values that are none", map[string]string{"torch/__init__.py": "", "torch/version.py": "__version__ = str(1)\ncuda = ['12.4']\nhip = open('/etc/passwd').read()\nx, y = 1, 2\na[0] = b.c = 3\n"},
			[]report.Framework{{Name: "torch"}}, ""},
		{"no Python", map[string]string{"torch/__init__.py": "", "torch/version.py": "\x7fELF\x00\x00"}, []report.Framework{{Name: "torch"}}, ""},
		{"huge", map[string]string{"torch/__init__.py": "", "torch/version.py": "cuda = '12.4'\n" + strings.Repeat("# \n", 1<<20), "torch-1.dist-info/METADATA": "Version: 1\n" + strings.Repeat("License: no\n", 1<<20)},
			[]report.Framework{{Name: "torch", Version: "1", CUDA: "12.4"}}, "1"},
		{"a huge version", map[string]string{"torch/__init__.py": "", "torch/version.py": "__version__ = '" + strings.Repeat("1", 1<<14) + "'\ncuda = '12.4'\n"},
			[]report.Framework{{Name: "torch", Version: strings.Repeat("1", 200), CUDA: "12.4"}}, ""},
		{"nested", map[string]string{"torch/__init__.py": "", "torch/version.py": "cuda = " + strings.Repeat("[", 1<<14), "jax/__init__.py": "", "jax/version.py": "_version = " + strings.Repeat("-", 1<<14) + "1"},
			[]report.Framework{{Name: "torch"}, {Name: "jax"}}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			site(t, c.files)
			a := askFor(t, "torch")
			if got := a.Packages[0].Version; got != c.version || len(a.Frameworks)+len(c.want) > 0 && !reflect.DeepEqual(a.Frameworks, c.want) {
				t.Errorf("package %q, want %q;\n got %+v\nwant %+v", got, c.version, a.Frameworks, c.want)
			}
		})
	}
}

// TestAskTwoInAFolder: the version that was installed last counts.
func TestAskTwoInAFolder(t *testing.T) {
	dir := site(t, map[string]string{"torch-2.0.dist-info/METADATA": metadata("torch", "2.0"), "torch-10.0.dist-info/METADATA": metadata("torch", "10.0")})
	for _, last := range []string{"2.0", "10.0", "2.0"} {
		for _, v := range []string{"2.0", "10.0"} {
			when := time.Unix(1e9, 0)
			if v == last {
				when = when.Add(time.Hour)
			}
			if err := os.Chtimes(filepath.Join(dir, "torch-"+v+".dist-info", "METADATA"), when, when); err != nil {
				t.Fatal(err)
			}
		}
		if got := askFor(t, "torch").Packages[0].Version; got != last {
			t.Errorf("%s, want %s", got, last)
		}
	}
}

// TestAskAgrees: the versions are those of Python's own importlib.metadata, for every
// interpreter of this machine.
func TestAskAgrees(t *testing.T) {
	const list = "from importlib.metadata import distributions, version\n" +
		"for name in sorted({d.metadata['Name'] for d in distributions()}): print(name, version(name))"
	for _, python := range []string{pyenvtest.Python(t), "/usr/bin/python3"} {
		c := exec.Command(python, "-c", list)
		c.Dir = "/"
		out, err := c.Output()
		if err != nil {
			continue // before Python 3.8
		}
		var names []string
		versions := map[string]string{}
		for line := range strings.Lines(string(out)) {
			name, version, _ := strings.Cut(strings.TrimSpace(line), " ")
			names = append(names, name)
			versions[name] = version
		}
		a := Ask(t.Context(), Python{Path: python}, names)
		for _, p := range a.Packages {
			if p.Version != versions[p.Name] {
				t.Errorf("%s: %s is %q, want %q", python, p.Name, p.Version, versions[p.Name])
			}
		}
		if a.Err != nil {
			t.Errorf("%s: %d packages, %v", python, len(names), a.Err)
		}
	}
}

// TestAskConda: packages of conda are found by conda's metadata.
func TestAskConda(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "env")
	if out, err := exec.Command(pyenvtest.Python(t), "-m", "venv", "--without-pip", prefix).CombinedOutput(); err != nil {
		t.Skipf("no environment can be made: %v, %s", err, out)
	}
	for _, name := range []string{"cuda-version-12.4-h3060b56_3", "python-3.12.4-h194c7f8_0_cpython", "jaxlib-0.4.31-cuda120py312h4008524_1"} {
		pyenvtest.Write(t, filepath.Join(prefix, "conda-meta", name+".json"), "{")
	}
	site(t, map[string]string{"cupy/__init__.py": "", "cupy-13.3.0.dist-info/METADATA": metadata("cupy", "13.3.0"), "jax/__init__.py": "",
		"jaxlib-0.4.31.dist-info/METADATA": metadata("jaxlib", "0.4.31")})
	a := Ask(t.Context(), Resolve("e", Spec{Conda: prefix}, ""), nil)
	want := []report.Framework{{Name: "jax", CUDA: "12.4"}, {Name: "cupy", Version: "13.3.0", CUDA: "12.4"}}
	if a.Err != nil || !slices.Equal(a.Frameworks, want) {
		t.Errorf("%+v, want %+v", a, want)
	}
}

// TestAskAlone: files in the working directory, and the output and effects of start-up files,
// change nothing.
func TestAskAlone(t *testing.T) {
	here := t.TempDir()
	for _, name := range []string{"json.py", "os.py", "ast.py", "torch/__init__.py"} {
		pyenvtest.Write(t, filepath.Join(here, name), "raise SystemExit('it was imported')\n")
	}
	t.Chdir(here)
	for _, c := range []struct{ name, code string }{
		{"silent", ""},
		{"talks", "print('{\"Name\": \"liar\"}')\nprint('half a line', end='')\n"},
		{"talks much", "import sys\nfor i in range(100): print('x' * 1000)\nsys.stdout.flush()\n"},
		{"talks at the end", "import atexit\natexit.register(print, 'bye')\n"},
		{"has no output", "import sys\nsys.stdout.close()\nsys.stdout = None\n"},
		{"ends badly", "import atexit, os\natexit.register(os._exit, 3)\n"},
		{"leaves a child", "import subprocess\nsubprocess.Popen(['sleep', '300'])\n"},
		{"another finder", "import sys\nclass F:\n    def find_spec(self, *a):\n        raise ImportError('no')\nsys.meta_path.append(F())\n"},
		{"an odd path", "import sys\nsys.path[:0] = ['/nowhere', b'/bytes', 7, None, '', '/etc/passwd', 'relative']\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			site(t, map[string]string{"sitecustomize.py": c.code, "demo-1.2.dist-info/METADATA": metadata("demo", "1.2")})
			if a := askFor(t, "demo"); a.Packages[0].Version != "1.2" || len(a.Frameworks) > 0 {
				t.Errorf("%+v", a)
			}
		})
	}
}

// TestAskVariables: Python's environment variables of a user change no answer.
func TestAskVariables(t *testing.T) {
	site(t, all)
	for _, variable := range []string{"PYTHONINSPECT=1", "PYTHONVERBOSE=1", "PYTHONWARNINGS=error", "PYTHONDEVMODE=1", "PYTHONSAFEPATH=1", "PYTHONOPTIMIZE=2",
		"PYTHONIOENCODING=utf-16", "PYTHONUNBUFFERED=1", "PYTHONSTARTUP=/dev/null", "PYTHONDONTWRITEBYTECODE=1", "PYTHONPROFILEIMPORTTIME=1", "LC_ALL=C", "LD_BIND_NOW=1"} {
		t.Run(variable, func(t *testing.T) {
			name, value, _ := strings.Cut(variable, "=")
			t.Setenv(name, value)
			if a := askFor(t, "torch"); !slices.Equal(a.Frameworks, allWant) || a.Packages[0].Version != "2.6.0+cu124" {
				t.Errorf("%+v", a)
			}
		})
	}
}

// TestAskRefused: without an answer there is an error with its reason, and no package has a
// version.
func TestAskRefused(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no scripts here")
	}
	program := filepath.Join(t.TempDir(), "python")
	for _, c := range []struct{ script, want string }{
		{"echo 'Fatal Python error: init_fs_encoding' >&2; exit 1", "exit status 1: Fatal Python error: init_fs_encoding"},
		{"exit 0", "it gave no answer"},
		{"echo $3", "unexpected end of JSON input"},
		{"echo $3'{\"name\": \"Python 3.1\", \"versions\": []}'", "it answered something else than it was asked"},
		{"echo $3'{\"versions\": [\"\"]}'", "it answered something else than it was asked"},
		{"echo $3'[]'", "json: cannot unmarshal array into Go value of type pyenv.reply"},
		{"cat /dev/zero", subprocess.ErrTooLong.Error()},
	} {
		pyenvtest.Write(t, program, "#!/bin/sh\n"+c.script+"\n")
		if err := os.Chmod(program, 0o755); err != nil {
			t.Fatal(err)
		}
		a := Ask(t.Context(), Python{Path: program}, []string{"numpy"})
		if a.Err == nil || a.Err.Error() != c.want || a.Interpreter != "" || !slices.Equal(a.Packages, []report.Package{{Name: "numpy"}}) || a.Frameworks != nil {
			t.Errorf("%s: %+v, want %s", c.script, a, c.want)
		}
	}
	if a := Ask(t.Context(), Python{Missing: missing("", "python3")}, nil); fmt.Sprint(a.Err) != "no-interpreter: python3" {
		t.Errorf("%+v", a)
	}
}
