package content

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"
	"sync"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
	"golang.org/x/text/unicode/norm"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

// parsers makes what parses pages, one for all pages of the same options.
type parsers struct {
	mu   sync.Mutex
	made map[markdown.Options]goldmark.Markdown
	// cells is set for notebooks.
	cells bool
}

func (p *parsers) get(o markdown.Options) goldmark.Markdown {
	p.mu.Lock()
	defer p.mu.Unlock()
	md := p.made[o]
	if md == nil {
		md = newMarkdown(o)
		if p.cells {
			md.Parser().AddOptions(parser.WithBlockParsers(util.Prioritized(cellParser{}, 10)))
		}
		if p.made == nil {
			p.made = map[markdown.Options]goldmark.Markdown{}
		}
		p.made[o] = md
	}
	return md
}

// newMarkdown adds to the syntax what keeps track of a page.
func newMarkdown(o markdown.Options) goldmark.Markdown {
	md := markdown.New(o)
	md.Parser().AddOptions(parser.WithASTTransformers(util.Prioritized(noteKeeper{}, 900))) // before footnotes (999)
	return md
}

// pageParser turns one file into a Page.
type pageParser struct {
	config *Config
	file   *diag.File
	page   *Page
	doc    *ast.Document
	// library has the files that the page may include.
	library *library
	blocks  blockReader
	diags   diag.List
	// loose are references and definitions that do not find each other, of which
	// a draft may have some.
	loose diag.List
	// byHand are the headings whose id the author wrote.
	byHand map[*ast.Heading]bool
	// numbers are what the figures count as.
	numbers map[*markdown.Figure]int
	// owned are the names of results and parts of a page that its author gave, and that are said.
	owned map[string]bool
	// twice rename what has an id that something before it has.
	twice []func()
	// lastNumber is the highest number that uniqueID has put behind an id, by the id.
	lastNumber map[string]int
}

func (p *pageParser) parse(md goldmark.Markdown, fm frontMatter) {
	pc := parser.NewContext()
	p.doc = md.Parser().Parse(text.NewReader(p.file.Data), parser.WithContext(pc)).(*ast.Document)
	p.faults(markdown.Faults(pc))
	p.unseen()
	p.page.anchors, p.page.labels = map[string]bool{}, map[string]Label{}
	p.lastNumber = map[string]int{}
	p.blocks = blockReader{config: p.config, file: p.file, page: p.page, defaults: fm.blocks, library: p.library}
	lines := p.lines()
	found := p.collect()
	p.code(found)
	for _, b := range p.page.Blocks {
		p.page.anchors[b.Anchor()] = true
	}
	p.numbered(found.figures)
	for _, n := range found.headings {
		p.heading(n)
	}
	p.sections(fm, found.headings, lines)
	p.groupTabs()
	p.nameHeadings(found.headings)
	p.unspoken(found.images)
	p.loose = references(p.file, p.doc)
	p.nesting()
	p.place()
}

// unspoken notes the images without a text.
func (p *pageParser) unspoken(images []*ast.Image) {
	for _, n := range images {
		text := ""
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			text += p.page.plainText(c)
		}
		if strings.TrimSpace(text) == "" {
			if p.page.mute == nil {
				p.page.mute = map[*ast.Image]bool{}
			}
			p.page.mute[n] = true
		}
	}
}

// code makes blocks of the fences and of the files that are shown as code.
func (p *pageParser) code(found collected) {
	var made []*Fence
	for _, n := range found.fences {
		p.checkClosed(n, found.opens)
		fence := p.blocks.fence(n)
		p.terminal(n, fence)
		n.Parent().ReplaceChild(n.Parent(), n, fence)
		made = append(made, fence)
	}
	for _, n := range found.includes {
		fence := p.codeInclude(n)
		n.Parent().ReplaceChild(n.Parent(), n, fence)
		made = append(made, fence)
	}
	if p.page.Notebook != nil {
		p.openCells() // what belongs together may stand in two of them
	}
	p.annotate(made)
	for _, f := range made {
		p.unseenIn(f)
		f.lines = nil // no place in it is asked for any more
	}
	p.blocks.finish()
	p.diags.Add(p.blocks.diags...)
}

// faults reports what the parsers of features have noted.
func (p *pageParser) faults(list []markdown.Fault) {
	for _, f := range list {
		if f.Other != nil {
			f.Message = diag.Say("%s%s", f.Message, p.file.Where(f.Other.Start, f.Start))
		}
		d := p.file.Warning(f.Start, f.Stop, f.Message, f.Hint)
		if f.Error {
			d = p.file.Error(f.Start, f.Stop, f.Message, f.Hint)
		}
		d.Rule = f.Rule
		p.diags.Add(d)
	}
}

