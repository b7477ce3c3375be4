package status

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/render/textout"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/text/invisible"
)

// Dir is the address of the status page, below that of its language. An
// author's page cannot have it, so the links to it always lead there.
const Dir = site.StatusDir

// maxCells limits the table of machines and checks on one page. A larger one is split into pages, each
// with whole rows.
const maxCells = 1500

// PartPath returns the address of a page of the table, counted from 1, below that of its language.
func PartPath(i int) string { return fmt.Sprintf("%s%d/", Dir, i) }

// A span is a range of the blocks of a page.
type span struct {
	nav.Placed
	from, to int
}

// A Writer makes the views of the status pages of a language.
type Writer struct {
	*results.Presenter
	nav      *nav.Map
	language *site.Language
	t        text.Catalog
	from     string // the address of the page
}

// New returns a Writer for a language with the texts t.
func New(r *results.Index, m *nav.Map, l *site.Language, t text.Catalog) *Writer {
	return &Writer{r.Present(t, "", nil), m, l, t, l.Code + "/" + Dir}
}

// Parts returns the number of pages of the table, 0 without machines.
func (w *Writer) Parts() int { return len(w.parts()) }

// Overview returns the first page: all machines, all checks or links to them, measurements, and
// changes. badge is the file of the site's badge, or empty.
func (w *Writer) Overview(page theme.PageView, badge string) theme.StatusView {
	v := theme.StatusView{T: w.t, Lang: w.language.Code, Machines: w.Table(), Feeds: page.Feeds}
	if badge != "" {
		v.Badge = w.badgeLink(badge, page)
	}
	v.Checks.T = w.t
	checked := w.nav.Checked(w.language)
	var pages []*site.Page
	for _, e := range checked {
		pages = append(pages, e.Placed.Page)
	}
	v.Pages, v.Checks.CheckCount = len(pages), w.Checks(nil, pages...)
	newest, oldest := w.span()
	v.Newest, v.Oldest = day(w.t, newest), day(w.t, oldest)
	parts := w.parts()
	if len(parts) == 1 {
		m := w.matrix(parts[0])
		v.Matrix = &m
	} else {
		counted := map[report.ID]bool{}
		for i, part := range parts {
			v.Parts = append(v.Parts, w.part(part, i+1, counted))
		}
	}
	at := w.Locate(checked)
	if v.Changes = w.changes(at); v.Changes != nil {
		v.Changes.Elsewhere = w.elsewhere(at)
	}
	v.Charts = w.charts(at)
	v.Measured, v.MeasuredCut = w.measured(checked)
	v.Values, v.ValuesCut = w.values(at)
	v.Unsteady, v.UnsteadyCut = w.unsteady(at)
	return v
}

// Part returns one page of the table, counted from 1.
func (w *Writer) Part(i int) theme.StatusView {
	at := *w
	at.from = w.language.Code + "/" + PartPath(i)
	parts := at.parts()
	m := at.matrix(parts[i-1])
	v := theme.StatusView{T: w.t, Lang: w.language.Code, Part: i, Matrix: &m, Whole: nav.Href(at.from, w.language.Code+"/"+Dir)}
	if i > 1 {
		v.Before = nav.Href(at.from, w.language.Code+"/"+PartPath(i-1))
	}
	if i < len(parts) {
		v.After = nav.Href(at.from, w.language.Code+"/"+PartPath(i+1))
	}
	return v
}

// rowsOfPart returns the number of rows of a page of the table.
func (w *Writer) rowsOfPart() int { return max(10, maxCells/max(1, len(w.Machines))) }

// parts splits the table into pages. Without machines there is none.
func (w *Writer) parts() (parts [][]span) {
	if len(w.Machines) == 0 {
		return nil
	}
	most, room := w.rowsOfPart(), 0
	for _, e := range w.nav.Checked(w.language) {
		p := *e.Placed
		for from, n := 0, len(p.Page.Blocks); from < n; {
			if room == 0 {
				parts, room = append(parts, nil), most
			}
			to := min(n, from+room)
			last := &parts[len(parts)-1]
			*last = append(*last, span{p, from, to})
			room -= to - from
			from = to
		}
	}
	return parts
}

// span returns the times of the newest and the oldest report, or zero times without reports.
func (w *Writer) span() (last, first time.Time) {
	for _, m := range w.Machines {
		t := m.Last
		if t.IsZero() {
			continue
		}
		if first.IsZero() || t.Before(first) {
			first = t
		}
		if t.After(last) {
			last = t
		}
	}
	return last, first
}

