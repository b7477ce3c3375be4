// Package compat determines which CUDA software runs on a machine, by the rules that
// NVIDIA publishes, from what a report says about the machine.
//
// # What is asked
//
// "cu124" asks whether programs built with the CUDA 12.4 toolkit run: whether
// the driver can, and whether nvcc 12.4 generates code for the GPUs. "torch" asks
// the same about PyTorch as installed in an environment: its toolkit, and the GPUs
// that its build has code for. Nothing is run or imported for an answer.
//
// # The rules
//
// They apply in this order; [report.Verdict].By names the first that decides:
//
//  1. There must be a driver that can be used, and a GPU.
//  2. The framework must be installed, and built for CUDA.
//  3. The software must have code for every GPU (compute.go).
//  4. The driver must be new enough for the toolkit, or be helped by
//     minor-version compatibility or a forward-compatibility package (driver.go).
//  5. CUDA itself must start and find a GPU, if it was asked: a working
//     nvidia-smi is no proof of it.
//
// On a machine with several GPUs the worst answer counts. What is not
// known is "unknown", and never treated as yes or no: a toolkit of a major version
// that the tables do not have, or a driver or GPU whose version is not known.
//
// The tables are toolkits.go and builds.go; each row names its source.
// docs/compatibility.md says how to keep them up to date.
//
// # What is not seen
//
// An answer covers only driver, GPUs and toolkit. A missing or outdated library
// beside them (cuDNN, NCCL, the C library), or a lack of memory,
// shows only when the program runs.
package compat

import (
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/require"
)

// Facts are what an author's requirements are compared with: those of the
// machine's GPUs, what is installed, and what runs here. Python and frameworks are
// looked up in the named environment, "" for the machine's own Python.
func Facts(m report.Machine, environment string) require.Machine {
	facts := m.GPU.Facts()
	addInstalled(facts, m, environment)
	facts[require.Runs] = require.Software(func(what string) (require.Answer, string) {
		v := Judge(m, environment, what)
		switch {
		case v.Runs():
			return require.RunsFine, Found(v)
		case v.Answer == report.RunsNo:
			return require.RunsNot, Found(v)
		}
		return require.RunsUnknown, Found(v)
	})
	return facts
}

// Found says in a few words, in no language, what of the machine a verdict is
// about: "torch 2.6.0+cu124, driver 460.91.03, CUDA 11.2".
func Found(v report.Verdict) string {
	var parts []string
	if v.Version != "" {
		parts = append(parts, v.What+" "+v.Version)
	}
	switch {
	case v.By == report.ByCompute:
		parts = append(parts, strings.TrimSpace(v.GPU+" "+v.Compute))
	case v.Driver != "":
		parts = append(parts, "driver "+v.Driver)
		if v.CUDA != "" {
			parts = append(parts, "CUDA "+v.CUDA)
		}
	}
	return strings.Join(parts, ", ")
}

// Judge reports whether software runs on a machine. What is the name of a CUDA
// toolkit, "cu124", or of a framework in the environment.
func Judge(m report.Machine, environment, what string) report.Verdict {
	s := find(m, environment, what)
	v := report.Verdict{What: what, Version: s.version, Toolkit: s.toolkit, Driver: m.GPU.Driver, CUDA: m.GPU.CUDA}
	decided := func(answer, by string) report.Verdict {
		v.Answer, v.By = answer, by
		return v
	}
	if answer, by := unusable(m.GPU); by != "" {
		return decided(answer, by)
	}
	if s.by != "" {
		return decided(s.answer, s.by)
	}
	toolkit, ok := parseCUDA(s.toolkit)
	if !ok || !toolkit.known() {
		return decided(report.RunsUnknown, report.ByToolkit)
	}
	cards := worst(m, s.code(m.Arch, toolkit))
	d := judgeDriver(m, toolkit, cards.jit)
	by := d.by
	if cards.answer == report.RunsNo || cards.answer == report.RunsUnknown && rank(d.answer) > rank(cards.answer) {
		d.answer, by = cards.answer, report.ByCompute
		v.GPU, v.Compute, v.NeedCompute = cards.name, cards.compute, cards.need
	}
	v.NeedDriver, v.NeedMinor = d.driver, d.minor
	if by == report.ByForward {
		v.GPU = d.card
	}
	if m.GPU.Compat != "" {
		v.CUDA = "" // it is that of the package, and not what the driver can do
		if by == report.ByForward || d.answer == report.RunsForward {
			v.CUDA = m.GPU.Compat
		}
	}
	if d.answer != report.RunsNo && cudaless(m.GPU) {
		return decided(report.RunsNo, report.ByCUDA)
	}
	return decided(d.answer, by)
}

// cudaless tells a machine whose driver sees GPUs that CUDA does not: cuInit
// failed, its library is not there, or it counts none.
func cudaless(g report.GPU) bool {
	c := g.Counts
	return c != nil && (c.Why == report.DifferCUDA || c.CUDA != nil && *c.CUDA == 0)
}

// unusable tells why a machine runs nothing on a GPU; by is empty if it may.
func unusable(g report.GPU) (answer, by string) {
	switch {
	case g.Code == report.CodeNotReached, g.Code == report.CodeNotAsked, g.Code == report.CodeUnsupported:
		return report.RunsUnknown, report.ByNoAnswer
	case g.Status == report.GPUBroken:
		return report.RunsNo, report.ByBroken
	case g.Code == report.CodeNoLibrary, g.Code == report.CodeNotLoaded:
		return report.RunsNo, report.ByNoDriver
	case g.Status == report.GPUNone, g.Status == report.GPUOk && len(g.Devices) == 0:
		return report.RunsNo, report.ByNoGPU
	case g.Status != report.GPUOk:
		return report.RunsUnknown, report.ByNoAnswer
	}
	return "", ""
}

// rank orders answers from the worst.
func rank(answer string) int {
	switch answer {
	case report.RunsNo:
		return 0
	case report.RunsUnknown:
		return 1
	}
	return 2
}
