package obsidian_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/complexitytest"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/dialects"
	"github.com/gpudocs/gpudocs/internal/markdown/obsidian"
)

// parseObsidian reads a page in the dialect.
func parseObsidian(source string) (ast.Node, []markdown.Fault) {
	pc := parser.NewContext()
	doc := dialects.New(markdown.Options{Dialects: markdown.Obsidian}).Parser().Parse(text.NewReader([]byte(source)), parser.WithContext(pc))
	return doc, markdown.Faults(pc)
}

// outline returns a tree in one line: the nodes of the dialect with their content, blocks in parentheses.
func vaultOutline(n ast.Node, source string) string {
	var b strings.Builder
	var write func(n ast.Node)
	children := func(n ast.Node) {
		b.WriteByte('(')
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			write(c)
		}
		b.WriteByte(')')
	}
	write = func(n ast.Node) {
		cut := func(s markdown.Span) string { return source[s.Start:s.Stop] }
		switch n := n.(type) {
		case *ast.Text:
			b.WriteString(string(n.Segment.Value([]byte(source))))
			if n.SoftLineBreak() {
				b.WriteString("↵")
			}
		case *ast.String:
			b.Write(n.Value)
		case *ast.Paragraph:
			b.WriteByte('p')
			children(n)
		case *ast.TextBlock:
			children(n)
		case *ast.List:
			b.WriteString("ul")
			children(n)
		case *ast.ListItem:
			b.WriteString("li")
			children(n)
		case *ast.Blockquote:
			b.WriteString("quote")
			children(n)
		case *ast.Heading:
			fmt.Fprintf(&b, "h%d", n.Level)
			children(n)
		case *ast.CodeSpan:
			b.WriteString("code")
			children(n)
		case *ast.Link:
			b.WriteString("a:" + string(n.Destination))
			children(n)
		case *ast.Image:
			b.WriteString("img")
			for _, name := range []string{"width", "height"} {
				if v, ok := n.AttributeString(name); ok {
					fmt.Fprintf(&b, ":%s", v)
				}
			}
			children(n)
		case *obsidian.WikiLink:
			fmt.Fprintf(&b, "<%s|%s|%s|%s>", cut(n.Span), n.File, strings.Join(n.Headings, "#"), n.Block)
			children(n)
		case *markdown.Embed:
			fmt.Fprintf(&b, "<%s|%s|%s|%s|%s|%dx%d>", source[n.Start:n.Stop], n.File, strings.Join(n.Headings, "#"), n.Block, n.Alt, n.Width, n.Height)
		case *obsidian.Tag:
			fmt.Fprintf(&b, "tag:%s", cut(n.Span))
			children(n)
		case *obsidian.Anchor:
			fmt.Fprintf(&b, "{%s}", cut(n.Span))
		case *obsidian.Comment:
			fmt.Fprintf(&b, "<%s>", strings.ReplaceAll(cut(n.Span), "\n", "↵"))
		case *obsidian.InlineComment:
			fmt.Fprintf(&b, "<%s>", strings.ReplaceAll(cut(n.Span), "\n", "↵"))
		default:
			b.WriteString(strings.ToLower(n.Kind().String()))
			children(n)
		}
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		write(c)
	}
	return b.String()
}

