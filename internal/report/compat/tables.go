package compat

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
)

// Models returns the names of all models, in lists of those that are alike, "L4, L40", and other names of some.
func Models() (lists []string) {
	for _, m := range models {
		names := strings.Split(m.list, ", ")
		for i, name := range names {
			names[i] = name[:strings.LastIndexByte(name, ' ')] // without the sizes of its memory
		}
		lists = append(lists, strings.Join(names, ", "))
	}
	return append(lists, strings.Join(slices.Sorted(maps.Keys(aliases)), ", "))
}

// Cards returns the rows of the table of models: a compute capability, and the names with the sizes of memory.
func Cards() (rows [][2]string) {
	for _, m := range models {
		rows = append(rows, [2]string{m.compute, m.list})
	}
	return rows
}

// Aliases returns other names of models.
func Aliases() map[string]string { return aliases }

// A Step is an oldest driver from which on answers may change, up to that of the next step. Least and Most bound the newest version of
// CUDA that these drivers support, as not every release has a row; Most is empty for the last step.
type Step struct {
	Driver string `json:"driver"`
	Least  string `json:"least"`
	Most   string `json:"most"`
}

// Steps returns the steps of drivers for Linux, or for Windows, which WSL2 uses too, the oldest first.
func Steps(windows bool) (list []Step) {
	p := platform(windows)
	for _, t := range toolkits {
		list = append(list, Step{p.pick(t.linux, t.windows), t.version, ""})
	}
	for _, f := range families {
		list = append(list, Step{p.pick(f.linux, f.windows), strconv.Itoa(f.major) + ".0", ""})
	}
	list = slices.DeleteFunc(list, func(s Step) bool { return s.Driver == "" })
	slices.SortFunc(list, func(a, b Step) int {
		switch {
		case older(a.Driver, b.Driver):
			return -1
		case older(b.Driver, a.Driver):
			return 1
		}
		return a.cuda().compare(b.cuda())
	})
	for i := 1; i < len(list); i++ {
		if list[i].cuda().compare(list[i-1].cuda()) < 0 {
			list[i].Least = list[i-1].Least
		}
	}
	for i := len(list) - 2; i >= 0; i-- {
		switch next := list[i+1].cuda(); {
		case list[i+1].Least == list[i].Least:
			list[i].Most = list[i+1].Most
		case next.major == list[i].cuda().major:
			list[i].Most = strconv.Itoa(next.major) + "." + strconv.Itoa(next.minor-1)
		default:
			list[i].Most = list[i].Least
		}
	}
	return list
}

func (s Step) cuda() cuda {
	c, _ := parseCUDA(s.Least)
	return c
}

// Wheels returns the newest release in each row of the published builds of PyTorch, which carry the name of their toolkit, for a
// machine's system.
func Wheels(m report.Machine) (list []report.Framework) {
	for _, b := range builds {
		if _, ok := b.code(m); ok && b.framework == "torch" {
			list = append(list, report.Framework{
				Name:    b.framework,
				Version: b.until + ".0+cu" + strings.ReplaceAll(b.toolkit, ".", ""),
				CUDA:    b.toolkit,
			})
		}
	}
	return list
}

// Board reports whether GPUs of a compute capability are those of Jetson boards, whose drivers have other version numbers.
func Board(compute string) bool { return integrated(report.Device{Compute: compute}) }

// HasPackages reports whether there are forward-compatibility packages for a model.
func HasPackages(name string) bool { return packageFor(report.Device{Name: name}) == report.RunsYes }
