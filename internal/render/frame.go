package render

import (
	"cmp"
	"html/template"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/render/feeds"
	"github.com/gpudocs/gpudocs/internal/render/mygpu"
	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/page"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/render/status"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/translate"
)

// renderPage makes the page at an address.
func (s *Site) renderPage(at nav.Placed) ([]byte, error) {
	here := s.reports.Included(at.Page)
	view := s.frame(at)
	present := s.reports.Present(view.T, at.URL(), here)
	view.Verdicts, view.Measures = present.Verdicts(at.Page), measures(present, at.Page, view, "")
	view.Machines, view.MachineNames = s.reports.Present(view.T, at.URL(), nil).MachineOptions(), results.Names(s.reports.Machines)
	view.Unreadable = s.options.Unreadable
	if s.mentionsMachines(at.Page) {
		view.IncludedNames, view.Deferred = results.Names(here), s.deferred(at.URL(), at.Language.Code)
	}
	in := s.input(at, at.Page, here)
	in.Tags = s.tags.links(at.Page.InlineTags, at)
	body, err := page.Render(s.ctx, in)
	if err != nil {
		return nil, err
	}
	view.Heading, view.HeadingID, view.Body = body.Heading, body.HeadingID, body.HTML
	return s.theme.Execute("page.html", view)
}

// measures returns the times and rates of a page that is a part of view, or nil. Its ids have a prefix there.
func measures(present *results.Presenter, p *site.Page, view theme.PageView, prefix string) *theme.MeasuresView {
	list := results.Measures(present, p)
	if list == nil {
		return nil
	}
	for i := range list {
		list[i].URL = "#" + prefix + list[i].URL[1:]
	}
	return &theme.MeasuresView{List: list, Prefix: prefix, Status: view.Status, Notes: slices.ContainsFunc(list, theme.MeasureView.Noted), T: view.T}
}

// input returns the input of a page at an address, with the results of some machines.
func (s *Site) input(at nav.Placed, p *site.Page, machines []*results.Machine) page.Input {
	t := s.theme.Text(at.Language.Code)
	return page.Input{
		At:          at,
		Page:        p,
		Text:        t,
		Facts:       page.FactsOf(s.nav),
		Results:     s.reports.Present(t, at.URL(), machines),
		Theme:       s.theme,
		Highlighter: s.options.Highlighter,
		Math:        s.options.Math,
		Diagrams:    s.options.Diagrams,
		UnsafeHTML:  s.content.Config.UnsafeHTML,
		OpenFailed:  s.options.Lazy,
		Smaller:     !s.content.Config.Without.Images && !s.options.Lazy,
	}
}

// frame returns the data of a page without its text.
func (s *Site) frame(at nav.Placed) theme.PageView {
	from := at.URL()
	tree := s.nav.Trees[at.Language.Code]
	present := s.reports.Present(s.theme.Text(at.Language.Code), from, nil)
	v := theme.PageView{
		Site: s.site(), T: s.theme.Text(at.Language.Code), Kind: "page",
		Lang: at.Language.Code, ContentLang: at.Page.Language.Code,
		Title: at.Page.Title, Description: at.Page.Description, Draft: at.Page.Draft,
		Root: nav.Relative(from, ""), Theme: nav.Href(from, s.theme.Folder), Home: nav.Href(from, s.homeURL(at.Language)), Search: s.feeds.SearchLink(from, at.Language.Code),
		Nav: tree.Items(from), Breadcrumb: tree.Breadcrumb(from),
		Checks: s.reports.Checks(nil, at.Page), Failing: results.Failing(present, at.Page), Needs: present.Needs(at.Page), Tags: at.Page.Tags, TagLinks: s.tags.links(at.Page.Tags, at),
	}
	v.ContentDir, v.Number = contentDir(s.theme, at), tree.Find(from).Number
	s.reading(&v, at)
	v.Prev, v.Next = s.nav.Neighbours(at)
	source := s.content.Source(at.Page.Key)
	if !at.Page.NoContents && !source.NoContents {
		v.TOC = contents(at.Page)
	}
	v.MyGPU, v.Torch = s.myGPULink(from, at.Language), mygpu.UsesTorch(at.Page.Blocks)
	v.OnGPU = slices.ContainsFunc(at.Page.Blocks, func(b *site.Block) bool { return b.Kind == site.GPU || b.Demands().OfGPU() })
	if at.Foreign() != "" {
		v.Missing = &theme.MissingTranslation{Lang: at.Page.Language.Code, Name: at.Page.Language.Name, URL: nav.Href(from, at.Page.URL)}
	}
	v.Outdated = s.outdated(at)
	v.Editions = s.options.Editions.View(from, from, v.Lang)
	v.Changed = s.changed(at)
	s.feedLinks(&v, at.Language, from)
	s.translations(&v, at)
	s.setLinksBeside(&v, at)
	return v
}

// contents returns the contents list of a page: its headings of levels 2 and 3.
func contents(p *site.Page) (list []theme.TOCEntry) {
	for _, h := range p.Headings {
		if h.Level == 2 || h.Level == 3 {
			list = append(list, theme.TOCEntry(h))
		}
	}
	return list
}

