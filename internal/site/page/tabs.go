package page

import (
	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// groupTabs makes tabs of fences with tab=, and groups neighbouring tabs of any syntax. An expected
// output stays with the tab before it.
func (p *pageParser) groupTabs() {
	p.fenceTabs()
	var firsts []*markdown.Tab
	var groups []*markdown.Tabs
	_ = ast.Walk(p.doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *markdown.Tabs:
			if entering {
				groups = append(groups, n)
			}
		case *markdown.Tab:
			if _, in := n.Parent().(*markdown.Tabs); entering && !in && beginsGroup(n) {
				firsts = append(firsts, n)
			}
			if title, ok := n.FirstChild().(*markdown.TabTitle); ok && entering {
				n.Title = p.page.PlainText(title)
			}
		}
		return ast.WalkContinue, nil
	})
	for _, g := range groups {
		p.onlyTabs(g)
	}
	for _, first := range firsts {
		group := &markdown.Tabs{}
		group.SetPos(first.Pos())
		first.Parent().InsertBefore(first.Parent(), first, group)
		for t, ok := first, true; ok && (t == first || !t.Apart); {
			next := t.NextSibling()
			group.AppendChild(group, t)
			t, ok = next.(*markdown.Tab)
		}
	}
}

// fenceTabs moves fences with tab= into tabs.
func (p *pageParser) fenceTabs() {
	var fences []*site.Fence
	_ = ast.Walk(p.doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if f, ok := n.(*site.Fence); ok && entering && f.Tab != "" {
			fences = append(fences, f)
		}
		return ast.WalkContinue, nil
	})
	for _, f := range fences {
		tab := &markdown.Tab{Title: f.Tab}
		tab.SetPos(f.Pos())
		f.Parent().InsertBefore(f.Parent(), f, tab)
		next := f.NextSibling()
		tab.AppendChild(tab, f)
		for e, ok := next.(*site.Fence); ok && e.Tab == "" && e.Expect != nil; e, ok = next.(*site.Fence) {
			next = e.NextSibling()
			tab.AppendChild(tab, e)
		}
	}
}

func beginsGroup(t *markdown.Tab) bool {
	_, later := t.PreviousSibling().(*markdown.Tab)
	return !later || t.Apart
}

// onlyTabs keeps only tabs in a group that the author marked. What precedes the first tab is moved
// before the group, the rest into the preceding tab.
func (p *pageParser) onlyTabs(group *markdown.Tabs) {
	var last *markdown.Tab
	for n := group.FirstChild(); n != nil; {
		next := n.NextSibling()
		tab, ok := n.(*markdown.Tab)
		switch {
		case ok:
			last = tab
		case last != nil:
			last.AppendChild(last, n)
		default:
			group.Parent().InsertBefore(group.Parent(), group, n)
		}
		n = next
	}
	if last == nil {
		at := p.file.Line(group.Pos())
		p.diags.Add(p.file.Warning(group.Pos(), p.file.Offset(at, 1)+len(p.file.Text(at)), diag.Say("page.group-tabs-without-tab"), diag.Say("page.group-tabs-without-tab-hint")))
		group.Parent().RemoveChild(group.Parent(), group)
	}
}

// nameHeadings appends the tab's title to a heading in a tab, in the list of the page's headings,
// if another heading has the same text.
func (p *pageParser) nameHeadings(nodes []*ast.Heading) {
	alike := map[string]int{}
	for _, h := range p.page.Headings {
		alike[h.Text]++
	}
	tabs := map[string]string{} // by id of the heading
	for _, n := range nodes {
		id, _ := n.AttributeString("id")
		for a := n.Parent(); a != nil; a = a.Parent() {
			if t, ok := a.(*markdown.Tab); ok {
				tabs[string(id.([]byte))] = t.Title
				break
			}
		}
	}
	for i, h := range p.page.Headings {
		if tab := tabs[h.ID]; tab != "" && alike[h.Text] > 1 {
			p.page.Headings[i].Text += " (" + tab + ")"
		}
	}
}