func TestObsidian(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"page", "Ver [[Memória]].", "p(Ver <[[Memória]]|Memória||>(Memória).)"},
		{"text", "[[GPU|a *placa*]]", "p(<[[GPU|a *placa*]]|GPU||>(a *placa*))"},
		{"empty text", "[[GPU|]]", "p(<[[GPU|]]|GPU||>(GPU))"},
		{"heading", "[[GPU#Uso]]", "p(<[[GPU#Uso]]|GPU|Uso|>(GPU > Uso))"},
		{"nested headings", "[[GPU#Uso#Rede|x]]", "p(<[[GPU#Uso#Rede|x]]|GPU|Uso#Rede|>(x))"},
		{"heading of this page", "[[#Uso]]", "p(<[[#Uso]]||Uso|>(Uso))"},
		{"block", "[[GPU#^a-1]]", "p(<[[GPU#^a-1]]|GPU||a-1>(GPU > ^a-1))"},
		{"block without #", "[[GPU^a-1]] [[^b]]", "p(<[[GPU^a-1]]|GPU||a-1>(GPU > ^a-1) <[[^b]]|||b>(^b))"},
		{"blanks", "[[ a b | c ]]", "p(<[[ a b | c ]]|a b||>(c))"},
		{"bar of a table", `[[GPU\|a]]`, `p(<[[GPU\|a]]|GPU||>(a))`},
		{"in a quote", "> a\n> [[b]]", "quote(p(a↵<[[b]]|b||>(b)))"},
		{"in a list", "-\t[[b]]\r\n-\tc [[d]]", "ul(li((<[[b]]|b||>(b)))li((c <[[d]]|d||>(d))))"},
		{"in emphasis", "*[[b]]*", "p(emphasis(<[[b]]|b||>(b)))"},
		{"none in code", "`[[a]]`", "p(code([[a]]))"},
		{"escaped", `\[[a]]`, `p(\[[a]])`},
		{"Markdown's own", "[[1]](u) [[a]] (u)", "p(a:u([1]) <[[a]]|a||>(a) (u))"},
		{"none over lines", "[[a\nb]]", "p([[a↵b]])"},
		{"nothing in it", "[[]] [[ ]] [[|x]] [[#]]", "p([[]] [[ ]] [[|x]] [[#]])"},
		{"three brackets", "[[[a]]]", "p([<[[a]]|a||>(a)])"},
		{"definition", "[[a]][b]\n\n[b]: u", "p(<[[a]]|a||>(a)a:u(b))linkreferencedefinition()"},

		{"image", "![[a b.png]] ![[x/y.png|300]] ![[z.png|30x40]]", "p(<![[a b.png]]|a b.png||||0x0> <![[x/y.png|300]]|x/y.png||||300x0> <![[z.png|30x40]]|z.png||||30x40>)"},
		{"alt", `![[a.png|duas placas]] ![[a.png|duas|40]] ![[a.png\|duas\|40x9]]`,
			`p(<![[a.png|duas placas]]|a.png|||duas placas|0x0> <![[a.png|duas|40]]|a.png|||duas|40x0> <![[a.png\|duas\|40x9]]|a.png|||duas|40x9>)`},
		{"note", "![[Nota#A#B]] ![[Nota#^c]]", "p(<![[Nota#A#B]]|Nota|A#B|||0x0> <![[Nota#^c]]|Nota||c||0x0>)"},
		{"size of Markdown's image", `![a b|30](u) ![30x40](u) ![a|b](u) ![*a*|9](u)`, "p(img:30(a b) img:30:40() img(a|b) img:9(emphasis(a)))"},

		{"comment", "a %%b [[c]]%% d", "p(a <%%b [[c]]%%> d)"},
		{"comment over lines", "a %%b\nc%% d", "p(a <%%b↵c%%> d)"},
		{"comment alone", "%%a%%\n\nb", "<%%a%%>p(b)"},
		{"comments alone", "%%a%% %%b%%\n\nc", "<%%a%% %%b%%>p(c)"},
		{"comment as a block", "a\n\n%%\nb\n\n# c\n```\n%%\n\nd", "p(a)<%%↵b↵↵# c↵```↵%%>p(d)"},
		{"comment behind text", "a\n%%\nb\n%%\nc", "p(a)<%%↵b↵%%>p(c)"},
		{"text behind a comment", "%%\na\n%% b\nc", "<%%↵a↵%%>p(b↵c)"},
		{"comment from a paragraph on", "a %%b\n\n- c\n\nd %% e\nf\n\ng", "p(a <%%b>)<- c↵↵d %%>p(e↵f)p(g)"},
		{"comment from a paragraph on, in one line", "a %%b\n\nc%%\n\nd", "p(a <%%b>)<c%%>p(d)"},
		{"comment below a table", "|a|b|\n|-|-|\n|c|d|\n%%e%%\n\nf", "table(tableheader(tablecell(a)tablecell(b))tablerow(tablecell(c)tablecell(d)))p(f)"},
		{"a row with a comment in it", "|a|b|\n|-|-|\n|%%c%%|d|", "table(tableheader(tablecell(a)tablecell(b))tablerow(tablecell(<%%c%%>)tablecell(d)))"},
		{"comment in a list", "- a\n  %%\n  b\n  %%\n- c", "ul(li((a)<%%↵  b↵  %%>)li((c)))"},
		{"comment in a quote", "> %%\n> a\n> %%\n> b", "quote(<%%↵> a↵> %%>p(b))"},
		{"CRLF", "%%\r\na\r\n%%\r\n\r\nb", "<%%\r↵a\r↵%%>p(b)"},
		{"code holds no comment", "`%%` a\n\n```\n%%\n```\n\nb", "p(code(%%) a)fencedcodeblock()p(b)"},
		{"escaped comment", `a \%% b`, `p(a \%% b)`},

		{"tag", "#gpu e #ia/redes, #2024 #y2024 a#b #-", "p(tag:#gpu(#gpu) e tag:#ia/redes(#ia/redes), #2024 tag:#y2024(#y2024) a#b #-)"},
		{"tag in a heading", "# A #ção", "h1(A tag:#ção(#ção))"},
		{"tag's end", "#a/ #b- (#c) \\#d `#e`", "p(tag:#a(#a)/ tag:#b(#b)- (#c) \\#d code(#e))"},

		{"block id", "a b ^id-1\n\nc", "{^id-1}p(a b)p(c)"},
		{"block id of an embedded file", "![[a.png]]^id\n\nx![[b]]^2 c", "{^id}p(<![[a.png]]|a.png||||0x0>)p(x<![[b]]|b||||0x0>^2 c)"},
		{"block id in its own line of a paragraph", "a\n^id", "{^id}p(a)"},
		{"block id behind a block", "> a\n\n^q\n\nb", "{^q}quote(p(a))p(b)"},
		{"block id of a list", "- a\n- b\n\n^l", "{^l}ul(li((a))li((b)))"},
		{"block id of an item", "- a ^i\n  - b ^j", "ul(li({^i}(a)ul(li({^j}(b)))))"},
		{"block id of a heading", "# a ^h", "{^h}h1(a)"},
		{"block id of nothing", "^h", "{^h}"},
		{"none within", "a ^b c\nx^2\n2^10", "p(a ^b c↵x^2↵2^10)"},
		{"mark", "a ==b== c", "p(a gpudocsmarked(b) c)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc, faults := parseObsidian(tt.in)
			got := vaultOutline(doc, tt.in)
			if got != tt.want {
				t.Errorf("\n got %s\nwant %s", got, tt.want)
			}
			for _, f := range faults {
				t.Errorf("fault: %v", f)
			}
		})
	}
}

