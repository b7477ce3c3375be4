package reportcmd

import (
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/workspace"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/compare"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/text/terminal"
)

// A cell may also be stale or not run. Both are suffixes of texts' keys, as the outcomes are.
const stale, notRun report.Outcome = "stale", "none"

// signs are the signs of cells in the order of the key. The sign of an answer is the first letter of its word.
var signs = []struct {
	of          report.Outcome
	sign, color string
}{
	{report.Passed, "✓", ""}, {report.Failed, "✗", ""}, {report.Errored, "!", ""}, {stale, "≠", "33"}, {report.Skipped, "»", ""},
	{report.NotApplicable, "–", ""}, {report.Yes, "", ""}, {report.No, "", ""}, {notRun, "·", "90"},
}

// outcomeOf returns the outcome that a cell shows.
func outcomeOf(c compare.Cell) report.Outcome {
	switch {
	case c.Check == nil:
		return notRun
	case c.Stale:
		return stale
	}
	return c.Check.Means()
}

// showMatrix prints the machines, and what each says of the checks.
func showMatrix(a *env.Env, reports []workspace.Stored) error {
	var all []*report.Report
	for _, s := range reports {
		all = append(all, s.Report)
	}
	rows, gone := compare.Matrix(currentChecks(a), all...)
	p := a.NewPrinter()
	t := p.Catalog
	heads, nameWidth := headsOf(&p, reports, rows)
	seen := map[report.Outcome]bool{}
	for i, s := range reports {
		n := map[report.Outcome]int{}
		for _, row := range rows {
			outcome := outcomeOf(row.Cells[i])
			seen[outcome] = true
			if c := row.Cells[i].Check; c == nil || c.Counts() {
				n[outcome]++
			}
		}
		tally := t.TallyText(n)
		if n[stale] > 0 {
			tally += ", " + t.Count("tally_stale", n[stale])
		}
		number := ""
		if heads[i] != s.Machine.Name {
			number = heads[i] + "  "
		}
		printMachine(&p, s, number, tally)
	}
	marks, key := map[report.Outcome]string{}, ""
	for _, s := range signs {
		if s.sign == "" {
			s.sign = string([]rune(t.Outcome(s.of))[:1])
		}
		marks[s.of] = p.Paint(s.color+env.Colors[s.of], s.sign)
		if seen[s.of] {
			key += marks[s.of] + " " + t.Outcome(s.of) + "   "
		}
	}
	head := strings.Repeat(" ", nameWidth)
	for _, h := range heads {
		head += "  " + h
	}
	p.Line("")
	p.Line("%s", head)
	for i, row := range rows {
		if i == 0 || rows[i-1].Page != row.Page {
			p.Line("%s", row.Page)
		}
		line := terminal.Pad("  "+terminal.Clip(diag.Printable(row.Name), nameWidth-2), nameWidth)
		for j, c := range row.Cells {
			line += "  " + marks[outcomeOf(c)] + strings.Repeat(" ", terminal.Columns(heads[j])-1)
		}
		p.Println(line)
	}
	p.Line("")
	p.Println(key)
	if gone > 0 {
		p.Text(0, t.Count("matrix_gone", gone))
	}
	return p.Err
}

// currentChecks returns the checks of the site, or nil outside of a site and if the site has errors.
func currentChecks(a *env.Env) report.Held {
	fsys, err := workspace.OpenSite(a)
	if err != nil {
		return nil
	}
	site, problems := load.Load(fsys, load.Options{Drafts: true, Editing: true})
	if problems.HasErrors() {
		return nil
	}
	return checksOf(site)
}

// headsOf returns the heads of the columns, which are the machines' names if they fit, and else numbers, and the width of the
// column before them.
func headsOf(p *env.Printer, reports []workspace.Stored, rows []compare.Row) (heads []string, nameWidth int) {
	for _, row := range rows {
		nameWidth = max(nameWidth, 2+terminal.Columns(diag.Printable(row.Name)))
	}
	width := nameWidth
	for _, s := range reports {
		heads = append(heads, s.Machine.Name)
		width += 2 + len(s.Machine.Name)
	}
	if most := p.TableWidth(); width > most {
		for i := range heads {
			heads[i] = strconv.Itoa(i + 1)
		}
		nameWidth = min(nameWidth, max(16, most-4*len(heads)))
	}
	return heads, nameWidth
}
