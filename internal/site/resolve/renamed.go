package resolve

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Renamed reports translations that have lost their source, mostly because one of the two files was renamed. A
// stamp names the language of the source. Without one, the page of the source language that alone has the same
// code, the same headings or the same folder is taken for it, if guess is set.
func Renamed(s *site.Site, guess bool) (diags diag.List) {
	if len(s.Languages) < 2 {
		return nil
	}
	source := s.Languages[0].Code
	if s.Config.Source != "" {
		source = s.Config.Source
	}
	for _, l := range s.Languages {
		if l.Code != source {
			diags.Add(renamedIn(s, source, l, guess)...)
		}
	}
	return diags
}

func renamedIn(s *site.Site, source string, l *site.Language, guess bool) (diags diag.List) {
	originals, orphans := map[string][]*site.Page{}, map[string][]*site.Page{}
	var lost []*site.Page
	for _, p := range s.Pages {
		to := originals
		switch {
		case p.Language.Code == source && s.Page(p.Key, l.Code) == nil:
		case p.Language == l && s.Source(p.Key) == p && !p.Original:
			lost, to = append(lost, p), orphans
		default:
			continue
		}
		for _, t := range traits(p) {
			to[t] = append(to[t], p)
		}
	}
	for _, p := range lost {
		var original *site.Page
		for _, t := range traits(p) {
			if original == nil && len(originals[t]) == 1 && len(orphans[t]) == 1 {
				original = originals[t][0]
			}
		}
		d := diag.Diagnostic{Severity: diag.Notice, File: p.Source.Name}
		stamped := slices.ContainsFunc(s.Languages, func(l *site.Language) bool { return l.Code == p.Stamp.From })
		switch {
		case original == nil && stamped:
			d.Hint = diag.Say("translations.source-lost-hint", "key", p.Key)
		case original == nil || !stamped && !guess:
			continue
		case len(s.Translations(original.Key)) > 1: // other languages follow the new name
			d.Hint = diag.Say("translations.renamed-hint", "original", original.Source.Name, "key", original.Key, "file", p.Source.Name)
		default:
			d.Hint = diag.Say("translations.renamed-hint", "original", original.Source.Name, "key", p.Key, "file", original.Source.Name)
		}
		if stamped {
			d.Severity, d.Message = diag.Warning, diag.Say("translations.source-lost", "code", p.Stamp.From, "key", p.Key)
		} else {
			d.Message = diag.Say("translations.renamed", "code", source, "original", original.Source.Name)
		}
		diags.Add(d)
	}
	return diags
}

// traits are what a page and its translation have in common, the surest first.
func traits(p *site.Page) []string {
	folder := fmt.Sprint(path.Dir(p.Path), " ", len(p.Blocks))
	all := []string{folder}
	var ids, levels []string
	for _, h := range p.Headings {
		levels = append(levels, fmt.Sprint(h.Level))
	}
	if len(levels) > 0 {
		all = slices.Insert(all, 0, folder+" headings "+strings.Join(levels, " "))
	}
	for _, b := range p.Blocks {
		ids = append(ids, string(b.ID))
	}
	if len(ids) > 0 {
		all = slices.Insert(all, 0, "checks "+strings.Join(ids, " "))
	}
	return all
}
