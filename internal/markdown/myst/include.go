package myst

import (
	"cmp"
	"path"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

// includeDirectives are directives that show other files. An include of Markdown is a part of the text before it is
// parsed; what is left is an include of code, or of a file that could not be read.
var includeDirectives = map[string]directive{"include": {text: true, node: includeNode},
	"literalinclude": {text: true, node: literalInclude}}

// includeNode returns the code of a file or, of one that could not be included, the name as text.
func includeNode(d *Directive) ast.Node {
	if d.flag("literal") || d.option("lang") != "" || d.option("language") != "" || d.option("code") != "" {
		return literalInclude(d)
	}
	return paragraph(d.Argument)
}

// literalInclude returns the code of a file, in the language of the option or of the file's name.
func literalInclude(d *Directive) ast.Node {
	n := d.fence(markdown.Span{})
	info := &markdown.CodeInfo{Stop: d.Closing.Stop, Attributes: d.codeAttributes(), Part: markdown.FilePart{
		StartAt: d.option("start-at"), StartAfter: d.option("start-after"), EndAt: d.option("end-at"), EndBefore: d.option("end-before"),
	}}
	info.Language = cmp.Or(d.option("language"), d.option("lang"), d.option("code"), strings.TrimPrefix(path.Ext(d.argument()), "."))
	info.Attributes = append(info.Attributes, markdown.Attribute{Span: d.Argument, Name: "file", Value: d.argument(), HasValue: true})
	if lines, has := d.find("lines"); has {
		info.Attributes = append(info.Attributes, lines.Attribute)
	}
	if _, has := d.find("lineno-match"); has {
		info.Attributes = append(info.Attributes, d.attribute("numbers", ""))
	}
	markdown.SetCodeInfo(n, info)
	return d.captioned(n, "")
}
