package page

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/blocks"
	"github.com/gpudocs/gpudocs/internal/site/frontmatter"
	"github.com/gpudocs/gpudocs/internal/site/include"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// parseMarkdown parses the text of a page, whose front matter and included files are known, and
// completes the page. references are diagnostics of unused definitions and undefined references,
// which a draft may have.
func (r *Parser) parseMarkdown(
	p *site.Page, fm frontmatter.FrontMatter, l *include.Library, withheld Withheld,
) (diags, references diag.List) {
	pc := parser.NewContext()
	markdown.SetFrontMatter(pc, fm.FrontMatter)
	pc.Set(placeholdersKey, withheld.places)
	doc := r.markdown(p, fm).Parser().Parse(text.NewReader(p.Source.Data), parser.WithContext(pc)).(*ast.Document)
	diags.Add(syntaxFaults(p.Source, markdown.Faults(pc))...)

	// Before the tree is changed.
	diags.Add(checkInvisible(p.Source, doc)...)
	lines := classifyLines(p, doc)

	p.Anchors, p.Labels = map[string]bool{}, map[string]site.Label{}
	ids := &ids{taken: p.Anchors, lastNumber: map[string]int{}}
	found, collecting := collect(p, doc, ids)
	diags.Add(collecting...)
	p.LiveValues, p.Formulas, p.RawHTML, p.InlineTags = found.liveValues, found.formulas, found.rawHTML, found.tags

	diags.Add(replaceCode(p, doc, found, &blocks.Reader{Config: r.Config, File: p.Source, Page: p, Defaults: fm.Blocks, Library: l})...)
	withheld.keepNames(p)
	for _, b := range p.Blocks {
		ids.add(b.Anchor())
	}

	// The first of equal labels counts: figures come before equations, and those before headings.
	numbers, joining := numberBlocks(p, found.labelled)
	diags.Add(joining...)
	diags.Add(numberEquations(p, ids)...)
	for _, n := range found.headings {
		addHeading(p, ids, n, found.authorIDs[n])
	}
	p.Sections = hashSections(p, fm, found, lines) // the headings have ids
	withheld.keepSections(p)
	if p.Minutes, p.TimeSet = lines.minutes(p), fm.Time != nil; p.TimeSet {
		p.Minutes = *fm.Time
	}

	diags.Add(groupTabs(p, doc)...)
	nameHeadings(p.Headings, found.headings) // the tabs have titles
	nameSections(p, found.headings)
	p.ImagesWithoutAlt = imagesWithoutAlt(p, found.images)
	if p.RawHTML && !r.Config.UnsafeHTML {
		diags.Add(checkNesting(p.Source, doc)...)
	}
	references = checkReferences(p.Source, doc)

	if len(numbers) > 0 {
		p.Numbers = map[int]int{}
		places := site.NewTree(doc).Numbers
		for block, n := range numbers {
			p.Numbers[places[block]] = n
		}
	}
	titleFromHeading(p, doc)
	p.Document = site.NewTree(doc)
	return diags, references
}

// syntaxFaults returns what the parsers of Markdown extensions have found.
func syntaxFaults(file *diag.File, list []markdown.Fault) (diags diag.List) {
	for _, f := range list {
		if f.Other != nil {
			f.Message = diag.Say("diag.concatenated", "first", f.Message, "second", file.Where(f.Other.Start, f.Start))
		}
		severity := diag.Warning
		switch {
		case f.Error:
			severity = diag.Error
		case f.Notice:
			severity = diag.Notice
		}
		diags.Add(file.At(severity, f.Start, f.Stop, f.Message.WithHint(f.Hint)).WithRule(f.Rule))
	}
	return diags
}

// addHeading sets the heading's id, unless the author gave it one, and adds it to the page's title
// or contents.
func addHeading(p *site.Page, ids *ids, n *ast.Heading, byAuthor bool) {
	title := strings.TrimSpace(p.PlainText(n))
	given, ok := n.AttributeString("id")
	if !ok {
		given = []byte(ids.derive(site.Slug(p.WrittenText(n))))
		n.SetAttributeString("id", given)
	}
	id := string(given.([]byte))
	addLabel(p, id, site.Label{Kind: markdown.Section, Title: title, ID: id, Pos: n.Pos(), ByAuthor: byAuthor})
	if n.Level == 1 && p.Title == "" {
		p.Title = title
		return
	}
	p.Headings = append(p.Headings, site.Heading{Level: n.Level, ID: id, Text: title})
}

// nameSections sets the heading above each block. The title of the page does not count as one.
func nameSections(p *site.Page, headings []*ast.Heading) {
	i, section := 0, ""
	for _, b := range p.Blocks {
		for ; i < len(headings) && headings[i].Pos() < b.Pos; i++ {
			if headings[i].Level > 1 {
				section = strings.TrimSpace(p.PlainText(headings[i]))
			}
		}
		b.Section = section
	}
}

// titleFromHeading makes the first heading the title of a notebook or of a page for another tool, if there
// is no other title. At the beginning of the page it is not repeated.
func titleFromHeading(p *site.Page, doc ast.Node) {
	if p.Title != "" || len(p.Headings) == 0 || p.Notebook == nil && p.Dialects == 0 {
		return
	}
	p.Title = p.Headings[0].Text
	if h, ok := doc.FirstChild().(*ast.Heading); ok {
		p.TitleLevel, p.Headings = h.Level, p.Headings[1:]
	}
}

// imagesWithoutAlt returns the images without alternative text, or nil.
func imagesWithoutAlt(p *site.Page, images []*ast.Image) (without map[*ast.Image]bool) {
	for _, n := range images {
		text := ""
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			text += p.PlainText(c)
		}
		if strings.TrimSpace(text) == "" {
			if without == nil {
				without = map[*ast.Image]bool{}
			}
			without[n] = true
		}
	}
	return without
}
