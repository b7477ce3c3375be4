package importer

import (
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

// obsidianKeys are those of Obsidian that gpudocs has under another name,
// https://help.obsidian.md/properties.
var obsidianKeys = map[string]string{"tag": "tags", "alias": "aliases", "publish": "draft"}

// keys turns the front matter's keys of other tools. One that gpudocs does not know
// becomes a comment, for a tool that is still in use may want it back.
func (p *page) keys() {
	data := p.src.data
	end := frontEnd(data)
	if end == 0 || end > maxNav || p.options.Keys == nil {
		return
	}
	lines := linesOf(data[:end])
	doc, err := parser.ParseBytes(data[lines[0].next:end], 0)
	if err != nil || len(doc.Docs) != 1 { // the build says what is wrong
		return
	}
	top, ok := doc.Docs[0].Body.(*ast.MappingNode)
	if !ok || top.IsFlowStyle {
		return
	}
	has := func(key string) bool {
		return slices.ContainsFunc(top.Values, func(v *ast.MappingValueNode) bool { return v.Key.GetToken().Value == key })
	}
	var edits []edit
	var unknown []string
	first := 0
	for i, v := range top.Values {
		from, to := v.Key.GetToken().Position.Line, len(lines)
		if i+1 < len(top.Values) {
			to = top.Values[i+1].Key.GetToken().Position.Line
		}
		name := v.Key.GetToken().Value
		if from >= to || to > len(lines) || slices.Contains(p.options.Keys, name) {
			continue
		}
		if own := obsidianKeys[name]; own != "" && p.options.Dialects.Has(markdown.Obsidian) && !has(own) && !slices.Contains(unknown, own) {
			if e, ok := p.renamed(lines[from], v, own); ok {
				edits = append(edits, e)
				continue
			}
		}
		if unknown = append(unknown, name); len(unknown) == 1 {
			first = from
		}
		for _, l := range lines[from:to] {
			if t := strings.TrimSpace(string(data[l.start:l.stop])); t != "" && t[0] != '#' {
				edits = append(edits, edit{l.start, l.start, "# "})
			}
		}
	}
	if len(unknown) > 0 {
		p.say(diag.Notice, lines[first].start, lines[first].stop, diag.Say("gpudocs does not know %s in the front matter, which becomes a comment", strings.Join(unknown, ", ")), diag.Text{})
	}
	p.src.apply(edits)
}

// renamed gives a key the name that gpudocs has for it. A note that is not to be
// published is a draft; one that is needs no word.
func (p *page) renamed(l line, v *ast.MappingValueNode, own string) (edit, bool) {
	text := string(p.src.data[l.start:l.stop])
	name := v.Key.GetToken().Value
	if !strings.HasPrefix(text, name) {
		return edit{}, false
	}
	if own == "draft" {
		if b, ok := v.Value.(*ast.BoolNode); !ok || b.Value {
			return edit{}, false
		}
		return edit{l.start, l.stop, "draft: true"}, true
	}
	return edit{l.start, l.start + len(name), own}, true
}
