package pyenv

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
)

// installed are the packages that are installed for an interpreter, as far as they matter
// for GPU frameworks.
type installed struct {
	// Dists are distribution packages by their normalised name.
	Dists map[string]dist
	// Modules are the frameworks that import would find.
	Modules map[string]module
	// Conda are packages of the conda environment: "cuda-version-12.4-h3060b56_3".
	Conda []string
}

type dist struct {
	Version string
	// Requires are the requirements on CUDA packages.
	Requires []string
}

// A module is the content of a framework's files: the values that they assign, where
// nil is None, and which of the requested files exist.
type module struct {
	Values map[string]*string
	Has    []string
}

// A framework is a framework that gpudocs knows.
type framework struct {
	// name is the name to import; dists are the packages that install it, the usual one
	// first.
	name  string
	dists []string
	ask   moduleRequest
	// built sets how it was built.
	built func(i installed, m module, f *report.Framework)
}

// known are the frameworks that may follow "runs", in the order of a report.
var known = []framework{
	{"torch", []string{"torch"}, moduleRequest{
		// Written by https://github.com/pytorch/pytorch/blob/main/tools/generate_torch_version.py
		Files: []string{"version.py"}, Names: []string{"__version__", "cuda", "hip"},
	}, torch},
	{"tensorflow", []string{"tensorflow", "tensorflow-gpu", "tf-nightly", "tf-nightly-gpu", "tensorflow-cpu", "tf-nightly-cpu",
		"tensorflow-intel",
		"intel-tensorflow", "intel-tensorflow-avx512", "tensorflow-rocm", "tensorflow-cpu-aws", "tensorflow-aarch64",
		"tensorflow-macos"}, moduleRequest{
		// What tf.sysconfig.get_build_info() gives, written by
		// https://github.com/tensorflow/tensorflow/blob/master/tensorflow/tools/build_info/gen_build_info.py;
		// cuda_version_number is of TensorFlow 1.
		Files: []string{"python/platform/build_info.py"},
		Names: []string{"cuda_version", "cuda_version_number", "is_cuda_build", "is_rocm_build"},
	}, tensorflow},
	{"jax", []string{"jax"}, moduleRequest{Files: []string{"version.py"}, Names: []string{"_version"}}, jax},
	{"cupy", nil, moduleRequest{Files: []string{"_version.py"}, Names: []string{"__version__"}}, cupy},
	{"mxnet", nil, moduleRequest{Files: []string{"libinfo.py"}, Names: []string{"__version__"}}, mxnet},
	{"numba", []string{"numba"}, moduleRequest{}, numba},
	{"paddle", []string{"paddlepaddle-gpu", "paddlepaddle", "paddlepaddle-rocm"}, moduleRequest{
		// Written by https://github.com/PaddlePaddle/Paddle/blob/develop/setup.py
		Files: []string{"version.py", "version/__init__.py"}, Names: []string{"full_version", "cuda_version", "hip_version"},
	}, paddle},
	{"onnxruntime", []string{"onnxruntime-gpu", "onnxruntime", "onnxruntime-rocm", "onnxruntime-migraphx", "onnxruntime-openvino",
		"onnxruntime-directml"}, moduleRequest{
		// Written by https://github.com/microsoft/onnxruntime/blob/main/setup.py,
		// in old versions for some packages only.
		Files: []string{"capi/build_and_package_info.py"}, Names: []string{"package_name", "__version__", "cuda_version", "rocm_version"},
		Has: []string{"capi/libonnxruntime_providers_cuda.so", "capi/onnxruntime_providers_cuda.dll", "capi/libonnxruntime_providers_rocm.so"},
	}, onnxruntime},
}

// Patterns, for Python too, of the packages that install a framework or a CUDA
// toolkit.
const (
	relevantDists = `^(torch|tensorflow|tensorflow-(gpu|cpu|intel|rocm|cpu-aws|aarch64|macos)|tf-nightly(-gpu|-cpu)?|intel-tensorflow(-avx512)?|` +
		`jax|jaxlib|jax-(cuda|rocm)[0-9]*-plugin|cupy|cupy-(cuda|rocm).*|mxnet|mxnet-.*|numba|numba-cuda|paddlepaddle(-gpu|-rocm)?|` +
		`onnxruntime|onnxruntime-.*|nvidia-cuda-runtime(-cu[0-9]+)?|nvidia-cuda-nvcc(-cu[0-9]+)?|nvidia-cudnn-cu[0-9]+|cuda-toolkit)$`
	relevantConda = `^(cuda-version|cudatoolkit|cuda-cudart|jaxlib)-[0-9]`
)

