package myst_test

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/markdowntest"
	"github.com/gpudocs/gpudocs/internal/markdown/myst"
)

// mystDeviations are the cases of the specification of MyST that gpudocs reads in another way, with the
// reason.
var mystDeviations = map[string]string{
	"commonmark.links: CommonMark inline image":       "an image with a title is a figure on every page of gpudocs",
	"directives.code: Code directive, starting line":  "code with a name is a figure, so that references show its number",
	"directives.code: Code-block starting line":       "code with a name is a figure, so that references show its number",
	"directives.generic: Unknown directive":           "the text of an unknown directive is kept",
	"directives.generic: Unknown directive with args": "the text of an unknown directive is kept",
	"roles.generic: unknown role":                     "the text of an unknown role is kept",
}

// TestSpecification checks the cases of the specification of MyST, https://github.com/jupyter-book/myst-spec. They are
// its authors', so GPUDOCS_MYST_SPEC names the folder; the default is ../shared/myst-spec beside the repository. Out of scope are the cases of CommonMark, which package
// syntax checks, and those that are only trees.
func TestSpecification(t *testing.T) {
	dir := os.Getenv("GPUDOCS_MYST_SPEC")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared", "myst-spec")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("there are no cases in %s; GPUDOCS_MYST_SPEC names their folder", dir)
	}
	files, err := filepath.Glob(filepath.Join(dir, "docs", "examples", "*.yml"))
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	seen := 0
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yml")
		if strings.HasPrefix(name, "cmark_spec") || name == "unist" {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var all struct {
			Cases []struct {
				Title string
				MyST  string         `yaml:"myst"`
				Tree  map[string]any `yaml:"mdast"`
			}
		}
		if err := yaml.Unmarshal(data, &all); err != nil {
			t.Fatal(name, err)
		}
		for _, c := range all.Cases {
			if c.MyST == "" {
				continue
			}
			seen++
			id := name + ": " + c.Title
			reason, deviates := mystDeviations[id]
			t.Run(id, func(t *testing.T) {
				doc, _ := markdowntest.Parse(markdown.Options{Dialects: markdown.MyST}, c.MyST)
				want, got := squeeze(treeOf(c.Tree)), squeeze(outlineOf(doc, []byte(c.MyST)))
				switch {
				case want != got && !deviates:
					t.Errorf("%s\nwant %s\ngot  %s", c.MyST, want, got)
				case want == got && deviates:
					t.Errorf("is as the specification has it now, although %s", reason)
				}
			})
		}
	}
	if seen < 80 {
		t.Errorf("only %d cases", seen)
	}
}

// tight matches the text of an item, which is a paragraph or not.
var tight = regexp.MustCompile(`^ p\(([^()]*)\)`)

var blanks = regexp.MustCompile(`\s+`)

func squeeze(s string) string {
	s = blanks.ReplaceAllString(s, " ")
	return strings.TrimSpace(strings.NewReplacer(" )", ")", "( ", "(").Replace(s))
}

// treeOf returns the outline of a tree of the specification.
func treeOf(n map[string]any) string {
	text := func(key string) string {
		if v, ok := n[key]; ok && v != nil {
			return fmt.Sprint(v)
		}
		return ""
	}
	var inner, captions string
	children, _ := n["children"].([]any)
	for _, c := range children {
		child := c.(map[string]any)
		if kind := child["type"]; kind == "caption" || kind == "legend" {
			captions += treeOf(child) // gpudocs has it below, for tables too
			continue
		}
		inner += treeOf(child)
	}
	inner += captions
	label := strings.Join(strings.Fields(text("label")), "-") // an identifier in lower case is for MyST alone
	switch kind := text("type"); kind {
	case "root", "mystDirective", "mystRole", "tableBody", "legend":
		return inner
	case "paragraph":
		return " p(" + inner + ")"
	case "listItem":
		return " listItem(" + tight.ReplaceAllString(inner, "$1") + ")"
	case "caption":
		return " caption(" + inner + ")"
	case "text":
		return text("value")
	case "mystTarget", "mystComment", "blockBreak", "definition":
		return ""
	case "code":
		return " pre[" + text("lang") + "](" + text("value") + ")"
	case "math":
		return " math#" + label + "(" + text("value") + ")"
	case "inlineMath":
		return " $" + text("value") + "$"
	case "inlineCode":
		return " code(" + text("value") + ")"
	case "html":
		return " html(" + text("value") + ")"
	case "heading":
		return " h" + text("depth") + "(" + inner + ")"
	case "list":
		return map[bool]string{true: " ol(", false: " ul("}[n["ordered"] == true] + inner + ")"
	case "admonition":
		class, _, _ := strings.Cut(text("class"), " ")
		return " box " + markdown.CalloutKind(cmp.Or(text("kind"), class, "note")) + "(" + inner + ")"
	case "admonitionTitle":
		return " title(" + inner + ")"
	case "container":
		return " figure#" + label + "(" + inner + ")"
	case "image":
		return " img(" + text("url") + ")"
	case "link":
		return " a(" + text("url") + ": " + inner + ")"
	case "crossReference":
		return " ref(" + label + ": " + inner + ")"
	default:
		return " " + kind + "(" + inner + ")"
	}
}

