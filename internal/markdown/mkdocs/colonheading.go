package mkdocs

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

// colonHeading reads the attributes after a heading in the form of Python-Markdown:
//
//	## Title {: #id .class }
//
// https://python-markdown.github.io/extensions/attr_list/. Those without the colon are available on
// every page.
type colonHeading struct{ parser.BlockParser }

// Close implements parser.BlockParser: it cuts the attributes off the line before its inline text
// is parsed.
func (p colonHeading) Close(node ast.Node, reader text.Reader, pc parser.Context) {
	p.BlockParser.Close(node, reader, pc)
	if node.Lines().Len() == 0 {
		return
	}
	s := node.Lines().At(0)
	line := s.Value(reader.Source())
	rest, a := markdown.TrailingAttributes(line)
	if len(rest) == len(line) || !bytes.HasPrefix(line[len(rest):], []byte("{:")) {
		return
	}
	markdown.Identify(node, a.ID, a.Classes)
	node.Lines().Set(0, s.WithStop(s.Start+len(bytes.TrimRight(rest, " \t"))))
}
