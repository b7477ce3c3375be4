package resolve

import (
	"maps"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/report/match"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// checkReferences reports references of gpudocs.toml whose value no page captures, or in another unit.
func checkReferences(s *site.Site) (diags diag.List) {
	for _, r := range s.Config.References {
		at := r.At
		name, combination, _ := strings.Cut(r.Capture, "[")
		of := func(other string) bool { // a name without values is for all combinations
			plain, _, _ := strings.Cut(other, "[")
			return other == r.Capture || combination == "" && plain == name
		}
		if names := slices.Sorted(maps.Keys(s.Captures)); !slices.ContainsFunc(names, of) {
			at.Severity, at.Message = diag.Warning, diag.Say("links.reference-without-capture", "name", r.Capture)
			at.Hint = diag.Suggest(r.Capture, names, diag.Say("links.reference-without-capture-hint", "example", "<"+r.Capture+":number GB/s>"))
			diags.Add(at)
			continue
		}
		for _, p := range s.Pages {
			for _, b := range p.Blocks {
				for _, c := range capturesOf(b, name) {
					if _, ok := ask.Factor(r.Unit, c.Unit); !ok {
						at.Message = diag.Say("links.reference-unit", "unit", r.Unit, "name", r.Capture, "other", c.Unit, "place", b.Place(b.Line).Text())
						at.Hint = diag.Say("links.reference-unit-hint", "unit", c.Unit)
						diags.Add(at)
					}
				}
			}
		}
	}
	return diags
}

// capturesOf returns the captures of a block, or values of a gpu block, that have a name.
func capturesOf(b *site.Block, name string) (list []report.Capture) {
	add := func(more []match.Captured) {
		for _, c := range more {
			if c.Name == name {
				list = append(list, c.Capture)
			}
		}
	}
	if slices.Contains(b.Captures, name) {
		for _, e := range b.Expects {
			add(e.Parsed.Captures())
		}
		for i := range b.Examples {
			add(b.Examples[i].Captures())
		}
	}
	for _, l := range b.GPULines {
		if m := l.Measures(); m != nil && m.Name == name {
			list = append(list, report.Capture{Name: name, Unit: m.Unit()})
		}
	}
	return list
}
