// Package markdowntest parses pages and outlines their trees, for tests.
package markdowntest

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/dialects"
)

// Parse returns the tree of a page and its faults.
func Parse(o markdown.Options, source string) (ast.Node, []markdown.Fault) {
	pc := parser.NewContext()
	doc := dialects.New(o).Parser().Parse(text.NewReader([]byte(source)), parser.WithContext(pc))
	return doc, markdown.Faults(pc)
}

// Written returns the source of a node's text, according to its offsets.
func Written(n ast.Node, source string) string {
	var b strings.Builder
	for _, t := range markdown.Find[*ast.Text](n) {
		b.WriteString(source[t.Segment.Start:t.Segment.Stop])
		if t.SoftLineBreak() {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// HTML returns a page as HTML, written by goldmark's renderer and that of package dialects.
func HTML(t testing.TB, md goldmark.Markdown, source string) string {
	t.Helper()
	md.Renderer().AddOptions(html.WithUnsafe(), html.WithXHTML(),
		renderer.WithNodeRenderers(util.Prioritized(dialects.NewHTMLRenderer(), 200)))
	var b bytes.Buffer
	if err := md.Convert([]byte(source), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Outline returns a tree in one line, with the spans of blocks as the text that they cover:
// note[opening]("Title": p"text")[closing].
func Outline(n ast.Node, source []byte) string {
	var parts []string
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		parts = append(parts, Outline(c, source))
	}
	inner := strings.Join(parts, " ")
	lines := func() string { return fmt.Sprintf("%q", n.Lines().Value(source)) }
	cut := func(s markdown.Span) string {
		if s.Start == s.Stop {
			return ""
		}
		return "[" + string(source[s.Start:s.Stop]) + "]"
	}
	extra := ""
	for _, name := range []string{"id", "class"} {
		if v, ok := n.AttributeString(name); ok {
			extra += fmt.Sprintf(" %s=%s", name, v)
		}
	}
	switch n := n.(type) {
	case *markdown.Callout:
		fold := map[markdown.Fold]string{markdown.Folded: "-", markdown.Unfolded: "+"}[n.Fold]
		if n.Plain {
			fold += "plain"
		}
		if n.Counted {
			fold += "#"
		}
		return n.Name + fold + extra + cut(n.Opening) + "(" + inner + ")" + cut(n.Closing)
	case *markdown.Tab:
		mark := ""
		if n.Selected {
			mark += "+"
		}
		if n.Apart {
			mark += "!"
		}
		return "tab" + mark + extra + cut(n.Opening) + "(" + inner + ")" + cut(n.Closing)
	case *markdown.Grid:
		return fmt.Sprintf("grid%d%s(%s)", n.Columns, extra, inner)
	case *markdown.Card:
		mark := ""
		if n.Plain {
			mark += "-"
		}
		if n.Linked {
			mark += "@"
		}
		if n.Twelfths > 0 {
			mark += strconv.Itoa(n.Twelfths)
		}
		return "card" + mark + extra + "(" + inner + ")"
	case *markdown.CardPart:
		return n.Name + "(" + inner + ")"
	case *extast.Table, *extast.TableHeader, *extast.TableRow, *extast.DefinitionList, *extast.DefinitionDescription:
		return map[ast.NodeKind]string{extast.KindTable: "table", extast.KindTableHeader: "head", extast.KindTableRow: "row",
			extast.KindDefinitionList: "terms", extast.KindDefinitionDescription: "meaning"}[n.Kind()] + "(" + inner + ")"
	case *extast.TableCell, *extast.DefinitionTerm:
		return "-" + extra + lines() + strings.TrimSpace(inner)
	case *markdown.Tabs:
		return "tabs(" + inner + ")"
	case *markdown.Figure:
		return string(n.Of) + "#" + n.ID + extra + "(" + inner + ")"
	case *markdown.Caption:
		return "caption" + lines() + strings.TrimSpace(inner)
	case *markdown.Container:
		return "container " + n.Name + n.Tag + cut(n.Opening) + "(" + inner + ")" + cut(n.Closing)
	case *markdown.Element:
		return n.Name + "(" + inner + ")"
	case *markdown.CalloutTitle, *markdown.TabTitle:
		return "title" + lines()
	case *ast.Paragraph, *ast.TextBlock:
		return "p" + lines()
	case *ast.HTMLBlock:
		return "html" + lines()
	case *ast.FencedCodeBlock:
		return "fence" + lines()
	case *ast.CodeBlock:
		return "code" + lines()
	case *ast.Heading:
		return "h" + lines()
	case *ast.Blockquote:
		return "quote(" + inner + ")"
	case *ast.List:
		return "list(" + inner + ")"
	case *ast.ListItem:
		return "item(" + inner + ")"
	case *ast.Document:
		return inner
	}
	return ""
}

// Blocks tests the outlines and faults of pages. A test is a name, a page and the expected result.
func Blocks(t *testing.T, d markdown.Dialect, tests [][3]string) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt[0], func(t *testing.T) {
			for _, ends := range []string{"\n", "\r\n"} {
				source := strings.ReplaceAll(tt[1], "\n", ends)
				doc, faults := Parse(markdown.Options{Dialects: d}, source)
				got := strings.ReplaceAll(Outline(doc, []byte(source)), `\r`, "")
				for _, f := range faults {
					got += fmt.Sprintf(" !%q %s", source[f.Start:f.Stop], f.Message)
				}
				got = strings.ReplaceAll(got, "\r", "")
				if diff := cmp.Diff(tt[2], got); diff != "" {
					t.Errorf("line ends %q (-want +got)\n%s", ends, diff)
				}
				CheckSpans(t, doc, []byte(source))
			}
		})
	}
}

// CheckSpans tests that the extents of marks are in the source, in order, and begin where the node
// does.
func CheckSpans(t *testing.T, doc ast.Node, source []byte) {
	t.Helper()
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		var opening, closing markdown.Span
		switch n := n.(type) {
		case *markdown.Callout:
			opening, closing = n.Opening, n.Closing
		case *markdown.Tab:
			opening, closing = n.Opening, n.Closing
		case *markdown.Container:
			opening, closing = n.Opening, n.Closing
		default:
			return ast.WalkContinue, nil
		}
		if opening.Start < 0 || opening.Start >= opening.Stop || opening.Stop > len(source) || n.Pos() != opening.Start {
			t.Errorf("%s at %d opens in %v of %d bytes: %q", n.Kind(), n.Pos(), opening, len(source), source)
		}
		if closing != (markdown.Span{}) && (closing.Start < opening.Stop || closing.Stop < closing.Start || closing.Stop > len(source)) {
			t.Errorf("%s opens in %v and closes in %v: %q", n.Kind(), opening, closing, source)
		}
		return ast.WalkContinue, nil
	})
}
