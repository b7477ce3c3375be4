package content

import (
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// obsidian reads the properties of Obsidian's notes that mean something on a site,
// https://help.obsidian.md/properties, and accepts those that mean none. A note that
// is not to be published is a draft.
func (r *frontMatterReader) obsidian(v *ast.MappingValueNode) (known bool) {
	switch v.Key.GetToken().Value {
	case "tags", "tag":
		for _, tag := range words(v.Value) {
			r.fm.tags = append(r.fm.tags, strings.TrimPrefix(tag, "#"))
		}
	case "aliases", "alias":
		r.fm.aliases = append(r.fm.aliases, words(v.Value)...)
	case "publish":
		b, ok := v.Value.(*ast.BoolNode)
		r.fm.unpublished = ok && !b.Value
	case "permalink", "cssclasses", "cssclass":
	default:
		return false
	}
	return true
}

// words reads a list, or a text with commas. Obsidian lets people write what they
// like in a property; what is no text is none.
func words(n ast.Node) (list []string) {
	add := func(s string) {
		if s = strings.TrimSpace(s); s != "" {
			list = append(list, s)
		}
	}
	switch n := n.(type) {
	case *ast.SequenceNode:
		for _, v := range n.Values {
			switch v := v.(type) {
			case *ast.StringNode:
				add(v.Value)
			case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
				add(v.GetToken().Value)
			}
		}
	case *ast.StringNode:
		for s := range strings.SplitSeq(n.Value, ",") {
			add(s)
		}
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		add(n.GetToken().Value)
	}
	return list
}
