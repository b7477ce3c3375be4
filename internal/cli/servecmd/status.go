package servecmd

import (
	"strings"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// findings counts the diagnostics of a build by their text and source line: an edit above them
// changes their line numbers.
type findings map[string]int

// printNew prints the diagnostics that the build before did not have, and counts the rest, so that
// an author sees what an edit has changed. Errors are printed each time.
func (p *previewer) printNew(l diag.List) {
	before, now := p.lastFindings, findings{}
	var fresh diag.List
	known := map[diag.Severity]int{}
	for _, d := range l {
		key := strings.Join([]string{d.File, d.Message.String(), d.Source}, "\n")
		if now[key]++; d.Severity != diag.Error && now[key] <= before[key] {
			known[d.Severity]++
		} else {
			fresh.Add(d)
		}
	}
	p.lastFindings = now
	p.PrintNow(fresh)
	var parts []string
	if n := known[diag.Warning]; n > 0 {
		parts = append(parts, p.Text.Count("warnings", n))
	}
	if n := known[diag.Notice]; n > 0 {
		parts = append(parts, p.Text.Count("notices", n))
	}
	if len(parts) > 0 {
		p.Println(p.Text.Get("as_before", "what", strings.Join(parts, ", ")))
	}
}
