package native

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

// citationParser reads [@key], also several separated by semicolons, as Pandoc does,
// https://pandoc.org/MANUAL.html#extension-citations.
type citationParser struct{}

// Trigger implements parser.InlineParser.
func (citationParser) Trigger() []byte { return []byte{'['} }

// maxCitation bounds the search for the closing bracket.
const maxCitation = 1000

var workForm = lazyregexp.New(`^([^@]*)@([\pL\pN_](?:[\pL\pN_:.#$%&+?<>~/-]*[\pL\pN_/])?)(?:[\s,]+(.*))?$`)

// Parse implements parser.InlineParser.
func (citationParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	line = line[:min(len(line), maxCitation)]
	end := bytes.IndexByte(line, ']')
	if end < 3 || !bytes.ContainsRune(line[:end], '@') || bytes.ContainsAny(line[1:end], "[`") {
		return nil
	}
	if end+1 < len(line) && (line[end+1] == '(' || line[end+1] == '[' || line[end+1] == ':') {
		return nil // a link, or the definition of one
	}
	c := &markdown.Citation{Span: markdown.Span{Start: segment.Start, Stop: segment.Start + end + 1}}
	for part := range strings.SplitSeq(string(line[1:end]), ";") {
		m := workForm.FindStringSubmatch(strings.TrimSpace(part))
		if m == nil || strings.HasSuffix(m[1], ".") || m[1] != "" && !strings.HasSuffix(m[1], " ") {
			return nil // an address: ana@example.org
		}
		c.Works = append(c.Works, markdown.Work{Key: m[2], Before: strings.TrimSpace(m[1]), After: strings.TrimSpace(m[3])})
	}
	block.Advance(end + 1)
	return c
}
