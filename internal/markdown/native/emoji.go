package native

import (
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark-emoji/definition"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

// Emoji is a code such as :rocket: that GitHub supports and Unicode has a character for.
type Emoji struct {
	markdown.InlineNode
	// Name is the code without colons, Characters the text that is shown.
	Name, Characters string
	markdown.Span
}

// KindEmoji is the kind of [Emoji].
var KindEmoji = ast.NewNodeKind("GpudocsEmoji")

// Kind implements ast.Node.
func (*Emoji) Kind() ast.NodeKind { return KindEmoji }

// emojiParser reads the codes of https://api.github.com/emojis. An unknown code stays text, and so
// do times, 10:30:45, names of C++, std::cpu, and roles of Sphinx or D2L, :label:`x`.
// goldmark-emoji has the list, but its parser does not distinguish these and records no position.
type emojiParser struct{ known definition.Emojis }

// Trigger implements parser.InlineParser.
func (emojiParser) Trigger() []byte { return []byte{':'} }

// Parse implements parser.InlineParser.
func (f emojiParser) Parse(parent ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	end := 1
	for end < len(line) && (util.IsAlphaNumeric(line[end]) || line[end] == '_' || line[end] == '-' || line[end] == '+') {
		end++
	}
	if end == 1 || end >= len(line) || line[end] != ':' {
		return nil
	}
	before := block.PrecendingCharacter()
	if last, ok := parent.LastChild().(*Emoji); ok && last.Stop == segment.Start { // directly after another
		before = ' '
	}
	after, _ := utf8.DecodeRune(line[end+1:])
	if before == ':' || unicode.IsLetter(before) || unicode.IsDigit(before) ||
		after == '`' || unicode.IsLetter(after) || unicode.IsDigit(after) {
		return nil
	}
	e, ok := f.known.Get(string(line[1:end]))
	if !ok || !e.IsUnicode() {
		return nil
	}
	block.Advance(end + 1)
	n := &Emoji{
		Name:       string(line[1:end]),
		Characters: string(e.Unicode),
		Span:       markdown.Span{Start: segment.Start, Stop: segment.Start + end + 1},
	}
	n.SetPos(segment.Start)
	return n
}

// PlainText implements [markdown.Texter].
func (n *Emoji) PlainText(written bool) string {
	if written {
		return ":" + n.Name + ":"
	}
	return n.Characters
}

// writeEmoji writes an emoji as HTML.
func writeEmoji(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.WriteString(n.(*Emoji).Characters)
	}
	return ast.WalkContinue, nil
}
