package render

import (
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

// series is "Figure 3" in the language of the page.
func (v *pageWriter) series(of markdown.Numbered, number string) string {
	return v.t.Get("number_"+string(of), "n", number)
}

// figureNumber is the number at the head of a caption.
func (v *pageWriter) figureNumber(f *markdown.Figure, stop string) string {
	return `<span class="figure-number">` + attribute(v.series(f.Of, strconv.Itoa(v.page.Number(f)))) + stop + `</span>`
}

// reference writes the number or the title of what the author refers to, as a
// link. Numbers begin anew on each page, so one of another page names it.
func (v *pageWriter) reference(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	ref := n.(*markdown.Reference)
	r := v.page.Referred(ref)
	text, address := v.referenceText(ref, r), v.address(r.Target)
	if address == "" {
		title := ""
		if !ref.Parentheses && !ref.Bare {
			title = ` title="` + attribute(v.t.Get("label_missing", "label", strings.TrimLeft(ref.Destination, ":#"))) + `"`
		}
		_, err := w.WriteString(`<span class="missing-link"` + title + `>` + attribute(text) + `</span>`)
		return ast.WalkContinue, err
	}
	if r.Elsewhere && r.Number != "" { // a title says enough
		text = v.t.Get("number_elsewhere", "what", text, "page", v.titleOf(r.Target.Page))
	}
	_, err := w.WriteString(`<a href="` + attribute(address) + `">` + attribute(text) + `</a>`)
	return ast.WalkContinue, err
}

func (v *pageWriter) referenceText(ref *markdown.Reference, r content.Referred) string {
	switch {
	case r.Target.Missing && ref.Parentheses:
		return "(??)"
	case r.Target.Missing && ref.Bare:
		return "??"
	case r.Target.Missing && r.Title == "":
		return ref.Destination
	case r.Number == "", ref.Title && r.Title != "":
		switch { // of those without a title a warning says so
		case r.Title != "" || r.Target.Page == nil:
			return r.Title
		case r.Elsewhere:
			return v.titleOf(r.Target.Page)
		}
		return r.ID
	case ref.Parentheses:
		return "(" + r.Number + ")"
	case ref.Bare:
		return r.Number
	}
	return v.series(r.Kind, r.Number)
}

// contentsList lists the pages that the author names, by their titles.
func (v *pageWriter) contentsList(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	c := n.(*markdown.Contents)
	_, _ = w.WriteString("<ul class=\"page-list\">\n")
	for i, t := range v.page.ContentsTargets(c) {
		if t.Page == nil {
			_, _ = w.WriteString(`<li><span class="missing-link">` + attribute(c.Entries[i].Page) + "</span></li>\n")
			continue
		}
		_, _ = w.WriteString(`<li><a href="` + attribute(v.address(t)) + `">` + attribute(v.titleOf(t.Page)) + "</a></li>\n")
	}
	_, err := w.WriteString("</ul>\n")
	return ast.WalkContinue, err
}

// titleOf is the title of a page in the reader's language, if there is one.
func (v *pageWriter) titleOf(p *content.Page) string {
	if own := v.r.shown(p.Key, v.language.Code); own != nil {
		return own.Title
	}
	return p.Title
}