// outlineOf returns the outline of a page in the same form.
func outlineOf(n ast.Node, source []byte) string {
	inner := ""
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		inner += outlineOf(c, source)
	}
	written := func() string { return strings.TrimRight(string(n.Lines().Value(source)), "\n") }
	switch n := n.(type) {
	case *ast.Document:
		return inner
	case *ast.Paragraph, *ast.TextBlock:
		if only := n.FirstChild(); only != nil && only == n.LastChild() && only.Kind() == ast.KindImage && n.Lines().Len() == 0 {
			return inner // of a directive
		}
		return " p(" + inner + ")"
	case *ast.Text:
		return markdown.Unescape(n.Segment.Value(source)) + map[bool]string{true: " "}[n.SoftLineBreak()] + map[bool]string{true: " break()"}[n.HardLineBreak()]
	case *ast.String:
		return string(n.Value)
	case *ast.CodeSpan:
		return " code(" + inner + ")"
	case *ast.Emphasis:
		return map[int]string{1: " emphasis(", 2: " strong("}[n.Level] + inner + ")"
	case *ast.Heading:
		return fmt.Sprintf(" h%d(%s)", n.Level, inner)
	case *ast.ThematicBreak:
		return " thematicBreak()"
	case *ast.Blockquote:
		return " blockquote(" + inner + ")"
	case *ast.List:
		return map[bool]string{true: " ol(", false: " ul("}[n.IsOrdered()] + inner + ")"
	case *ast.ListItem:
		return " listItem(" + tight.ReplaceAllString(inner, "$1") + ")"
	case *ast.FencedCodeBlock:
		language := string(n.Language(source))
		if c := markdown.CodeInfoOf(n); c != nil {
			language = c.Language
		}
		return " pre[" + language + "](" + written() + ")"
	case *ast.CodeBlock:
		return " pre[](" + written() + ")"
	case *ast.HTMLBlock:
		return " html(" + string(markdown.RawHTML(n, source)) + ")"
	case *ast.RawHTML:
		return " html(" + string(markdown.RawHTML(n, source)) + ")"
	case *ast.Image:
		return " img(" + string(n.Destination) + ")"
	case *ast.Link:
		if label, ok := strings.CutPrefix(string(n.Destination), "#"); ok {
			return " ref(" + label + ": " + inner + ")"
		}
		return " a(" + string(n.Destination) + ": " + inner + ")"
	case *ast.AutoLink:
		return " a(" + string(n.URL(source)) + ": " + string(n.Label(source)) + ")"
	case *markdown.Reference:
		if label, ok := strings.CutPrefix(n.Destination, ":"); ok {
			return " ref(" + label + ": " + n.Format + ")"
		}
		return " a(" + n.Destination + ": )"
	case *markdown.MathBlock:
		label := ""
		if l := n.Rows[0].Labels; len(l) > 0 {
			label = l[0].Name
		}
		return " math#" + label + "(" + strings.TrimSpace(n.TeX) + ")"
	case *markdown.Math:
		return " $" + n.TeX + "$"
	case *markdown.Callout:
		return " box " + n.Name + "(" + inner + ")"
	case *markdown.CalloutTitle:
		return " title(" + inner + ")"
	case *markdown.Figure:
		return " figure#" + n.ID + "(" + inner + ")"
	case *markdown.Caption:
		if first := n.FirstChild(); first != nil && first.Type() == ast.TypeBlock {
			return strings.Replace(" caption("+inner, ")", "))", 1) // the first paragraph; the rest is the legend
		}
		return " caption( p(" + inner + "))"
	case *myst.Styled:
		return map[string]string{"sub": " subscript(", "sup": " superscript(", "abbr": " abbreviation("}[n.Element] + inner + ")"
	case *extast.Table:
		return " table(" + inner + ")"
	case *extast.TableHeader, *extast.TableRow:
		return " tableRow(" + inner + ")"
	case *extast.TableCell:
		return " tableCell(" + inner + ")"
	case *extast.FootnoteLink:
		return " footnoteReference()"
	case *extast.FootnoteList:
		return inner
	case *extast.Footnote:
		return " footnoteDefinition(" + inner + ")"
	case *extast.FootnoteBacklink, *markdown.Anchor:
		return ""
	}
	return " " + n.Kind().String() + "(" + inner + ")"
}

// TestDeviations checks that each has a reason.
func TestDeviations(t *testing.T) {
	for name, reason := range mystDeviations {
		if reason == "" || !slices.ContainsFunc([]string{"commonmark", "directives", "roles", "references", "footnotes", "blocks", "comments"}, func(p string) bool { return strings.HasPrefix(name, p) }) {
			t.Errorf("%s: %q", name, reason)
		}
	}
}
