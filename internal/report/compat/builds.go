package compat

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
)

// A build is the compute capabilities for which published builds of a framework have
// code.
type build struct {
	framework string
	// toolkit is the CUDA version that it is for, "12.4", or "12" for every 12.x.
	toolkit string
	// from and until are the framework's versions, both included, of which two
	// numbers count; empty is open.
	from, until string
	// archs is for Linux on x86-64; arm is for Linux on arm64 and windows for Windows, if they differ, or [unbuilt]. WSL2 is Linux.
	// For the format see [parseCode].
	archs, arm, windows string
	// floor is the oldest capability that the cuDNN has code for which comes with the build, if the build itself has older code.
	floor string
}

// checked is the day on which the rows of this file were last compared with their sources, of those of toolkits.go and models.go too.
// test/wheels compares them with the packages on PyPI, as far as these tell, and says when that was long ago.
const checked = "2026-11-28"

// unbuilt stands for a system without such wheels.
const unbuilt = "-"

// lastCuDNN is the last version of cuDNN with code for GPUs older than a floor. Kepler: https://github.com/jax-ml/jax/issues/15361.
// Maxwell, Pascal and Volta: https://docs.nvidia.com/deeplearning/cudnn/backend/v9.11.0/reference/support-matrix.html and
// https://github.com/pytorch/pytorch/issues/162574.
var lastCuDNN = map[string]string{"5.0": "8.8", "7.5": "9.10"}

// since50 are the capabilities from Maxwell to Hopper of most of PyTorch's wheels for CUDA 12.
const since50 = "5.0 6.0 7.0 7.5 8.0 8.6 9.0"

// windows11 are those of PyTorch's wheels for CUDA 11 on Windows. Whether their PTX for 3.7 runs on newer GPUs than they have code for was
// not tried.
const windows11 = "3.7+PTX? 5.0 6.0 6.1 7.0 7.5 8.0"