// frameworks returns the installed frameworks.
func (i installed) frameworks() []report.Framework {
	found := []report.Framework{}
	for _, k := range known {
		m, there := i.Modules[k.name]
		if !there {
			continue
		}
		f := report.Framework{Name: k.name}
		for _, d := range k.dists {
			f.Version = cmp.Or(f.Version, i.Dists[d].Version)
		}
		k.built(i, m, &f)
		if f.Version = short(f.Version); !plain.MatchString(f.Version) {
			f.Version = "" // no version, maybe a path
		}
		major, _, _ := strings.Cut(f.CUDA, ".")
		if v := i.Dists["nvidia-cudnn-cu"+major].Version; plain.MatchString(v) {
			f.CuDNN = v
		}
		found = append(found, f)
	}
	return found
}

// plain matches a version, including ones that PEP 440 does not define.
var plain = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z.+!_~-]*$`)

// text returns a value of the module, or "".
func (m module) text(name string) string {
	if v := m.Values[name]; v != nil {
		return *v
	}
	return ""
}

func (m module) has(name string) bool {
	_, found := m.Values[name]
	return found
}

func torch(i installed, m module, f *report.Framework) {
	pip := i.Dists["torch"]
	f.Version = cmp.Or(m.text("__version__"), f.Version)
	if m.has("cuda") {
		f.CUDA, f.ROCm = toolkit(m.text("cuda")), m.text("hip") != ""
		f.CPUOnly = f.CUDA == "" && !f.ROCm && m.text("cuda") == ""
		return
	}
	// The version ends in the build: 2.6.0+cu124, +cpu, +rocm6.2, +xpu. On PyPI it may
	// not, and then the requirements decide.
	_, local, _ := strings.Cut(cmp.Or(pip.Version, f.Version), "+")
	f.CUDA = cmp.Or(joined(local), pip.required())
	f.ROCm = strings.HasPrefix(local, "rocm")
	f.CPUOnly = local == "cpu" || local == "xpu"
}

func tensorflow(i installed, m module, f *report.Framework) {
	f.ROCm = m.text("is_rocm_build") == "True"
	f.CUDA = toolkit(cmp.Or(m.text("cuda_version"), m.text("cuda_version_number")))
	f.CPUOnly = m.text("is_cuda_build") == "False" && !f.ROCm
	if m.has("is_cuda_build") || m.has("is_rocm_build") {
		return
	}
	for _, name := range []string{"tensorflow", "tensorflow-gpu", "tf-nightly"} {
		f.CUDA = cmp.Or(f.CUDA, i.Dists[name].required())
	}
	for _, name := range []string{"tensorflow-cpu", "tf-nightly-cpu", "tensorflow-intel", "intel-tensorflow", "intel-tensorflow-avx512",
		"tensorflow-cpu-aws", "tensorflow-macos"} {
		f.CPUOnly = f.CPUOnly || i.has(name)
	}
	f.ROCm = i.has("tensorflow-rocm")
	f.CPUOnly = f.CPUOnly && f.CUDA == "" && !f.ROCm
}

// jaxPlugin matches the package with which JAX uses GPUs. The number is the major version
// of CUDA, or the version of ROCm. Older versions of jaxlib were built for GPUs themselves.
// https://docs.jax.dev/en/latest/installation.html
var jaxPlugin = regexp.MustCompile(`^jax-(cuda|rocm)(\d{0,2})-plugin$`)

func jax(i installed, m module, f *report.Framework) {
	f.Version = cmp.Or(f.Version, m.text("_version"))
	major := 0
	for name := range i.Dists {
		switch p := jaxPlugin.FindStringSubmatch(name); {
		case p == nil:
		case p[1] == "rocm":
			f.ROCm = true
		default:
			major = max(major, number(p[2])) // of several JAX takes one, and the newest asks for the most
		}
	}
	jaxlib := i.Dists["jaxlib"].Version
	_, local, _ := strings.Cut(jaxlib, "+") // 0.4.23+cuda12.cudnn89, and once +cuda110
	build, there := i.conda("jaxlib")
	switch {
	case major > 0:
		f.CUDA = i.toolkit(major)
	case strings.HasPrefix(local, "cuda"):
		f.CUDA = joined(local)
		if major := number(f.CUDA); major > 0 && !strings.Contains(f.CUDA, ".") {
			f.CUDA = i.toolkit(major)
		}
	case strings.HasPrefix(local, "rocm"):
		f.ROCm = true
	case there && strings.Contains(build, "cuda"): // jaxlib-0.4.31-cuda120py312h4008524_1
		f.CUDA = cmp.Or(i.toolkit(0), joined(build[strings.Index(build, "cuda"):]))
	default:
		f.CPUOnly = jaxlib != "" && !f.ROCm
	}
}

// cupyBuild matches a package of CuPy: cupy-cuda12x, cupy-cuda112, cupy-rocm-5-0.
// https://docs.cupy.dev/en/stable/install.html
var cupyBuild = regexp.MustCompile(`^cupy-(cuda|rocm)-?(\d{0,3})(x?)(?:-|$)`)

func cupy(i installed, m module, f *report.Framework) {
	f.Version = cmp.Or(m.text("__version__"), i.Dists["cupy"].Version)
	if i.has("cupy") { // built here, or by conda
		f.CUDA = i.toolkit(0)
	}
	for name, d := range i.Dists {
		switch p := cupyBuild.FindStringSubmatch(name); {
		case p == nil:
			continue
		case p[1] == "rocm":
			f.ROCm = true
		case p[3] == "x" && len(p[2]) == 2:
			f.CUDA = i.toolkit(number(p[2]))
		default:
			f.CUDA = joined("cuda" + p[2])
		}
		f.Version = cmp.Or(f.Version, d.Version)
	}
}

func mxnet(i installed, m module, f *report.Framework) {
	f.Version = m.text("__version__")
	gpu := false
	for name, d := range i.Dists {
		if build, ok := strings.CutPrefix(name, "mxnet-cu"); ok { // mxnet-cu112, mxnet-cu92mkl
			gpu = true
			f.CUDA = joined("cu" + build)
		} else if name != "mxnet" && !strings.HasPrefix(name, "mxnet-") {
			continue
		}
		f.Version = cmp.Or(f.Version, d.Version)
	}
	f.CPUOnly = !gpu && (i.has("mxnet") || i.has("mxnet-mkl") || i.has("mxnet-native"))
}

// numba is not built for a toolkit: it compiles with the one that it finds.
func numba(i installed, _ module, f *report.Framework) { f.CUDA = i.toolkit(0) }

func paddle(i installed, m module, f *report.Framework) {
	if v := m.text("full_version"); v != "0.0.0" { // of a nightly build
		f.Version = cmp.Or(v, f.Version)
	}
	f.ROCm = i.has("paddlepaddle-rocm") || m.text("hip_version") != "" && m.text("hip_version") != "False"
	if m.has("cuda_version") { // "False" without CUDA
		f.CUDA = toolkit(m.text("cuda_version"))
		f.CPUOnly = m.text("cuda_version") == "False" && !f.ROCm
		return
	}
	pip := i.Dists["paddlepaddle-gpu"]
	if _, post, ok := strings.Cut(pip.Version, ".post"); ok { // 2.0.2.post101
		f.CUDA = joined("cu" + post)
	}
	f.CUDA = cmp.Or(f.CUDA, pip.required())
	f.CPUOnly = i.has("paddlepaddle") && !i.has("paddlepaddle-gpu") && !f.ROCm
}

func onnxruntime(i installed, m module, f *report.Framework) {
	f.Version = cmp.Or(m.text("__version__"), f.Version)
	f.CUDA = toolkit(m.text("cuda_version"))
	f.ROCm = m.text("rocm_version") != "" || slices.ContainsFunc(m.Has, func(file string) bool { return strings.Contains(file, "rocm") })
	gpu := len(m.Has) > 0 || i.has("onnxruntime-gpu")
	if name := m.text("package_name"); name != "" { // of several that are installed, the one that wrote last
		gpu = len(m.Has) > 0 || strings.Contains(name, "gpu")
	}
	f.CPUOnly = f.CUDA == "" && !f.ROCm && !gpu
}