func day(t text.Catalog, at time.Time) *theme.Day {
	if at.IsZero() {
		return nil
	}
	return &theme.Day{ISO: at.UTC().Format(time.RFC3339), Text: t.Date(at)}
}

// matrix returns the table of some blocks.
func (w *Writer) matrix(part []span) theme.MatrixView {
	v := theme.MatrixView{T: w.t}
	for _, m := range w.Machines {
		v.Machines = append(v.Machines, theme.MatrixMachine{Name: m.Name, Cards: results.Cards(w.Presenter, m), Local: m.Local})
	}
	for _, s := range standing.All() {
		v.Statuses = append(v.Statuses, theme.StatusName{Status: s.String(), Text: w.t.Get("status_" + s.String())})
	}
	for _, p := range part {
		v.Pages = append(v.Pages, w.matrixPage(p))
	}
	return v
}

// marks are the marks of cells, by [standing.State.Label].
var marks = map[string]string{"unsteady": "~", "lost": "↓"}

// matrixPage returns the rows of a page's blocks.
func (w *Writer) matrixPage(p span) theme.MatrixPage {
	v := theme.MatrixPage{Key: p.Page.Key, Title: p.Page.Title, URL: nav.Href(w.from, p.URL()), Lang: p.Foreign(), Continued: p.from > 0}
	here := w.Included(p.Page)
	for _, row := range w.PageStatus(p.Page)[p.from:p.to] {
		panel := v.URL + "#" + results.PanelID(row.Block)
		r := theme.MatrixRow{Name: row.Block.Name, Kind: string(row.Block.Kind), Code: codeStart(row.Block), URL: panel}
		for _, m := range w.Machines {
			c := row.On(m)
			cell := theme.MatrixCell{Status: c.Standing.String(), Text: w.t.Get("status_" + c.Label()), Unsteady: c.Unsteady, Mark: marks[c.Label()]}
			switch {
			case c.Place == 0:
			case slices.Contains(here, m):
				cell.URL = panel + "." + strconv.Itoa(c.Place)
			default: // the page fetches its results when the machine is chosen
				cell.URL = v.URL + "?machine=" + m.Name + "#" + results.PanelID(row.Block)
			}
			r.Cells = append(r.Cells, cell)
		}
		v.Rows = append(v.Rows, r)
	}
	return v
}

// codeStart returns the beginning of a block's code, by which a reader recognises it, or the values of its matrix=.
func codeStart(b *site.Block) string {
	const longest = 44
	code := b.Code
	if b.Combinations != nil {
		code = ""
		for i, p := range b.Values {
			var values []string
			for _, c := range b.Combinations {
				if text := c.Values[i].Text; !slices.Contains(values, text) {
					values = append(values, text)
				}
			}
			code += p.Name + "=" + strings.Join(values, ",") + " "
		}
	}
	for line := range strings.Lines(code) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if letters := []rune(line); len(letters) > longest {
			line = strings.TrimRight(string(letters[:longest-1]), " ") + "…"
		}
		return invisible.Visible(line)
	}
	return ""
}

// part returns the link of the first page to a page of the table. It counts a check that another part has too in the first of them, so
// that their counts add up.
func (w *Writer) part(part []span, n int, counted map[report.ID]bool) theme.StatusPart {
	p := theme.StatusPart{URL: nav.Href(w.from, w.language.Code+"/"+PartPath(n)), Checks: theme.TallyView{T: w.t}}
	p.First, p.Last = part[0].Page.Title, part[len(part)-1].Page.Title
	var blocks []results.BlockStatus
	for _, at := range part {
		blocks = append(blocks, w.PageStatus(at.Page)[at.from:at.to]...)
	}
	p.Checks.CheckCount = results.Count(nil, counted, slices.Values(blocks))
	return p
}

// badgeLink returns the badge of the whole site, and the Markdown that shows it elsewhere.
func (w *Writer) badgeLink(name string, page theme.PageView) *theme.BadgeLink {
	b := &theme.BadgeLink{URL: nav.Href(w.from, name), Alt: invisible.Visible(w.nav.Title(w.language))}
	if page.Canonical != "" {
		b.Markdown = "[![" + textout.Escape(b.Alt) + "](" + w.nav.Absolute(name) + ")](" + page.Canonical + ")"
	}
	return b
}
