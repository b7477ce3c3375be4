package content

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/diag"
)

// NewMarkdown returns the Markdown dialect of gpudocs: GFM, footnotes,
// definition lists, attributes on headings, and the nodes of nodes.go. The
// renderer takes it as it is and adds how nodes are written.
func NewMarkdown() goldmark.Markdown {
	return goldmark.New(
		goldmark.WithExtensions(extension.GFM, extension.Footnote, extension.DefinitionList),
		goldmark.WithParserOptions(
			parser.WithAttribute(),
			parser.WithInlineParsers(
				util.Prioritized(liveParser{}, 90),
				util.Prioritized(mathParser{}, 90),
				util.Prioritized(embedParser{}, 90), // before the link parser (200), which also takes "!["
			),
			parser.WithBlockParsers(util.Prioritized(containerParser{}, 90), util.Prioritized(mathBlockParser{}, 95)),
		),
	)
}

// pageParser turns one file into a Page.
type pageParser struct {
	config *Config
	file   *diag.File
	page   *Page
	blocks blockReader
	diags  diag.List
}

func (p *pageParser) parse(md goldmark.Markdown, fm frontMatter) {
	source := p.file.Data
	p.page.Doc = md.Parser().Parse(text.NewReader(source))
	p.page.anchors = map[string]bool{}
	p.blocks = blockReader{config: p.config, file: p.file, page: p.page, defaults: fm.blocks}

	// Nodes are collected before any is replaced, for a walk must not see its
	// own changes.
	var fences []*ast.FencedCodeBlock
	var headings []*ast.Heading
	var refs []*MathRef
	opens := map[int]bool{} // lines on which a fence opens
	_ = ast.Walk(p.page.Doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			headings = append(headings, n)
			p.givenID(n)
		case *ast.FencedCodeBlock:
			fences = append(fences, n)
			opens[p.file.Line(n.Pos())] = true
		case *Container:
			p.container(n)
		case *Live:
			p.page.LiveValues = append(p.page.LiveValues, n)
		case *Math:
			p.formula(n, &n.Formula)
		case *MathBlock:
			p.formula(n, &n.Formula)
		case *MathRef:
			refs = append(refs, n)
		case *ast.HTMLBlock, *ast.RawHTML:
			p.rawAnchors(n)
		}
		return ast.WalkContinue, nil
	})
	for _, n := range fences {
		p.checkClosed(n, opens)
		fence := p.blocks.fence(n)
		n.Parent().ReplaceChild(n.Parent(), n, fence)
	}
	p.blocks.finish()
	p.diags.Add(p.blocks.diags...)
	for _, b := range p.page.Blocks {
		p.page.anchors[b.Anchor()] = true
	}
	p.number(refs)
	for _, n := range headings {
		p.heading(n)
	}
	groupTabs(p.page.Doc)
}

// givenID notes the id that the author gave a heading, as text: {id=5} is a
// number to goldmark.
func (p *pageParser) givenID(n *ast.Heading) {
	given, ok := n.AttributeString("id")
	if !ok {
		return
	}
	id, ok := given.([]byte)
	if !ok {
		id = fmt.Append(nil, given)
		n.SetAttributeString("id", id)
	}
	p.page.anchors[string(id)] = true
}

// heading gives the heading its id, unless it has one, and the page its title
// and contents. All other ids of the page are known by now.
func (p *pageParser) heading(n *ast.Heading) {
	title := strings.TrimSpace(plainText(n, p.file.Data))
	given, ok := n.AttributeString("id")
	if !ok {
		id := p.uniqueID(slug(title))
		p.page.anchors[id] = true
		given = []byte(id)
		n.SetAttributeString("id", given)
	}
	if n.Level == 1 && p.page.Title == "" {
		p.page.Title = title
		return
	}
	p.page.Headings = append(p.page.Headings, Heading{Level: n.Level, ID: string(given.([]byte)), Text: title})
}

func (p *pageParser) uniqueID(base string) string {
	id := base
	for i := 1; p.page.anchors[id]; i++ {
		id = fmt.Sprintf("%s-%d", base, i)
	}
	return id
}

// slug makes an id as GitHub does, but for goldmark's loss of letters with
// accents: lower case, blanks to hyphens, punctuation dropped.
func slug(s string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(s) {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r), r == '_', r == '-':
			b.WriteRune(r)
		case unicode.IsSpace(r):
			b.WriteByte('-')
		}
	}
	if id := strings.Trim(b.String(), "-"); id != "" {
		return id
	}
	return "section"
}

