package compat

import (
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
	// archs is for x86-64, arm for arm64 if it differs. For the format see [parseCode].
	archs, arm string
}

// since50 are the capabilities from Maxwell to Hopper of most of PyTorch's wheels for CUDA 12.
const since50 = "5.0 6.0 7.0 7.5 8.0 8.6 9.0"

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
// https://github.com/pytorch/pytorch/pull/188443. According to the matrix cu130 has PTX,
// but the script of 2.11 no longer has it (https://github.com/pytorch/pytorch/pull/175253).
// The flags of nvcc that are stored in libtorch_cuda.so of the wheels on PyPI agree with the script,
// on x86-64 and arm64: 2.11 to 2.14 with cu130, 2.15 with cu132 (where cuobjdump finds
// no PTX). For cu129 only the script is known, and releases may differ from it
// (https://github.com/pytorch/pytorch/pull/175567): "+PTX?".
// The wheels for arm64 came from .ci/aarch64_linux/aarch64_ci_build.sh up to 2.10:
// https://github.com/pytorch/pytorch/pull/146378 (cu128), /157843 (8.0 in cu129),
// /161257 (cu130) and /162364 (all of 2.9).
//
// TensorFlow: docs, "Install TensorFlow with pip", Hardware requirements ("do not
// contain PTX code except for the latest"), https://www.tensorflow.org/install/pip;
// the release builds' TF_CUDA_COMPUTE_CAPABILITIES in .bazelrc (2.14 to 2.16:
// sm_50, sm_60, sm_70, sm_80, compute_90),
// https://github.com/tensorflow/tensorflow/blob/v2.16.1/.bazelrc; release notes of 2.17 (Maxwell removed, 8.9 added),
// https://github.com/tensorflow/tensorflow/releases/tag/v2.17.0. On Blackwell the
// driver refuses some of its PTX, in 2.20 still:
// https://github.com/tensorflow/tensorflow/issues/99592 and /101746.
//
// JAX: docs, "NVIDIA GPU", which name the oldest GPU; XLA generates code for the GPU at
// run time. https://docs.jax.dev/en/latest/installation.html
//
// CuPy generates code with the toolkit's NVRTC at run time, for all GPUs of the toolkit,
// so it needs no row; https://docs.cupy.dev/en/stable/install.html
var builds = []build{
	{"torch", "10.2", "1.5", "1.12", "3.7 5.0 6.0 7.0", ""},
	{"torch", "11.0", "1.7", "1.7", "3.7 5.0 6.0 7.0 7.5 8.0", ""},
	{"torch", "11.1", "1.8", "1.10", "3.7 5.0 6.0 7.0 7.5 8.0 8.6", ""},
	{"torch", "11.3", "1.10", "1.12", "3.7 5.0 6.0 7.0 7.5 8.0 8.6", ""},
	{"torch", "11.5", "1.11", "1.11", "3.7 5.0 6.0 7.0 7.5 8.0 8.6", ""},
	{"torch", "11.6", "1.12", "1.13", "3.7 5.0 6.0 7.0 7.5 8.0 8.6", ""},
	{"torch", "11.7", "1.13", "2.0", "3.7 5.0 6.0 7.0 7.5 8.0 8.6", ""},
	{"torch", "11.8", "2.0", "2.7", "3.7 5.0 6.0 7.0 7.5 8.0 8.6 9.0", ""},
	{"torch", "12.1", "2.1", "2.5", since50, ""},
	{"torch", "12.4", "2.4", "2.6", since50, "9.0"},
	{"torch", "12.6", "2.6", "2.8", since50, "9.0"},
	{"torch", "12.6", "2.9", "2.14", since50, "8.0 9.0"},
	{"torch", "12.8", "2.7", "2.7", "7.5 8.0 8.6 9.0 10.0 12.0+PTX", "9.0 10.0 12.0"},
	{"torch", "12.8", "2.8", "2.8", "7.0 7.5 8.0 8.6 9.0 10.0 12.0", "9.0 10.0 12.0"},
	{"torch", "12.8", "2.9", "2.10", "7.0 7.5 8.0 8.6 9.0 10.0 12.0", "8.0 9.0 10.0 12.0"},
	{"torch", "12.8", "2.11", "2.11", "7.5 8.0 8.6 9.0 10.0 12.0", "8.0 9.0 10.0 12.0"},
	{"torch", "12.9", "2.8", "2.10", "7.0 7.5 8.0 8.6 9.0 10.0 12.0+PTX?", "8.0 9.0 10.0 12.0"},
	{"torch", "12.9", "2.11", "2.13", "7.5 8.0 8.6 9.0 10.0 12.0+PTX?", "8.0 9.0 10.0 12.0"},
	{"torch", "13.0", "2.9", "2.10", "7.5 8.0 8.6 9.0 10.0 12.0+PTX", "8.0 9.0 10.0 11.0 12.0+PTX"},
	{"torch", "13.0", "2.11", "2.15", "7.5 8.0 8.6 9.0 10.0 12.0", "8.0 9.0 10.0 11.0 12.0"},
	{"torch", "13.2", "2.12", "2.15", "7.5 8.0 8.6 9.0 10.0 12.0", "8.0 9.0 10.0 11.0 12.0"},

	{"tensorflow", "11", "2.5", "2.13", "3.5 5.0 6.0 7.0 7.5 PTX:8.0<10.0", ""},
	{"tensorflow", "11", "2.14", "2.14", "5.0 6.0 7.0 8.0 PTX:9.0<10.0", ""},
	{"tensorflow", "12", "2.15", "2.16", "5.0 6.0 7.0 8.0 PTX:9.0<10.0", ""},
	{"tensorflow", "12", "2.17", "", "6.0 7.0 8.0 8.9 PTX:9.0<10.0", ""},

	{"jax", "12", "", "", "5.2+", ""},
	{"jax", "13", "", "", "7.5+", ""},
}

// builtWith returns the code of a build. It is unknown for versions that are not releases
// of the framework's own developers.
func builtWith(framework, version, arch string, t cuda) (code, bool) {
	if !released(framework, version) {
		return code{}, false
	}
	number, _, _ := strings.Cut(version, "+")
	for _, b := range builds {
		of, _ := parseCUDA(b.toolkit)
		if b.framework != framework || of.major != t.major || of.minor >= 0 && of != t || !between(number, b.from, b.until) {
			continue
		}
		archs := b.archs
		if arch == "arm64" && b.arm != "" {
			archs = b.arm
		}
		c, err := parseCode(archs)
		return c, err == nil
	}
	return code{}, false
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

// Last returns the last release of a framework that has code for all GPUs, "2.7" for PyTorch and a K80, and the name of the GPU for
// which there is no later one. It is empty if the newest release has code for
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
		of, _ := parseCode(b.archs)
		w := worst(report.Machine{GPU: g}, of)
		if newest = max(newest, n); w.answer != report.RunsNo && n > last {
			last, version = n, b.until
		} else if w.answer == report.RunsNo && n == newest {
			gpu = w.name
		}
	}
	if last == newest || last == 0 {
		return "", ""
	}
	return version, gpu
}
