package page

import (
	"bytes"
	"fmt"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/syntax"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/blocks"
	"github.com/gpudocs/gpudocs/internal/site/frontmatter"
	"github.com/gpudocs/gpudocs/internal/site/include"
	"github.com/gpudocs/gpudocs/internal/site/tree"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// parsers holds one Markdown parser for all pages of the same options.
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

// newMarkdown returns a parser that also records the definitions of footnotes.
func newMarkdown(o markdown.Options) goldmark.Markdown {
	md := syntax.New(o)
	md.Parser().AddOptions(parser.WithASTTransformers(util.Prioritized(footnoteRecorder{}, 900))) // before footnotes (999)
	return md
}

// A pageParser turns one file into a Page.
type pageParser struct {
	config *site.Config
	file   *diag.File
	page   *site.Page
	doc    *ast.Document
	// library reads the files that the page includes.
	library *include.Library
	blocks  blocks.Reader
	diags   diag.List
	// referenceDiags are diagnostics of unused definitions and undefined references, which a draft
	// may have.
	referenceDiags diag.List
	// authorIDs are the headings whose id the author wrote.
	authorIDs map[*ast.Heading]bool
	// numbers are the numbers of figures.
	numbers map[*markdown.Figure]int
	// reservedNames are the reserved classes and ids that were already reported.
	reservedNames map[string]bool
	// renameDuplicates are called when all ids are known, to rename those that occur twice.
	renameDuplicates []func()
	// lastNumber is the highest number that uniqueID has appended, by id.
	lastNumber map[string]int
}

func (p *pageParser) parse(md goldmark.Markdown, fm frontmatter.FrontMatter) {
	pc := parser.NewContext()
	p.doc = md.Parser().Parse(text.NewReader(p.file.Data), parser.WithContext(pc)).(*ast.Document)
	p.reportSyntaxFaults(markdown.Faults(pc))
	p.checkInvisible()
	p.page.Anchors, p.page.Labels = map[string]bool{}, map[string]site.Label{}
	p.lastNumber = map[string]int{}
	p.blocks = blocks.Reader{Config: p.config, File: p.file, Page: p.page, Defaults: fm.Blocks, Library: p.library}
	lines := p.classifyLines()
	found := p.collect()
	p.replaceCode(found)
	for _, b := range p.page.Blocks {
		p.page.Anchors[b.Anchor()] = true
	}
	p.numberFigures(found.figures)
	for _, n := range found.headings {
		p.addHeading(n)
	}
	p.hashSections(fm, found.headings, lines)
	p.groupTabs()
	p.nameHeadings(found.headings)
	p.recordImagesWithoutAlt(found.images)
	p.referenceDiags = checkReferences(p.file, p.doc)
	p.checkNesting()
	p.keepDocument()
}

// recordImagesWithoutAlt records the images without alternative text.
func (p *pageParser) recordImagesWithoutAlt(images []*ast.Image) {
	for _, n := range images {
		text := ""
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			text += p.page.PlainText(c)
		}
		if strings.TrimSpace(text) == "" {
			if p.page.ImagesWithoutAlt == nil {
				p.page.ImagesWithoutAlt = map[*ast.Image]bool{}
			}
			p.page.ImagesWithoutAlt[n] = true
		}
	}
}

// replaceCode replaces fences, and includes of code, by nodes of type [site.Fence].
func (p *pageParser) replaceCode(found collected) {
	var all []*blocks.Fence
	for _, n := range found.fences {
		stop := p.checkClosed(n, found.opens)
		fence := p.blocks.Read(n)
		fence.Stop = stop
		p.stripTerminal(n, fence.Fence)
		n.Parent().ReplaceChild(n.Parent(), n, fence.Fence)
		all = append(all, fence)
	}
	for _, n := range found.includes {
		fence := p.codeInclude(n)
		n.Parent().ReplaceChild(n.Parent(), n, fence)
		all = append(all, &blocks.Fence{Fence: fence})
	}
	if p.page.Notebook != nil {
		p.openCells() // related nodes may be in two cells
	}
	p.annotate(all)
	for _, f := range all {
		p.checkInvisibleInFile(f.Fence)
	}
	p.blocks.AssignIDs()
	p.diags.Add(p.blocks.Diags...)
}

// reportSyntaxFaults reports what the parsers of Markdown extensions have found.
func (p *pageParser) reportSyntaxFaults(list []markdown.Fault) {
	for _, f := range list {
		if f.Other != nil {
			f.Message = diag.Say("diag.together", "first", f.Message, "second", p.file.Where(f.Other.Start, f.Start))
		}
		d := p.file.Warning(f.Start, f.Stop, f.Message, f.Hint)
		if f.Error {
			d = p.file.Error(f.Start, f.Stop, f.Message, f.Hint)
		}
		d.Rule = f.Rule
		p.diags.Add(d)
	}
}

// addHeading sets the heading's id, unless it has one, and adds it to the page's title or contents.
// All other ids of the page are known.
func (p *pageParser) addHeading(n *ast.Heading) {
	title := strings.TrimSpace(p.page.PlainText(n))
	given, ok := n.AttributeString("id")
	if !ok {
		id := p.uniqueID(site.Slug(p.page.WrittenText(n)))
		p.page.Anchors[id] = true
		given = []byte(id)
		n.SetAttributeString("id", given)
	}
	p.addHeadingLabel(n, string(given.([]byte)), title)
	if n.Level == 1 && p.page.Title == "" {
		p.page.Title = title
		return
	}
	p.page.Headings = append(p.page.Headings, site.Heading{Level: n.Level, ID: string(given.([]byte)), Text: title})
}

// uniqueID returns base, or base with the first number that makes an id which the page does not
// have. Ids are never freed, so the search continues where the last one for the same base ended.
func (p *pageParser) uniqueID(base string) string {
	id := base
	i := p.lastNumber[base]
	if i > 0 {
		id = fmt.Sprintf("%s-%d", base, i)
	}
	for p.page.Anchors[id] {
		i++
		id = fmt.Sprintf("%s-%d", base, i)
	}
	if i > 0 {
		p.lastNumber[base] = i
	}
	return id
}

// checkClosed reports a fence that is not closed: goldmark accepts it, and half of the page becomes
// code. A line after the block that opens the next block does not close it, because it lacks the
// quote's mark or the list's indentation. It returns the offset of the end of the closing line, or
// 0.
func (p *pageParser) checkClosed(n *ast.FencedCodeBlock, opens map[int]bool) (stop int) {
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
		return p.file.Offset(last+1, 1) + len(p.file.Bytes(last+1))
	}
	p.diags.Add(p.file.Error(at, at+len(p.file.Text(first)), diag.Say("page.code-fence-not-closed"),
		diag.Say("page.code-fence-not-closed-hint", "mark", string(mark))))
	return 0
}

// keepDocument stores the parsed document in the page. Its nodes must not be used any more.
func (p *pageParser) keepDocument() {
	if len(p.numbers) > 0 {
		p.page.FigureNumbers = map[int]int{}
		places := tree.NumberNodes(p.doc)
		for f, n := range p.numbers {
			p.page.FigureNumbers[places[f]] = n
		}
	}
	p.page.Document = tree.New(p.doc)
	p.doc = nil
}