// plainText is the text of a node without its markup.
func plainText(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(c ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch c := c.(type) {
		case *ast.Text:
			value := c.Segment.Value(source)
			if !c.IsRaw() { // as it is in a code span
				value = util.UnescapePunctuations(util.ResolveEntityNames(util.ResolveNumericReferences(value)))
			}
			b.Write(value)
			if c.SoftLineBreak() || c.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(c.Value)
		case *ast.AutoLink:
			b.Write(c.Label(source))
		case *Math:
			b.WriteString(strings.TrimSpace(c.TeX))
		case *MathRef:
			b.WriteString(c.Number)
		case *ast.Image:
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

var containerNames = []string{"machines"}

func (p *pageParser) container(n *Container) {
	end := n.Pos() + len(p.file.Text(p.file.Line(n.Pos())))
	if n.Name != "machines" {
		p.diags.Add(p.file.Warning(n.Pos(), end, fmt.Sprintf("unknown container %q", n.Name),
			diag.DidYouMean(n.Name, containerNames, `known is :::machines; the text in it is shown as it is`)))
	}
	if !n.closed {
		p.diags.Add(p.file.Error(n.Pos(), end, "the ::: container is not closed",
			"end it with a line of "+strings.Repeat(":", n.colons)))
	}
}

var htmlAnchor = regexp.MustCompile(`(?i)<[a-z][^>]*?\s(?:id|name)\s*=\s*["']?([^"'\s>]+)`)

// rawAnchors notes the ids that raw HTML brings, for links to them are sound.
func (p *pageParser) rawAnchors(n ast.Node) {
	for _, m := range htmlAnchor.FindAllSubmatch(rawHTML(n, p.file.Data), -1) {
		p.page.anchors[string(m[1])] = true
	}
}

func rawHTML(n ast.Node, source []byte) []byte {
	var b bytes.Buffer
	switch n := n.(type) {
	case *ast.RawHTML:
		for i := range n.Segments.Len() {
			s := n.Segments.At(i)
			b.Write(s.Value(source))
		}
	case *ast.HTMLBlock:
		for i := range n.Lines().Len() {
			s := n.Lines().At(i)
			b.Write(s.Value(source))
		}
		if n.HasClosure() {
			b.Write(n.ClosureLine.Value(source))
		}
	}
	return b.Bytes()
}

// checkClosed reports a fence that runs to the end of its container: goldmark
// takes it, a reader is left with half a page of code. The line behind the block
// does not close it where it opens the next one: it lacks the quote's mark or
// the list's indentation.
func (p *pageParser) checkClosed(n *ast.FencedCodeBlock, opens map[int]bool) {
	at := n.Pos()
	first := p.file.Line(at)
	last := first
	if l := n.Lines().Len(); l > 0 {
		last = p.file.Line(n.Lines().At(l - 1).Start)
	}
	open := p.file.Data[at:]
	mark := open[:len(open)-len(bytes.TrimLeft(open, string(open[:1])))]
	closing := strings.TrimLeft(p.file.Text(last+1), " \t>")
	if !opens[last+1] && strings.HasPrefix(closing, string(mark)) && strings.Trim(closing, string(mark[:1])+" \t") == "" {
		return
	}
	p.diags.Add(p.file.Error(at, at+len(p.file.Text(first)), "the code fence is not closed",
		"end the block with a line "+string(mark)))
}

// groupTabs puts neighbouring fences with tab= into one Tabs node. An expected
// output stays with the tab before it.
func groupTabs(doc ast.Node) {
	var firsts []*Fence
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		f, ok := n.(*Fence)
		if !entering || !ok || f.Tab == "" {
			return ast.WalkContinue, nil
		}
		if before, ok := f.PreviousSibling().(*Fence); !ok || !inTab(before) {
			firsts = append(firsts, f)
		}
		return ast.WalkContinue, nil
	})
	for _, first := range firsts {
		parent, group := first.Parent(), &Tabs{}
		group.SetPos(first.Pos())
		parent.InsertBefore(parent, first, group)
		for n := ast.Node(first); n != nil; {
			f, ok := n.(*Fence)
			if !ok || (f.Tab == "" && f.Expect == nil) {
				break
			}
			next := n.NextSibling()
			group.AppendChild(group, n)
			n = next
		}
	}
}

// inTab tells whether a fence belongs to a tab: its own, or that of the block
// whose expected output it is.
func inTab(f *Fence) bool {
	for f != nil && f.Tab == "" && f.Expect != nil {
		f, _ = f.PreviousSibling().(*Fence)
	}
	return f != nil && f.Tab != ""
}
