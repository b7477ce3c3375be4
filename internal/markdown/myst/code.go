package myst

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

// cellLanguages are the directives of cells that are named like a language.
var cellLanguages = map[string]bool{"python": true, "bash": true, "r": true, "julia": true}

// codeDirectives are directives of code.
var codeDirectives = map[string]directive{
	"code": {true, codeBlock}, "code-block": {true, codeBlock}, "sourcecode": {true, codeBlock},
	"code-cell": {true, codeCell}, "python": {true, codeCell}, "bash": {true, codeCell}, "r": {true, codeCell}, "julia": {true, codeCell},
	"mermaid": {true, diagram},
}

// kernelLanguages are the names that kernels have for a language.
var kernelLanguages = map[string]string{"ipython": "python", "ipython2": "python", "ipython3": "python", "python3": "python",
	"xpython": "python", "ir": "r"}

// fence returns the body of the directive as code, with a language.
func (d *Directive) fence(language markdown.Span) *ast.FencedCodeBlock {
	var info *ast.Text
	if language.Start < language.Stop {
		info = ast.NewTextSegment(segment(language))
	}
	d.fenced = true
	n := ast.NewFencedCodeBlock(info)
	n.SetPos(d.Opening.Start)
	n.SetLines(d.Lines())
	if d.Lines().Len() == 0 && d.Closing.Stop > 0 { // so that the fence ends after its options
		before := bytes.LastIndexByte(d.source[:d.Closing.Start], '\n')
		n.Lines().Append(text.NewSegment(before, before))
	}
	return n
}

func codeBlock(d *Directive) ast.Node {
	language, _, _ := strings.Cut(d.argument(), " ")
	n := d.fence(markdown.Span{Start: d.Argument.Start, Stop: d.Argument.Start + len(language)})
	markdown.SetCodeInfo(n, &markdown.CodeInfo{Stop: d.Closing.Stop, Language: language, Attributes: d.codeAttributes()})
	return d.captioned(n, "")
}

// diagram returns code that is drawn, in a figure if it has a caption or a label.
func diagram(d *Directive) ast.Node {
	n := d.captioned(d.fence(d.NameAt), "")
	if f, ok := n.(*markdown.Figure); ok {
		f.Of = markdown.Image
	}
	return n
}

// codeCell returns a cell of a notebook, https://myst-nb.readthedocs.io/en/latest/authoring/text-notebooks.html.
func codeCell(d *Directive) ast.Node {
	at := d.Argument
	if d.Name != "code-cell" {
		at = d.NameAt
	}
	word, _, _ := strings.Cut(d.value(at), " ")
	at.Stop = at.Start + len(word)
	language := cmp.Or(strings.ToLower(word), markdown.FrontMatterOf(d.pc).CellLanguage, "python")
	if l := kernelLanguages[language]; l != "" {
		language = l
	}
	info := &markdown.CodeInfo{Stop: d.Closing.Stop, Language: language, Attributes: d.codeAttributes(), Cell: true}
	tags := append(d.list("tags"), d.list("tag")...)
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return slices.Contains(tags, name) || d.flag(name) })
	}
	n := d.fence(at)
	if count := strings.Count(string(d.Lines().Value(d.source)), "\n"); count > 0 &&
		has("hide-input", "hide-cell", "remove-input", "remove-cell", "hide_input", "remove_input", "remove_cell") {
		info.Attributes = append(info.Attributes, d.attribute("hide", fmt.Sprintf("1-%d", count)))
	}
	switch {
	case has("skip-execution"), markdown.FrontMatterOf(d.pc).SkipCells:
		info.Cell = false
	case has("raises-exception") && language == "python":
		info.Attributes = append(info.Attributes, d.attribute("exit", "1"))
	}
	markdown.SetCodeInfo(n, info)
	return d.captioned(n, "mystnb.figure.")
}

// attribute returns an attribute of code that the directive implies.
func (d *Directive) attribute(name, value string) markdown.Attribute {
	return markdown.Attribute{Span: d.NameAt, Name: name, Value: value, HasValue: value != ""}
}

var (
	lineRanges = lazyregexp.New(`^[1-9]\d{0,5}(-[1-9]\d{0,5})?(\s*[, ]\s*[1-9]\d{0,5}(-[1-9]\d{0,5})?)*$`)
	lineNumber = lazyregexp.New(`^[1-9]\d{0,5}$`)
)

// codeAttributes returns the options that say how code is shown.
func (d *Directive) codeAttributes() (list []markdown.Attribute) {
	numbers := ""
	for _, name := range []string{"lineno-start", "number-lines"} {
		if v := d.option(name); lineNumber.MatchString(v) {
			numbers = v
		}
	}
	if numbers != "" || d.flag("linenos") || d.flag("number-lines") || d.flag("lineno-start") {
		list = append(list, d.attribute("numbers", numbers))
	}
	if lines := d.option("emphasize-lines"); lineRanges.MatchString(lines) {
		list = append(list, d.attribute("hl_lines", lines))
	}
	if title := d.option("filename"); title != "" && title != "false" {
		list = append(list, d.attribute("title", title))
	}
	return list
}

// captioned returns code, in a figure if it has a caption or a label. The options of the figure that a cell
// makes have names with a prefix.
func (d *Directive) captioned(n ast.Node, prefix string) ast.Node {
	f := &markdown.Figure{Of: markdown.Listing, ID: d.label()}
	caption, _ := d.find("caption")
	if c, has := d.find(prefix + "caption"); has && prefix != "" {
		caption, f.Of = c, markdown.Image
	}
	if name := d.option(prefix + "name"); name != "" && prefix != "" {
		f.ID, f.Of = labelOf(name), markdown.Image
	}
	if f.ID == "" && len(caption.Lines) == 0 {
		return n
	}
	f.AppendChild(f, n)
	f.AddCaption(caption.Lines, d.source)
	return f
}