// counterparts returns the ids that the headings of a page have in another language, or "" if they are the same. A heading
// with the same id is the same, and so is the next one after it of the same level. Any other leads to the one before.
func counterparts(page, other []theme.TOCEntry) string {
	places, onPage := map[string]int{}, map[string]bool{}
	for i, h := range other {
		places[h.ID] = i
	}
	for _, h := range page {
		onPage[h.ID] = true
	}
	ids, next, last, differ := make([]string, len(page)), 0, "_content", false
	for i, h := range page {
		if at, same := places[h.ID]; same {
			last, next = h.ID, at+1
		} else if next < len(other) && other[next].Level == h.Level && !onPage[other[next].ID] {
			last, next = other[next].ID, next+1
		}
		ids[i], differ = last, differ || last != h.ID
	}
	if !differ {
		return ""
	}
	return strings.Join(ids, " ")
}

// reading sets how long a page takes, and what to read before. A translation without the keys has those of its source.
func (s *Site) reading(v *theme.PageView, at nav.Placed) {
	p, source := at.Page, s.content.Source(at.Page.Key)
	v.Hidden = !s.content.IsIndexed(p)
	switch {
	case p.TimeSet:
		v.Minutes = p.Minutes
	case source.TimeSet:
		v.Minutes = source.Minutes
	case s.content.Config.ReadingTime && at.URL() != at.Language.Code+"/":
		v.Minutes = p.Minutes
	}
	requires := p.Requires
	if requires == nil {
		requires = source.Requires
	}
	for _, name := range requires {
		if before := s.nav.LinkTo(name.Text, at); before != nil {
			v.Requires = append(v.Requires, *before)
		}
	}
}

// changed returns the day of a page's last change, or nil if it is not known.
func (s *Site) changed(at nav.Placed) *theme.Day {
	day := s.nav.ChangedOn(at.Page)
	if day.IsZero() {
		return nil
	}
	return &theme.Day{ISO: day.Format(time.DateOnly), Text: s.theme.Text(at.Language.Code).Date(day)}
}

// outdated returns the sections of the source that a translation lacks, or nil.
func (s *Site) outdated(at nav.Placed) *theme.OutdatedTranslation {
	state, changes := s.content.Translation(at.Page)
	if state != site.Outdated {
		return nil
	}
	source := s.content.Source(at.Page.Key)
	to := nav.Href(at.URL(), source.URL)
	v := &theme.OutdatedTranslation{Lang: source.Language.Code, Name: source.Language.Name, URL: to}
	for _, c := range slices.Concat(changes.Changed, changes.Added) {
		link := theme.Link{Title: c.Title, URL: to + "#" + url.PathEscape(strings.TrimRight(c.Anchor, "~"))} // ~ marks a repeated id
		if c.Anchor == translate.Top {
			link = theme.Link{Title: source.Title, URL: to}
		}
		v.Sections = append(v.Sections, link)
	}
	return v
}

// translations sets the language menu, which leads to the same page, and the alternates, which are real
// translations only.
func (s *Site) translations(v *theme.PageView, at nav.Placed) {
	from := at.URL()
	for _, l := range s.content.Languages {
		shown := nav.Placed{Page: s.nav.Shown(at.Page.Key, l.Code), Language: l}
		v.Languages = append(v.Languages, theme.LanguageLink{
			Code: l.Code, Name: l.Name, URL: nav.Href(from, shown.URL()),
			Current: l == at.Language, Missing: shown.Foreign() != "", Sections: counterparts(contents(at.Page), contents(shown.Page)),
		})
	}
	if s.options.BaseURL == "" {
		return
	}
	newest := s.options.Editions.Canonical(at.Page.URL)
	v.Canonical = cmp.Or(newest, s.nav.Absolute(at.Page.URL))
	if at.Foreign() == "" && !s.options.Offline && newest == "" {
		v.Alternates = s.nav.Alternates(at.Page)
	}
}

// setLinksBeside sets the links to what is published beside the page.
func (s *Site) setLinksBeside(v *theme.PageView, at nav.Placed) {
	from := at.URL()
	if !s.content.Config.Without.Markdown {
		v.Markdown = nav.Href(from, feeds.ExportFile(at.Page))
	}
	if name, launch := s.Notebooks.Names[at.Page], s.content.Config.Launch; launch != nil && name != "" {
		v.Notebook = nav.Href(from, name)
		for _, service := range launch.Services {
			v.Launch = append(v.Launch, theme.Link{Title: site.Services[service], URL: launch.URL(service, name)})
		}
	}
	v.ReportBlank = v.T.Get("report_machine")
	v.Report, v.ReportBlank = s.reportURL(v.T, at.Page, nil, v.ReportBlank), escaped(v.ReportBlank)
	v.Edit = s.content.Config.EditURL(at.Page.File.Name)
	v.Offline = s.options.Offline
	if sec := s.sectionOf(at); sec != nil {
		v.Print, v.PrintsAll = nav.Href(from, sec.url), sec.entry.Parent == nil
	}
	s.downloads(v, at)
	v.Image = imageOf(s, at.Page)
}