// PyTorch: the architectures of each wheel are in its build script,
// https://github.com/pytorch/pytorch/blob/v2.7.0/.ci/manywheel/build_cuda.sh (from
// 2.6 on, of each release's tag) and
// https://github.com/pytorch/builder/blob/main/manywheel/build_cuda.sh (before);
// from 2.9 on also in RELEASE.md, "PyTorch CUDA Support Matrix",
// https://github.com/pytorch/pytorch/blob/main/RELEASE.md, for 2.12 to 2.14 with
// https://github.com/pytorch/pytorch/pull/182849 and /197555, for 2.15, which has no
// CUDA 12, https://github.com/pytorch/pytorch/issues/190385. That 2.7 lacks Volta
// in cu128 and 2.8 has it again is https://github.com/pytorch/pytorch/issues/157517,
// that 2.11 lost it https://github.com/pytorch/pytorch/issues/172352, in cu129 too
// (https://github.com/pytorch/pytorch/pull/172598). The matrix does not list cu129,
// which has wheels up to 2.13:
// https://github.com/pytorch/pytorch/pull/188443 (but for 2.12.0). According to the matrix cu130 has PTX,
// but the script of 2.11 no longer has it (https://github.com/pytorch/pytorch/pull/175253).
// The flags of nvcc that are stored in libtorch_cuda.so of the wheels on PyPI agree with the script,
// on x86-64 and arm64: 2.11 to 2.14 with cu130, 2.15 with cu132 (where cuobjdump finds
// no PTX). For cu129 only the script is known, and releases may differ from it
// (https://github.com/pytorch/pytorch/pull/175567): "+PTX?".
// That 2.4 and 2.5 for arm64 were built without the list is https://github.com/pytorch/pytorch/pull/140844.
// The wheels for arm64 came from .ci/aarch64_linux/aarch64_ci_build.sh up to 2.10:
// https://github.com/pytorch/pytorch/pull/146378 (cu128), /157843 (8.0 in cu129),
// /161257 (cu130) and /162364 (all of 2.9).
//
// Windows: .ci/pytorch/windows/cuda128.bat and so on of each release's tag, and before 2.6
// https://github.com/pytorch/builder/tree/main/windows; 2.8 for 12.6: https://github.com/pytorch/pytorch/issues/160575, for 12.8:
// https://github.com/pytorch/pytorch/pull/164470; 13.0 without PTX: RELEASE.md. None for 10.2 from 1.10 on
// (https://github.com/pytorch/pytorch/issues/65648), none for 12.9 from 2.9.1 on (https://github.com/pytorch/test-infra/pull/8215).
//
// cuDNN is that of the metadata on PyPI, for 11.8 of RELEASE.md: 8.7 up to 2.3, 9.1 from 2.4 on. 12.6 keeps 9.10.2.21, for its old GPUs.
//
// TensorFlow: docs, "Install TensorFlow with pip", Hardware requirements ("do not
// contain PTX code except for the latest"), https://www.tensorflow.org/install/pip;
// the release builds' TF_CUDA_COMPUTE_CAPABILITIES in .bazelrc (2.14 to 2.16:
// sm_50, sm_60, sm_70, sm_80, compute_90),
// https://github.com/tensorflow/tensorflow/blob/v2.16.1/.bazelrc; release notes of 2.17 (Maxwell removed, 8.9 added),
// https://github.com/tensorflow/tensorflow/releases/tag/v2.17.0. On Blackwell the
// driver refuses some of its PTX, in 2.20 still:
// https://github.com/tensorflow/tensorflow/issues/99592 and /101746. The last with CUDA for Windows is 2.10. Up to 2.19 it requires one
// version of cuDNN, 9.3 at most, from 2.20 on any 9.x.
//
// JAX: docs, "NVIDIA GPU", which name the oldest GPU; XLA generates code for the GPU at
// run time. With CUDA for Linux only. It requires any 9.x of cuDNN. https://docs.jax.dev/en/latest/installation.html
//
// CuPy generates code with the toolkit's NVRTC at run time, for all GPUs of the toolkit,
// so it needs no row; https://docs.cupy.dev/en/stable/install.html
var builds = []build{
	{"torch", "10.2", "1.5", "1.9", "3.7 5.0 6.0 7.0", unbuilt, "3.7+PTX? 5.0 6.0 6.1 7.0 7.5", ""},
	{"torch", "10.2", "1.10", "1.12", "3.7 5.0 6.0 7.0", unbuilt, unbuilt, ""},
	{"torch", "11.0", "1.7", "1.7", "3.7 5.0 6.0 7.0 7.5 8.0", unbuilt, windows11, ""},
	{"torch", "11.1", "1.8", "1.10", "3.7 5.0 6.0 7.0 7.5 8.0 8.6", unbuilt, windows11 + " 8.6", ""},
	{"torch", "11.3", "1.10", "1.12", "3.7 5.0 6.0 7.0 7.5 8.0 8.6", unbuilt, windows11 + " 8.6", ""},
	{"torch", "11.5", "1.11", "1.11", "3.7 5.0 6.0 7.0 7.5 8.0 8.6", unbuilt, windows11 + " 8.6", ""},
	{"torch", "11.6", "1.12", "1.13", "3.7 5.0 6.0 7.0 7.5 8.0 8.6", unbuilt, windows11 + " 8.6", ""},
	{"torch", "11.7", "1.13", "2.0", "3.7 5.0 6.0 7.0 7.5 8.0 8.6", unbuilt, windows11 + " 8.6", ""},
	{"torch", "11.8", "2.0", "2.3", "3.7 5.0 6.0 7.0 7.5 8.0 8.6 9.0", unbuilt, windows11 + " 8.6 9.0", ""},
	{"torch", "11.8", "2.4", "2.7", "3.7 5.0 6.0 7.0 7.5 8.0 8.6 9.0", unbuilt, windows11 + " 8.6 9.0", "5.0"},
	{"torch", "12.1", "2.1", "2.5", since50, unbuilt, "", ""},
	{"torch", "12.4", "2.4", "2.5", since50, "5.0 8.0 8.6 8.9 9.0", "", ""},
	{"torch", "12.4", "2.6", "2.6", since50, "9.0", "", ""},
	{"torch", "12.6", "2.6", "2.7", since50, "9.0", "", ""},
	{"torch", "12.6", "2.8", "2.8", since50, "9.0", "6.1 7.0 7.5 8.0 8.6 9.0", ""},
	{"torch", "12.6", "2.9", "2.14", since50, "8.0 9.0", "", ""},
	{"torch", "12.8", "2.7", "2.7", "7.5 8.0 8.6 9.0 10.0 12.0+PTX", "9.0 10.0 12.0", "5.0 6.0 6.1 7.0 7.5 8.0 8.6 9.0 10.0 12.0", ""},
	{"torch", "12.8", "2.8", "2.8", "7.0 7.5 8.0 8.6 9.0 10.0 12.0", "9.0 10.0 12.0", "6.1 7.0 7.5 8.0 8.6 9.0 10.0 12.0", ""},
	{"torch", "12.8", "2.9", "2.10", "7.0 7.5 8.0 8.6 9.0 10.0 12.0", "8.0 9.0 10.0 12.0", "", ""},
	{"torch", "12.8", "2.11", "2.11", "7.5 8.0 8.6 9.0 10.0 12.0", "8.0 9.0 10.0 12.0", "", ""},
	{"torch", "12.9", "2.8", "2.9", "7.0 7.5 8.0 8.6 9.0 10.0 12.0+PTX?", "8.0 9.0 10.0 12.0", "7.5 8.0 8.6 9.0 10.0 12.0", ""},
	{"torch", "12.9", "2.10", "2.10", "7.0 7.5 8.0 8.6 9.0 10.0 12.0+PTX?", "8.0 9.0 10.0 12.0", unbuilt, ""},
	{"torch", "12.9", "2.11", "2.13", "7.5 8.0 8.6 9.0 10.0 12.0+PTX?", "8.0 9.0 10.0 12.0", unbuilt, ""},
	{"torch", "13.0", "2.9", "2.10", "7.5 8.0 8.6 9.0 10.0 12.0+PTX", "8.0 9.0 10.0 11.0 12.0+PTX", "7.5 8.0 8.6 9.0 10.0 12.0", ""},
	{"torch", "13.0", "2.11", "2.15", "7.5 8.0 8.6 9.0 10.0 12.0", "8.0 9.0 10.0 11.0 12.0", "", ""},
	{"torch", "13.2", "2.12", "2.15", "7.5 8.0 8.6 9.0 10.0 12.0", "8.0 9.0 10.0 11.0 12.0", "", ""},

	{"tensorflow", "11", "2.5", "2.10", "3.5 5.0 6.0 7.0 7.5 PTX:8.0<10.0", unbuilt, "", ""},
	{"tensorflow", "11", "2.11", "2.13", "3.5 5.0 6.0 7.0 7.5 PTX:8.0<10.0", unbuilt, unbuilt, ""},
	{"tensorflow", "11", "2.14", "2.14", "5.0 6.0 7.0 8.0 PTX:9.0<10.0", unbuilt, unbuilt, ""},
	{"tensorflow", "12", "2.15", "2.16", "5.0 6.0 7.0 8.0 PTX:9.0<10.0", unbuilt, unbuilt, ""},
	{"tensorflow", "12", "2.17", "2.19", "6.0 7.0 8.0 8.9 PTX:9.0<10.0", unbuilt, unbuilt, ""},
	{"tensorflow", "12", "2.20", "", "6.0 7.0 8.0 8.9 PTX:9.0<10.0", unbuilt, unbuilt, "7.5"},

	{"jax", "12", "", "", "5.2+", "", unbuilt, "7.5"},
	{"jax", "13", "", "", "7.5+", "", unbuilt, ""},
}

