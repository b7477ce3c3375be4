package d2l

import (
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

// DefaultFramework is the tab of code that names none, on a page with tabs. It is the first
// framework of the books of d2l.ai.
const DefaultFramework = "mxnet"

// frameworks makes tabs of
//
//	```{.python .input  n=4}
//	#@tab pytorch
//	import torch
//	```
//
// and of the newer %%tab pytorch. Neighbours form a group, in which all text and code for one
// framework is one tab, as https://github.com/d2l-ai/d2l-book/blob/master/d2lbook/notebook.py
// merges them. Code for all frameworks stays outside of tabs. #@save stays, as on d2l.ai: it is a
// comment that the books' text mentions.
type frameworks struct {
	// each copies code for several frameworks into the tab of each, to run there.
	each bool
}

// TabAttribute is the attribute of a fence's node that holds the name of its tab.
const TabAttribute = "gpudocs.tab"

var (
	tabLine   = lazyregexp.New(`^(?:# *@tab|%%tab)[ \t]+([\w, ]+?)[ \t]*\r?\n?$`)
	inputInfo = lazyregexp.New(`\{[^}]*\.input\b`)
)

// Transform implements parser.ASTTransformer.
func (f frameworks) Transform(doc *ast.Document, reader text.Reader, _ parser.Context) {
	p := frameworkPage{source: reader.Source(), each: f.each, tabs: map[ast.Node]*markdown.Tab{}}
	for n := range markdown.Nodes(doc) {
		switch n := n.(type) {
		case *markdown.Tab:
			if len(n.Names) > 0 {
				p.tabs[n] = n
				p.addNames(n)
			}
		case *ast.FencedCodeBlock:
			p.fence(n)
		}
	}
	if !p.marked { // a notebook of one framework
		p.unmarked = nil
	}
	for _, n := range p.unmarked {
		p.tabs[n] = &markdown.Tab{}
		setFrameworks(p.tabs[n], []string{DefaultFramework})
		p.addNames(p.tabs[n])
	}
	for _, n := range p.all {
		if f.each && len(p.names) > 0 {
			setFrameworks(p.tabs[n], p.names)
			continue
		}
		delete(p.tabs, n)
	}
	p.group(doc)
}

// A frameworkPage describes the frameworks on one page.
type frameworkPage struct {
	source []byte
	each   bool
	// tabs are the tabs of the page's blocks. marked is set if any code names one.
	tabs   map[ast.Node]*markdown.Tab
	marked bool
	// all is the code for all frameworks, unmarked the code that names none.
	all, unmarked []*ast.FencedCodeBlock
	// names are the frameworks of the page, in order of appearance.
	names []string
}

func (p *frameworkPage) addNames(t *markdown.Tab) {
	for _, name := range t.Names {
		if !slices.Contains(p.names, name) {
			p.names = append(p.names, name)
		}
	}
}

// fence removes the line that names the tab from the code.
func (p *frameworkPage) fence(n *ast.FencedCodeBlock) {
	input := n.Info != nil && inputInfo.Match(n.Info.Segment.Value(p.source))
	var m []string
	if n.Lines().Len() > 0 {
		first := n.Lines().At(0)
		m = tabLine.FindStringSubmatch(string(first.Value(p.source)))
	}
	if m == nil {
		if input {
			p.unmarked = append(p.unmarked, n)
		}
		return
	}
	first := n.Lines().At(0)
	mark := strings.TrimRight(string(first.Value(p.source)), " \t\r\n")
	t := &markdown.Tab{Opening: markdown.Span{Start: first.Start, Stop: first.Start + len(mark)}}
	t.SetPos(n.Pos())
	setFrameworks(t, frameworkNames(m[1]))
	p.tabs[n] = t
	code := text.NewSegments()
	code.AppendAll(n.Lines().Sliced(1, n.Lines().Len()))
	if code.Len() == 0 { // so that the block keeps its position
		code.Append(text.NewSegment(first.Stop, first.Stop))
	}
	n.SetLines(code)
	p.marked = true
	if slices.Equal(t.Names, []string{"all"}) {
		p.all = append(p.all, n)
		return
	}
	p.addNames(t)
}

// group makes tabs of all runs of blocks with a tab among the children of n.
func (p *frameworkPage) group(n ast.Node) {
	for c := n.FirstChild(); c != nil; {
		if p.tabs[c] == nil {
			p.group(c)
			c = c.NextSibling()
			continue
		}
		var run []ast.Node
		next := c
		for ; next != nil && p.tabs[next] != nil; next = next.NextSibling() {
			run = append(run, next)
		}
		for len(run) > 0 {
			run = p.tabGroup(n, run)
		}
		c = next
	}
}

// tabGroup makes a group of the first blocks of a run, and returns those that cannot join it,
// because they are for two tabs of which the group has only one.
func (p *frameworkPage) tabGroup(parent ast.Node, run []ast.Node) (rest []ast.Node) {
	group := &markdown.Tabs{}
	group.SetPos(run[0].Pos())
	parent.InsertBefore(parent, run[0], group)
	for i, n := range run {
		for _, part := range p.parts(n) {
			t := sameNames(group, part.tab)
			if t == nil && overlaps(group, part.tab) {
				return run[i:]
			}
			if t == nil {
				t = part.tab
				if t != n { // of a fence
					group.AppendChild(group, t)
				}
			}
			p.join(group, t, part.block)
		}
	}
	return nil
}

// A part is a block and its tab.
type part struct {
	tab   *markdown.Tab
	block ast.Node
}

// parts returns several for code that runs in several frameworks.
func (p *frameworkPage) parts(n ast.Node) []part {
	t := p.tabs[n]
	fence, ok := n.(*ast.FencedCodeBlock)
	if !ok {
		return []part{{t, n}}
	}
	if !p.each || len(t.Names) == 1 {
		fence.SetAttributeString(TabAttribute, t.Names[0])
		return []part{{t, n}}
	}
	var list []part
	for i, name := range t.Names {
		tab, block := &markdown.Tab{Opening: t.Opening}, fence
		setFrameworks(tab, []string{name})
		tab.SetPos(n.Pos())
		if i > 0 {
			block = ast.NewFencedCodeBlock(fence.Info)
			block.SetLines(fence.Lines())
			block.SetPos(fence.Pos())
		}
		block.SetAttributeString(TabAttribute, name)
		list = append(list, part{tab, block})
	}
	return list
}

// join moves a block into a tab. Of a tab of text, all children are moved.
func (p *frameworkPage) join(group *markdown.Tabs, t *markdown.Tab, block ast.Node) {
	if block == ast.Node(t) {
		group.AppendChild(group, t)
		return
	}
	if text, ok := block.(*markdown.Tab); ok {
		markdown.MoveChildren(text, t)
		text.Parent().RemoveChild(text.Parent(), text)
		return
	}
	t.AppendChild(t, block)
}

// sameNames returns the tab of a group that has exactly the names of t.
func sameNames(group *markdown.Tabs, t *markdown.Tab) *markdown.Tab {
	for c := group.FirstChild(); c != nil; c = c.NextSibling() {
		if slices.Equal(c.(*markdown.Tab).Names, t.Names) {
			return c.(*markdown.Tab)
		}
	}
	return nil
}

// overlaps reports whether a tab of the group has one of the names of t.
func overlaps(group *markdown.Tabs, t *markdown.Tab) bool {
	for c := group.FirstChild(); c != nil; c = c.NextSibling() {
		if slices.ContainsFunc(c.(*markdown.Tab).Names, func(name string) bool { return slices.Contains(t.Names, name) }) {
			return true
		}
	}
	return false
}

// JoinFrameworks merges a group of tabs into the group of frameworks before it, as if no cell of a
// notebook ended between them. It reports whether it could.
func JoinFrameworks(group, more *markdown.Tabs) bool {
	named := func(t *markdown.Tabs) bool {
		for c := t.FirstChild(); c != nil; c = c.NextSibling() {
			if tab, ok := c.(*markdown.Tab); !ok || len(tab.Names) == 0 {
				return false
			}
		}
		return t.HasChildren()
	}
	if !named(group) || !named(more) {
		return false
	}
	for c := more.FirstChild(); c != nil; c = c.NextSibling() {
		if t := c.(*markdown.Tab); sameNames(group, t) == nil && overlaps(group, t) {
			return false
		}
	}
	for c := more.FirstChild(); c != nil; c = more.FirstChild() {
		t := sameNames(group, c.(*markdown.Tab))
		if t == nil {
			group.AppendChild(group, c)
			continue
		}
		markdown.MoveChildren(c, t)
		more.RemoveChild(more, c)
	}
	return true
}
