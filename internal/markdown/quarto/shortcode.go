package quarto

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/pandoc"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// shortcodeParser reads {{< name arguments >}}: https://quarto.org/docs/extensions/shortcodes.html. A file is
// included before the page is parsed, by package include of the site.
type shortcodeParser struct{}

// Trigger implements parser.InlineParser.
func (shortcodeParser) Trigger() []byte { return []byte{'{'} }

var (
	shortcodeForm = lazyregexp.New(`^\{\{\{?<[ \t]*(/\*)?[ \t]*([^\s<>{}]*)((?:"[^"\n]*"|'[^'\n]*'|[^"'>\n]|>[^}\n])*?)[ \t]*(?:\*/)?[ \t]*>\}\}\}?`)
	argumentForm  = lazyregexp.New(`([\w-]+=)?(?:"([^"]*)"|'([^']*)'|([^\s"']+))`)
)

// maxShortcode bounds a shortcode.
const maxShortcode = 2000

// Parse implements parser.InlineParser.
func (shortcodeParser) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, segment := block.PeekLine()
	if !bytes.HasPrefix(line, []byte("{{")) {
		return nil
	}
	end := bytes.Index(line[:min(len(line), maxShortcode)], []byte(">}}"))
	m := shortcodeForm.FindSubmatchIndex(line[:min(len(line), max(end+4, 0))])
	if m == nil {
		return nil
	}
	block.Advance(m[1])
	name := string(line[m[4]:m[5]])
	whole := text.NewSegment(segment.Start+m[4], segment.Start+max(m[7], m[5]))
	if m[2] >= 0 { // {{</* name */>}} is the text of a shortcode
		return code(whole)
	}
	var arguments, named []text.Segment
	for _, a := range argumentForm.FindAllSubmatchIndex(line[m[6]:m[7]], -1) {
		for i := 4; i < 10; i += 2 {
			value := text.NewSegment(segment.Start+m[6]+a[i], segment.Start+m[6]+a[i+1])
			switch {
			case a[i] < 0:
			case a[2] < 0:
				arguments = append(arguments, value)
			default:
				named = append(named, value)
			}
		}
	}
	arguments = append(arguments, named...)
	switch {
	case name == "pagebreak":
		return ast.NewString(nil)
	case name == "include": // of a file that package include has told is missing
		return code(whole)
	case len(arguments) == 0:
	case name == "meta", name == "var":
		return ast.NewTextSegment(arguments[0])
	case name == "kbd":
		m := &markdown.Marked{Element: "kbd"}
		m.SetPos(segment.Start)
		m.AppendChild(m, ast.NewTextSegment(arguments[0]))
		return m
	case name == "video", name == "embed":
		l := ast.NewLink()
		l.Destination = arguments[0].Value(block.Source())
		l.AppendChild(l, ast.NewTextSegment(arguments[0]))
		return l
	}
	pandoc.WarnOnce(pc, markdown.Span{Start: segment.Start, Stop: segment.Start + m[1]},
		diag.Say("markdown.shortcode-unknown", "name", name), diag.Say("markdown.shortcode-unknown-hint"))
	return code(whole)
}

func code(s text.Segment) ast.Node {
	n := ast.NewCodeSpan()
	n.AppendChild(n, ast.NewRawTextSegment(s))
	return n
}

// pageBreaks are lines that only matter on paper.
var pageBreaks = markdown.HiddenLines{First: `\{`, Form: lazyregexp.New(`^(?:\\(?:pagebreak|newpage|clearpage)|\{\{<[ \t]*pagebreak[ \t]*>\}\})$`)}
