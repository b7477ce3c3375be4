package feeds

import (
	"bytes"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	xhtml "golang.org/x/net/html"
	"golang.org/x/sync/errgroup"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/native"
	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/page"
	"github.com/gpudocs/gpudocs/internal/render/search"
	"github.com/gpudocs/gpudocs/internal/report/compat"
	"github.com/gpudocs/gpudocs/internal/site"
)

// searchDir is the folder of a language's index, below that of the language.
const searchDir = "_search/"

// planSearch sets the index of each language, which is made if one of its files is asked for, or all
// names are. So a rebuild of serve makes none.
func (s *Site) planSearch() {
	s.indexes = map[string]func() map[string][]byte{}
	for _, l := range s.Content.Languages {
		if s.Nav.Trees[l.Code] == nil || s.Content.Config.Without.Search {
			continue
		}
		s.indexes[l.Code+"/"+searchDir] = sync.OnceValue(func() map[string][]byte {
			files := map[string][]byte{}
			for _, f := range search.Build(l.Code, s.searchPages(l), s.Content.Config.Synonyms[l.Code]) {
				files[f.Name] = f.Data
			}
			return files
		})
	}
}

// Paths returns the names of the files of all indexes. It makes no more indexes at once than there are
// CPUs, because making one takes several times its memory.
func (s *Site) Paths() (paths []string) {
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for _, files := range s.indexes {
		g.Go(func() error { files(); return nil })
	}
	_ = g.Wait()
	for dir, files := range s.indexes {
		for name := range files() {
			paths = append(paths, dir+name)
		}
	}
	return paths
}

// File returns a file of an index.
func (s *Site) File(name string) ([]byte, bool) {
	at := strings.Index(name, "/"+searchDir)
	if at < 0 {
		return nil, false
	}
	at += len("/" + searchDir)
	files := s.indexes[name[:at]]
	if files == nil {
		return nil, false
	}
	data, ok := files()[name[at:]]
	return data, ok
}

// SearchLink returns the link from the page at an address to a language's index, or "" if there is none.
func (s *Site) SearchLink(from, language string) string {
	if s.indexes[language+"/"+searchDir] == nil {
		return ""
	}
	return nav.Href(from, language+"/"+searchDir+search.Head)
}

// searchPages returns what readers of a language can find: every page in reading order, in another language if
// it has no translation.
func (s *Site) searchPages(l *site.Language) []search.Page {
	var pages []search.Page
	t := s.Theme.Text(l.Code)
	labels := page.NewLabels(s.Nav, l, t)
	form := &search.Section{Heading: t.Get("my_title"), Also: search.OwnGPU} // and found by the name of any GPU
	for _, list := range compat.Models() {
		form.Blocks = append(form.Blocks, search.Block{Text: list})
	}
	for _, e := range s.Nav.Trees[l.Code].Order {
		r := searchReader{
			page:   e.Placed.Page,
			links:  s.Content.Links(e.Placed.Page),
			labels: labels,
			works:  page.NewBibliography(e.Placed.Page, s.Content, t),
			notes:  map[int]*extast.Footnote{},
			form:   &form,
		}
		pages = append(pages, search.Page{
			URL:   strings.TrimPrefix(e.Placed.URL(), l.Code+"/"),
			Title: e.Placed.Page.Title, Number: e.Number, Lang: e.Placed.Foreign(), Sections: r.read(),
		})
	}
	return append(pages, s.statusPages(l)...)
}

// statusPages returns what can be found of the page of all checks: what its parts are about. Results are left out, so that a new
// report does not make another index.
func (s *Site) statusPages(l *site.Language) []search.Page {
	if !slices.Contains(s.Generated, site.StatusDir) {
		return nil
	}
	t := s.Theme.Text(l.Code)
	p := search.Page{URL: site.StatusDir, Title: t.Get("status")}
	for _, part := range [][3]string{
		{"", "", "status_about"},
		{"_changes", "changes", "changes_note"},
		{"_changes", "changes_since", "changes_note"},
		{"_measured", "status_measured", "status_measured_note"},
		{"_measured", "chart_matmul", "status_measured_note"},
		{"_machines", "machines_title", "status_machines_note"},
	} {
		section := search.Section{ID: part[0], Blocks: []search.Block{{Text: t.Get(part[2])}}}
		if part[1] != "" {
			section.Heading = t.Get(part[1])
		}
		p.Sections = append(p.Sections, section)
	}
	return []search.Page{p}
}

// A searchReader reads what can be found on a page: its text, code with comments and expected outputs, the
// descriptions of images, and footnotes at their first reference. Results of machines, outputs of notebooks
// and embedded notes, which are found on their own pages, are left out.
type searchReader struct {
	page     *site.Page
	links    *site.Links
	labels   page.Labels
	works    *page.Bibliography
	sections []search.Section
	notes    map[int]*extast.Footnote
	// form is what the first :::my-gpu of the site is found by. It is nil after that.
	form **search.Section
}

func (r *searchReader) read() []search.Section {
	r.sections = []search.Section{{}}
	if tags := r.page.Tags; len(tags) > 0 {
		r.add("#"+strings.Join(tags, " #"), false)
	}
	title := page.Title(r.page)
	if list, ok := r.page.Doc().LastChild().(*extast.FootnoteList); ok {
		for _, n := range page.Children(list) {
			if note, ok := n.(*extast.Footnote); ok {
				r.notes[note.Index] = note
			}
		}
	}
	for _, n := range page.Children(r.page.Doc()) {
		if title == nil || n != ast.Node(title) {
			r.block(n)
		}
	}
	return r.sections
}

