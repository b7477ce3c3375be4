package render

import (
	"html/template"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/i18n"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/rawhtml"
	"github.com/gpudocs/gpudocs/internal/translate"
)

// A pageWriter renders one page at one address.
type pageWriter struct {
	placed
	// page is whose nodes are written: the placed one, or another that it embeds.
	page *content.Page
	r    *Site
	t    i18n.Strings
	html renderer.Renderer
	raw  rawHTML
	ends markdown.InlineEnds
	// tabs and diagrams count, for ids.
	tabs, diagrams int
	// citedWorks are those of the page's list, listed is set where it is written.
	citedWorks []*cited
	workByKey  map[string]*cited
	listed     bool
	// way are the embeds that the page stands in, parts counts all of a page.
	way   []*markdown.Embed
	parts *int
	// lot is the machines of which the page holds pieces; see mine.go.
	lot lot
	// owners are the blocks of expectations.
	owners map[*content.Expect]*content.Block
	// parted is set while a paragraph is written that holds blocks.
	parted bool
	// printed are the ids of the pages that stand on the same page, by their addresses.
	printed map[string]string
}

func (s *Site) renderPage(at placed) ([]byte, error) {
	here := s.here(at.page)
	view, err := s.viewFor(at, lot{machines: here})
	if err != nil {
		return nil, err
	}
	view.Machines, view.MachineNames = s.picker(at.language.Code), s.machineNames(s.allMachines())
	view.Unreadable = s.options.Unreadable
	if speaks(at.page) {
		view.HereNames = s.machineNames(here)
	}
	return s.execute("page.html", view)
}

// viewFor is a page with what it says of some machines.
func (s *Site) viewFor(at placed, l lot) (PageView, error) {
	v := &pageWriter{placed: at, page: at.page, r: s, t: s.strings[at.language.Code], parts: new(int), lot: l}
	v.sanitise(v.rawAddress, v.rawSize)
	v.html = v.renderer()
	view := s.pageView(at)
	b := s.buffer()
	defer s.release(b)
	heading, err := v.split(b)
	if err == nil {
		err = s.ctx.Err() // what could not be drawn any more stands there as source
	}
	if err != nil {
		return PageView{}, err
	}
	view.Heading, view.HeadingID, view.Body = heading.html, heading.id, template.HTML(b.String())
	view.Verdicts = v.verdicts()
	return view, nil
}

type headingHTML struct {
	html template.HTML
	id   string
}

// split writes the body to b, and returns the page's first heading on its own where the
// page begins with one of level 1: the theme places it.
func (v *pageWriter) split(b *buffer) (headingHTML, error) {
	heading := headingHTML{html: template.HTML(template.HTMLEscapeString(v.page.Title))}
	h, ok := firstSeen(v.page.Doc()).(*ast.Heading)
	ok = ok && h.Level == 1
	if ok {
		if err := v.renderChildren(b, h); err != nil {
			return heading, err
		}
		id, _ := h.AttributeString("id")
		name, _ := id.([]byte)
		heading = headingHTML{html: template.HTML(b.String()), id: string(name)}
		b.Reset()
	}
	for n := v.page.Doc().FirstChild(); n != nil; n = n.NextSibling() {
		if ok && n == ast.Node(h) {
			continue
		}
		if err := v.html.Render(b, v.page.Source.Data, n); err != nil {
			return heading, err
		}
	}
	v.raw.Finish(&b.Buffer)
	v.references(b)
	return heading, nil
}

// showless are nodes of which a page shows nothing.
var showless = []ast.NodeKind{ast.KindLinkReferenceDefinition, markdown.KindComment, markdown.KindAnchor}

// firstSeen is the first node that a reader sees: comments are none.
func firstSeen(doc ast.Node) ast.Node {
	n := doc.FirstChild()
	for n != nil {
		block, ok := n.(*ast.HTMLBlock)
		if !(ok && block.HTMLBlockType == ast.HTMLBlockType2) && !slices.Contains(showless, n.Kind()) {
			break
		}
		n = n.NextSibling()
	}
	return n
}

func (v *pageWriter) renderChildren(b *buffer, n ast.Node) error {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if err := v.html.Render(b, v.page.Source.Data, c); err != nil {
			return err
		}
	}
	return nil
}

// pageView gathers all but the text.
func (s *Site) pageView(at placed) PageView {
	from := at.url()
	nav := s.nav[at.language.Code]
	v := PageView{
		Site: s.site(), T: s.strings[at.language.Code], Kind: "page",
		Lang: at.language.Code, ContentLang: at.page.Language.Code,
		Title: at.page.Title, Description: at.page.Description, Draft: at.page.Draft,
		Root: relative(from, ""), Theme: href(from, s.assets), Home: href(from, s.homeURL(at.language)), Search: s.searchLink(from, at.language.Code),
		Nav: nav.items(from), Breadcrumb: nav.breadcrumb(from),
		Checks: s.checks(at.page), Tags: at.page.Tags,
	}
	v.Prev, v.Next = nav.neighbours(from)
	for _, h := range at.page.Headings {
		if h.Level == 2 || h.Level == 3 {
			v.TOC = append(v.TOC, TOCEntry(h))
		}
	}
	if at.foreign() != "" {
		v.Missing = &MissingTranslation{Lang: at.page.Language.Code, Name: at.page.Language.Name, URL: href(from, at.page.URL)}
	}
	v.Outdated = s.outdated(at)
	v.Changed = s.changed(at)
	s.feeds(&v, at.language, from)
	s.translations(&v, at)
	s.aside(&v, at)
	return v
}

