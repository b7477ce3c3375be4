package page

import (
	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// groupTabs makes tabs of fences with tab=, and groups neighbouring tabs of any syntax. An expected
// output stays with the tab before it.
func groupTabs(p *site.Page, doc *ast.Document) (diags diag.List) {
	fenceTabs(doc)
	var firsts []*markdown.Tab
	var groups []*markdown.Tabs
	for n := range markdown.Nodes(doc) {
		switch n := n.(type) {
		case *markdown.Tabs:
			groups = append(groups, n)
		case *markdown.Tab:
			_, grouped := n.Parent().(*markdown.Tabs)
			if _, follows := n.PreviousSibling().(*markdown.Tab); !grouped && (!follows || n.Apart) {
				firsts = append(firsts, n)
			}
			if title, ok := n.FirstChild().(*markdown.TabTitle); ok {
				n.Title = p.PlainText(title)
			}
		}
	}
	for _, g := range groups {
		diags.Add(onlyTabs(p.Source, g)...)
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
	return diags
}

// fenceTabs moves fences with tab= into tabs.
func fenceTabs(doc *ast.Document) {
	var fences []*site.Fence
	for n := range markdown.Nodes(doc) {
		if f, ok := n.(*site.Fence); ok && f.Tab != "" {
			fences = append(fences, f)
		}
	}
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

// onlyTabs keeps only tabs in a group that the author marked. What precedes the first tab is moved
// before the group, the rest into the preceding tab.
func onlyTabs(file *diag.File, group *markdown.Tabs) (diags diag.List) {
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
		at := file.Line(group.Pos())
		diags.Add(file.Warning(group.Pos(), file.Offset(at, 1)+len(file.Text(at)), diag.Say("page.tabs-empty")))
		group.Parent().RemoveChild(group.Parent(), group)
	}
	return diags
}

// nameHeadings appends the tab's title to a heading in a tab, in the page's list of headings, if
// another heading has the same text.
func nameHeadings(headings []site.Heading, nodes []*ast.Heading) {
	alike := map[string]int{}
	for _, h := range headings {
		alike[h.Text]++
	}
	tabs := map[string]string{} // by id of the heading
	for _, n := range nodes {
		for a := n.Parent(); a != nil; a = a.Parent() {
			if t, ok := a.(*markdown.Tab); ok {
				tabs[markdown.ID(n)] = t.Title
				break
			}
		}
	}
	for i, h := range headings {
		if tab := tabs[h.ID]; tab != "" && alike[h.Text] > 1 {
			headings[i].Text += " (" + tab + ")"
		}
	}
}
