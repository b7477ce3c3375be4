package report

import (
	"cmp"
	"maps"
	"slices"
)

// An Environment is a Python with its installed GPU frameworks, and what else decides what
// runs in it.
type Environment struct {
	// Name is the name in gpudocs.toml, or empty for the machine's own Python.
	Name string `json:"name"`
	// Interpreter is "Python 3.12.4".
	Interpreter string      `json:"interpreter,omitempty"`
	Frameworks  []Framework `json:"frameworks" max:"32"`
	// Modules are the loaded modules with their versions: "gcc/12.2.0".
	Modules []string `json:"modules,omitempty" max:"128"`
	// Lock is the SHA-256 of the lock file from which it was made, in hexadecimal.
	Lock string `json:"lock,omitempty"`
	// Image is the digest of its container image: "sha256:...".
	Image string `json:"image,omitempty"`
}

// Sources returns what the environment is made of: its modules, lock and image.
func (e Environment) Sources() []string {
	sources := slices.Clone(e.Modules)
	if e.Lock != "" {
		sources = append(sources, "lock "+e.Lock[:min(len(e.Lock), 12)])
	}
	if e.Image != "" {
		sources = append(sources, e.Image)
	}
	return sources
}

// A Framework is an installed GPU framework.
type Framework struct {
	// Name is that of the package: "torch". Version is its own, "2.6.0+cu124".
	Name    string `json:"name"`
	Version string `json:"version"`
	// CUDA is the toolkit for which it was built, or that is installed for it: "12.4",
	// "12" if only the major version is known, or empty if unknown.
	CUDA string `json:"cuda,omitempty"`
	// CuDNN is the version of cuDNN that pip has installed beside it, "9.10.2.21", or empty if unknown.
	CuDNN string `json:"cudnn,omitempty"`
	// CPUOnly: it was built without CUDA.
	CPUOnly bool `json:"cpu_only,omitempty"`
	// ROCm: it was built for AMD's GPUs.
	ROCm bool `json:"rocm,omitempty"`
}

// An Answer is whether a machine has a program, a module, an environment or a Python package
// for which a requirement asks.
type Answer struct {
	// Env is the environment in which it was asked, or empty for the machine itself.
	Env string `json:"env,omitempty"`
	// Ask is a fact of package ask: `has("cmake")`, "nvcc".
	Ask string `json:"ask"`
	Has bool   `json:"has"`
	// Version is that of nvcc or a Python package, or empty if unknown.
	Version string `json:"version,omitempty"`
}

// Key identifies the question.
func (a Answer) Key() [2]string { return [2]string{a.Env, a.Ask} }

// SortedAnswers returns answers in the order of a report, without those that do not fit.
func SortedAnswers(all map[[2]string]Answer) []Answer {
	list := slices.SortedFunc(maps.Values(all), func(a, b Answer) int {
		return cmp.Or(cmp.Compare(a.Env, b.Env), cmp.Compare(a.Ask, b.Ask))
	})
	return list[:min(len(list), MaxAnswers)]
}

// Slurm is the Slurm client of a machine.
type Slurm struct {
	// Version is "23.11.4", or empty if there is no client.
	Version string `json:"version,omitempty"`
}

// Answers to whether software runs on a machine.
const (
	RunsYes     = "yes"     // the driver is new enough for the toolkit
	RunsMinor   = "minor"   // by minor-version compatibility
	RunsForward = "forward" // by a forward-compatibility package
	RunsNo      = "no"
	RunsUnknown = "unknown" // not enough is known about the machine or the software
)

// What decided a [Verdict].
const (
	ByDriver       = "driver"        // the driver's version
	ByCompute      = "compute"       // the GPU's compute capability
	ByCuDNN        = "cudnn"         // the cuDNN that comes with the framework, which may have no code for the GPU
	ByForward      = "forward"       // a forward-compatibility package that is not for this GPU or driver
	ByNoDriver     = "no-driver"     // there is no driver
	ByNoGPU        = "no-gpu"        // there is no GPU
	ByBroken       = "broken"        // the driver cannot be used
	ByPTX          = "ptx"           // PTX that an older driver may not be able to compile
	ByCUDA         = "cuda"          // the driver lists a GPU, and CUDA cannot be initialised or lists none
	ByToolkit      = "toolkit"       // gpudocs does not know this toolkit
	ByCPUOnly      = "cpu-only"      // the framework was built without CUDA
	ByROCm         = "rocm"          // the framework was built for AMD's GPUs
	ByNotInstalled = "not-installed" // the framework is not installed there
	ByNotAsked     = "not-asked"     // the environment was not queried
	ByNoAnswer     = "no-answer"     // the GPUs could not be queried
)

// A Verdict reports whether software runs on a machine, with the numbers that decide.
// Package compat judges.
type Verdict struct {
	// What is the author's name for the software: "cu124", "torch".
	What string `json:"what"`
	// Answer is one of the Runs codes, By one of the By codes.
	Answer string `json:"answer"`
	By     string `json:"by"`
	// Version is the framework's, "2.6.0+cu124"; Toolkit the CUDA version, "12.4".
	Version string `json:"version,omitempty"`
	Toolkit string `json:"toolkit,omitempty"`
	// Driver is the machine's, CUDA the newest CUDA version that it supports. If it is not known, and every driver for the GPUs is new enough,
	// Driver is "≥ " and the oldest branch of them.
	Driver string `json:"driver,omitempty"`
	CUDA   string `json:"cuda,omitempty"`
	// NeedDriver is the driver that the toolkit requires, NeedMinor the oldest with
	// minor-version compatibility, if the toolkit has that.
	NeedDriver string `json:"need_driver,omitempty"`
	NeedMinor  string `json:"need_minor,omitempty"`
	// GPU is the GPU that decides, Compute its capability, and NeedCompute the
	// capabilities that the software has code for: "7.5-12.0".
	GPU         string `json:"gpu,omitempty"`
	Compute     string `json:"compute,omitempty"`
	NeedCompute string `json:"need_compute,omitempty"`
	// NeedCuDNN is the last version of cuDNN with code for the GPU, if By is [ByCuDNN]. NeedCompute is then the oldest
	// capability that newer ones have code for.
	NeedCuDNN string `json:"need_cudnn,omitempty"`
}

// ByMachine reports whether nothing runs on the machine's GPUs, for which the code of their status has the cause.
func (v Verdict) ByMachine() bool {
	return v.By == ByNoDriver || v.By == ByNoGPU || v.By == ByBroken || v.By == ByNoAnswer
}

// Runs reports whether the software runs, by any rule.
func (v Verdict) Runs() bool {
	return v.Answer == RunsYes || v.Answer == RunsMinor || v.Answer == RunsForward
}
