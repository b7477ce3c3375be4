package site

import (
	"path"
	"sort"
	"time"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/native"
	"github.com/gpudocs/gpudocs/internal/markdown/notebook"
	"github.com/gpudocs/gpudocs/internal/site/translate"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A Page is the content of one Markdown file or notebook. It does not depend on other pages; for
// the targets of its links see [Site.Links].
type Page struct {
	Language *Language
	// Path is the file's path below content/<language>/: "gpu/index.md".
	Path string
	// Source is the parsed text, named as the file below the site's folder. The front matter is
	// blanked in place, so that offsets are those of the file. For a notebook it is the Markdown
	// generated from it.
	Source *diag.File
	// File is the page's file. It differs from Source if the page includes files: Source then
	// contains their text and knows the origin of each line.
	File *diag.File
	// Includes are the files that the page includes, by path below the site's folder.
	Includes []string
	// Notebook is set if the page is a notebook.
	Notebook *notebook.Notebook
	// Key is the same for all translations of a page: the front matter's translation key, or else
	// the path without ".md".
	Key string
	// URL is the page's address below the site's base: "pt/gpu/".
	URL         string
	Title       string
	Description string
	// TitleLevel is the level of the heading at the beginning of the page that became the title, if it is not 1.
	TitleLevel int
	// Weight is the weight in the front matter. Pages of a folder are ordered by it, or by [Site.ListPositions].
	Weight int
	Draft  bool
	// Group is the name of the page's group in the sidebar, Hidden keeps the page out of all lists, and Requires
	// are the keys of the pages to read before it. Translations have what their source has, unless they set it.
	Group    Named
	Hidden   Named
	Requires []Named
	// Image is the image that other sites show beside links to the page.
	Image Named
	// NoIndex keeps the page from search engines, NoContents shows no contents list. They hold for translations too.
	NoIndex, NoContents bool
	// Prev and Next are the keys of the pages that the links to the page before and after lead to. If one is nil, its
	// link leads to the neighbour in reading order; if its text is empty, there is no link. A translation has the
	// values of its source, unless it sets its own.
	Prev, Next *Named
	// Minutes is the time that reading takes; 0 shows none. TimeSet is set if the front matter says it.
	Minutes int
	TimeSet bool
	// Dialects are the Markdown dialects of the page. If nobody sets them, RecognisedBy is what told them: a
	// file, an extension, or a mark in the page.
	Dialects     markdown.Dialect
	RecognisedBy string
	// Faulty is set if there is an error in the page or in a file that it includes. Its blocks may
	// mean something else than their author wants, and must not run.
	Faulty bool
	// SolutionsAfter is the day, in UTC, from which on solutions are published, if the front matter sets
	// one. See [Site.SolutionsAfter].
	SolutionsAfter time.Time
	// HasSolutions is set if there are solutions of exercises on the page.
	HasSolutions bool
	// Withheld is set if they are left out.
	Withheld bool
	// RawHTML is set if the page contains HTML.
	RawHTML bool
	// Updated is the date in the front matter on which the page was changed, or zero.
	Updated time.Time
	// Tags are the tags in the front matter, InlineTags those in the text.
	Tags, InlineTags []string
	// Headings are the headings of the page in order, without a first-level heading that became the
	// title.
	Headings []Heading
	// Blocks are the runnable and gpu blocks in order.
	Blocks []*Block
	// Sections are the parts of the page between its headings, with their hashes. The first is the
	// text before the first heading.
	Sections []translate.Section
	// Stamp describes the version of the source that this page translates, or is zero.
	Stamp translate.Stamp
	// Original marks the page as the source of its translations.
	Original bool
	// LiveValues are the {live} values in the page's text.
	LiveValues []*native.Live
	// Formulas are the formulas of the page in order.
	Formulas []*markdown.Formula
	// Diagrams are the diagrams of the page in order.
	Diagrams []*Diagram

	Anchors map[string]bool
	// Aliases are other names of the page, and Redirects its former addresses.
	Aliases   []string
	Redirects []OldAddress
	// Document is the parsed Markdown. ImagesWithoutAlt are the images in it without alternative
	// text.
	Document         *Tree
	ImagesWithoutAlt map[*ast.Image]bool
	// Labels are the possible targets of references, by name. LabelByAnchor maps an anchor to its
	// label if the two differ.
	Labels        map[string]Label
	LabelByAnchor map[string]string
	// Numbers are the numbers of figures and statements, by [Page.nodeNumber].
	Numbers map[int]int
	// LinkFolders are the parts of the page that come from files of other folders.
	LinkFolders []LinkFolder
	outline     outline
}

// A Named is a text of the front matter with its place in the file. The text is empty if it is not set.
type Named struct {
	Text       string
	File       *diag.File
	Start, End int
}

// Say returns a diagnostic at its place.
func (n Named) Say(s diag.Severity, message diag.Text) diag.Diagnostic {
	return n.File.At(s, n.Start, n.End, message)
}

// A Heading is an entry of a page's table of contents.
type Heading struct {
	Level int
	ID    string
	Text  string
}

// Doc returns the parsed Markdown of the page, which must not be changed.
func (p *Page) Doc() ast.Node { return p.Document.Root }

// nodeNumber returns the number of a node in [Tree.Numbers], or -1.
func (p *Page) nodeNumber(n ast.Node) int {
	if i, ok := p.Document.Numbers[n]; ok {
		return i
	}
	return -1
}

// A LinkFolder is a part of the page whose links are relative to another folder than the page's.
type LinkFolder struct {
	Start, Stop int
	Folder      string
}

// FolderAt returns the folder below content/ that links at an offset are relative to: that of the
// page, or of the file that it includes there.
func (p *Page) FolderAt(pos int) string {
	// The innermost part that contains the offset is the one that ends first.
	i := sort.Search(len(p.LinkFolders), func(i int) bool { return p.LinkFolders[i].Stop > pos })
	for ; i < len(p.LinkFolders); i++ {
		if p.LinkFolders[i].Start <= pos {
			return p.LinkFolders[i].Folder
		}
	}
	return path.Join(p.Language.Code, path.Dir(p.Path))
}
