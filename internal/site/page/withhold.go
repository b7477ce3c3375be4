package page

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/notebook"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/frontmatter"
	"github.com/gpudocs/gpudocs/internal/site/translate"
)

// Withheld says that the solutions of a page are not published. Its source is then blanked where they are and
// parsed again, so that whatever is made of the page knows nothing of them: not their text, code and
// headings, nor what only they refer to. All other bytes keep their offsets. The first byte of a solution is a
// mark, from which a callout without content is made.
type Withheld struct {
	// Whole is the page with its solutions.
	Whole *site.Page
	// Until is the day that the page names for them, or zero if it says nothing.
	Until time.Time

	places map[int]*markdown.Callout // by the offsets of their marks
}

// placeholderMark begins a solution that is withheld. It means nothing at any other place.
const placeholderMark = '\x01'

var placeholdersKey = parser.NewContextKey()

// withhold blanks the solutions in the source of a page.
func (r *Parser) withhold(p *site.Page, fm frontmatter.FrontMatter, w *Withheld) {
	pc := parser.NewContext()
	markdown.SetFrontMatter(pc, fm.FrontMatter)
	doc := r.markdown(p, fm).Parser().Parse(text.NewReader(p.Source.Data), parser.WithContext(pc))
	data := slices.Clip(slices.Clone(p.Source.Data))
	w.places = map[int]*markdown.Callout{}
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		c, ok := n.(*markdown.Callout)
		if !ok || !entering || c.Name != markdown.Solution {
			return ast.WalkContinue, nil
		}
		extent := markdown.Span{Start: c.Opening.Start, Stop: endOf(c, data)}
		place := markdown.NewStatement(c.Name, extent, markdown.Span{})
		place.Withheld, place.Solves = true, c.Solves
		if named := c.Exercise(); named != nil {
			place.Solves = &markdown.Reference{Destination: named.Destination}
		}
		if id := markdown.ID(c); id != "" {
			setID(place)(id)
		}
		w.places[extent.Start] = place
		blank(data, extent.Start, extent.Stop)
		data[extent.Start] = placeholderMark
		return ast.WalkSkipChildren, nil
	})
	if p.Withheld = len(w.places) > 0; p.Withheld {
		blankDefinitions(data, p.Source.Data)
	}
	p.Source = p.Source.With(data)
	if p.Notebook == nil {
		return
	}
	for i, rest := range bytes.Split(data, []byte{notebook.Mark})[1:] {
		c := &p.Notebook.Cells[i]
		if len(bytes.TrimSpace(rest)) == 0 {
			c.Outputs = nil
		}
		for name := range c.Attachments {
			if !bytes.Contains(data, []byte(name)) {
				delete(c.Attachments, name)
			}
		}
	}
}

// endOf returns the offset of the end of a callout. Without a closing mark it ends where the next block begins.
func endOf(c *markdown.Callout, data []byte) int {
	if c.Closing.Stop > 0 {
		return c.Closing.Stop
	}
	var n ast.Node = c
	for n != nil && (n.NextSibling() == nil || n.NextSibling().Kind() == extast.KindFootnoteList) {
		n = n.Parent()
	}
	if n == nil {
		return len(data)
	}
	next := n.NextSibling()
	for next.Pos() < 0 && next.FirstChild() != nil {
		next = next.FirstChild()
	}
	return max(bytes.LastIndexByte(data[:max(next.Pos(), 0)], '\n')+1, c.Opening.Stop)
}

// blank replaces a part of a source by blanks, but keeps the marks of quotes, the indentation of lists and
// the beginnings of cells around it.
func blank(data []byte, start, stop int) {
	column := start - bytes.LastIndexByte(data[:start], '\n') - 1
	for at := start; at < stop; at++ {
		switch data[at] {
		case '\n':
			for end := at + 1 + column; at+1 < min(end, stop) && strings.IndexByte(" \t>", data[at+1]) >= 0; {
				at++
			}
		case '\r', notebook.Mark:
		default:
			data[at] = ' '
		}
	}
}

var (
	definitionForm = lazyregexp.New(`(?m)^[ \t>]*(\[(?:[^\[\]\\]|\\.)+\]):`)
	labelForm      = lazyregexp.New(`\[(?:[^\[\]\\]|\\.)+\]`)
)