func (r *searchReader) add(text string, code bool) {
	if strings.TrimSpace(text) == "" {
		return
	}
	s := &r.sections[len(r.sections)-1]
	s.Blocks = append(s.Blocks, search.Block{Text: text, Code: code})
}

// label matches what a reader sees of a Mermaid diagram: the text after a colon, as of accTitle and of messages, or in quotes or brackets.
var label = lazyregexp.New(`(?m)"([^"\n]+)"|:[ \t]+(.+)$|[\[({|]+([^\[\](){}|"\n]+)[\])}|]+`)

// diagramText returns the texts of a diagram.
func diagramText(code string) string {
	var list []string
	for _, m := range label.FindAllStringSubmatch(code, -1) {
		list = append(list, strings.TrimSpace(m[1]+m[2]+m[3]))
	}
	return strings.Join(list, " · ")
}

func (r *searchReader) block(n ast.Node) {
	switch n := n.(type) {
	case *ast.Heading:
		r.sections = append(r.sections, search.Section{ID: markdown.ID(n), Heading: strings.TrimSpace(r.words(n))})
		return
	case *site.Fence:
		r.add(n.Title, false)
		if n.Diagram != nil {
			r.add(diagramText(n.Code), false)
		} else if n.Cell == nil || !n.Cell.NoInput() {
			r.add(n.Code, true)
		}
		return
	case *ast.CodeBlock:
		r.add(string(n.Lines().Value(r.page.Source.Data)), true)
		return
	case *ast.HTMLBlock:
		r.add(htmlText(markdown.RawHTML(n, r.page.Source.Data)), false)
		return
	case *markdown.MathBlock:
		r.add(r.links.Formula(&n.Formula).Plain(), false)
		return
	case *extast.TableRow, *extast.TableHeader:
		var cells []string
		for _, c := range page.Children(n) {
			cells = append(cells, r.text(c))
		}
		r.add(strings.Join(cells, " · "), false)
		return
	case *extast.FootnoteList:
		return
	case *markdown.Container:
		if n.Name == "my-gpu" && *r.form != nil {
			now := r.sections[len(r.sections)-1]
			r.sections = append(r.sections, **r.form, search.Section{ID: now.ID, Heading: now.Heading}) // which goes on
			*r.form = nil
		}
	case *markdown.Tab:
		if _, ok := n.FirstChild().(*markdown.TabTitle); !ok {
			r.add(n.Title, false)
		}
	}
	if c := n.FirstChild(); c == nil || c.Type() == ast.TypeInline {
		r.leaf(n)
		return
	}
	for _, c := range page.Children(n) {
		r.block(c)
	}
}

// leaf adds a paragraph and the footnotes to which it refers.
func (r *searchReader) leaf(n ast.Node) {
	r.add(r.text(n), false)
	_ = ast.Walk(n, func(c ast.Node, entering bool) (ast.WalkStatus, error) {
		link, ok := c.(*extast.FootnoteLink)
		if !entering || !ok {
			return ast.WalkContinue, nil
		}
		if note := r.notes[link.Index]; note != nil {
			delete(r.notes, link.Index) // only at its first reference
			for _, b := range page.Children(note) {
				r.block(b)
			}
		}
		return ast.WalkContinue, nil
	})
}

// text returns the text of a block with the descriptions of its images.
func (r *searchReader) text(n ast.Node) string {
	text := r.words(n)
	_ = ast.Walk(n, func(c ast.Node, entering bool) (ast.WalkStatus, error) {
		if image, ok := c.(*ast.Image); ok && entering {
			text += " " + markdown.Text(image, r.page.Source.Data, markdown.TextOptions{})
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	})
	return text
}

// words returns the text of a node, in which references and citations have the words that readers see.
func (r *searchReader) words(n ast.Node) string {
	return r.links.TextWith(n, markdown.TextOptions{
		Reference: func(ref *markdown.Reference) string { return r.labels.ReferenceText(ref, r.links.Reference(ref)) },
		Other: func(n ast.Node) string {
			switch n := n.(type) {
			case *markdown.Citation:
				return r.works.Text(n, func(s string) string { return s })
			case *native.Live:
				return "…" // depends on the machine
			}
			return ""
		},
	})
}

// htmlText returns the text of raw HTML and the descriptions of its images.
func htmlText(raw []byte) string {
	var b strings.Builder
	skip := ""
	for z := xhtml.NewTokenizer(bytes.NewReader(raw)); ; {
		switch z.Next() {
		case xhtml.ErrorToken:
			return strings.Join(strings.Fields(b.String()), " ")
		case xhtml.TextToken:
			if skip == "" {
				b.Write(z.Text())
			}
		case xhtml.StartTagToken, xhtml.SelfClosingTagToken:
			t := z.Token()
			if t.Data == "script" || t.Data == "style" {
				skip = t.Data
			}
			b.WriteByte(' ')
			for _, a := range t.Attr {
				if a.Key == "alt" {
					b.WriteString(a.Val + " ")
				}
			}
		case xhtml.EndTagToken:
			if name, _ := z.TagName(); string(name) == skip {
				skip = ""
			}
			b.WriteByte(' ')
		}
	}
}
