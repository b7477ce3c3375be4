package mygpu

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/report/compat"
	"github.com/gpudocs/gpudocs/internal/text"
)

// systems are those of the form, and Linux on arm64, as they are in a report.
var systems = []report.Machine{{Arch: "amd64"}, {OS: "windows", Arch: "amd64"}, {Arch: "amd64", GPU: report.GPU{Platform: report.PlatformWSL2}}, {Arch: "arm64"}}

// windows reports whether a system has the drivers of Windows.
func windows(m report.Machine) bool {
	return m.OS == "windows" || m.GPU.Platform == report.PlatformWSL2
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
//	runs     {software: the numbers of its columns, one for each of systems}, -1 where there is no such build
//	columns  lists of numbers of rows, one for each capability
//	rows     [cell, driver, cell from there on, driver, cell from there on, ...]
//
// A cell is an answer, or [answer if the CUDA version is not known, answer, version, answer from there on, ...] if that of the driver decides.
// Answers are 0 for no, 1 for unknown, 2 for minor-version compatibility, 3 for yes; 4 and more are a refusal. Of builds
// -1 is unknown because of cuDNN, and -2 is no because they have no code for the GPU.
type answers struct {
	Runs     map[string][]int  `json:"runs"`
	Columns  []json.RawMessage `json:"columns"`
	Rows     []json.RawMessage `json:"rows"`
	refusals []refusal
}

// software is a toolkit, "cu124", or a build of a framework.
type software struct {
	name  string
	build *report.Framework
	// versions are those of CUDA at which an answer may change.
	versions []string
}

// wheels returns the builds of PyTorch for all systems.
func wheels() (list []software) {
	for _, m := range systems {
		for _, build := range compat.Wheels(m) {
			list = append(list, software{name: "torch " + build.Version, build: &build})
		}
	}
	return list
}

// known has the answers of earlier calls: those for each language and each build of a site are the same.
var known sync.Map // the names of software: *answers

// answersFor returns the answers for software, which may be listed more than once.
func answersFor(list []software) *answers {
	names := []string{}
	for _, s := range list {
		names = append(names, s.name)
	}
	key := strings.Join(names, ",")
	if a, ok := known.Load(key); ok {
		return a.(*answers)
	}
	a := &answers{Runs: map[string][]int{}}
	for _, s := range list {
		a.add(s)
	}
	known.Store(key, a)
	return a
}

// add adds software.
func (a *answers) add(s software) {
	if a.Runs[s.name] != nil {
		return
	}
	for _, step := range compat.Steps(false) {
		s.versions = append(s.versions, step.Least)
	}
	if t, ok := strings.CutPrefix(s.name, "cu"); ok && !slices.Contains(s.versions, t[:2]+"."+t[2:]) {
		s.versions = append(s.versions, t[:2]+"."+t[2:])
		slices.Sort(s.versions) // all have the same number of digits
	}
	for _, m := range systems {
		if s.build != nil && !slices.Contains(compat.Wheels(m), *s.build) {
			a.Runs[s.name] = append(a.Runs[s.name], -1)
			continue
		}
		column, drivers := []int{}, []string{"1"} // older than all
		for _, step := range compat.Steps(windows(m)) {
			drivers = append(drivers, step.Driver)
		}
		for _, compute := range capabilities() {
			m.GPU.Status, m.GPU.Devices = report.GPUOk, []report.Device{{Name: "{gpu}", Compute: compute}}
			column = append(column, number(&a.Rows, a.row(m, s, drivers)))
		}
		a.Runs[s.name] = append(a.Runs[s.name], number(&a.Columns, column))
	}
}

// number returns the place of a value in a list, to which it is added if it is not there.
func number(list *[]json.RawMessage, value any) int {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err) // they are texts and numbers
	}
	i := slices.IndexFunc(*list, func(o json.RawMessage) bool { return string(o) == string(data) })
	if i < 0 {
		i, *list = len(*list), append(*list, data)
	}
	return i
}

// row returns the answers for a machine with each driver.
func (a *answers) row(m report.Machine, s software, drivers []string) []any {
	cells := changes(len(drivers), s.build != nil || windows(m), func(i int) any {
		m.GPU.Driver = drivers[i]
		return a.cell(m, s)
	})
	row := []any{}
	for i, cell := range cells {
		if i == 0 {
			row = append(row, cell)
		} else if !equal(cell, cells[i-1]) {
			row = append(row, drivers[i], cell)
		}
	}
	return row
}

