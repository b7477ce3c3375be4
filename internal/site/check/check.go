// Package check finds problems of a site that reading its pages does not reveal:
// missing translations, anchors that only some translations have,
// damaged images and, on request, addresses of other servers
// that do not answer.
//
// Package load finds the rest: each link, anchor, image, footnote and reference of the pages
// themselves.
package check

import (
	"path"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/resolve"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Rules of this package's diagnostics, in addition to those of package site.
const (
	RuleTranslation = "translation" // a page that a language lacks
	RuleExternal    = "external"    // another server's address that leads nowhere
	RuleMoved       = "moved"       // another server's address that has changed
)

// broken are the rules of what readers notice: such findings are errors of the check, but do not
// stop a build.
var broken = map[string]bool{site.RuleLink: true, site.RuleAnchor: true, site.RuleImage: true,
	site.RuleFootnote: true, site.RuleReference: true, site.RuleID: true,
	site.RuleFirstPage: true}

// Raise turns warnings about what readers notice into errors, or all warnings if strict is set.
// Notices are not changed.
func Raise(l diag.List, strict bool) diag.List {
	out := make(diag.List, len(l))
	for i, d := range l {
		if d.Severity == diag.Warning && (strict || broken[d.Rule]) {
			d.Severity = diag.Error
		}
		out[i] = d
	}
	return out
}

// Site finds problems that concern several pages, or whose search is too slow for a build.
func Site(s *site.Site) diag.List {
	diags := s.WithoutFirstPage()
	checked, renamed := map[string]bool{}, map[string]diag.Diagnostic{}
	for _, d := range resolve.Renamed(s, true) {
		renamed[d.File] = d.WithRule(RuleTranslation)
	}
	for _, p := range s.Pages {
		lacking := languagesWithout(s, p)
		if len(lacking) > 0 && s.Translations(p.Key)[0] == p {
			if d, ok := renamed[p.Source.Name]; !ok {
				diags.Add(missingTranslation(s, p, lacking))
			} else if d.Severity == diag.Notice { // package load has reported a warning
				diags.Add(d)
			}
		}
		for _, l := range s.Links(p).All {
			if a := l.Target.Asset; a != "" && !checked[a] {
				checked[a] = true
				diags.Add(checkImage(s, p, l)...)
			}
			diags.Add(checkAnchor(s, p, l, lacking)...)
		}
	}
	return diags
}

// languagesWithout returns the languages that do not have a page.
func languagesWithout(s *site.Site, p *site.Page) (out []*site.Language) {
	for _, l := range s.Languages {
		if s.Page(p.Key, l.Code) == nil {
			out = append(out, l)
		}
	}
	return out
}

func missingTranslation(s *site.Site, p *site.Page, lacking []*site.Language) diag.Diagnostic {
	var codes []string
	for _, l := range lacking {
		codes = append(codes, l.Code)
	}
	there := path.Join("content", codes[0], p.Path)
	hint := diag.Say("links.translation-key-hint", "there", there, "key", p.Key)
	if slices.ContainsFunc(s.Pages, func(q *site.Page) bool { return q.Language == lacking[0] && q.Path == p.Path }) {
		hint = diag.Say("links.near-translation-hint", "there", there, "key", p.Key)
	}
	return diag.Diagnostic{Severity: diag.Notice, Rule: RuleTranslation, File: p.Source.Name,
		Message: diag.Say("links.translation-missing", "codes", strings.Join(codes, ", ")),
		Hint:    hint}
}

// checkAnchor checks a link for readers of a language that lacks its page. They see the original, whose
// links lead to the pages of their language.
func checkAnchor(s *site.Site, p *site.Page, l site.Link, lacking []*site.Language) (diags diag.List) {
	to := l.Target.Page
	if to == nil || l.Target.OtherLanguage || !to.HasAnchor(l.Target.Fragment()) {
		return nil
	}
	for _, language := range lacking {
		translation := s.Page(to.Key, language.Code)
		if translation == nil || translation.HasAnchor(l.Target.Fragment()) {
			continue
		}
		d := p.Source.At(diag.Notice, l.Start, l.End,
			diag.Say("links.anchor-missing-in-original", "code", language.Code, "name", translation.Source.Name, "fragment", l.Target.Fragment()))
		diags.Add(d.WithRule(site.RuleAnchor))
	}
	return diags
}

// checkImage decodes a whole image. One whose header cannot be read was already reported.
func checkImage(s *site.Site, p *site.Page, l site.Link) diag.List {
	if _, err := s.ImageSize(l.Target.Asset); err != nil {
		return nil
	}
	err := s.DecodeImage(l.Target.Asset)
	if err == nil {
		return nil
	}
	d := p.Source.Warning(l.Start, l.End, diag.Say("links.image-damaged", "asset", path.Base(l.Target.Asset), "why", err))
	return diag.List{d.WithRule(site.RuleImage)}
}