// feedLinks sets the links to the status page and the feeds.
func (s *Site) feedLinks(v *theme.PageView, l *site.Language, from string) {
	if s.files[l.Code+"/"+status.Dir+"index.html"] != nil {
		v.Status = nav.Href(from, l.Code+"/"+status.Dir)
	}
	if name := l.Code + "/" + feeds.AtomFile; s.files[name] != nil {
		v.Feeds = append(v.Feeds, theme.FeedLink{Type: "application/atom+xml", Title: v.T.Get("feed_changes"), URL: nav.Href(from, name)})
	}
	if s.files[feeds.ResultsFile] != nil {
		v.Feeds = append(v.Feeds, theme.FeedLink{Type: "application/json", Title: v.T.Get("feed_results"), URL: nav.Href(from, feeds.ResultsFile)})
	}
}

// generatedFrame returns the data of a generated page without its text.
func (s *Site) generatedFrame(o generatedPage, l *site.Language) theme.PageView {
	t := s.theme.Text(l.Code)
	title := o.given
	if title == "" {
		title = t.Get(o.title, o.with...)
	}
	from := l.Code + "/" + o.path
	at := from[:strings.LastIndex(from, "/")+1] // links start at its folder
	if o.absolute {
		at = s.rootPath()
	}
	v := theme.PageView{
		Offline: s.options.Offline,
		Site:    s.site(), T: t, Kind: o.template, Hidden: o.hidden,
		Lang: l.Code, ContentLang: l.Code,
		Title: title, Heading: template.HTML(template.HTMLEscapeString(title)),
		Root: nav.Relative(at, ""), Theme: nav.Href(at, s.theme.Folder), Home: nav.Href(at, s.homeURL(l)), Search: s.feeds.SearchLink(at, l.Code),
	}
	v.Machines = s.reports.Present(t, at, nil).MachineOptions()
	v.MachineNames, v.Unreadable, v.MyGPU = results.Names(s.reports.Machines), s.options.Unreadable, s.myGPULink(at, l)
	if tree := s.nav.Trees[l.Code]; tree != nil {
		v.Nav = tree.Items(at)
	}
	if o.above != "" {
		v.Breadcrumb = []theme.Link{{Title: s.nav.Title(l), URL: v.Home}, {Title: t.Get("tags"), URL: nav.Href(at, l.Code+"/"+o.above)}}
	}
	for _, other := range s.content.Languages {
		to := o.path
		if o.in != nil && o.in != other {
			to = ""
			for _, to = range o.elsewhere {
				if s.files[other.Code+"/"+to+"index.html"] != nil {
					break
				}
			}
		}
		v.Languages = append(v.Languages, theme.LanguageLink{Code: other.Code, Name: other.Name, URL: nav.Href(at, other.Code+"/"+to), Current: other == l})
	}
	s.feedLinks(&v, l, at)
	v.Editions = s.options.Editions.View(at, from, l.Code)
	if s.options.BaseURL == "" || o.hidden {
		return v
	}
	newest := s.options.Editions.Canonical(from)
	v.Canonical = cmp.Or(newest, s.nav.Absolute(from))
	if s.options.Offline || newest != "" {
		return v
	}
	v.Alternates = s.nav.AlternatesAt(o.path)
	return v
}

// homeURL returns the address of a language's home page, or that of its first page if it has none.
func (s *Site) homeURL(l *site.Language) string {
	if to, ok := s.redirects[l.Code+"/index.html"]; ok {
		return to
	}
	tree := s.nav.Trees[l.Code]
	if tree == nil || len(tree.Order) == 0 || s.files[l.Code+"/index.html"] != nil {
		return l.Code + "/"
	}
	return tree.Order[0].Placed.URL()
}

// deferred returns where a page finds the results of more machines, or nil if it includes all.
func (s *Site) deferred(from, lang string) *theme.DeferredView {
	if len(s.reports.Machines) <= results.MaxIncluded {
		return nil
	}
	view := &theme.DeferredView{T: s.theme.Text(lang), Number: s.theme.Text(lang).Number(10000.5, 1)}
	if s.files[feeds.ResultsFile] != nil {
		view.Results = nav.Href(from, feeds.ResultsDir+"/")
	}
	return view
}

// mentionsMachines reports whether a page, or a note that it embeds, shows results of machines.
func (s *Site) mentionsMachines(p *site.Page) bool {
	found := len(p.Blocks)+len(p.LiveValues) > 0
	links := s.content.Links(p)
	if found || !links.EmbedsPages {
		return found
	}
	_ = ast.Walk(p.Doc(), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if e, ok := n.(*markdown.Embed); ok && entering {
			_, part := links.Part(e)
			found = found || part
		}
		return ast.WalkContinue, nil
	})
	return found
}

// contentDir returns the direction of a page's text if it is not that of the language that it is shown in.
func contentDir(t *theme.Compiled, at nav.Placed) string {
	to := t.Text(at.Page.Language.Code).Dir()
	if to == t.Text(at.Language.Code).Dir() {
		return ""
	}
	return cmp.Or(to, "ltr")
}
