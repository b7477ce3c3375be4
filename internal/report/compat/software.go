package compat

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
)

// software is the subject of a verdict.
type software struct {
	name, version, toolkit, cudnn string
	// by is what decides before driver and GPUs do, with the answer.
	answer, by string
}

// toolkitName matches a CUDA toolkit in the style of PyTorch's wheels.
var toolkitName = regexp.MustCompile(`^cu([1-9][0-9])([0-9])$`)

// find returns the software with an author's name for it: a toolkit, or a framework that
// is installed in the environment.
func find(m report.Machine, environment, what string) software {
	if t := toolkitName.FindStringSubmatch(what); t != nil {
		return software{toolkit: t[1] + "." + t[2]}
	}
	for _, e := range m.Environments {
		if e.Name == environment {
			return installed(e.Frameworks, what)
		}
	}
	return software{answer: report.RunsUnknown, by: report.ByNotAsked}
}

// installed returns an installed framework. Some have packages of several names, of which
// more than one may be installed. One with CUDA is preferred.
func installed(list []report.Framework, what string) software {
	s := software{answer: report.RunsNo, by: report.ByNotInstalled}
	for _, f := range list {
		if !provides(f.Name, what) {
			continue
		}
		found := software{name: what, version: f.Version, toolkit: builtFor(f), cudnn: f.CuDNN}
		switch {
		case f.ROCm:
			found.answer, found.by = report.RunsNo, report.ByROCm
		case f.CPUOnly, strings.HasSuffix(f.Name, "-cpu"):
			found.answer, found.by = report.RunsNo, report.ByCPUOnly
		case found.toolkit == "":
			found.answer, found.by = report.RunsUnknown, report.ByToolkit
		default:
			return found
		}
		if s.by == report.ByNotInstalled || found.by == report.ByToolkit {
			s = found
		}
	}
	return s
}

// addInstalled adds the installed software to the facts, as far as it was queried.
func addInstalled(facts ask.Machine, m report.Machine, environment string) {
	if m.Slurm != nil {
		facts[ask.Slurm] = ask.Value{}
		if m.Slurm.Version != "" {
			facts[ask.Slurm] = ask.Release(m.Slurm.Version)
		}
	}
	for _, a := range m.Answers {
		if f, ok := ask.Asked(a.Ask); ok && a.Env == environment {
			facts[f] = answered(f, a)
		}
	}
	i := slices.IndexFunc(m.Environments, func(e report.Environment) bool { return e.Name == environment })
	if i < 0 {
		return
	}
	e := m.Environments[i]
	_, version, _ := strings.Cut(e.Interpreter, " ") // "Python 3.12.4", "pypy 3.10.14"
	facts[ask.Python] = ask.Value{}
	if version != "" {
		facts[ask.Python] = ask.Release(version)
	}
	for _, name := range ask.Frameworks() {
		facts[ask.Fact(name)] = ask.Value{}
		if i := slices.IndexFunc(e.Frameworks, func(f report.Framework) bool { return provides(f.Name, name) }); i >= 0 {
			facts[ask.Fact(name)] = ask.Release(e.Frameworks[i].Version)
		}
	}
}

// answered returns the value of an answer.
func answered(f ask.Fact, a report.Answer) ask.Value {
	switch {
	case !a.Has:
		return ask.Value{}
	case f.Entry().Kind == ask.OfVersion:
		return ask.Release(a.Version)
	}
	return ask.Found()
}

// variant matches what names of packages add for a build: cupy-cuda12x, tensorflow-gpu,
// mxnet-cu112, onnxruntime-gpu.
var variant = regexp.MustCompile(`^(?:-(?:gpu|cpu|rocm|cu(?:da)?[0-9]).*)?$`)

// provides reports whether a package is a framework.
func provides(name, what string) bool {
	rest, ok := strings.CutPrefix(strings.ToLower(name), what)
	if what == "paddle" {
		rest = strings.TrimPrefix(rest, "paddle") // the package is paddlepaddle
	}
	return ok && variant.MatchString(rest)
}

// wheelTag matches the toolkit in the name or version of a package: torch 2.6.0+cu124,
// jaxlib 0.4.1+cuda11.cudnn86, cupy-cuda12x, mxnet-cu112.
var wheelTag = regexp.MustCompile(`[+-]cu(?:da)?([1-9][0-9])([0-9])?(?:x|[.]|$)`)

// builtFor returns the toolkit for which a framework was built: the known one, or else
// that in its name.
func builtFor(f report.Framework) string {
	if f.CUDA != "" {
		return f.CUDA
	}
	for _, s := range []string{f.Version, f.Name} {
		if t := wheelTag.FindStringSubmatch(s); t != nil {
			return strings.TrimSuffix(t[1]+"."+t[2], ".")
		}
	}
	return ""
}

// code returns the code of the software: that of a framework's build if it is in the
// table, or else what the toolkit's compiler can generate.
func (s software) code(m report.Machine, t cuda) code {
	if s.name != "" {
		if c, ok := builtWith(s.name, s.version, m, t); ok {
			last, _ := release(lastCuDNN[c.floor.String()])
			if installed, ok := release(s.cudnn); ok && installed <= last {
				c.floor = 0
			}
			return c
		}
	}
	c := t.code()
	if s.name == "numba" {
		// It makes PTX with the toolkit, which the driver compiles, unless nvJitLink
		// does: https://github.com/NVIDIA/numba-cuda/issues/262
		c.all, c.foreign = true, true
	}
	return c
}