// heading gives the heading its id, unless it has one, and the page its title
// and contents. All other ids of the page are known by now.
func (p *pageParser) heading(n *ast.Heading) {
	title := strings.TrimSpace(p.page.plainText(n))
	given, ok := n.AttributeString("id")
	if !ok {
		id := p.uniqueID(slug(strings.TrimSpace(p.page.text(n, true))))
		p.page.anchors[id] = true
		given = []byte(id)
		n.SetAttributeString("id", given)
	}
	p.headingLabel(n, string(given.([]byte)), title)
	if n.Level == 1 && p.page.Title == "" {
		p.page.Title = title
		return
	}
	p.page.Headings = append(p.page.Headings, Heading{Level: n.Level, ID: string(given.([]byte)), Text: title})
}

// uniqueID returns base, or base with the first number behind it that makes an id
// which the page does not have yet. An id that is taken stays taken, so the search
// goes on where the last one for the same base ended.
func (p *pageParser) uniqueID(base string) string {
	id := base
	i := p.lastNumber[base]
	if i > 0 {
		id = fmt.Sprintf("%s-%d", base, i)
	}
	for p.page.anchors[id] {
		i++
		id = fmt.Sprintf("%s-%d", base, i)
	}
	if i > 0 {
		p.lastNumber[base] = i
	}
	return id
}

// slug makes an id as GitHub does, but for goldmark's loss of letters with
// accents: lower case, blanks to hyphens, punctuation dropped.
func slug(s string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(norm.NFC.String(s)) {
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

// OwnID is the id of a heading where others would not make it of the heading's text.
func (p *Page) OwnID(n *ast.Heading) string {
	given, _ := n.AttributeString("id")
	id, _ := given.([]byte)
	if string(id) == slug(strings.TrimSpace(p.text(n, true))) {
		return ""
	}
	return string(id)
}

// plainText is the text of a node without its markup, as a reader sees it: formulas
// in letters and signs.
func (p *Page) plainText(n ast.Node) string { return oneLine(p.text(n, false)) }

// text is that of a node without its markup. As it is written, quotes are typed,
// emoji are their codes and formulas TeX: the ids that GitHub makes are made of it.
func (p *Page) text(n ast.Node, written bool) string {
	var b strings.Builder
	var glyphs []markdown.Glyph
	if !written {
		glyphs = markdown.Glyphs(n.OwnerDocument())
	}
	show := func(value []byte) {
		b.Write(util.UnescapePunctuations(util.ResolveEntityNames(util.ResolveNumericReferences(value))))
	}
	_ = ast.Walk(n, func(c ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch c := c.(type) {
		case *ast.Text:
			if c.IsRaw() { // as it is in a code span
				b.Write(c.Segment.Value(p.Source.Data))
			} else {
				markdown.Typeset(glyphs, c.Segment, p.Source.Data, show, func(s string) { b.WriteString(s) })
			}
			if c.SoftLineBreak() || c.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(c.Value)
		case *ast.AutoLink:
			b.Write(c.Label(p.Source.Data))
		case *markdown.Emoji:
			if written {
				b.WriteString(":" + c.Name + ":")
			} else {
				b.WriteString(c.Characters)
			}
		case *markdown.Math:
			tex := c.Plain
			if written {
				tex = c.Typeset
			}
			b.WriteString(strings.TrimSpace(tex()))
		case *markdown.Reference:
			b.WriteString(p.known(c))
		case *markdown.Embed: // a note in a heading is a link to it
			if !written && markdown.MediumOf(c.File) == markdown.NoteMedium {
				b.WriteString(cmp.Or(c.Alt, c.File, c.Subpath()))
			}
		case *ast.Image:
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

func rawHTML(n ast.Node, source []byte) []byte {
	var b bytes.Buffer
	switch n := n.(type) {
	case *markdown.Container:
		b.WriteString(n.Tag)
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
	closing := bytes.TrimLeft(p.file.Bytes(last+1), " \t>")
	if !opens[last+1] && bytes.HasPrefix(closing, mark) && len(bytes.Trim(closing, string(mark[:1])+" \t")) == 0 {
		return
	}
	p.diags.Add(p.file.Error(at, at+len(p.file.Text(first)), diag.Say("the code fence is not closed"),
		diag.Say("end the block with a line %s", string(mark))))
}