// TestNotObsidian: without the dialect only images are embedded.
func TestNotObsidian(t *testing.T) {
	const in = "[[a]] %%b%% #c d ^e\n\n![[f#g.png|30]]"
	doc := dialects.New(markdown.Options{}).Parser().Parse(text.NewReader([]byte(in)))
	if got, want := vaultOutline(doc, in), "p([[a]] %%b%% #c d ^e)p(<![[f#g.png|30]]|f#g.png||||30x0>)"; got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

func TestOpenComments(t *testing.T) {
	for in, want := range map[string]string{
		"a %% b\n\nc":         "p(a %% b)p(c)",
		"%%time\n\nc":         "p(%%time)p(c)",
		"- %%\n  a\n\nb %% c": "ul(li(<%%↵  a↵↵>))p(b %% c)",
		"20%% a 30%% b":       "p(20<%% a 30%%> b)",
		"20%% a\n\n30%% b":    "p(20<%% a>)<30%%>p(b)",
	} {
		doc, faults := parseObsidian(in)
		if got := vaultOutline(doc, in); got != want {
			t.Errorf("%q:\n got %s\nwant %s", in, got, want)
		}
		if len(faults) == 0 || in[faults[0].Start:faults[0].Stop] != "%%" {
			t.Errorf("%q: %v", in, faults)
		}
	}
}

// TestHostileObsidian checks that a page of one repeated mark, closed or not, is parsed in time proportional to
// its length, and that each of its words is in the tree.
func TestHostileObsidian(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a few seconds")
	}
	for _, mark := range []string{"[[", "![[", "[[a", "![[a", "[[a|", "%%", "%%a ", "20%%a ", "%% ", "%%\n", "a %%`\n\n", "- %%\n", "#", "#a", " #a", "^", " ^a", "\n^a",
		"[[a]]", "![[a]]", "[[a|b]] ", "%%a%%", "%%\na\n%%\n", "> %%\n", "[[a\n", "a\n\n^b\n\n"} {
		complexitytest.Check(t, mark, 1<<18, func(n int) { parseObsidian(strings.Repeat(mark, n/len(mark))) })

		s := strings.Repeat(mark, (1<<12)/len(mark)) + "\n\nz\n"
		doc, _ := parseObsidian(s)
		for at, in := range covered(doc, s, true) {
			if c := s[at]; !in && c >= 'a' && c <= 'z' {
				t.Errorf("%q: lost %q at %d of %d", mark, s[at:min(at+10, len(s))], at, len(s))
				break
			}
		}
	}
}

