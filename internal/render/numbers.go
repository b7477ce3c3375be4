package render

import (
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
	if r.Elsewhere && r.Kind != markdown.Section {
		text = v.t.Get("number_elsewhere", "what", text, "page", r.Target.Page.Title)
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
		if r.Title == "" && r.Target.Page != nil { // a warning says so
			return r.Target.Page.Title
		}
		return r.Title
	case ref.Parentheses:
		return "(" + r.Number + ")"
	case ref.Bare:
		return r.Number
	}
	return v.series(r.Kind, r.Number)
}