// blankDefinitions blanks the footnotes and the addresses of links that are defined elsewhere on the page, but that
// only solutions use, or only such footnotes. A definition ends before a line that is not indented after a blank one.
func blankDefinitions(data, whole []byte) {
	extents, outside := map[string][]markdown.Span{}, slices.Clone(data)
	for _, m := range definitionForm.FindAllSubmatchIndex(data, -1) {
		end, wasBlank := m[1], false
		for end < len(data) {
			line, _, _ := bytes.Cut(data[end:], []byte("\n"))
			text := bytes.TrimSpace(line)
			if next := end != m[1]; next && (wasBlank && len(text) > 0 && line[0] != ' ' && line[0] != '\t' || definitionForm.Match(line)) {
				break
			}
			wasBlank = len(text) == 0
			end = min(end+len(line)+1, len(data))
		}
		label := labelOf(data[m[2]:m[3]])
		extents[label] = append(extents[label], markdown.Span{Start: m[2], Stop: end})
		blank(outside, m[2], end)
	}
	reach := func(uses map[string]int) map[string]bool {
		reached, next := map[string]bool{}, slices.Collect(maps.Keys(uses))
		for len(next) > 0 {
			label := next[len(next)-1]
			if next = next[:len(next)-1]; reached[label] {
				continue
			}
			reached[label] = true
			for _, e := range extents[label] {
				next = slices.AppendSeq(next, maps.Keys(labels(data[e.Start:e.Stop])))
			}
		}
		return reached
	}
	bySolutions, still := labels(whole), labels(data)
	maps.DeleteFunc(bySolutions, func(label string, n int) bool { return n == still[label] })
	kept := reach(labels(outside))
	for label := range reach(bySolutions) {
		for _, e := range extents[label] {
			if !kept[label] {
				blank(data, e.Start, e.Stop)
			}
		}
	}
}

// labels counts what is in brackets in a text.
func labels(text []byte) map[string]int {
	counts := map[string]int{}
	for _, m := range labelForm.FindAllIndex(text, -1) {
		counts[labelOf(text[m[0]:m[1]])]++
	}
	return counts
}

// labelOf returns a label as links and definitions share it, also over the lines of a quote.
func labelOf(text []byte) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(string(text)), func(r rune) bool { return unicode.IsSpace(r) || r == '>' }), " ")
}

// A withheldParser reads the marks of solutions that are withheld.
type withheldParser struct{ markdown.BlockParser }

// Trigger implements parser.BlockParser.
func (withheldParser) Trigger() []byte { return []byte{placeholderMark} }

// Open implements parser.BlockParser.
func (withheldParser) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	_, at := markdown.RestOfLine(reader, pc)
	places, _ := pc.Get(placeholdersKey).(map[int]*markdown.Callout)
	n := places[at]
	if n == nil {
		return nil, parser.NoChildren
	}
	n.SetPos(at)
	reader.AdvanceToEOL()
	return n, parser.NoChildren
}

// keepNames gives the blocks the names and the IDs that they have on the whole page: results are known by them.
func (w *Withheld) keepNames(p *site.Page) {
	if w.Whole == nil {
		return
	}
	whole := map[int]*site.Block{}
	for _, b := range w.Whole.Blocks {
		whole[b.Pos] = b
	}
	for _, b := range p.Blocks {
		of := whole[b.Pos]
		if of == nil {
			continue
		}
		b.Name, b.ID = of.Name, of.ID
		for i, c := range b.Combinations {
			c.Name, c.ID = of.Combinations[i].Name, of.Combinations[i].ID
		}
		for i := range b.GPULines {
			b.GPULines[i].Name = of.GPULines[i].Name
		}
	}
}

// keepSections gives the page the hashes of the whole page, so that its translations are as up to date as before.
func (w *Withheld) keepSections(p *site.Page) {
	if w.Whole == nil {
		return
	}
	p.Sections = slices.DeleteFunc(slices.Clone(w.Whole.Sections),
		func(s translate.Section) bool { return s.Anchor != translate.Top && !p.Anchors[s.Anchor] })
}
