package site

import (
	"net/url"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/notebook"
)

// ContentsTargets returns the targets of the entries of a list of pages.
func (l *Links) ContentsTargets(n *markdown.Contents) []Target {
	return l.ContentsLists[l.Page.nodeNumber(n)]
}

// A Target is what a link or an image of a page leads to. Exactly one of Page, Asset, Generated,
// Picture, External and Missing is set.
type Target struct {
	// Page is a page of the site. Its Language is that of the linking page, unless the page exists
	// only in another language: the reader then stays in the language and sees the original with a
	// notice.
	Page *Page
	// Asset is another file below content/.
	Asset string
	// Generated is the address of a generated page: "pt/_status/".
	Generated string
	// Picture is an image that the page's notebook contains.
	Picture *notebook.Picture
	// External is an address outside of the site.
	External string
	// Missing is set if nothing was found.
	Missing bool
	// Suffix is "?query" and "#fragment", as written.
	Suffix string
	// OtherLanguage is set if the link leads to another language's folder.
	OtherLanguage bool
}

// A Link is an address on a page.
type Link struct {
	// Destination is the address as written.
	Destination string
	Target      Target
	// Start and End are its offsets in the page's source.
	Start, End int
	// Image is set if the target is shown on the page instead of being followed.
	Image bool
}

// Fragment returns the decoded fragment of the target, without #.
func (t Target) Fragment() string {
	_, fragment, _ := strings.Cut(t.Suffix, "#")
	if f, err := url.PathUnescape(fragment); err == nil {
		return f
	}
	return fragment
}

// Links holds the targets of the links, references and citations of a page.
type Links struct {
	// All are the addresses on the page in order, including those in raw HTML.
	All []Link
	// Cited are the keys of the works that the page cites, without duplicates, in order.
	Cited []string

	Page *Page
	// EmbedsPages reports whether the page shows other pages or parts of them.
	EmbedsPages bool
	// Targets are the targets by [Page.nodeNumber] of their nodes. RawTargets are those of raw
	// HTML, by address.
	Targets    []Target
	RawTargets map[string]Target
	// ResolvedReferences are the targets of references, and ContentsLists those of lists of pages,
	// by [Page.nodeNumber].
	ResolvedReferences map[int]ResolvedReference
	ContentsLists      map[int][]Target
	// Image is the target of [Page.Image].
	Image Target
	// EquationNumbers are the numbers of other pages' equations in formulas, by the offset of the
	// reference.
	EquationNumbers map[int]string
}

// Links returns the resolved links of a page.
func (s *Site) Links(p *Page) *Links { return s.LinksByPage[s.PageIndex[p]] }

// Target returns the target of a Link, Image or Embed node of the page.
func (l *Links) Target(n ast.Node) Target {
	if i := l.Page.nodeNumber(n); i >= 0 && i < len(l.Targets) {
		return l.Targets[i]
	}
	return Target{}
}

// RawTarget returns the target of an address in the page's raw HTML.
func (l *Links) RawTarget(destination string) (Target, bool) {
	t, ok := l.RawTargets[destination]
	return t, ok
}