// on returns the code of a build for a machine. It is [unbuilt] if there is none for its system.
func (b build) on(m report.Machine) string {
	switch {
	case onWindows(m):
		return cmp.Or(b.windows, b.archs)
	case m.Arch == "arm64":
		return cmp.Or(b.arm, b.archs)
	}
	return b.archs
}

// builtWith returns the code of a build for a machine. It is unknown for versions that are not releases
// of the framework's own developers.
func builtWith(framework, version string, m report.Machine, t cuda) (code, bool) {
	if !released(framework, version) {
		return code{}, false
	}
	number, _, _ := strings.Cut(version, "+")
	for _, b := range builds {
		of, _ := parseCUDA(b.toolkit)
		if b.framework != framework || of.major != t.major || of.minor >= 0 && of != t || !between(number, b.from, b.until) {
			continue
		}
		return b.code(m)
	}
	return code{}, false
}

// code returns the code of a build for a machine, if there is such a build.
func (b build) code(m report.Machine) (code, bool) {
	c, err := parseCode(b.on(m))
	c.floor, _ = parseCapability(b.floor)
	return c, err == nil
}

// released reports whether a version is a release of the framework's developers. NVIDIA's
// own "2.5.0a0+872d972e41.nv24.08" is not, nor are nightly builds, which have other code
// than releases (PyTorch's have PTX: https://github.com/pytorch/pytorch/pull/145616).
// PyTorch's wheels name their toolkit after the version, on PyPI too. Conda's builds do
// not.
func released(framework, version string) bool {
	number, local, _ := strings.Cut(version, "+")
	switch {
	case strings.Contains(number, "dev"):
		return false
	case local == "":
		return framework != "torch"
	}
	return strings.HasPrefix(local, "cu")
}

// between compares the first two numbers of versions.
func between(version, from, until string) bool {
	v, ok := release(version)
	if !ok {
		return false
	}
	low, hasLow := release(from)
	high, hasHigh := release(until)
	return (!hasLow || v >= low) && (!hasHigh || v <= high)
}

// release converts a version such as 2.11 to a number.
func release(version string) (int, bool) {
	major, rest, _ := strings.Cut(version, ".")
	minor, _, _ := strings.Cut(rest, ".")
	minor = minor[:len(minor)-len(strings.TrimLeft(minor, "0123456789"))]
	a, errA := strconv.ParseUint(major, 10, 16)
	b, errB := strconv.ParseUint(minor, 10, 16)
	return int(a)<<16 + int(b), errA == nil && errB == nil
}

// Last returns the last release of a framework that has code for all GPUs, "2.3" for PyTorch and a K80, and the name of the GPU for
// which there is no later one; its cuDNN must have code too. It is empty if the newest release has code for
// them, or none, or if that is not known.
func Last(g report.GPU, framework string) (version, gpu string) {
	last, newest := 0, 0
	for _, b := range builds {
		if b.framework != framework {
			continue
		}
		n, ok := release(b.until)
		if !ok {
			n = math.MaxInt
		}
		of, _ := b.code(report.Machine{})
		w := worst(report.Machine{GPU: g}, of)
		lacks := w.answer == report.RunsNo || w.by == report.ByCuDNN
		if newest = max(newest, n); !lacks && n > last {
			last, version = n, b.until
		} else if lacks && n == newest {
			gpu = w.name
		}
	}
	if last == newest || last == 0 {
		return "", ""
	}
	return version, gpu
}
