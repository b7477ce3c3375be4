package page

import (
	"cmp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text"
)

// Labels are the names of what pages refer to, in the language of the reader.
type Labels struct {
	nav      *nav.Map
	language *site.Language
	t        text.Catalog
}

// NewLabels returns the labels of a language, from its texts t.
func NewLabels(m *nav.Map, l *site.Language, t text.Catalog) Labels { return Labels{m, l, t} }

// series returns "Figure 3" in the language of the page.
func (v Labels) series(of markdown.Numbered, number string) string {
	if markdown.Statement(string(of)) != "" {
		return v.t.Get("callout_"+string(of)) + " " + number
	}
	return v.t.Get("number_"+string(of), "n", number)
}

// NameOf returns the name of a callout to which its author gave none, or of a statement or figure with its number.
func (v Labels) NameOf(p *site.Page, n ast.Node) string {
	switch n := n.(type) {
	case *markdown.Callout:
		if n.Counted {
			return v.series(markdown.Numbered(n.Name), strconv.Itoa(p.Number(n)))
		}
		if exercise := n.Exercise(); exercise != nil {
			_, text := v.Reference(exercise, v.nav.Content.Links(p))
			return v.t.Get("solution_of", "what", text)
		}
		if _, named := n.Display(); n.Statement || named {
			return v.t.Get("callout_" + n.Name)
		}
		first, size := utf8.DecodeRuneInString(n.Name) // a kind that only the author uses
		return string(unicode.ToUpper(first)) + n.Name[size:]
	case *markdown.Figure:
		if number := p.Number(n); number > 0 {
			return v.series(n.Of, strconv.Itoa(number))
		}
	}
	return ""
}

// reference writes the number or the title of what the author refers to, as a link.
func (v *writer) reference(w util.BufWriter, _ []byte, n ast.Node) error {
	ref := n.(*markdown.Reference)
	if ref.NamesExercise() {
		return nil
	}
	r, text := v.Reference(ref, v.links)
	address := v.address(r.Target)
	if address == "" {
		title := ""
		if !ref.Parentheses && !ref.Bare {
			title = ` title="` + attribute(v.t.Get("label_missing", "label", strings.TrimLeft(ref.Destination, ":#"))) + `"`
		}
		_, err := w.WriteString(`<span class="missing-link"` + title + `>` + attribute(text) + `</span>`)
		return err
	}
	_, err := w.WriteString(`<a href="` + attribute(address) + `">` + attribute(text) + `</a>`)
	return err
}

// Reference returns what the author of the page that has these links refers to, and its number or title. A number on another page
// is followed by that page.
func (v Labels) Reference(ref *markdown.Reference, links *site.Links) (r site.ResolvedReference, text string) {
	r = links.Reference(ref)
	text = v.ReferenceText(ref, r)
	if r.OnOtherPage && r.Number != "" { // a title is enough
		text = v.t.Get("number_elsewhere", "what", text, "page", v.TitleOf(r.Target.Page))
	}
	return r, text
}

// ReferenceText returns the number or the title of what the author refers to.
func (v Labels) ReferenceText(ref *markdown.Reference, r site.ResolvedReference) string {
	switch {
	case r.Target.Missing && ref.Parentheses:
		return "(??)"
	case r.Target.Missing && ref.Bare:
		return "??"
	case r.Target.Missing && r.Title == "":
		return ref.Destination
	case ref.Format != "":
		return strings.NewReplacer("%s", cmp.Or(r.Number, r.Title), "{number}", cmp.Or(r.Number, r.Title), "{name}", r.Title).Replace(ref.Format)
	case r.Number == "", ref.Title && r.Title != "":
		switch { // there is a warning for others without a title
		case r.Title == "" && markdown.Statement(string(r.Kind)) != "":
			return v.t.Get("callout_" + string(r.Kind))
		case r.Title != "" || r.Target.Page == nil:
			return r.Title
		case r.OnOtherPage:
			return v.TitleOf(r.Target.Page)
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
func (v *writer) contentsList(w util.BufWriter, _ []byte, n ast.Node) error {
	c := n.(*markdown.Contents)
	_, _ = w.WriteString("<ul class=\"page-list\">\n")
	for i, t := range v.links.ContentsTargets(c) {
		if t.Page == nil {
			_, _ = w.WriteString(`<li><span class="missing-link">` + attribute(c.Entries[i].Page) + "</span></li>\n")
			continue
		}
		_, _ = w.WriteString(`<li><a href="` + attribute(v.address(t)) + `">` + attribute(v.TitleOf(t.Page)) + "</a></li>\n")
	}
	_, err := w.WriteString("</ul>\n")
	return err
}

// TitleOf returns the title of a page in the reader's language, if there is one.
func (v Labels) TitleOf(p *site.Page) string {
	if translation := v.nav.Shown(p.Key, v.language.Code); translation != nil {
		return translation.Title
	}
	return p.Title
}
