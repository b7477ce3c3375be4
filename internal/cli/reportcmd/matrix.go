package reportcmd

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/words"
	"github.com/gpudocs/gpudocs/internal/project"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/text/terminal"
)

// signs are the signs of cells in the order of the key. The sign of an answer is the first letter of its word.
var signs = []struct{ word, sign string }{
	{"passed", "✓"}, {"failed", "✗"}, {"error", "!"}, {"stale", "≠"}, {"skipped", "»"}, {"lost", "↓"}, {"not-applicable", "–"},
	{"yes", ""}, {"no", ""}, {"none", "·"},
}

// A table holds the results of several machines: a row for each check, on the pages of the site. Without a site, the pages are those that
// the reports name.
type table struct {
	index *results.Index
	pages []*site.Page
	rows  []*results.Row
}

// tableOf compares reports with the site. If that has none of their checks, the newest result of a block is of its current code.
func tableOf(p *project.Project, reports []project.Report) (t table) {
	var sources []results.Source
	var all []*report.Report
	for _, s := range reports {
		sources, all = append(sources, s.Source(nil)), append(all, s.Report)
	}
	content := &site.Site{Pages: results.PagesOf(all)}
	if found, problems := load.Load(p.FS, load.Options{Drafts: true, Editing: true}); !problems.HasErrors() {
		held := checksOf(found)
		if slices.ContainsFunc(all, func(r *report.Report) bool {
			return slices.ContainsFunc(r.Checks, func(c report.Check) bool { return held[c.ID] != nil })
		}) {
			content = found
		}
	}
	t.index, t.pages = results.NewIndex(content, sources, nil, &results.Cache{}), content.Pages
	t.rows = slices.DeleteFunc(t.index.Rows(t.pages), func(r *results.Row) bool {
		return !slices.ContainsFunc(r.Findings, func(f results.Finding) bool { return f.Check != nil })
	})
	return t
}

// of returns the place of a report among the findings of a row.
func (t table) of(s project.Report) int {
	return slices.IndexFunc(t.index.Machines, func(m *results.Machine) bool { return m.Report == s.Report })
}

// tally counts the checks of a report.
func (t table) tally(s project.Report, catalog text.Catalog) string {
	return words.Tally(catalog, t.index.Checks(t.index.Machines[t.of(s)], t.pages...).Count)
}

// gone returns how many results of a report are of blocks that are no longer there.
func (t table) gone(s project.Report) (n int) {
	shown, names := map[*report.Check]bool{}, map[report.Spot]bool{}
	for _, row := range t.rows {
		shown[row.Findings[t.of(s)].Check], names[report.Spot{Page: row.Page, Name: row.Name}] = true, true
	}
	for i := range s.Checks {
		if c := &s.Checks[i]; !shown[c] && !names[report.Spot{Page: c.Page, Name: c.Name}] {
			n++
		}
	}
	return n
}

// showMatrix prints the machines, and what each says of the checks.
func showMatrix(a *env.Env, table table, reports []project.Report) error {
	t := a.Text
	heads, nameWidth := headsOf(a, reports, table.rows)
	seen, gone := map[string]bool{}, 0
	for i, s := range reports {
		for _, row := range table.rows {
			seen[row.Findings[table.of(s)].State().Word()] = true
		}
		gone += table.gone(s)
		number := ""
		if heads[i] != s.Machine.Name {
			number = heads[i] + "  "
		}
		printMachine(a, s, number, table.tally(s, t))
	}
	marks, key := map[string]string{}, ""
	for _, s := range signs {
		if s.sign == "" {
			s.sign = string([]rune(words.Outcome(t, s.word))[:1])
		}
		marks[s.word] = a.Paint(words.Colors[s.word], s.sign)
		if seen[s.word] {
			key += marks[s.word] + " " + words.Outcome(t, s.word) + "   "
		}
	}
	head := strings.Repeat(" ", nameWidth)
	for _, h := range heads {
		head += "  " + h
	}
	a.Line("")
	a.Line("%s", head)
	for i, row := range table.rows {
		if i == 0 || table.rows[i-1].Page != row.Page {
			a.Line("%s", row.Page)
		}
		line := terminal.Pad("  "+terminal.Clip(diag.Printable(row.Title()), nameWidth-2), nameWidth)
		for j, s := range reports {
			line += "  " + marks[row.Findings[table.of(s)].State().Word()] + strings.Repeat(" ", terminal.Columns(heads[j])-1)
		}
		a.Raw(line)
	}
	a.Line("")
	a.Raw(key)
	if gone > 0 {
		a.Indented(0, t.Count("matrix_gone", gone))
	}
	return nil
}

// headsOf returns the heads of the columns, which are the machines' names if they fit, and else numbers, and the width of the
// column before them.
func headsOf(a *env.Env, reports []project.Report, rows []*results.Row) (heads []string, nameWidth int) {
	for _, row := range rows {
		nameWidth = max(nameWidth, 2+terminal.Columns(diag.Printable(row.Title())))
	}
	width := nameWidth
	for _, s := range reports {
		heads = append(heads, s.Machine.Name)
		width += 2 + len(s.Machine.Name)
	}
	if most := a.TableWidth(); width > most {
		for i := range heads {
			heads[i] = strconv.Itoa(i + 1)
		}
		nameWidth = min(nameWidth, max(16, most-4*len(heads)))
	}
	return heads, nameWidth
}
