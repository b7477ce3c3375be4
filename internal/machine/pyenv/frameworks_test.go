package pyenv

import (
	"maps"
	"reflect"
	"regexp"
	"testing"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
)

// s returns the value that a file assigns; nil is None.
func s(v string) *string { return &v }

type values = map[string]*string

// TestFrameworks judges installed frameworks, in the forms of many years.
func TestFrameworks(t *testing.T) {
	torch := func(v, cuda, hip *string) module {
		return module{Values: values{"__version__": v, "cuda": cuda, "hip": hip}}
	}
	tf := func(v values) module { return module{Values: v} }
	for _, c := range []struct {
		name   string
		module module
		dists  map[string]dist
		conda  []string
		want   report.Framework
	}{
		{"torch", torch(s("2.6.0+cu124"), s("12.4"), nil), nil, nil, report.Framework{Version: "2.6.0+cu124", CUDA: "12.4"}},
		{"torch", torch(s("2.6.0+cpu"), nil, nil), nil, nil, report.Framework{Version: "2.6.0+cpu", CPUOnly: true}},
		{"torch", torch(s("2.6.0+rocm6.2.4"), nil, s("6.2.41134-65d174c3e")), nil, nil, report.Framework{Version: "2.6.0+rocm6.2.4", ROCm: true}},
		{"torch", torch(s("2.6.0a0+git8e8ad4f"), s("12.6"), nil), nil, nil, report.Framework{Version: "2.6.0a0+git8e8ad4f", CUDA: "12.6"}},
		{"torch", torch(s("2.8.0.dev20250501+cu128"), s("12.8"), nil), nil, nil, report.Framework{Version: "2.8.0.dev20250501+cu128", CUDA: "12.8"}},
		{"torch", torch(s("2.1.0a0+41361538.nv23.06"), s("11.4"), nil), nil, nil, report.Framework{Version: "2.1.0a0+41361538.nv23.06", CUDA: "11.4"}},
		{"torch", torch(s("2.9.0+xpu"), nil, nil), nil, nil, report.Framework{Version: "2.9.0+xpu", CPUOnly: true}},
		// Without its version.py.
		{"torch", module{}, map[string]dist{"torch": {Version: "1.13.1+cu117.with.pypi.cudnn"}}, nil, report.Framework{Version: "1.13.1+cu117.with.pypi.cudnn", CUDA: "11.7"}},
		{"torch", module{}, map[string]dist{"torch": {Version: "1.7.1+cu92"}}, nil, report.Framework{Version: "1.7.1+cu92", CUDA: "9.2"}},
		{"torch", module{}, map[string]dist{"torch": {Version: "2.6.0+cpu"}}, nil, report.Framework{Version: "2.6.0+cpu", CPUOnly: true}},
		{"torch", module{}, map[string]dist{"torch": {Version: "2.6.0+rocm6.2"}}, nil, report.Framework{Version: "2.6.0+rocm6.2", ROCm: true}},
		{"torch", module{}, map[string]dist{"torch": {Version: "2.6.0", Requires: []string{"nvidia-cuda-nvrtc-cu12==12.4.99",
			`nvidia-cuda-runtime-cu12==12.4.127; platform_system == "Linux" and platform_machine == "x86_64"`}}}, nil,
			report.Framework{Version: "2.6.0", CUDA: "12.4"}},
		{"torch", module{}, map[string]dist{"torch": {Version: "2.9.0", Requires: []string{"nvidia-cuda-runtime==13.0.48; platform_system == 'Linux'"}}}, nil,
			report.Framework{Version: "2.9.0", CUDA: "13.0"}},
		{"torch", module{}, map[string]dist{"torch": {Version: "2.11.0", Requires: []string{"cuda-toolkit[cublas,cudart]==13.0.2; platform_system == 'Linux'"}}}, nil,
			report.Framework{Version: "2.11.0", CUDA: "13.0"}},
		{"torch", module{}, map[string]dist{"torch": {Version: "2.6.0"}}, nil, report.Framework{Version: "2.6.0"}},
		{"torch", module{}, nil, nil, report.Framework{}},
		{"torch", torch(s("/home/ana/torch"), s("/usr/local/cuda"), nil), nil, nil, report.Framework{}},

		{"tensorflow", tf(values{"cuda_version": s("12.5.1"), "is_cuda_build": s("True"), "is_rocm_build": s("False")}),
			map[string]dist{"tensorflow": {Version: "2.18.0"}}, nil, report.Framework{Version: "2.18.0", CUDA: "12.5"}},
		{"tensorflow", tf(values{"cuda_version": s("11.2"), "is_cuda_build": s("True")}), map[string]dist{"tf-nightly": {Version: "2.12.0.dev20221201"}}, nil,
			report.Framework{Version: "2.12.0.dev20221201", CUDA: "11.2"}},
		{"tensorflow", tf(values{"cuda_version": s("64_112"), "is_cuda_build": s("True")}), map[string]dist{"tensorflow": {Version: "2.10.0"}}, nil,
			report.Framework{Version: "2.10.0", CUDA: "11.2"}},
		{"tensorflow", tf(values{"is_cuda_build": s("False"), "is_rocm_build": s("False")}), map[string]dist{"tensorflow-cpu": {Version: "2.15.0"}}, nil,
			report.Framework{Version: "2.15.0", CPUOnly: true}},
		{"tensorflow", tf(values{"is_cuda_build": s("False"), "is_rocm_build": s("True")}), map[string]dist{"tensorflow-rocm": {Version: "2.14.0.600"}}, nil,
			report.Framework{Version: "2.14.0.600", ROCm: true}},
		{"tensorflow", tf(values{"is_cuda_build": s("True"), "cuda_version_number": s("10.1")}), map[string]dist{"tensorflow-gpu": {Version: "2.1.0"}}, nil,
			report.Framework{Version: "2.1.0", CUDA: "10.1"}},
		{"tensorflow", tf(values{"is_cuda_build": s("True")}), map[string]dist{"tensorflow-gpu": {Version: "1.13.1"}}, nil, report.Framework{Version: "1.13.1"}},
		{"tensorflow", module{}, map[string]dist{"intel-tensorflow": {Version: "2.14.0"}}, nil, report.Framework{Version: "2.14.0", CPUOnly: true}},
		{"tensorflow", module{}, map[string]dist{"tensorflow": {Version: "2.16.1", Requires: []string{`nvidia-cuda-runtime-cu12 (==12.3.101) ; extra == 'and-cuda'`}}}, nil,
			report.Framework{Version: "2.16.1", CUDA: "12.3"}},

		{"jax", module{}, map[string]dist{"jax": {Version: "0.5.0"}, "jaxlib": {Version: "0.5.0"}}, nil, report.Framework{Version: "0.5.0", CPUOnly: true}},
		{"jax", module{}, map[string]dist{"jax": {Version: "0.5.0"}}, nil, report.Framework{Version: "0.5.0"}},
		{"jax", module{}, map[string]dist{"jax": {Version: "0.5.0"}, "jaxlib": {Version: "0.5.0"}, "jax-cuda12-plugin": {Version: "0.5.0"}}, nil,
			report.Framework{Version: "0.5.0", CUDA: "12"}},
		{"jax", module{}, map[string]dist{"jax": {Version: "0.5.0"}, "jaxlib": {Version: "0.5.0"}, "jax-cuda12-plugin": {}, "nvidia-cuda-runtime-cu12": {Version: "12.8.57"}}, nil,
			report.Framework{Version: "0.5.0", CUDA: "12.8"}},
		{"jax", module{}, map[string]dist{"jax": {Version: "0.12.0"}, "jaxlib": {Version: "0.12.0"}, "jax-cuda12-plugin": {}, "nvidia-cuda-runtime-cu12": {Version: "12.9.79"},
			"nvidia-cudnn-cu12": {Version: "9.10.2.21"}, "nvidia-cudnn-cu13": {Version: "9.28.1.4"}}, nil, report.Framework{Version: "0.12.0", CUDA: "12.9", CuDNN: "9.10.2.21"}},
		{"jax", module{}, map[string]dist{"jax": {Version: "0.7.2"}, "jaxlib": {Version: "0.7.2"}, "jax-cuda13-plugin": {}, "nvidia-cuda-runtime": {Version: "13.0.88"},
			"nvidia-cuda-runtime-cu12": {Version: "12.8.90"}}, nil, report.Framework{Version: "0.7.2", CUDA: "13.0"}},
		{"jax", module{}, map[string]dist{"jax": {Version: "0.5.0"}, "jaxlib": {Version: "0.5.0"}, "jax-rocm60-plugin": {}}, nil, report.Framework{Version: "0.5.0", ROCm: true}},
		{"jax", module{}, map[string]dist{"jax": {Version: "0.4.23"}, "jaxlib": {Version: "0.4.23+cuda12.cudnn89"}}, nil, report.Framework{Version: "0.4.23", CUDA: "12"}},
		{"jax", module{}, map[string]dist{"jax": {Version: "0.2.10"}, "jaxlib": {Version: "0.1.62+cuda110"}}, nil, report.Framework{Version: "0.2.10", CUDA: "11.0"}},
		{"jax", module{}, map[string]dist{"jax": {Version: "0.4.31"}, "jaxlib": {Version: "0.4.31"}}, []string{"jaxlib-0.4.31-cuda120py312h4008524_1"},
			report.Framework{Version: "0.4.31", CUDA: "12.0"}},
		{"jax", module{}, map[string]dist{"jax": {Version: "0.4.31"}, "jaxlib": {Version: "0.4.31"}}, []string{"jaxlib-0.4.31-cuda120py312h4008524_1", "cuda-version-12.6-h7480c83_3"},
			report.Framework{Version: "0.4.31", CUDA: "12.6"}},
		{"jax", module{}, map[string]dist{"jax": {Version: "0.4.31"}, "jaxlib": {Version: "0.4.31"}}, []string{"jaxlib-0.4.31-cpu_py312h5d43c63_1"},
			report.Framework{Version: "0.4.31", CPUOnly: true}},
		{"jax", module{Values: values{"_version": s("0.4.31")}}, nil, nil, report.Framework{Version: "0.4.31"}},

		{"cupy", module{Values: values{"__version__": s("13.3.0")}}, map[string]dist{"cupy-cuda12x": {Version: "13.3.0"}}, nil, report.Framework{Version: "13.3.0", CUDA: "12"}},
		{"cupy", module{}, map[string]dist{"cupy-cuda11x": {Version: "12.0.0"}}, nil, report.Framework{Version: "12.0.0", CUDA: "11"}},
		{"cupy", module{}, map[string]dist{"cupy-cuda13x": {Version: "13.6.0"}, "nvidia-cuda-runtime": {Version: "13.0.48"}}, nil, report.Framework{Version: "13.6.0", CUDA: "13.0"}},
		{"cupy", module{}, map[string]dist{"cupy-cuda112": {Version: "10.0.0"}}, nil, report.Framework{Version: "10.0.0", CUDA: "11.2"}},
		{"cupy", module{}, map[string]dist{"cupy-rocm-5-0": {Version: "12.0.0"}}, nil, report.Framework{Version: "12.0.0", ROCm: true}},
		{"cupy", module{}, map[string]dist{"cupy": {Version: "13.3.0"}}, nil, report.Framework{Version: "13.3.0"}},
		{"cupy", module{}, map[string]dist{"cupy": {Version: "13.3.0"}}, []string{"cuda-version-12.4-h3060b56_3"}, report.Framework{Version: "13.3.0", CUDA: "12.4"}},
		{"cupy", module{}, map[string]dist{"cupy": {Version: "11.0.0"}}, []string{"cudatoolkit-11.8.0-h6a678d5_13"}, report.Framework{Version: "11.0.0", CUDA: "11.8"}},

		{"mxnet", module{}, map[string]dist{"mxnet-cu112": {Version: "1.9.1"}}, nil, report.Framework{Version: "1.9.1", CUDA: "11.2"}},
		{"mxnet", module{Values: values{"__version__": s("1.5.0")}}, map[string]dist{"mxnet-cu92mkl": {Version: "1.5.0"}}, nil, report.Framework{Version: "1.5.0", CUDA: "9.2"}},
		{"mxnet", module{}, map[string]dist{"mxnet": {Version: "1.9.1"}}, nil, report.Framework{Version: "1.9.1", CPUOnly: true}},
		{"mxnet", module{Values: values{"__version__": s("2.0.0")}}, nil, nil, report.Framework{Version: "2.0.0"}},

		{"numba", module{}, map[string]dist{"numba": {Version: "0.60.0"}}, nil, report.Framework{Version: "0.60.0"}},
		{"numba", module{}, map[string]dist{"numba": {Version: "0.61.0"}, "numba-cuda": {Version: "0.9.0"}, "nvidia-cuda-nvcc-cu12": {Version: "12.8.93"}}, nil,
			report.Framework{Version: "0.61.0", CUDA: "12.8"}},

		{"paddle", module{Values: values{"full_version": s("2.6.1"), "cuda_version": s("11.7")}}, map[string]dist{"paddlepaddle-gpu": {Version: "2.6.1.post117"}}, nil,
			report.Framework{Version: "2.6.1", CUDA: "11.7"}},
		{"paddle", module{Values: values{"full_version": s("3.3.0"), "cuda_version": s("False"), "hip_version": nil}}, nil, nil, report.Framework{Version: "3.3.0", CPUOnly: true}},
		{"paddle", module{Values: values{"full_version": s("3.3.0"), "cuda_version": s("False"), "hip_version": s("4.0")}}, nil, nil, report.Framework{Version: "3.3.0", ROCm: true}},
		{"paddle", module{Values: values{"full_version": s("0.0.0"), "cuda_version": s("12.6")}}, map[string]dist{"paddlepaddle-gpu": {Version: "3.0.0.dev20250101"}}, nil,
			report.Framework{Version: "3.0.0.dev20250101", CUDA: "12.6"}},
		{"paddle", module{}, map[string]dist{"paddlepaddle-gpu": {Version: "2.0.2.post101"}}, nil, report.Framework{Version: "2.0.2.post101", CUDA: "10.1"}},
		{"paddle", module{}, map[string]dist{"paddlepaddle": {Version: "2.0.2"}}, nil, report.Framework{Version: "2.0.2", CPUOnly: true}},

		{"onnxruntime", module{Values: values{"__version__": s("1.20.1"), "cuda_version": s("12.2")}}, map[string]dist{"onnxruntime-gpu": {Version: "1.20.1"}}, nil,
			report.Framework{Version: "1.20.1", CUDA: "12.2"}},
		{"onnxruntime", module{Values: values{"__version__": s("1.20.1")}}, nil, nil, report.Framework{Version: "1.20.1", CPUOnly: true}},
		{"onnxruntime", module{Values: values{"__version__": s("1.4.0")}, Has: []string{"capi/libonnxruntime_providers_cuda.so"}}, nil, nil, report.Framework{Version: "1.4.0"}},
		{"onnxruntime", module{}, map[string]dist{"onnxruntime-gpu": {Version: "1.3.0"}}, nil, report.Framework{Version: "1.3.0"}},
		{"onnxruntime", module{Values: values{"package_name": s("onnxruntime"), "__version__": s("1.28.0")}}, map[string]dist{"onnxruntime-gpu": {Version: "1.27.0"}, "onnxruntime": {}}, nil,
			report.Framework{Version: "1.28.0", CPUOnly: true}},
		{"onnxruntime", module{Values: values{"__version__": s("1.20.1"), "rocm_version": s("6.2")}}, nil, nil, report.Framework{Version: "1.20.1", ROCm: true}},
	} {
		c.want.Name = c.name
		i := installed{Dists: c.dists, Modules: map[string]module{c.name: c.module}, Conda: c.conda}
		if got := i.frameworks(); !reflect.DeepEqual(got, []report.Framework{c.want}) {
			t.Errorf("%s %v %v %v:\n got %+v\nwant %+v", c.name, c.module, c.dists, c.conda, got, c.want)
		}
	}
}

// TestKnown: a framework that may follow "runs" is known here, and its packages are queried.
func TestKnown(t *testing.T) {
	names := map[string]bool{}
	relevant := regexp.MustCompile(relevantDists)
	for _, f := range known {
		names[f.name] = true
		for _, d := range f.dists {
			if !relevant.MatchString(d) {
				t.Errorf("%s is not queried", d)
			}
		}
	}
	want := map[string]bool{}
	for _, name := range ask.Frameworks() {
		want[name] = true
	}
	if !maps.Equal(names, want) {
		t.Errorf("%v, want %v", names, want)
	}
	for _, name := range []string{"torchvision", "tensorflow-datasets", "numpy", "jaxtyping"} {
		if relevant.MatchString(name) {
			t.Errorf("%s has no facts", name)
		}
	}
}
