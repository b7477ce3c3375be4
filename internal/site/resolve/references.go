package resolve

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// reference resolves a reference.
func (l *pageLinks) reference(n *markdown.Reference) site.ResolvedReference {
	label, anywhere := strings.CutPrefix(n.Destination, ":")
	if n.Parentheses || n.Bare { // \eqref and \ref are LaTeX's, which knows no addresses
		label, anywhere = strings.TrimPrefix(label, "#"), true
	}
	if anywhere {
		r := l.findLabel(label, n.Span, n.Parentheses || n.Bare)
		l.links.All = append(l.links.All, site.Link{Destination: n.Destination, Target: r.Target, Start: n.Start, End: n.Stop})
		return r
	}
	t := l.resolve(n.Destination, n.Start, "page")
	r := site.ResolvedReference{Target: t, OnOtherPage: t.Page != l.page}
	switch fragment := t.Fragment(); {
	case t.Missing:
	case t.Page == nil:
		l.warnAt(site.RuleAnchor, n.Span, diag.Say("links.link-without-text"))
	case fragment == "":
		r.Label = site.Label{Kind: markdown.Section, Title: t.Page.Title}
		r.OnOtherPage = false // the title identifies it
	default:
		r.Label = t.Page.LabelAt(fragment)
		if t.Page.HasAnchor(fragment) {
			l.checkTitled(fragment, r, n.Span)
		}
	}
	return r
}

// checkTitled warns of a reference to something without number and title.
func (l *pageLinks) checkTitled(label string, r site.ResolvedReference, at markdown.Span) {
	if r.Number == "" && r.Title == "" && markdown.Statement(string(r.Kind)) == "" {
		l.warnAt(site.RuleAnchor, at, diag.Say("links.label-without-title", "label", label))
	}
}

// findLabel looks up a label: on the page, on those of its language, then on those of the others.
func (l *pageLinks) findLabel(label string, at markdown.Span, equation bool) site.ResolvedReference {
	if onPage, ok := l.page.Labels[label]; ok {
		r := site.ResolvedReference{Label: onPage, Target: site.Target{Page: l.page, Suffix: "#" + onPage.ID}}
		l.checkTitled(label, r, at)
		return r
	}
	pages := l.pagesWith(label)
	if joined := strings.Join(strings.Fields(label), "-"); len(pages) == 0 && joined != label { // the anchor of a label has no blanks
		return l.findLabel(joined, at, equation)
	}
	if len(pages) == 0 {
		l.unknownLabel(label, at, equation)
		return site.ResolvedReference{Target: site.Target{Missing: true}, Label: site.Label{Title: label}}
	}
	if len(pages) > 1 {
		var places []string
		for _, p := range pages {
			places = append(places, fmt.Sprintf("%s:%d", p.Source.Name, p.Source.Line(p.Labels[label].Pos)))
		}
		l.warnAt(site.RuleAnchor, at, diag.Say("links.label-ambiguous", "label", label, "places", strings.Join(places, ", ")))
	}
	r := site.ResolvedReference{Label: pages[0].Labels[label], OnOtherPage: true}
	r.Target = site.Target{Page: pages[0], Suffix: "#" + r.ID}
	l.checkTitled(label, r, at)
	return r
}

// pagesWith returns the pages with a label, of the language or else of another.
func (l *pageLinks) pagesWith(label string) (pages []*site.Page) {
	places := l.index.byLabel[l.page.Language][label]
	for _, other := range l.site.Languages {
		if len(places) == 0 {
			places = l.index.byLabel[other][label]
		}
	}
	for _, i := range places {
		pages = append(pages, l.dependOn(l.site.Pages[i]))
	}
	return pages
}

func (l *pageLinks) unknownLabel(label string, at markdown.Span, equation bool) {
	known := func() []string { return l.hints.labels(l.page.Language, equation, l.site, l.index) }
	message := diag.Say("links.label-unknown", "label", label)
	hint := diag.Say("links.label-hint", "label", label)
	if equation {
		message, hint = diag.Say("links.equation-label-unknown", "label", label), diag.Say("links.equation-label-hint", "label", label)
	}
	l.warnAt(site.RuleAnchor, at, message.WithHint(l.suggest.Suggest(label, known, hint)))
}

// formulas resolves the references within formulas. They cannot be links: their numbers are part of
// the TeX.
func (l *pageLinks) formulas() {
	for _, f := range l.page.Formulas {
		for _, r := range f.References {
			number := cmp.Or(l.findLabel(r.Label, r.Span, true).Number, r.Number)
			if r.Parentheses {
				number = "(" + number + ")"
			}
			set(&l.links.EquationNumbers, r.Start, number)
		}
	}
}

// A labelIndex maps the labels that authors gave to the indexes of their pages, by language, in the
// order of the pages' paths.
type labelIndex map[*site.Language]map[string][]int

func newLabelIndex(pages []*site.Page) labelIndex {
	index := labelIndex{}
	for i, p := range pages {
		if index[p.Language] == nil {
			index[p.Language] = map[string][]int{}
		}
		for name, l := range p.Labels {
			if l.ByAuthor {
				index[p.Language][name] = append(index[p.Language][name], i)
			}
		}
	}
	return index
}

// givenLabels returns the kinds of the labels that the author gave.
func givenLabels(p *site.Page) map[string]markdown.Numbered {
	given := map[string]markdown.Numbered{}
	for name, l := range p.Labels {
		if l.ByAuthor {
			given[name] = l.Kind
		}
	}
	return given
}
