package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"golang.org/x/net/html"

	"github.com/gpudocs/gpudocs/internal/markdown/rawhtml"
)

// InlineEnds finds the elements that raw HTML opens in a paragraph and does not close in it. For
// example, <b> would make everything after it bold.
type InlineEnds struct {
	block ast.Node
	// order numbers the pieces of raw HTML in the block. last is the number of the last end tag of
	// each name.
	order map[ast.Node]int
	last  map[string]int
}

// Lacks returns the element that a piece of raw HTML opens and its block does not close.
func (e *InlineEnds) Lacks(n *ast.RawHTML, raw, source []byte) (name string, lacks bool) {
	z := html.NewTokenizer(bytes.NewReader(raw))
	if z.Next() != html.StartTagToken {
		return "", false
	}
	tag, _ := z.TagName()
	if name = string(tag); rawhtml.Void(name) {
		return "", false
	}
	block := n.Parent()
	for block.Type() == ast.TypeInline {
		block = block.Parent()
	}
	if e.block != block { // once for each block, not for each tag
		e.block, e.order, e.last = block, map[ast.Node]int{}, map[string]int{}
		for _, raw := range Find[*ast.RawHTML](block) {
			e.order[raw] = len(e.order)
			first := raw.Segments.At(0)
			if end, ok := bytes.CutPrefix(first.Value(source), []byte("</")); ok {
				end, _, _ = bytes.Cut(bytes.TrimRight(end, "> \t\r\n"), []byte(" "))
				e.last[strings.ToLower(string(end))] = len(e.order)
			}
		}
	}
	return name, e.last[name] <= e.order[n]+1
}

// HTMLGoesOn reports whether more raw HTML follows directly.
func HTMLGoesOn(n ast.Node, source []byte) bool {
	if n == nil {
		return false
	}
	for next := n.NextSibling(); next != nil; next = next.NextSibling() {
		switch next := next.(type) {
		case *ast.HTMLBlock, *ast.RawHTML:
			return true
		case *Element:
			return next.Name == "td" || next.Name == "th"
		case *ast.Text:
			if len(bytes.TrimSpace(next.Segment.Value(source))) == 0 {
				continue
			}
		}
		return false
	}
	return false
}
