package mkdocs

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

// insertMark reads ^^inserted text^^ of pymdownx.caret:
// https://facelessuser.github.io/pymdown-extensions/extensions/caret/.
var insertMark = markdown.Pairs{Char: '^', Element: "ins"}

// scriptParser reads H~2~O and x^2^ of pymdownx.tilde and pymdownx.caret. It contains no blanks,
// except escaped ones, and no other markup:
// https://facelessuser.github.io/pymdown-extensions/extensions/tilde/.
type scriptParser struct{}

// Trigger implements parser.InlineParser.
func (scriptParser) Trigger() []byte { return []byte{'~', '^'} }

// Parse implements parser.InlineParser.
func (scriptParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	mark := line[0]
	n := &markdown.Marked{Element: "sub", Marks: string(mark)}
	if mark == '^' {
		n.Element = "sup"
	}
	n.SetPos(segment.Start)
	from := 1 // of the text that is not yet a child
	child := func(to int) {
		if from < to {
			n.AppendChild(n, ast.NewTextSegment(text.NewSegment(segment.Start+from, segment.Start+to)))
		}
		from = to
	}
	for i := 1; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\' && i+1 < len(line) && line[i+1] == ' ':
			child(i)
			from = i + 1 // the backslash is not shown
			i++
		case c == '\\':
			i++
		case util.IsSpace(c):
			return nil
		case c == mark:
			again := i+1 < len(line) && line[i+1] == mark
			if i == 1 || again || block.PrecendingCharacter() == rune(mark) || segment.Padding != 0 {
				return nil
			}
			child(i)
			block.Advance(i + 1)
			return n
		}
	}
	return nil
}
