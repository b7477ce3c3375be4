package native

import (
	"bytes"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// alertParser parses a quote whose first line makes it a callout. In GitHub's form the line
// contains nothing but one of five names:
//
//	> [!NOTE]
//	> any Markdown
//
// https://docs.github.com/en/get-started/writing-on-github/getting-started-with-writing-and-formatting-on-github/basic-writing-and-formatting-syntax#alerts
//
// In Obsidian's form it has any name, a fold that is closed (-) or open (+), and a title, and the
// quote may end with its first line:
//
//	> [!faq]- Title with *markup*
//
// https://help.obsidian.md/callouts
type alertParser struct {
	markdown.BlockParser
	obsidian bool
	quote    parser.BlockParser
}

var (
	githubAlerts = []string{"note", "tip", "important", "warning", "caution"}
	// alertLine matches a quote's mark, the kind in brackets, a style after a bar, a fold, and a
	// title.
	alertLine = lazyregexp.New(`^>[ \t]*\[!([^\[\]|\n]+)(?:\|[^\[\]\n]*)?\]([-+]?)([ \t\x{a0}].*)?$`)
)

func (alertParser) Trigger() []byte { return []byte{'>'} }

func (p alertParser) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, from := markdown.RestOfLine(reader, pc)
	m := alertLine.FindSubmatchIndex(line)
	if m == nil {
		return nil, parser.NoChildren
	}
	name := strings.ToLower(strings.TrimSpace(string(line[m[2]:m[3]])))
	if name == "" {
		return nil, parser.NoChildren
	}
	n := &markdown.Callout{Name: name, Opening: markdown.Span{Start: from, Stop: from + len(line)}}
	fold := string(line[m[4]:m[5]])
	plain := m[4]-m[2] == len(name)+1 && fold == "" && m[6] < 0 // without style, fold and title
	if !p.obsidian && !(plain && slices.Contains(githubAlerts, name)) {
		p.reportUnknown(name, markdown.Span{Start: from + m[2] - 2, Stop: from + m[5]}, pc)
		return nil, parser.NoChildren
	}
	if p.obsidian {
		n.Name = markdown.CalloutKind(name)
	}
	switch fold {
	case "-":
		n.Fold = markdown.Folded
	case "+":
		n.Fold = markdown.Unfolded
	}
	if m[6] >= 0 { // some keyboards write a no-break space
		title := bytes.TrimLeft(line[m[6]:], " \t\u00a0")
		if at := from + len(line) - len(title); len(title) > 0 {
			n.SetTitle(markdown.Extent(string(title), at))
		}
	}
	reader.AdvanceToEOL()
	return n, parser.HasChildren
}

// reportUnknown reports what is a callout for another tool, but a quote for GitHub.
func (alertParser) reportUnknown(name string, at markdown.Span, pc parser.Context) {
	hint := diag.Say("markdown.alert-fold-hint")
	if !slices.Contains(githubAlerts, name) {
		hint = diag.Suggest(name, githubAlerts, diag.Say("markdown.alert-kinds-hint", "github_alerts", strings.Join(githubAlerts, ", ")))
	}
	markdown.Warn(pc, at, diag.Say("markdown.alert-unknown", "name", name), hint)
}

func (p alertParser) Continue(node ast.Node, reader text.Reader, pc parser.Context) parser.State {
	return p.quote.Continue(node, reader, pc)
}

// Close turns an empty alert into a quote again, as GitHub shows it.
func (p alertParser) Close(node ast.Node, _ text.Reader, _ parser.Context) {
	n := node.(*markdown.Callout)
	n.SetPos(n.Opening.Start)
	if p.obsidian || n.HasChildren() {
		return
	}
	quote, paragraph := ast.NewBlockquote(), ast.NewParagraph()
	quote.SetPos(n.Pos())
	quote.SetBlankPreviousLines(n.HasBlankPreviousLines())
	paragraph.Lines().Append(text.NewSegment(n.Opening.Stop-len("[!")-len(n.Name)-len("]"), n.Opening.Stop))
	quote.AppendChild(quote, paragraph)
	n.Parent().ReplaceChild(n.Parent(), n, quote)
}
