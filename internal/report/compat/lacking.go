package compat

import (
	"regexp"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
)

// What would help where software has no code for a GPU.
const (
	NewerGPU     = "compute" // the GPU is older than all code
	NewerToolkit = "toolkit" // the GPU is newer: the first toolkit with code for it, "12.8"
	NewerBuild   = "newer"   // the GPU is newer than all code of this build of a framework
	OtherBuild   = "build"   // the build has code for older and for newer GPUs
)

var capabilities = regexp.MustCompile(`[0-9]+\.[0-9]`)

// ForGPU returns what would help if a verdict is by the compute capability of a GPU, and its name: a version of CUDA, or the framework.
// Both are empty if the capability is not known.
func ForGPU(v report.Verdict) (what, name string) {
	gpu, ok := parseCapability(v.Compute)
	if !ok {
		return "", ""
	}
	code := capabilities.FindAllString(v.NeedCompute, -1)
	if code == nil {
		return NewerBuild, v.What
	}
	oldest, _ := parseCapability(code[0])
	newest, _ := parseCapability(code[len(code)-1])
	switch {
	case gpu < oldest:
		return NewerGPU, ""
	case v.Version == "" && firstToolkits()[gpu].version == "":
		return NewerBuild, string(ask.CUDA) // than those of the tables
	case v.Version == "":
		return NewerToolkit, firstToolkits()[gpu].version
	case gpu > newest:
		return NewerBuild, v.What
	}
	return OtherBuild, v.What
}
