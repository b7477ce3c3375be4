package reportcmd

import (
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/workspace"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/compare"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/text/terminal"
)

// signs are the signs of cells in the order of the key. The sign of an answer is the first letter of its word.
var signs = []struct{ word, sign string }{
	{"passed", "✓"}, {"failed", "✗"}, {"error", "!"}, {"stale", "≠"}, {"skipped", "»"}, {"lost", "↓"}, {"not-applicable", "–"}, {"yes", ""}, {"no", ""}, {"none", "·"},
}

// stateOf returns the state that a cell shows.
func stateOf(c compare.Cell) standing.State {
	switch {
	case c.Check == nil:
		return standing.State{}
	case c.Stale:
		return standing.State{Standing: standing.Stale}
	}
	return standing.Of(c.Check)
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
	seen := map[string]bool{}
	for i, s := range reports {
		tally := t.TallyText(standing.CountOf(func(yield func(report.ID, standing.State) bool) {
			for n, row := range rows {
				s := stateOf(row.Cells[i])
				seen[s.Word()] = true
				yield(report.ID(strconv.Itoa(n)), s)
			}
		}))
		number := ""
		if heads[i] != s.Machine.Name {
			number = heads[i] + "  "
		}
		printMachine(&p, s, number, tally)
	}
	marks, key := map[string]string{}, ""
	for _, s := range signs {
		if s.sign == "" {
			s.sign = string([]rune(t.Outcome(s.word))[:1])
		}
		marks[s.word] = p.Paint(env.Colors[s.word], s.sign)
		if seen[s.word] {
			key += marks[s.word] + " " + t.Outcome(s.word) + "   "
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
			line += "  " + marks[stateOf(c).Word()] + strings.Repeat(" ", terminal.Columns(heads[j])-1)
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
