package resolve

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// resolveLive reports {live} values that do not exist. Captured values are known only when all
// pages are parsed.
func resolveLive(s *site.Site) (diags diag.List) {
	s.Captures = map[string][]site.Captured{}
	for _, p := range s.Pages {
		for _, b := range p.Runs() {
			for _, name := range b.Captures {
				addCapture(s, name+b.Combination(), b.ID, b, p)
			}
			for _, l := range b.GPULines {
				if m := l.Measures(); m != nil {
					addCapture(s, m.Name, l.ID, b, p)
				}
			}
		}
	}
	facts := site.LiveFacts()
	captures := sync.OnceValue(func() []string { return slices.Sorted(maps.Keys(s.Captures)) })
	known := sync.OnceValue(func() []string { return slices.Concat(facts, captures()) })
	form := diag.Say("links.live-hint", "facts", strings.Join(facts, ", "))
	for _, p := range s.Pages {
		var suggest diag.Suggester
		for _, n := range p.LiveValues {
			switch list := s.Capture(p, n.Fact); {
			case n.Machine == "":
				diags.Add(p.Source.Error(n.Start, n.Stop, diag.Say("links.live-machine-missing").WithHint(form)))
			case slices.Contains(facts, n.Fact), len(list) == 1:
			case len(list) > 1:
				diags.Add(p.Source.Warning(n.Start, n.Stop, diag.Say("links.live-ambiguous", "ids", len(list), "fact", n.Fact)))
			default:
				hint := suggest.Suggest(n.Fact, known, form)
				if i, _ := slices.BinarySearch(captures(), n.Fact+"["); i < len(captures()) && strings.HasPrefix(captures()[i], n.Fact+"[") {
					hint = diag.Say("diag.did-you-mean-hint", "name", captures()[i]) // a block with matrix=
				}
				diags.Add(p.Source.Error(n.Start, n.Stop, diag.Say("links.live-value-unknown", "fact", n.Fact).WithHint(hint)))
			}
		}
	}
	return diags
}

func addCapture(s *site.Site, name string, id report.ID, b *site.Block, p *site.Page) {
	s.Captures[name] = append(s.Captures[name], site.Captured{ID: id, Block: b, Page: p})
}
