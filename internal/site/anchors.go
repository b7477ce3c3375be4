package site

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/yuin/goldmark/ast"
	"golang.org/x/text/unicode/norm"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

// HasAnchor reports whether a link to #id is valid on the page. Browsers find the top of the page
// and text fragments by themselves.
func (p *Page) HasAnchor(id string) bool {
	return id == "" || strings.EqualFold(id, "top") || p.Anchors[id] || strings.HasPrefix(id, ":~:")
}

// headings returns the headings of the page in order.
func (p *Page) headings() (list []*ast.Heading) {
	for n := range markdown.Nodes(p.Doc()) {
		if h, ok := n.(*ast.Heading); ok {
			list = append(list, h)
		}
	}
	return list
}

// An outline finds the headings of a page by name. It is built at its first use, because most pages
// do not need it, and cached, because a vault has many links to one page.
type outline struct {
	once    sync.Once
	entries []outlineEntry
	// byKey maps a heading's key to the id of the first heading with that key.
	byKey map[string]string
	byID  map[string]*ast.Heading
}

// An outlineEntry is a heading in the form in which Obsidian's links name it.
type outlineEntry struct {
	level   int
	id, key string
}

// AnchorIDs returns the ids of the page's anchors, sorted.
func (p *Page) AnchorIDs() []string { return slices.Sorted(maps.Keys(p.Anchors)) }

// HeadingID finds a heading by its text, each below the one before, as Obsidian does. It ignores
// punctuation and case.
func (p *Page) HeadingID(path []string) string {
	keys := make([]string, len(path))
	for i, text := range path {
		keys[i] = headingKey(text)
	}
	p.outline.once.Do(p.readOutline)
	if first, ok := p.outline.byKey[keys[0]]; len(keys) == 1 || !ok {
		return first
	}
	want, above := 0, 0
	for _, h := range p.outline.entries {
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

func (p *Page) readOutline() {
	p.outline.byKey, p.outline.byID = map[string]string{}, map[string]*ast.Heading{}
	for _, h := range p.headings() {
		e := outlineEntry{h.Level, markdown.ID(h), headingKey(p.WrittenText(h))}
		p.outline.entries = append(p.outline.entries, e)
		p.outline.byID[e.id] = h
		if _, taken := p.outline.byKey[e.key]; !taken {
			p.outline.byKey[e.key] = e.id
		}
	}
}

// HeadingTexts returns the texts of the headings as readers see them.
func (p *Page) HeadingTexts() (texts KnownNames) {
	for _, h := range p.headings() {
		texts.Add(strings.TrimSpace(p.PlainText(h)))
	}
	return texts
}

// headingKey returns the form in which texts of headings are compared.
func headingKey(text string) string {
	sign := func(r rune) bool { return r <= ' ' || strings.ContainsRune("!\"#$%&()*+,.:;<=>?@^`{|}~/[]\\", r) }
	return strings.Join(strings.FieldsFunc(FoldName(text), sign), " ")
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
	p.outline.once.Do(p.readOutline)
	return p.outline.byID[id]
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
