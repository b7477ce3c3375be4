// Package compat tells which CUDA software runs on a machine, by the rules that
// NVIDIA publishes, from what a report says of the machine.
//
// # What is asked
//
// "cu124" asks whether programs built with the CUDA 12.4 toolkit run: whether
// the driver can, and whether nvcc 12.4 makes code for the cards. "torch" asks
// it of PyTorch as it is installed in an environment: its toolkit, and the cards
// that its build has code for. Nothing is run or imported for an answer.
//
// # How it is judged
//
// In this order; the first that decides is what [report.Verdict].By names:
//
//  1. There must be a driver that can be used, and a GPU.
//  2. The framework must be installed, and built for CUDA.
//  3. Every card must be one that the software has code for (compute.go).
//  4. The driver must be as new as the toolkit asks for, or be helped by
//     minor-version compatibility or a forward-compatibility package (driver.go).
//  5. CUDA itself must start, and find a GPU, where it was asked: a driver that
//     nvidia-smi speaks to is no proof of it.
//
// On a machine with several cards the one that fares worst decides. What is not
// known is "unknown", never taken for a yes or a no: a toolkit of a major version
// that the tables do not hold, a driver or a card whose version nobody told.
//
// The tables are toolkits.go and builds.go; each row names its source.
// docs/compatibility.md says how to keep them up to date.
//
// # What is not seen
//
// An answer speaks of driver, cards and toolkit alone. That a library beside them
// is missing or too old (cuDNN, NCCL, the C library), or that memory is short,
// shows when the program runs.
package compat

import (
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/require"
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

// Judge tells whether software runs on a machine. What is the name of a CUDA
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

// unusable tells why a machine runs nothing on a GPU; by is empty where it may.
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
