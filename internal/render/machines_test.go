package render

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/themes"
)

// crowd is a site with a page and the reports of n machines. One check of m042 failed.
func crowd(t *testing.T, machines int, change ...func(*results.Source)) (*Site, string) {
	files := map[string]string{"content/pt/index.md": "# Início\n:::machines\n:::\n", "content/pt/gpu.md": "# GPU de {live}`m000.os`\n{live}`m001.gpus`\n" +
		"```bash {run name=a needs=\"gpus >= 1\"}\necho a\n```\n```text {expect when=\"gpus == 0\"}\n```\n```text {expect}\n```\n```bash {run name=b}\necho b\n```\n```bash {run name=c}\necho c\n```\n"}
	ids := checkIDs(t, files)
	var sources []results.Source
	for i := range machines {
		r := &report.Report{Schema: 1, Generator: "made up", Machine: report.Machine{Name: fmt.Sprintf("m%03d", i), OS: "Debian", Arch: "amd64",
			GPU: report.GPU{Status: report.GPUOk, Devices: []report.Device{{Name: "NVIDIA L4"}}}}}
		for _, name := range []string{"a", "b", "c"} {
			c := report.Check{ID: ids[name], Kind: "bash", Page: "gpu", Name: name, Outcome: report.Passed, Stdout: &report.Stream{Text: strings.Repeat("saída ", 100)}}
			if name == "b" && i == 42 {
				c.Outcome, c.Reason = report.Failed, &report.Reason{Code: report.ReasonMismatch}
			}
			r.Checks = append(r.Checks, c)
		}
		src := results.Source{Report: r}
		for _, f := range change {
			f(&src)
		}
		sources = append(sources, src)
	}
	s := newSite(t, files, themes.Default(), Options{}, sources...)
	return s, get(t, s, "pt/gpu/index.html")
}

// TestManyMachines checks that the size of a page does not grow with the number of machines; the JSON results
// have those that the page omits.
func TestManyMachines(t *testing.T) {
	few, small := crowd(t, results.MaxIncluded)
	s, page := crowd(t, 100)
	if limit := len(small) + 100*120 + 6000; len(page) > limit { // their names in the list, and what 31-results.js needs
		t.Errorf("%d machines: %d bytes; 100 machines: %d bytes, more than %d", results.MaxIncluded, len(small), len(page), limit)
	}
	for _, want := range []string{`data-for="m042"`, `<p class="panel-left">Há resultados de mais 92 máquinas`, ` data-here="m000 m001 m002 m003 m004 m005 m006 m042"`,
		`<template id="_later" data-results="../../_results/"`, `data-checks="`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
		if want[0] == '<' && strings.Contains(small, want) {
			t.Errorf("a page that holds all has %s", want)
		}
	}
	if strings.Contains(page, `data-for="m099"`) {
		t.Error("the page holds pieces of m099")
	}
	if slices.ContainsFunc(s.Paths(), func(p string) bool { return strings.Contains(p, "_on/") }) {
		t.Error("a page has files of its own for other machines")
	}
	if strings.Contains(get(t, s, "pt/index.html"), `id="_later"`) {
		t.Error("a page without results loads results")
	}

	type result struct {
		ID     report.ID
		Name   string
		Place  int
		Stdout *report.Stream
		Text   map[string][]string
	}
	var file struct {
		OS      string
		GPU     *struct{ Devices []string }
		Results []result
	}
	if err := json.Unmarshal([]byte(get(t, s, "_results/m099.json")), &file); err != nil {
		t.Fatal(err)
	}
	if file.OS != "Debian" || file.GPU == nil || len(file.GPU.Devices) != 1 || len(file.Results) != 3 {
		t.Fatalf("%+v", file)
	}
	for _, r := range file.Results {
		if r.Place != 100 || r.Stdout == nil || !strings.HasPrefix(r.Stdout.Text, "saída ") {
			t.Errorf("%s: %+v", r.Name, r)
		}
		if !strings.Contains(page, `data-checks="`+string(r.ID)+`"`) {
			t.Errorf("no panel has the check %s", r.Name)
		}
	}
	file.Results = nil
	if err := json.Unmarshal([]byte(get(t, s, "_results/m042.json")), &file); err != nil || len(file.Results[1].Text["pt"]) == 0 || file.Results[1].Text["pt"][0] == "" {
		t.Errorf("the failure of m042: %+v, %v", file.Results[1], err)
	}
	if text := get(t, few, "_results/m001.json"); strings.Contains(text, "stdout") || strings.Contains(text, "place") {
		t.Errorf("pages hold all of it already: %s", text)
	}
}

// TestManyMachinesWithoutFeeds checks that without feeds the page does not load results, and the script explains it.
func TestManyMachinesWithoutFeeds(t *testing.T) {
	files := map[string]string{"gpudocs.toml": "[languages.pt]\n[publish]\nfeeds = false\n", "content/pt/index.md": "# A\n```bash {run name=a}\necho a\n```\n"}
	var sources []results.Source
	for i := range results.MaxIncluded + 1 {
		sources = append(sources, results.Source{Report: &report.Report{Schema: 1, Generator: "made up", Machine: report.Machine{Name: fmt.Sprintf("m%03d", i), OS: "Debian", Arch: "amd64"}}})
	}
	s := newSite(t, files, themes.Default(), Options{}, sources...)
	if page := get(t, s, "pt/index.html"); !strings.Contains(page, `<template id="_later" data-file=`) {
		t.Error("the page does not know that there are no results")
	}
}

// TestSectionOfManyMachines checks that the print page of a section includes the same machines as each page, and
// loads the others in the same way.
func TestSectionOfManyMachines(t *testing.T) {
	s, _ := crowd(t, 100)
	page := get(t, s, "pt/_print/index.html")
	if strings.Count(page, ` data-checks="`) != 3 || strings.Count(page, `<template id="_later" data-results="../../_results/"`) != 1 || strings.Contains(page, `data-of="m099"`) {
		t.Error("the section does not load the other machines")
	}
	few, _ := crowd(t, results.MaxIncluded)
	if page := get(t, few, "pt/_print/index.html"); strings.Contains(page, "data-checks") || strings.Contains(page, "_later") {
		t.Error("a section that holds all has more to load")
	}
}

// TestMachinesOfOwnPages checks that generated pages have the list of machines, too.
func TestMachinesOfOwnPages(t *testing.T) {
	s, _ := crowd(t, 2)
	w := s.plan.reports.Present(s.plan.theme.Text("pt"), "", nil).MachineOptions()
	if len(w) != 2 || !w[0].Begins || w[0].Ends || w[1].Begins || !w[1].Ends {
		t.Errorf("%+v", w)
	}
	if none := newSite(t, map[string]string{"content/pt/index.md": "# A\n{live}`m.os`\n"}, themes.Default(), Options{}); strings.Contains(get(t, none, "pt/index.html"), "picker") {
		t.Error("a site without machines has a list of them")
	}
}
