package servecmd

import (
	"strings"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// findings counts what a build has found, by what it says: the line that it is about may be another
// after an edit above it.
type findings map[string]int

func keyOf(d diag.Diagnostic) string {
	return strings.Join([]string{d.File, d.Message.String(), d.Source}, "\n")
}

// printNew prints what the build before has not found, and counts the rest: who writes would look
// for what an edit has done among all that the site is in want of. An error stands in the way, and
// is told each time.
func (p *previewer) printNew(l diag.List) {
	before, now := p.said, findings{}
	var fresh diag.List
	known := map[diag.Severity]int{}
	for _, d := range l {
		key := keyOf(d)
		if now[key]++; d.Severity != diag.Error && now[key] <= before[key] {
			known[d.Severity]++
		} else {
			fresh.Add(d)
		}
	}
	p.said = now
	p.PrintNow(fresh)
	var parts []string
	if n := known[diag.Warning]; n > 0 {
		parts = append(parts, p.Text.Count("warnings", n))
	}
	if n := known[diag.Notice]; n > 0 {
		parts = append(parts, p.Text.Count("notices", n))
	}
	if len(parts) > 0 {
		p.Tell(p.Text.Get("as_before", "what", strings.Join(parts, ", ")))
	}
}