// changed is the day of the page's last change: the author's word, else git's.
func (s *Site) changed(at placed) *Day {
	day := s.changedOn(at.page)
	if day.IsZero() {
		return nil
	}
	return &Day{ISO: day.Format(time.DateOnly), Text: s.strings[at.language.Code].Date(day)}
}

func (s *Site) changedOn(p *content.Page) time.Time {
	if !p.Updated.IsZero() {
		return p.Updated
	}
	return s.options.Changed[p.Source.Name]
}

// outdated tells a reader what a translation does not say yet.
func (s *Site) outdated(at placed) *OutdatedTranslation {
	state, changes := s.content.Translation(at.page)
	if state != content.Outdated {
		return nil
	}
	source := s.content.Source(at.page.Key)
	to := href(at.url(), source.URL)
	v := &OutdatedTranslation{Lang: source.Language.Code, Name: source.Language.Name, URL: to}
	for _, c := range slices.Concat(changes.Changed, changes.Added) {
		link := Link{Title: c.Title, URL: to + "#" + url.PathEscape(strings.TrimRight(c.Anchor, "~"))} // ~ tells apart ids that stand twice
		if c.Anchor == translate.Top {
			link = Link{Title: source.Title, URL: to}
		}
		v.Sections = append(v.Sections, link)
	}
	return v
}

// translations fills the language switcher, which keeps the page, and the
// alternates, which are between real translations only.
func (s *Site) translations(v *PageView, at placed) {
	from := at.url()
	for _, l := range s.content.Languages {
		shown := placed{s.shown(at.page.Key, l.Code), l}
		v.Languages = append(v.Languages, LanguageLink{
			Code: l.Code, Name: l.Name, URL: href(from, shown.url()),
			Current: l == at.language, Missing: shown.foreign() != "",
		})
	}
	if s.options.BaseURL == "" {
		return
	}
	v.Canonical = s.absolute(at.page.URL)
	if at.foreign() == "" && !s.options.Offline {
		v.Alternates = s.alternates(at.page)
	}
}

// alternates are the page in each language that it is translated into, itself with them.
func (s *Site) alternates(p *content.Page) (list []Alternate) {
	real := s.content.Translations(p.Key)
	if len(real) < 2 {
		return nil
	}
	for _, p := range real {
		list = append(list, Alternate{p.Language.Code, s.absolute(p.URL)})
	}
	return append(list, Alternate{"x-default", s.absolute(real[0].URL)})
}

func (s *Site) absolute(to string) string { return s.options.BaseURL + escapePath(to) }

func escapePath(p string) string {
	if isPlain(p) {
		return p
	}
	return (&url.URL{Path: p}).EscapedPath()
}

// address returns the link to where a link of the page leads.
func (v *pageWriter) address(t content.Target) string {
	from := v.url()
	switch {
	case t.External != "":
		if rawhtml.Dangerous(t.External) {
			return ""
		}
		return t.External
	case t.Picture != nil:
		return href(from, pictureFile(t.Picture))
	case t.Asset != "":
		return href(from, t.Asset) + t.Suffix
	case t.Made != "":
		return href(from, t.Made) + t.Suffix
	case t.Page == nil:
		return ""
	}
	to := placed{t.Page, v.language}
	if t.OtherLanguage {
		to.language = t.Page.Language
	} else if own := v.r.shown(t.Page.Key, v.language.Code); own != nil {
		to.page = own
	}
	if id, ok := v.printed[to.url()]; ok {
		if fragment := t.Fragment(); fragment != "" {
			return "#" + id + "." + strings.TrimPrefix(t.Suffix[strings.Index(t.Suffix, "#"):], "#")
		}
		return "#" + id
	}
	// In an embedded note "#" is what stands in that note.
	if to.url() == from && strings.HasPrefix(t.Suffix, "#") && len(v.way) == 0 {
		return t.Suffix
	}
	return href(from, to.url()) + t.Suffix
}

func (v *pageWriter) rawAddress(destination string) string {
	if t, ok := v.page.RawTarget(destination); ok && !t.Missing {
		return v.address(t)
	}
	return destination
}

func (v *pageWriter) rawSize(source string) (width, height int) {
	t, _ := v.page.RawTarget(source)
	size := v.naturalSize(t)
	return size.Width, size.Height
}
