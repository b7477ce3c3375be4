// Package compat tells which CUDA software runs on a machine, by the rules that
// NVIDIA publishes, from what a report says of the machine.
package compat

import (
	"slices"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/require"
)

// Facts are what an author's requirements are compared with: those of the
// machine's GPUs, and what runs here. A framework is looked up in the named
// environment, "" for the machine's own Python.
func Facts(m report.Machine, environment string) require.Machine {
	facts := m.GPU.Facts()
	facts[require.Runs] = require.Software(func(what string) (require.Answer, string) {
		v := Judge(m, environment, what)
		switch v.Answer {
		case report.RunsYes, report.RunsMinor, report.RunsForward:
			return require.RunsFine, found(v)
		case report.RunsNo:
			return require.RunsNot, found(v)
		}
		return require.RunsUnknown, found(v)
	})
	return facts
}

// found says in a few words what of the machine a verdict is about.
func found(v report.Verdict) string {
	if v.Driver == "" {
		return ""
	}
	return "driver " + v.Driver
}

// Judge tells whether software runs on a machine. What is the name of a CUDA
// toolkit, "cu124", or of a framework in the environment.
func Judge(m report.Machine, environment, what string) report.Verdict {
	v := report.Verdict{What: what, Answer: report.RunsUnknown, By: report.ByNotAsked, Driver: m.GPU.Driver, CUDA: m.GPU.CUDA}
	i := slices.IndexFunc(m.Environments, func(e report.Environment) bool { return e.Name == environment })
	if i < 0 {
		return v
	}
	return v
}