// changes returns n values, of which all between two that are equal are equal too. If newer is set, they do not change back.
func changes(n int, newer bool, value func(int) any) []any {
	all := make([]any, n)
	var fill func(from, to int)
	fill = func(from, to int) {
		middle := (from + to) / 2
		switch {
		case to-from < 2:
		case equal(all[from], all[to]) && (newer || to-from == n-1):
			for i := from + 1; i < to; i++ {
				all[i] = all[from]
			}
		default:
			all[middle] = value(middle)
			fill(from, middle)
			fill(middle, to)
		}
	}
	all[0], all[n-1] = value(0), value(n-1)
	fill(0, n-1)
	return all
}

func equal(a, b any) bool { return fmt.Sprint(a) == fmt.Sprint(b) }

// cell returns the answers for a machine with each version of CUDA that its driver may support.
func (a *answers) cell(m report.Machine, s software) any {
	versions := append([]string{""}, s.versions...)
	unknown, decided := a.answer(m, s)
	if decided {
		return unknown
	}
	cells := changes(len(versions), true, func(i int) any {
		m.GPU.CUDA = cmp.Or(versions[i], "1.0")
		n, _ := a.answer(m, s)
		return n
	})
	cell := []any{unknown, cells[0]}
	for i := 1; i < len(cells); i++ {
		if cells[i] != cells[i-1] {
			cell = append(cell, versions[i], cells[i])
		}
	}
	if len(cell) == 2 && cell[0] == cell[1] {
		return unknown
	}
	return cell
}

// answer judges software on a machine. decided is set if the driver's version of CUDA makes no difference.
func (a *answers) answer(m report.Machine, s software) (n int, decided bool) {
	what := s.name
	if s.build != nil {
		what, m.Environments = s.build.Name, []report.Environment{{Frameworks: []report.Framework{*s.build}}}
	}
	v := compat.Judge(m, "", what)
	decided = v.NeedDriver != "" || v.Answer == report.RunsNo && v.By != report.ByDriver
	switch {
	case v.By == report.ByCuDNN:
		return -1, decided
	case v.Answer == report.RunsUnknown:
		return 1, decided
	case v.Answer == report.RunsMinor:
		return 2, decided
	case v.Answer != report.RunsNo:
		return 3, decided
	case s.build != nil && v.By == report.ByCompute:
		return -2, decided
	case s.build != nil:
		return 0, decided // another build is recommended
	}
	r := refusal{verdict: v}
	r.verdict.What, r.verdict.Driver, r.verdict.CUDA = "{what}", "{driver}", ""
	if v.By == report.ByDriver {
		m.GPU.Compat, m.GPU.Devices = v.Toolkit, []report.Device{{Name: "Tesla", Compute: m.GPU.Devices[0].Compute}}
		r.packages = compat.Judge(m, "", what).Answer == report.RunsForward
	} else {
		r.verdict.NeedDriver, r.verdict.NeedMinor, r.verdict.Toolkit = "", "", ""
	}
	if v.Compute != "" {
		r.verdict.Compute = "{compute}"
	}
	i := slices.Index(a.refusals, r)
	if i < 0 {
		i, a.refusals = len(a.refusals), append(a.refusals, r)
	}
	return 4 + i, decided
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

// A bound is which drivers support GPUs of a compute capability on a system: those from the branch Name on, or up to it. Least and Most are the
// driver, and then its CUDA version.
type bound struct {
	Name  string     `json:"name"`
	Least [][]uint64 `json:"least,omitempty"`
	Most  [][]uint64 `json:"most,omitempty"`
}

// bounds returns that for each system of the form. It is nil if no bound is known, and false for the GPUs of boards, whose drivers have other numbers.
func bounds(compute string) any {
	if compat.Board(compute) {
		return false
	}
	var list []bound
	for _, m := range systems[:3] {
		m.GPU.Devices = []report.Device{{Compute: compute}}
		facts := compat.Facts(m, "")
		driver, known := facts[ask.Driver]
		if !known {
			return nil
		}
		b := bound{Name: strings.TrimLeft(driver.String(), "≤≥ ")}
		for _, v := range []ask.Value{driver, facts[ask.CUDA]} {
			least, most := v.Bounds()
			if least != nil {
				b.Least = append(b.Least, least)
			}
			if most != nil {
				b.Most = append(b.Most, most)
			}
		}
		list = append(list, b)
	}
	return list
}
