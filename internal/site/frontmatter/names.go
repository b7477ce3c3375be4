package frontmatter

import (
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// tags reads the tags, which are shown below the page's title. In text Obsidian writes them with a
// #.
func (r *reader) tags(n ast.Node) {
	r.checkTexts(n)
	for _, tag := range textList(n) {
		r.fm.Tags = append(r.fm.Tags, strings.TrimPrefix(tag, "#"))
	}
}

// aliases reads further names of the page. In Hugo's front matter they are addresses.
func (r *reader) aliases(n ast.Node) {
	r.checkTexts(n)
	for _, name := range textList(n) {
		if strings.HasPrefix(name, "/") {
			t := n.GetToken()
			begin := r.file.Offset(t.Position.Line+1, t.Position.Column)
			if i := strings.Index(string(r.file.Data[begin:]), name); i >= 0 {
				begin += i
			}
			r.diags.Add(r.file.Warning(begin, begin+len(name), diag.Say("links.alias-is-address", "name", name), diag.Say("links.alias-is-address-hint")))
		}
		r.fm.Aliases = append(r.fm.Aliases, name)
	}
}

// checkTexts warns of values that are neither a text nor a list of texts. In Obsidian's notes any
// value is accepted.
func (r *reader) checkTexts(n ast.Node) {
	if r.fm.Dialects.Has(markdown.Obsidian) {
		return
	}
	list := []ast.Node{n}
	if s, ok := n.(*ast.SequenceNode); ok {
		list = s.Values
	}
	for _, n := range list {
		switch n.(type) {
		case *ast.StringNode, *ast.LiteralNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.NullNode:
			continue
		}
		t := n.GetToken()
		begin := r.file.Offset(t.Position.Line+1, t.Position.Column)
		r.diags.Add(r.file.Warning(begin, begin+len(t.Value), diag.Say("links.frontmatter-text-expected"), diag.Say("links.frontmatter-text-expected-hint")))
	}
}

// textList reads a list, or a text with commas. Values that are not texts are left out.
func textList(n ast.Node) (list []string) {
	add := func(s string) {
		if s = strings.TrimSpace(site.OneLine(s)); s != "" {
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
	case *ast.LiteralNode:
		add(n.Value.Value)
	case *ast.StringNode:
		for s := range strings.SplitSeq(n.Value, ",") {
			add(s)
		}
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		add(n.GetToken().Value)
	}
	return list
}

// obsidian reads the properties of Obsidian's notes that matter for a site,
// https://help.obsidian.md/properties, and accepts the others without effect. A note with publish:
// false is a draft.
func (r *reader) obsidian(v *ast.MappingValueNode) (known bool) {
	switch v.Key.GetToken().Value {
	case "tag":
		r.tags(v.Value)
	case "alias":
		r.fm.Aliases = append(r.fm.Aliases, textList(v.Value)...)
	case "publish":
		b, ok := v.Value.(*ast.BoolNode)
		r.fm.Unpublished = ok && !b.Value
	case "permalink", "cssclasses", "cssclass":
	default:
		return false
	}
	return true
}
