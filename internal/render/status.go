package render

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/i18n"
)

// statusDir is the address of the status page, below that of its language. An
// author's page cannot have it, so the links to it always lead there.
const statusDir = content.StatusDir

// maxCells bounds the table of machines and checks on one page. A larger one is cut
// into pages, each with whole rows.
const maxCells = 1500

// planStatus makes the status page in each language, and where its table is too
// large for one page, the pages of its parts.
func (s *Site) planStatus() {
	if !s.content.HasChecks() {
		return
	}
	s.planOwn(own{path: statusDir, title: "status", template: "status", data: (*Site).statusView})
	for _, l := range s.content.Languages {
		for i, n := 1, len(s.statusParts(l)); i <= n && n > 1; i++ {
			s.planOwn(own{path: partPath(i), in: l, elsewhere: statusDir, title: "status_part_title", with: []string{"n", strconv.Itoa(i), "of", strconv.Itoa(n)},
				template: "status", hidden: true, data: func(s *Site, l *content.Language, v PageView) (any, error) { return s.partView(l, v, i), nil }})
		}
	}
}

func partPath(i int) string { return fmt.Sprintf("%s%d/", statusDir, i) }

// rowsOfPart is how many rows a page of the table has.
func (s *Site) rowsOfPart() int { return max(10, maxCells/max(1, len(s.results.sources))) }

// A span is some of the blocks of a page.
type span struct {
	placed
	from, to int
}

// statusParts cuts the table of a language into pages. Without machines there is none.
func (s *Site) statusParts(l *content.Language) (parts [][]span) {
	if len(s.results.sources) == 0 {
		return nil
	}
	most, room := s.rowsOfPart(), 0
	for _, e := range s.checked(l) {
		p := *e.placed
		for from, n := 0, len(p.page.Blocks); from < n; {
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

// A statusWriter makes what the status pages of a language show.
type statusWriter struct {
	*pageWriter
	from string // the address of the page
}

func (s *Site) statusWriter(l *content.Language, from string) *statusWriter {
	return &statusWriter{&pageWriter{placed: placed{language: l}, r: s, t: s.strings[l.Code]}, l.Code + "/" + from}
}

// statusView is the first page: all machines, all checks or the way to them, what
// was measured, and what has changed.
func (s *Site) statusView(l *content.Language, page PageView) (any, error) {
	w := s.statusWriter(l, statusDir)
	v := StatusView{T: w.t, Lang: l.Code, Machines: w.machines(), Feeds: page.Feeds, Badge: w.badgeLink(page)}
	v.Checks.T = w.t
	for _, e := range s.checked(l) {
		v.Pages++
		v.Checks.CheckCount = v.Checks.plus(s.checks(e.placed.page))
	}
	v.Newest, v.Oldest = w.dates()
	parts := s.statusParts(l)
	if len(parts) == 1 {
		m := w.matrix(parts[0])
		v.Matrix = &m
	} else {
		for i, part := range parts {
			v.Parts = append(v.Parts, w.part(part, i+1))
		}
	}
	at := s.spots(l)
	v.Charts = w.charts(at)
	v.Values, v.ValuesCut = w.values(at)
	v.Unsteady, v.UnsteadyCut = w.unsteady(at)
	return v, nil
}

// partView is one page of the table, from 1.
func (s *Site) partView(l *content.Language, _ PageView, i int) StatusView {
	w := s.statusWriter(l, partPath(i))
	parts := s.statusParts(l)
	m := w.matrix(parts[i-1])
	v := StatusView{T: w.t, Lang: l.Code, Part: i, Matrix: &m, Whole: href(w.from, l.Code+"/"+statusDir)}
	if i > 1 {
		v.Before = href(w.from, l.Code+"/"+partPath(i-1))
	}
	if i < len(parts) {
		v.After = href(w.from, l.Code+"/"+partPath(i+1))
	}
	return v
}

// dates are when the oldest and the newest report was made, nil without one.
func (w *statusWriter) dates() (newest, oldest *Day) {
	var first, last time.Time
	for _, t := range w.r.results.lasts {
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
	return day(w.t, last), day(w.t, first)
}

func day(t i18n.Strings, at time.Time) *Day {
	if at.IsZero() {
		return nil
	}
	return &Day{ISO: at.UTC().Format(time.RFC3339), Text: t.Date(at)}
}

// matrix makes the table of some blocks.
func (w *statusWriter) matrix(part []span) MatrixView {
	v := MatrixView{T: w.t}
	for i, m := range w.r.results.machines {
		v.Machines = append(v.Machines, MatrixMachine{Name: m.Name, Local: w.r.results.sources[i].Local})
	}
	for _, status := range severity {
		v.Statuses = append(v.Statuses, StatusName{status, w.t.Get("status_" + status)})
	}
	for _, p := range part {
		v.Pages = append(v.Pages, w.matrixPage(p))
	}
	return v
}

// matrixPage makes the rows of a page's blocks.
func (w *statusWriter) matrixPage(p span) MatrixPage {
	v := MatrixPage{Key: p.page.Key, Title: p.page.Title, URL: href(w.from, p.url()), Lang: p.foreign(), Continued: p.from > 0}
	here := w.r.here(p.page)
	for _, row := range w.r.grid(p.page).rows[p.from:p.to] {
		v.Checks.add(row.worst())
		panel := v.URL + "#" + panelID(row.block)
		r := MatrixRow{Name: row.block.Name, Kind: string(row.block.Kind), Code: glance(row.block.Code), URL: panel}
		for i, c := range row.cells {
			cell := MatrixCell{Status: c.status, Text: w.t.Get("status_" + c.status)}
			switch {
			case c.place == 0:
			case slices.Contains(here, i):
				cell.URL = panel + "." + strconv.Itoa(c.place)
			default: // the page gets its results when the machine is chosen
				cell.URL = v.URL + "?machine=" + w.r.results.machines[i].Name + "#" + panelID(row.block)
			}
			r.Cells = append(r.Cells, cell)
		}
		v.Rows = append(v.Rows, r)
	}
	return v
}

// glance is the beginning of code, to know it by.
func glance(code string) string {
	const longest = 44
	for line := range strings.Lines(code) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if letters := []rune(line); len(letters) > longest {
			line = strings.TrimRight(string(letters[:longest-1]), " ") + "…"
		}
		return visible(line)
	}
	return ""
}

// part is what the first page says of one of the table.
func (w *statusWriter) part(part []span, n int) StatusPart {
	p := StatusPart{URL: href(w.from, w.language.Code+"/"+partPath(n)), First: part[0].page.Title, Last: part[len(part)-1].page.Title, Checks: TallyView{T: w.t}}
	for _, at := range part {
		for _, row := range w.r.grid(at.page).rows[at.from:at.to] {
			p.Checks.add(row.worst())
		}
	}
	return p
}

// badgeLink is the badge of the whole site, and the Markdown that shows it elsewhere.
func (w *statusWriter) badgeLink(page PageView) *BadgeLink {
	name := badgeDir + "/" + w.language.Code + "/_all.svg"
	if w.r.files[name] == nil {
		return nil
	}
	b := &BadgeLink{URL: href(w.from, name), Alt: visible(w.r.title(w.language))}
	if page.Canonical != "" {
		b.Markdown = "[![" + escaped(b.Alt) + "](" + w.r.absolute(name) + ")](" + page.Canonical + ")"
	}
	return b
}
