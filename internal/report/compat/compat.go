// Package compat determines which CUDA software runs on a machine, by the rules that
// NVIDIA publishes, from the description of the machine in a report.
//
// # Questions
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
//  3. The software must have code for every GPU, and so must its cuDNN (compute.go).
//  4. The driver must be new enough for the toolkit, or be helped by
//     minor-version compatibility or a forward-compatibility package (driver.go).
//  5. CUDA itself must start and find a GPU, if it was queried: a working
//     nvidia-smi does not prove it.
//
// On a machine with several GPUs the worst answer counts. What is not
// known is "unknown", and never treated as yes or no: a toolkit of a major version
// that the tables do not have, or a driver or GPU whose version is not known.
//
// The tables are in toolkits.go and builds.go. Each row names its source.
// docs/content/en/compatibility.md describes how to update them.
//
// # Limitations
//
// An answer covers only driver, GPUs and toolkit, and of cuDNN the GPUs that the version
// has code for that comes with a build. A missing or outdated library
// beside them (NCCL, the C library), or a lack of memory,
// shows only when the program runs.
package compat

import (
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
)

// Facts returns the facts that an author's requirements are compared with: those of the
// machine and its GPUs, of installed software, and what runs on the machine. Software is looked
// up in the named environment, "" for that of the machine itself.
func Facts(m report.Machine, environment string) ask.Machine {
	facts := ask.MachineOf(m)
	addInstalled(facts, m, environment)
	addBounds(facts, m)
	facts[ask.Runs] = ask.Software(func(what string) (ask.Answer, string) {
		v := Judge(m, environment, what)
		switch {
		case v.Runs():
			return ask.Yes, Found(v)
		case v.Answer == report.RunsNo:
			return ask.No, Found(v)
		}
		return ask.Unknown, Found(v)
	})
	return facts
}

// addBounds adds bounds for the versions of an unknown driver and its CUDA: newer or older drivers do not support the GPUs.
func addBounds(facts ask.Machine, m report.Machine) {
	var driver, cuda ask.Value
	if last, _ := lastBranch(m); last.name != 0 {
		driver = ask.Between("", last.newest(windows(m)), "≤ "+strconv.Itoa(last.name))
		cuda = ask.Between("", last.cuda, "≤ "+last.cuda)
	} else if branch, version := firstBranch(m); branch != "" {
		driver = ask.Between(branch, "", "≥ "+branch)
		cuda = ask.Between(version, "", "≥ "+version)
	} else {
		return
	}
	if _, ok := facts[ask.Driver]; !ok {
		facts[ask.Driver] = driver
	}
	if _, ok := facts[ask.CUDA]; !ok && m.GPU.Compat == "" {
		facts[ask.CUDA] = cuda
	}
}

// Found returns the facts of a verdict in a few words, the same in all languages: "torch
// 2.6.0+cu124, driver 460.91.03, CUDA 11.2".
func Found(v report.Verdict) string {
	var parts []string
	if v.Version != "" {
		parts = append(parts, v.What+" "+v.Version)
	}
	switch {
	case v.By == report.ByCompute, v.By == report.ByCuDNN:
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
	gpus := worst(m, s.code(m, toolkit))
	d := judgeDriver(m, toolkit, gpus.jit)
	by := d.by
	if gpus.answer == report.RunsNo || gpus.answer == report.RunsUnknown && rank(d.answer) > rank(gpus.answer) {
		d.answer, by = gpus.answer, gpus.by
		v.GPU, v.Compute, v.NeedCompute = gpus.name, gpus.compute, gpus.need
		if by == report.ByCuDNN {
			v.NeedCuDNN = lastCuDNN[gpus.need]
		}
	}
	v.NeedDriver, v.NeedMinor = d.driver, d.minor
	if by == report.ByDriver && d.branch != "" {
		v.Driver = "≥ " + d.branch
	}
	if by == report.ByForward {
		v.GPU = d.gpu
	}
	if m.GPU.Compat != "" {
		v.CUDA = "" // it is that of the package, and not what the driver can do
		if by == report.ByForward || d.answer == report.RunsForward {
			v.CUDA = m.GPU.Compat
		}
	}
	// CUDA may list none of the GPUs that the driver lists: cuInit failed, the library is missing, or its count is 0.
	if c := m.GPU.Counts; d.answer != report.RunsNo && c != nil && (c.Why == report.DifferCUDA || c.CUDA != nil && *c.CUDA == 0) {
		return decided(report.RunsNo, report.ByCUDA)
	}
	return decided(d.answer, by)
}

// unusable returns why a machine runs nothing on a GPU. by is empty if it may.
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

// rank orders answers, the worst first.
func rank(answer string) int {
	switch answer {
	case report.RunsNo:
		return 0
	case report.RunsUnknown:
		return 1
	}
	return 2
}
