package mkdocs

import (
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A CodeInclude is {* path/file.py ln[1:5,10] hl[2] title["app/file.py"] *}, which shows the code
// of a file. FastAPI's docs use it with https://pypi.org/project/markdown-include-variants/.
type CodeInclude struct {
	markdown.BlockNode
	File, Title string
	// Shown are the ranges of lines to show, and Marked those to mark, counted in the file. If
	// Shown is nil, all lines are shown.
	Shown, Marked [][2]int
	// Span is the whole line.
	markdown.Span
}

// KindCodeInclude is the kind of [CodeInclude].
var KindCodeInclude = ast.NewNodeKind("GpudocsCodeInclude")

// Kind implements ast.Node.
func (*CodeInclude) Kind() ast.NodeKind { return KindCodeInclude }

type codeInclude struct{ markdown.BlockParser }

var (
	codeIncludeForm = lazyregexp.New(`^\{\*[ \t]*([^\s*]\S*)[ \t]*(.*?)\*\}[ \t]*\r?\n?$`)
	codeIncludePart = lazyregexp.New(`(\w+)\[("[^"]*"|'[^']*'|[^\]]*)\]`)
)

func (codeInclude) Trigger() []byte { return []byte{'{'} }

func (codeInclude) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	line = line[min(max(pc.BlockOffset(), 0), len(line)):]
	m := codeIncludeForm.FindSubmatch(line)
	if m == nil {
		return nil, parser.NoChildren
	}
	start := segment.Stop - len(line)
	n := &CodeInclude{File: string(m[1])}
	n.Span = markdown.Span{Start: start, Stop: start + len(strings.TrimRight(string(line), " \t\r\n"))}
	n.SetPos(start)
	for _, part := range codeIncludePart.FindAllSubmatch(m[2], -1) {
		if fault := n.part(string(part[0]), string(part[1]), string(part[2])); !fault.IsZero() {
			markdown.Warn(pc, n.Span, fault, diag.Say("markdown.code-options-hint"))
		}
	}
	reader.AdvanceToEOL()
	return n, parser.NoChildren
}

// part reads the text after the path, and reports what is wrong with it.
func (n *CodeInclude) part(written, name, value string) (fault diag.Text) {
	if name == "title" {
		n.Title = strings.Trim(value, `"'`)
		return fault
	}
	ranges, ok := lineRanges(value)
	switch {
	case name != "ln" && name != "hl":
		return diag.Say("markdown.code-option-unknown", "name", written)
	case !ok:
		return diag.Say("markdown.code-option-lines", "name", written)
	case name == "ln":
		n.Shown = append(n.Shown, ranges...)
	default:
		n.Marked = append(n.Marked, ranges...)
	}
	return fault
}

// lineRanges reads "1:5,10".
func lineRanges(s string) (out [][2]int, ok bool) {
	for r := range strings.SplitSeq(s, ",") {
		from, to, isRange := strings.Cut(strings.TrimSpace(r), ":")
		if !isRange {
			to = from
		}
		m, err1 := strconv.Atoi(from)
		n, err2 := strconv.Atoi(to)
		if err1 != nil || err2 != nil || m < 1 || n < m {
			return nil, false
		}
		out = append(out, [2]int{m, n})
	}
	return out, true
}
