package status

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/test/rendertest"
)

// writerOf returns the writer of a language of a lab. Each report with a machine's name is repeated by more machines.
func writerOf(t *testing.T, lab *rendertest.Lab, l *site.Language) *Writer {
	t.Helper()
	var sources []results.Source
	for _, r := range lab.Reports {
		sources = append(sources, results.Source{Report: r.Report, Local: r.Local, Signature: results.Signature{State: results.SignatureState(r.Signature)}})
	}
	m := &nav.Map{Content: lab.Site, BaseURL: "https://example.org/"}
	if _, diags := m.Build(); len(diags) > 0 {
		t.Fatal(diags)
	}
	return New(results.NewIndex(lab.Site, sources, nil, &results.Cache{}), m, l, rendertest.Texts(t, l.Code))
}

// TestGolden: what the status page of each language has.
func TestGolden(t *testing.T) {
	lab, got := rendertest.Read(t, "testdata/status.txtar"), map[string]string{}
	for _, l := range lab.Site.Languages {
		page := theme.PageView{Canonical: "https://example.org/_status/", Feeds: []theme.FeedLink{{URL: "feed.xml"}}}
		got[l.Code] = rendertest.Dump(t, writerOf(t, lab, l).Overview(page, "badges/all.svg"))
	}
	lab.Golden(t, got)
}

// TestParts: a table that is too large is divided into pages that have each row once and lead to each other. A check that two of them
// have counts in the first.
func TestParts(t *testing.T) {
	t.Parallel()
	lab := rendertest.Read(t, "testdata/status.txtar")
	for i := range maxCells / 10 {
		r := *lab.Reports[0].Report
		r.Machine.Name = fmt.Sprintf("m%04d", i)
		lab.Reports = append(lab.Reports, rendertest.Report{Report: &r})
	}
	long := lab.Site.Page("long", "pt")
	for _, b := range slices.Repeat(long.Blocks, 5) {
		copied := *b
		long.Blocks = append(long.Blocks, &copied)
	}
	w := writerOf(t, lab, lab.Site.Languages[0])
	v := w.Overview(theme.PageView{}, "")
	if v.Matrix != nil || v.Badge != nil || len(v.Parts) != 2 || w.Parts() != 2 {
		t.Fatalf("%d parts", len(v.Parts))
	}
	total, got := 0, ""
	for i, p := range v.Parts {
		part := w.Part(i + 1)
		total += p.Checks.Total()
		got += fmt.Sprintf("%s %s-%s [%s %s %s]", p.URL, p.First, p.Last, part.Before, part.Whole, part.After)
		for _, page := range part.Matrix.Pages {
			got += fmt.Sprintf(" %s %v", page.URL, page.Continued)
			for _, row := range page.Rows {
				got += " " + row.Name
			}
		}
		got += "\n"
		rows := part.Matrix.Pages[0].Rows
		got += " " + rows[1%len(rows)].Cells[100].URL + "\n"
	}
	const want = `1/ Início-Longa [ ../ ../2/] ../../ false home ../../gpu/ false train grid lab again third only ../../long/ false x1 x2 x1
 ../../?machine=m0097#code-home.results
2/ Longa-Longa [../1/ ../ ] ../../long/ true x2 x1 x2 x1 x2 x1 x2 x1 x2
 ../../long/?machine=m0097#code-x1.results
`
	if got != want || total != v.Checks.Total() {
		t.Errorf("%d of %d checks\n%s\nwant\n%s", total, v.Checks.Total(), got, want)
	}
}

// TestWithoutReports: without reports nothing counts as passed, and there is no table.
func TestWithoutReports(t *testing.T) {
	t.Parallel()
	lab := rendertest.Read(t, "testdata/status.txtar")
	lab.Reports = nil
	w := writerOf(t, lab, lab.Site.Languages[0])
	v := w.Overview(theme.PageView{}, "")
	if v.Newest != nil || v.Changes != nil || v.Matrix != nil || w.Parts() != 0 || !v.Checks.Unknown() || v.Pages != 3 {
		t.Errorf("%+v", v)
	}
}