func FuzzObsidian(f *testing.F) {
	for _, s := range []string{"[[a#b|c]] ![[d.png|3x4]] %%e%% #f g ^h\n\n^i", "> - [[a]]\r\n>\t%%\r\n> b", "a %%b\n\n%% c", "|a|\n|-|\n|[[b\\|c]]|", "# [[a]] ^b\n`[[`"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 4096 {
			return
		}
		source := []byte(s)
		doc, faults := parseObsidian(s)
		check := func(at markdown.Span, first, last string) {
			if at.Start < 0 || at.Stop > len(s) || at.Start >= at.Stop || !strings.HasPrefix(s[at.Start:at.Stop], first) || !strings.HasSuffix(s[at.Start:at.Stop], last) {
				t.Fatalf("%q: %v is no %s%s", s, at, first, last)
			}
		}
		for _, fault := range faults {
			check(fault.Span, "", "")
		}
		_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if !entering {
				return ast.WalkContinue, nil
			}
			if n.Kind().String() == "GpudocsBlockMark" {
				t.Fatalf("%q: a mark was left", s)
			}
			switch n := n.(type) {
			case *obsidian.WikiLink:
				check(n.Span, "[[", "]]")
				if n.FirstChild() == nil {
					t.Fatalf("%q: %v shows nothing", s, n.Span)
				}
			case *markdown.Embed:
				check(markdown.Span{Start: n.Start, Stop: n.Stop}, "![[", "]]")
			case *obsidian.Tag:
				check(n.Span, "#", n.Name)
			case *obsidian.Anchor:
				check(n.Span, "^", n.Name)
			case *obsidian.InlineComment:
				check(n.Span, "%%", "")
			case *obsidian.Comment:
				check(n.Span, "", "")
			case *ast.Text:
				if n.Segment.Start < 0 || n.Segment.Stop > len(source) || n.Segment.Start > n.Segment.Stop {
					t.Fatalf("%q: %v", s, n.Segment)
				}
			}
			return ast.WalkContinue, nil
		})
		if !bytes.Equal(source, []byte(s)) {
			t.Fatal("the source was edited")
		}
	})
}

// FuzzObsidianText checks that text without the dialect is also text with the dialect, or within one of its
// nodes. Pages with comments, which may contain anything, are skipped.
func FuzzObsidianText(f *testing.F) {
	for _, s := range []string{"[[a#b|c]] ![[d.png|3x4]] #f g ^h\n\n^i", "> - [[a]]\r\n>\t![[b]]", "|a|\n|-|\n|[[b\\|c]]|", "[x [[a]] y](b) ==c== [[d](e)]]", "- a ^b\n- [[c`d]]`"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 4096 || strings.Contains(s, "%%") {
			return
		}
		plain := covered(dialects.New(markdown.Options{}).Parser().Parse(text.NewReader([]byte(s))), s, false)
		doc, _ := parseObsidian(s)
		for at, with := range covered(doc, s, true) {
			c := s[at]
			if plain[at] && !with && (c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 0x80) {
				t.Fatalf("%q: lost %q at %d", s, s[at:], at)
			}
		}
	})
}

// covered marks the bytes that are text, and those in nodes of the dialect. The text
// of images counts only with it: a size is part of it without.
func covered(doc ast.Node, s string, dialect bool) []bool {
	marks := make([]bool, len(s))
	mark := func(start, stop int) {
		for i := max(0, start); i < min(stop, len(s)); i++ {
			marks[i] = true
		}
	}
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Image:
			if !dialect {
				return ast.WalkSkipChildren, nil
			}
		case *ast.Text:
			mark(n.Segment.Start, n.Segment.Stop)
		case *ast.AutoLink:
			if dialect {
				mark(n.Pos(), n.Pos()+len(n.Label([]byte(s)))+2)
			}
		case *obsidian.WikiLink:
			mark(n.Start, n.Stop)
		case *markdown.Embed:
			mark(n.Start, n.Stop)
		case *obsidian.Anchor:
			mark(n.Start, n.Stop)
		case *obsidian.InlineComment:
			mark(n.Start, n.Stop)
		case *obsidian.Comment:
			mark(n.Start, n.Stop)
		}
		return ast.WalkContinue, nil
	})
	return marks
}
