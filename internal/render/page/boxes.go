package page

import (
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/site"
)

// A boxWriter writes containers: callouts, tabs, elements with Markdown in them.
type boxWriter struct {
	*writer
	// tabs counts groups of tabs, for ids.
	tabs int
}

func (v *boxWriter) callout(w util.BufWriter, source []byte, n ast.Node) error {
	c := n.(*markdown.Callout)
	kind, _ := c.Display()
	view := theme.CalloutView{
		Kind: kind, ID: stringAttribute(n, "id"), Classes: stringAttribute(n, "class"),
		Fold: c.Fold != markdown.NoFold, Open: c.Fold == markdown.Unfolded, T: v.t,
	}
	if c.Withheld && v.Page.SolutionsAfter.IsZero() { // without a word, but links to it lead here
		_, err := w.WriteString(`<div id="` + attribute(view.ID) + "\"></div>\n")
		return err
	}
	if c.Statement {
		view.Kind = markdown.Statement(c.Name)
		view.Classes = strings.TrimSpace("statement " + c.Name + " " + view.Classes)
	}
	var err error
	title, titled := n.FirstChild().(*markdown.CalloutTitle)
	if titled {
		view.Title, err = v.within(source, title)
	}
	switch {
	case c.Statement:
		view.Title = v.statementTitle(c, view.Title)
		view.See = v.seeAlso(c)
	case !titled && !c.Plain:
		view.Title = template.HTML(attribute(v.NameOf(v.Page, c)))
	}
	if err == nil {
		view.Body, err = v.within(source, n)
	}
	if err != nil {
		return err
	}
	if c.Withheld {
		day := v.t.Date(v.Page.SolutionsAfter)
		view.Fold, view.Body = false, template.HTML("<p>"+attribute(v.t.Get("solution_comes", "date", day))+"</p>\n")
	}
	return v.part(w, "callout", view)
}

// seeAlso returns the links from an exercise to its solutions, and from a solution to its exercise.
func (v *boxWriter) seeAlso(c *markdown.Callout) (links []theme.Link) {
	name := v.t.Get("callout_" + markdown.Solution)
	for i, id := range c.Solutions {
		l := theme.Link{Title: name, URL: v.address(site.Target{Page: v.Page, Suffix: "#" + id})}
		if len(c.Solutions) > 1 {
			l.Title += " " + strconv.Itoa(i+1)
		}
		links = append(links, l)
	}
	if exercise := c.Exercise(); exercise != nil {
		r, text := v.Reference(exercise, v.links)
		if address := v.address(r.Target); address != "" {
			links = append(links, theme.Link{Title: text, URL: address})
		}
	}
	return links
}

// statementTitle returns the name of a statement with its number, and the title of the author. A solution in
// its exercise needs only one of the two.
func (v *boxWriter) statementTitle(c *markdown.Callout, title template.HTML) template.HTML {
	name := v.NameOf(v.Page, c)
	if title != "" && c.Name == markdown.Solution && c.Exercise() == nil {
		return title
	}
	if title == "" {
		return template.HTML(attribute(name))
	}
	return template.HTML(attribute(name)) + " (" + title + ")"
}

// grid writes its children beside each other.
func (v *boxWriter) grid(w util.BufWriter, source []byte, n ast.Node) error {
	class := "grid-auto"
	if columns := n.(*markdown.Grid).Columns; columns > 0 {
		class = fmt.Sprintf("grid-columns grid-%d", min(columns, 12))
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if card, ok := c.(*markdown.Card); ok && card.Twelfths > 0 {
			class = "grid-twelfths"
		}
	}
	return v.div(w, source, n, class)
}

func (v *boxWriter) card(w util.BufWriter, source []byte, n ast.Node) error {
	c, class := n.(*markdown.Card), "grid-card"
	if c.Plain {
		class = "grid-column"
	}
	if c.Linked {
		class += " grid-linked"
	}
	if c.Twelfths > 0 {
		class += fmt.Sprintf(" grid-span-%d", min(c.Twelfths, 12))
	}
	return v.div(w, source, n, class)
}

func (v *boxWriter) cardPart(w util.BufWriter, source []byte, n ast.Node) error {
	return v.div(w, source, n, "grid-"+n.(*markdown.CardPart).Name)
}

// div writes a block in a <div> with a class, and the id and classes of the author.
func (v *boxWriter) div(w util.BufWriter, source []byte, n ast.Node, class string) error {
	_, _ = w.WriteString(`<div class="` + attribute(strings.TrimSpace(class+" "+stringAttribute(n, "class"))) + `"`)
	if id := stringAttribute(n, "id"); id != "" {
		_, _ = w.WriteString(` id="` + attribute(id) + `"`)
	}
	_, _ = w.WriteString(">\n")
	err := v.element(w, source, n)
	_, _ = w.WriteString("</div>\n")
	return err
}

// stringAttribute returns an attribute that the author gave a block.
func stringAttribute(n ast.Node, name string) string {
	value, _ := n.AttributeString(name)
	b, _ := value.([]byte)
	return string(b)
}

func (v *boxWriter) tabGroup(w util.BufWriter, source []byte, n ast.Node) error {
	v.tabs++
	view := theme.TabsView{ID: fmt.Sprintf("_tabs.%d", v.tabs), Anchor: stringAttribute(n, "id"), T: v.t}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		tab, err := v.tab(c.(*markdown.Tab), fmt.Sprintf("%s.%d", view.ID, len(view.Tabs)+1), source)
		if err != nil {
			return err
		}
		view.Tabs = append(view.Tabs, tab)
	}
	selected := max(0, slices.IndexFunc(view.Tabs, func(t theme.TabView) bool { return t.Selected }))
	for i := range view.Tabs {
		view.Tabs[i].Selected = i == selected
	}
	return v.part(w, "tabs", view)
}

func (v *boxWriter) tab(n *markdown.Tab, id string, source []byte) (t theme.TabView, err error) {
	t = theme.TabView{ID: id, Anchor: stringAttribute(n, "id"), Title: n.Title, Label: template.HTML(attribute(n.Title)), Selected: n.Selected}
	if title, ok := n.FirstChild().(*markdown.TabTitle); ok {
		if t.Label, err = v.within(source, title); err != nil {
			return t, err
		}
	}
	t.Body, err = v.within(source, n)
	return t, err
}

// container writes containers without a node type of their own.
func (v *boxWriter) container(w util.BufWriter, source []byte, n ast.Node) error {
	c := n.(*markdown.Container)
	if c.Name == "machines" {
		return v.part(w, "machines", v.Results.Table())
	}
	if c.Name == "my-gpu" {
		return v.part(w, "my-gpu", theme.MyGPUView{T: v.t})
	}
	if c.Tag == "" {
		return v.element(w, source, n)
	}
	v.writeRaw(w, nil, source, []byte(c.Tag))
	if err := v.element(w, source, n); err != nil {
		return err
	}
	v.writeRaw(w, n, source, []byte("</"+c.Element+">\n"))
	return nil
}

// element writes an HTML element with Markdown in it.
func (v *boxWriter) element(w util.BufWriter, source []byte, n ast.Node) error {
	body, err := v.within(source, n)
	if err == nil {
		_, err = w.WriteString(string(body) + "\n")
	}
	return err
}
