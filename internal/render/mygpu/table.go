package mygpu

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/report/compat"
	"github.com/gpudocs/gpudocs/internal/text"
)

// systems are those of the form, and Linux on arm64, as they are in a report.
var systems = []report.Machine{
	{Arch: "amd64"},
	{OS: "windows", Arch: "amd64"},
	{Arch: "amd64", GPU: report.GPU{Platform: report.PlatformWSL2}},
	{Arch: "arm64"},
}

// steps are those of the drivers for a system, before them one that is older than all.
func steps(system report.Machine) []compat.Step {
	windows := system.OS == "windows" || system.GPU.Platform == report.PlatformWSL2
	return append([]compat.Step{{Driver: "1", Least: "1.0"}}, compat.Steps(windows)...)
}

// capabilities are those of the models that a reader can choose, and "" for one that is not known.
var capabilities = sync.OnceValue(func() []string {
	list := []string{}
	for _, row := range compat.Cards() {
		list = append(list, row[0])
	}
	return append(slices.Compact(list), "")
})

// A refusal is why software does not run: a verdict with {what}, {driver}, {gpu} and {compute} for what only the reader's browser knows.
// packages is set if a forward-compatibility package would help.
type refusal struct {
	verdict  report.Verdict
	packages bool
}

// Answers are those of package compat for some software, on every machine that a reader may name. In JSON
//
//	runs  {software: for each of systems the numbers of rows, one for each capability; empty where there is no such build}
//	rows  [answer, version, answer from there on, version, answer from there on, ...]
//
// A version is that of the driver, or of its CUDA for the GPUs of boards. Answers are 0 for no, 1 for unknown, 2 for minor-version
// compatibility, 3 for yes; 4 and more are a refusal. Of builds -1 is unknown because of cuDNN, and -2 is no because they have no code
// for the GPU.
type answers struct {
	Runs     map[string][][]int `json:"runs"`
	Rows     []json.RawMessage  `json:"rows"`
	refusals []refusal
}

// software is a toolkit, "cu124", or a build of a framework.
type software struct {
	name  string
	build *report.Framework
}

// wheels returns the builds of PyTorch for all systems.
func wheels() (list []software) {
	for _, m := range systems {
		for _, build := range compat.Wheels(m) {
			list = append(list, software{"torch " + build.Version, &build})
		}
	}
	return list
}

// known has the answers of earlier calls: those for each language and each build of a site are the same.
var known sync.Map // the names of software: *answers

// answersFor returns the answers for software, which may be listed more than once.
func answersFor(list []software) *answers {
	a, names := &answers{Runs: map[string][][]int{}}, ""
	for _, s := range list {
		names += s.name + ","
	}
	if earlier, ok := known.Load(names); ok {
		return earlier.(*answers)
	}
	for _, s := range list {
		if a.Runs[s.name] == nil {
			a.add(s)
		}
	}
	known.Store(names, a)
	return a
}

func (a *answers) add(s software) {
	for _, m := range systems {
		column, list, all := []int{}, steps(m), capabilities()
		if s.build != nil && !slices.Contains(compat.Wheels(m), *s.build) {
			all = nil
		}
		for _, compute := range all {
			m.GPU.Status, m.GPU.Devices = report.GPUOk, []report.Device{{Name: "{gpu}", Compute: compute}}
			row, _ := json.Marshal(a.row(m, s, list)) // texts and numbers
			i := slices.IndexFunc(a.Rows, func(o json.RawMessage) bool { return string(o) == string(row) })
			if i < 0 {
				i, a.Rows = len(a.Rows), append(a.Rows, row)
			}
			column = append(column, i)
		}
		a.Runs[s.name] = append(a.Runs[s.name], column)
	}
}

// row returns the answers for a machine with each driver.
func (a *answers) row(m report.Machine, s software, list []compat.Step) (row []any) {
	last, newest := 0, list[len(list)-1]
	m.GPU.Driver, m.GPU.CUDA = newest.Driver, newest.Least
	if v := s.judge(m); v.Answer == report.RunsNo && v.By == report.ByCompute {
		list = list[:1] // no driver helps
	}
	for i, step := range list {
		version := step.Driver
		m.GPU.Driver, m.GPU.CUDA = step.Driver, step.Least
		if compat.Board(m.GPU.Devices[0].Compute) {
			m.GPU.Driver, version = "", step.Least
		}
		switch n := a.answer(m, s); {
		case i == 0:
			row, last = []any{n}, n
		case n != last:
			row, last = append(row, version, n), n
		}
	}
	return row
}

func (s software) judge(m report.Machine) report.Verdict {
	if s.build == nil {
		return compat.Judge(m, "", s.name)
	}
	m.Environments = []report.Environment{{Frameworks: []report.Framework{*s.build}}}
	return compat.Judge(m, "", s.build.Name)
}

// answer judges software on a machine.
func (a *answers) answer(m report.Machine, s software) int {
	v := s.judge(m)
	switch {
	case v.By == report.ByCuDNN:
		return -1
	case v.Answer == report.RunsUnknown:
		return 1
	case v.Answer == report.RunsMinor:
		return 2
	case v.Answer != report.RunsNo:
		return 3
	case s.build != nil && v.By == report.ByCompute:
		return -2
	case s.build != nil:
		return 0 // another build is recommended
	}
	r := refusal{verdict: v}
	r.verdict.What, r.verdict.Driver, r.verdict.CUDA = "{what}", "{driver}", ""
	if v.By == report.ByDriver {
		m.GPU.Compat, m.GPU.Devices = v.Toolkit, []report.Device{{Name: "Tesla", Compute: m.GPU.Devices[0].Compute}}
		r.packages = s.judge(m).Answer == report.RunsForward
	} else {
		r.verdict.NeedDriver, r.verdict.NeedMinor, r.verdict.Toolkit, r.verdict.Compute = "", "", "", "{compute}"
	}
	i := slices.Index(a.refusals, r)
	if i < 0 {
		i, a.refusals = len(a.refusals), append(a.refusals, r)
	}
	return 4 + i
}

// sentences words the refusals, those that a package helps against with its name.
func (a *answers) sentences(t text.Catalog) (list [][]string) {
	for _, r := range a.refusals {
		sentence := []string{compat.Sentence(t, r.verdict)}
		if r.packages {
			sentence = append(sentence, t.Get("my_forward", "name", "cuda-compat-"+strings.ReplaceAll(r.verdict.Toolkit, ".", "-")))
		}
		list = append(list, sentence)
	}
	return list
}

// A bound is which drivers support GPUs of a compute capability on a system: those from the branch Name on, or up to it. Least and Most
// are the driver, and then its CUDA version.
type bound struct {
	Name  string     `json:"name"`
	Least [][]uint64 `json:"least,omitempty"`
	Most  [][]uint64 `json:"most,omitempty"`
}

// bounds returns that for each system of the form. It is nil if no bound is known, and false for the GPUs of boards, whose drivers have
// other numbers.
func bounds(compute string) any {
	if compat.Board(compute) {
		return false
	}
	var list []bound
	for _, m := range systems[:3] {
		m.GPU.Devices = []report.Device{{Compute: compute}}
		facts := compat.Facts(m, "")
		if _, known := facts[ask.Driver]; !known {
			return nil
		}
		b := bound{Name: strings.TrimLeft(facts[ask.Driver].String(), "≤≥ ")}
		for _, f := range []ask.Fact{ask.Driver, ask.CUDA} {
			if least, most := facts[f].Bounds(); least != nil {
				b.Least = append(b.Least, least)
			} else {
				b.Most = append(b.Most, most)
			}
		}
		list = append(list, b)
	}
	return list
}
