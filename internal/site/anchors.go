package site

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/yuin/goldmark/ast"
	"golang.org/x/text/unicode/norm"
)

// HasAnchor reports whether a link to #id is valid on the page. Browsers find the top of the page
// and text fragments by themselves.
func (p *Page) HasAnchor(id string) bool {
	return id == "" || strings.EqualFold(id, "top") || p.Anchors[id] || strings.HasPrefix(id, ":~:")
}

// headings returns the headings of the page in order.
func (p *Page) headings() (list []*ast.Heading) {
	_ = ast.Walk(p.Doc(), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if h, ok := n.(*ast.Heading); ok && entering {
			list = append(list, h)
		}
		return ast.WalkContinue, nil
	})
	return list
}

// An anchorIndex finds the anchors and headings of a page by name. Each part is built at its first
// use: most pages need none of them.
type anchorIndex struct {
	outlining sync.Once
	outline   []outlineEntry
	// byKey maps a heading's key to the id of the first heading with that key.
	byKey   map[string]string
	reading sync.Once
	texts   KnownNames
	sorting sync.Once
	ids     []string
}

// AnchorIDs returns the ids of the page's anchors, sorted.
func (p *Page) AnchorIDs() []string {
	p.anchorIndex.sorting.Do(func() { p.anchorIndex.ids = slices.Sorted(maps.Keys(p.Anchors)) })
	return p.anchorIndex.ids
}

// HeadingID finds a heading by its text, each below the one before, as Obsidian does. It ignores
// punctuation and case.
func (p *Page) HeadingID(path []string) string {
	keys := make([]string, len(path))
	for i, text := range path {
		keys[i] = headingKey(text)
	}
	outline := p.outline()
	if first, ok := p.anchorIndex.byKey[keys[0]]; len(keys) == 1 || !ok {
		return first
	}
	want, above := 0, 0
	for _, h := range outline {
		if want > 0 && h.level <= above {
			want, above = 0, 0 // the section has ended
		}
		if h.key != keys[want] {
			continue
		}
		if want++; want == len(keys) {
			return h.id
		}
		above = h.level
	}
	return ""
}

// An outlineEntry is a heading in the form in which Obsidian's links name it.
type outlineEntry struct {
	level   int
	id, key string
}

// outline returns the headings of the page. They are collected once, because a vault has many links
// to one page.
func (p *Page) outline() []outlineEntry {
	p.anchorIndex.outlining.Do(func() {
		p.anchorIndex.byKey = map[string]string{}
		for _, h := range p.headings() {
			id, _ := h.AttributeString("id")
			name, _ := id.([]byte)
			o := outlineEntry{h.Level, string(name), headingKey(p.WrittenText(h))}
			p.anchorIndex.outline = append(p.anchorIndex.outline, o)
			if _, taken := p.anchorIndex.byKey[o.key]; !taken {
				p.anchorIndex.byKey[o.key] = o.id
			}
		}
	})
	return p.anchorIndex.outline
}

// HeadingTexts returns the texts of the headings as readers see them.
func (p *Page) HeadingTexts() KnownNames {
	p.anchorIndex.reading.Do(func() {
		for _, h := range p.headings() {
			p.anchorIndex.texts.Add(strings.TrimSpace(p.PlainText(h)))
		}
	})
	return p.anchorIndex.texts
}

// headingKey returns the form in which texts of headings are compared.
func headingKey(text string) string {
	return strings.Join(strings.FieldsFunc(FoldName(text), func(r rune) bool { return r <= ' ' || strings.ContainsRune("!\"#$%&()*+,.:;<=>?@^`{|}~/[]\\", r) }), " ")
}

// BlockIDs returns the ids of Obsidian blocks, ^id, sorted.
func (p *Page) BlockIDs() (ids []string) {
	for id := range p.Anchors {
		if strings.HasPrefix(id, "^") {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// headingOf returns the heading with an id, or nil.
func (p *Page) headingOf(id string) *ast.Heading {
	for _, h := range p.headings() {
		if given, _ := h.AttributeString("id"); given != nil && string(given.([]byte)) == id {
			return h
		}
	}
	return nil
}

// Slug derives an id from a text as GitHub does, in lower case, with hyphens for blanks and without
// punctuation. Unlike goldmark it keeps letters with accents.
func Slug(s string) string {
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
