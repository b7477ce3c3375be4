package content

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/report"
)

// Capture returns the check that captures a value of that name, where just one
// does. The same code in two languages is one check.
func (s *Site) Capture(name string) (report.ID, bool) {
	if ids := s.captures[name]; len(ids) == 1 {
		return ids[0], true
	}
	return "", false
}

// resolveLive reports {live} values that no report can hold. What is captured is
// known only when all pages are read.
func (s *Site) resolveLive() (diags diag.List) {
	s.captures = map[string][]report.ID{}
	for _, p := range s.Pages {
		for _, b := range p.Blocks {
			for _, name := range b.Captures {
				s.addCapture(name, b.ID)
			}
			for _, l := range b.GPULines {
				if l.Measure != nil {
					s.addCapture(l.Measure.Name, l.ID)
				}
			}
		}
	}
	facts := LiveFacts()
	known := sync.OnceValue(func() []string { return slices.Concat(facts, slices.Sorted(maps.Keys(s.captures))) })
	for _, p := range s.Pages {
		var suggest diag.Suggester
		for _, n := range p.LiveValues {
			if d, bad := s.liveFault(p, n, facts, func(otherwise diag.Text) diag.Text { return suggest.Suggest(n.Fact, known, otherwise) }); bad {
				diags.Add(d)
			}
		}
	}
	return diags
}

func (s *Site) addCapture(name string, id report.ID) {
	if !slices.Contains(s.captures[name], id) {
		s.captures[name] = append(s.captures[name], id)
	}
}

func (s *Site) liveFault(p *Page, n *markdown.Live, facts []string, suggest func(diag.Text) diag.Text) (d diag.Diagnostic, bad bool) {
	form := diag.Say("write {live}`machine.fact` with one of %s, or a value that an expectation captures", strings.Join(facts, ", "))
	ids := s.captures[n.Fact]
	switch {
	case n.Machine == "":
		return p.Source.Error(n.Start, n.Stop, diag.Say("{live} needs the name of a machine"), form), true
	case slices.Contains(facts, n.Fact), len(ids) == 1:
		return d, false
	case len(ids) > 1:
		return p.Source.Warning(n.Start, n.Stop, diag.Say("%d blocks capture a value %q", len(ids), n.Fact),
			diag.Say("give it another name in all blocks but one")), true
	}
	return p.Source.Error(n.Start, n.Stop, diag.Say("{live} knows no value %q", n.Fact), suggest(form)), true
}
