package content

import (
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

// tags are shown below the page's title. In text Obsidian writes them with a #.
func (r *frontMatterReader) tags(n ast.Node) {
	r.texts(n)
	for _, tag := range words(n) {
		r.fm.tags = append(r.fm.tags, strings.TrimPrefix(tag, "#"))
	}
}

// aliases are further names of the page. In front matter of Hugo they are addresses.
func (r *frontMatterReader) aliases(n ast.Node) {
	r.texts(n)
	for _, name := range words(n) {
		if strings.HasPrefix(name, "/") {
			t := n.GetToken()
			begin := r.file.Offset(t.Position.Line+1, t.Position.Column)
			if i := strings.Index(string(r.file.Data[begin:]), name); i >= 0 {
				begin += i
			}
			r.diags.Add(r.file.Warning(begin, begin+len(name), diag.Say("the alias %q looks like an address; aliases are names", name), diag.Say("an address that the page had stands in redirect_from")))
		}
		r.fm.aliases = append(r.fm.aliases, name)
	}
}

// texts wants a text, or a list of such, but in Obsidian's notes: there people may
// write what they like in a property.
func (r *frontMatterReader) texts(n ast.Node) {
	if r.fm.dialects.Has(markdown.Obsidian) {
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
		r.diags.Add(r.file.Warning(begin, begin+len(t.Value), diag.Say("a text is expected here, and what this is is left out"), diag.Say("write a list of texts: [a, b]")))
	}
}

// words reads a list, or a text with commas; what is no text is none.
func words(n ast.Node) (list []string) {
	add := func(s string) {
		if s = strings.TrimSpace(oneLine(s)); s != "" {
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
