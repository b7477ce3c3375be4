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
			begin, _ := r.place(n.GetToken())
			if i := strings.Index(string(r.file.Data[begin:]), name); i >= 0 {
				begin += i
			}
			r.diags.Add(r.file.Warning(begin, begin+len(name), diag.Say("links.alias-is-address", "name", name)))
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
	for _, n := range items(n) {
		if _, ok := scalar(n); !ok && n.Type() != ast.NullType {
			r.warn(n, diag.Say("links.frontmatter-text-expected"))
		}
	}
}

// textList reads a list, or a text with commas. Values that are not texts are left out.
func textList(n ast.Node) (list []string) {
	var texts []string
	for _, n := range items(n) {
		if s, ok := scalar(n); ok {
			texts = append(texts, s)
		}
	}
	if s, ok := n.(*ast.StringNode); ok {
		texts = strings.Split(s.Value, ",")
	}
	for _, s := range texts {
		if s = strings.TrimSpace(site.OneLine(s)); s != "" {
			list = append(list, s)
		}
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

// lesson reads the keys of the Carpentries' lessons. Questions, objectives and key points of older lessons are text of the
// page.
func (r *reader) lesson(v *ast.MappingValueNode) (known bool) {
	key := v.Key.GetToken()
	switch key.Value {
	case "teaching", "exercises", "start", "source", "layout", "root", "permalink", "editor_options", "site", "output", "subtitle", "keywords":
		return true
	case "questions", "objectives", "keypoints":
	default:
		return false
	}
	begin, _ := r.place(key)
	line := r.file.Line(begin) + 1
	for text := r.file.Text(line); text != "" && strings.Contains(" -", text[:1]) && text != "---"; text = r.file.Text(line) {
		line++
	}
	r.kept = append(r.kept, markdown.Span{Start: begin, Stop: r.file.Offset(line, 1)})
	return true
}
