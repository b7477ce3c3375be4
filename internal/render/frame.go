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
	"github.com/gpudocs/gpudocs/internal/render/textout"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/translate"
)

// renderPage makes the page at an address.
func (p *Plan) renderPage(at nav.Placed) ([]byte, error) {
	here := p.reports.Included(at.Page)
	view := p.frame(at)
	present := p.reports.Present(view.T, at.URL(), here)
	view.Verdicts, view.Measures = present.Verdicts(at.Page), measures(present, at.Page, view, "")
	if p.mentionsMachines(at.Page) {
		view.IncludedNames, view.Deferred = results.Names(here), p.deferred(at.URL(), at.Language.Code)
	}
	in := p.input(at, at.Page, here)
	in.Tags = p.tagLinks(at.Page.InlineTags, at)
	body, err := page.Render(p.ctx, in)
	if err != nil {
		return nil, err
	}
	view.Heading, view.HeadingID, view.Body = body.Heading, body.HeadingID, body.HTML
	return p.theme.Execute("page.html", view)
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
	return &theme.MeasuresView{
		List:   list,
		Prefix: prefix,
		Status: view.Status,
		Notes:  slices.ContainsFunc(list, theme.MeasureView.Noted),
		T:      view.T,
	}
}

// input returns the input of a page at an address, with the results of some machines.
func (in *inputs) input(at nav.Placed, p *site.Page, machines []*results.Machine) page.Input {
	t := in.theme.Text(at.Language.Code)
	return page.Input{
		At:          at,
		Page:        p,
		Text:        t,
		Nav:         in.nav,
		Results:     in.reports.Present(t, at.URL(), machines),
		Theme:       in.theme,
		Highlighter: in.options.Highlighter,
		Math:        in.options.Math,
		Diagrams:    in.options.Diagrams,
		UnsafeHTML:  in.content.Config.UnsafeHTML,
		OpenFailed:  in.options.Lazy,
		Smaller:     !in.content.Config.Without.Images && !in.options.Lazy,
	}
}

// base returns the data that pages of all kinds have, for a language. Links begin at from.
func (p *Plan) base(from string, l *site.Language) theme.PageView {
	t := p.theme.Text(l.Code)
	v := theme.PageView{
		Site:         p.site(),
		T:            t,
		Lang:         l.Code,
		ContentLang:  l.Code,
		Offline:      p.options.Offline,
		Root:         nav.Relative(from, ""),
		Theme:        nav.Href(from, p.theme.Folder),
		Home:         nav.Href(from, p.homeURL(l)),
		Search:       p.feeds.SearchLink(from, l.Code),
		Machines:     p.reports.Present(t, from, nil).MachineOptions(),
		MachineNames: results.Names(p.reports.Machines),
		Unreadable:   p.options.Unreadable,
		MyGPU:        p.myGPULink(from, l),
	}
	if tree := p.nav.Trees[l.Code]; tree != nil {
		v.Nav = tree.Items(from)
	}
	p.feedLinks(&v, l, from)
	return v
}

// frame returns the data of a page without its text.
func (p *Plan) frame(at nav.Placed) theme.PageView {
	from, on := at.URL(), at.Page
	tree := p.nav.Trees[at.Language.Code]
	v := p.base(from, at.Language)
	v.Kind, v.ContentLang, v.ContentDir = "page", on.Language.Code, contentDir(p.theme, at)
	v.Title, v.Description, v.Draft = on.Title, on.Description, on.Draft
	v.Breadcrumb, v.Number = tree.Breadcrumb(from), tree.Find(from).Number
	present := p.reports.Present(v.T, from, nil)
	v.Checks, v.Failing, v.Needs = p.reports.Checks(nil, on), results.Failing(present, on), present.Needs(on)
	v.Tags, v.TagLinks = on.Tags, p.tagLinks(on.Tags, at)
	p.reading(&v, at)
	v.Prev, v.Next = p.nav.Neighbours(at)
	if !on.NoContents && !p.content.Source(on.Key).NoContents {
		v.TOC = contents(on)
	}
	v.Torch = mygpu.UsesTorch(on.Blocks)
	v.OnGPU = slices.ContainsFunc(on.Blocks, func(b *site.Block) bool { return b.Kind == site.GPU || mygpu.Demands(b).OfGPU() })
	if at.Foreign() != "" {
		v.Missing = &theme.MissingTranslation{Lang: on.Language.Code, Name: on.Language.Name, URL: nav.Href(from, on.URL)}
	}
	v.Outdated = p.outdated(at)
	v.Editions = p.options.Editions.View(from, from, v.Lang)
	v.Changed = p.changed(at)
	p.translations(&v, at)
	p.setLinksBeside(&v, at)
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
func (in *inputs) reading(v *theme.PageView, at nav.Placed) {
	p, source := at.Page, in.content.Source(at.Page.Key)
	v.Hidden = !in.content.IsIndexed(p)
	switch {
	case p.TimeSet:
		v.Minutes = p.Minutes
	case source.TimeSet:
		v.Minutes = source.Minutes
	case in.content.Config.ReadingTime && at.URL() != at.Language.Code+"/":
		v.Minutes = p.Minutes
	}
	requires := p.Requires
	if requires == nil {
		requires = source.Requires
	}
	for _, name := range requires {
		if before := in.nav.LinkTo(name.Text, at); before != nil {
			v.Requires = append(v.Requires, *before)
		}
	}
}

// changed returns the day of a page's last change, or nil if it is not known.
func (in *inputs) changed(at nav.Placed) *theme.Day {
	day := in.nav.ChangedOn(at.Page)
	if day.IsZero() {
		return nil
	}
	return &theme.Day{ISO: day.Format(time.DateOnly), Text: in.theme.Text(at.Language.Code).Date(day)}
}

// outdated returns the sections of the source that a translation lacks, or nil.
func (in *inputs) outdated(at nav.Placed) *theme.OutdatedTranslation {
	state, changes := in.content.Translation(at.Page)
	if state != site.Outdated {
		return nil
	}
	source := in.content.Source(at.Page.Key)
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
func (in *inputs) translations(v *theme.PageView, at nav.Placed) {
	from := at.URL()
	for _, l := range in.content.Languages {
		shown := nav.Placed{Page: in.nav.Shown(at.Page.Key, l.Code), Language: l}
		v.Languages = append(v.Languages, theme.LanguageLink{
			Code: l.Code, Name: l.Name, URL: nav.Href(from, shown.URL()),
			Current: l == at.Language, Missing: shown.Foreign() != "", Sections: counterparts(contents(at.Page), contents(shown.Page)),
		})
	}
	if in.setCanonical(v, at.Page.URL) && at.Foreign() == "" {
		v.Alternates = in.nav.Alternates(at.Page)
	}
}

// setCanonical sets the canonical address of a page, and reports whether it has alternates.
func (in *inputs) setCanonical(v *theme.PageView, address string) (alternates bool) {
	if in.options.BaseURL == "" {
		return false
	}
	newest := in.options.Editions.Canonical(address)
	v.Canonical = cmp.Or(newest, in.nav.Absolute(address))
	return newest == "" && !in.options.Offline
}

// setLinksBeside sets the links to what is published beside the page.
func (p *Plan) setLinksBeside(v *theme.PageView, at nav.Placed) {
	from := at.URL()
	if !p.content.Config.Without.Markdown {
		v.Markdown = nav.Href(from, textout.File(at.Page))
	}
	if name, launch := p.notebooks[at.Page], p.content.Config.Launch; launch != nil && name != "" {
		v.Notebook = nav.Href(from, name)
		for _, service := range launch.Services {
			v.Launch = append(v.Launch, theme.Link{Title: site.Services[service], URL: launch.URL(service, name)})
		}
	}
	v.ReportBlank = v.T.Get("report_machine")
	v.Report, v.ReportBlank = p.reportURL(v.T, at.Page, nil, v.ReportBlank), escaped(v.ReportBlank)
	v.Edit = p.content.Config.EditURL(at.Page.File.Name)
	if sec := p.printedIn(at); sec != nil {
		v.Print, v.PrintsAll = nav.Href(from, sec.url), sec.entry.Parent == nil
	}
	p.downloads(v, at)
	v.Image = p.imageOf(at.Page)
}

// feedLinks sets the links to the status page and the feeds.
func (p *Plan) feedLinks(v *theme.PageView, l *site.Language, from string) {
	if p.files[l.Code+"/"+status.Dir+"index.html"] != nil {
		v.Status = nav.Href(from, l.Code+"/"+status.Dir)
	}
	if name := l.Code + "/" + feeds.AtomFile; p.files[name] != nil {
		v.Feeds = append(v.Feeds, theme.FeedLink{Type: "application/atom+xml", Title: v.T.Get("feed_changes"), URL: nav.Href(from, name)})
	}
	if p.files[feeds.ResultsFile] != nil {
		v.Feeds = append(v.Feeds, theme.FeedLink{
			Type:  "application/json",
			Title: v.T.Get("feed_results"),
			URL:   nav.Href(from, feeds.ResultsFile),
		})
	}
}

// generatedFrame returns the data of a generated page without its text.
func (p *Plan) generatedFrame(o generatedPage, l *site.Language) theme.PageView {
	address := l.Code + "/" + o.path
	from := folderOf(address) // where links start
	if o.absolute {
		from = p.rootPath()
	}
	v := p.base(from, l)
	v.Kind, v.Hidden = o.template, o.hidden
	if v.Title = o.given; v.Title == "" {
		v.Title = v.T.Get(o.title, o.with...)
	}
	v.Heading = template.HTML(template.HTMLEscapeString(v.Title))
	if o.above != "" {
		v.Breadcrumb = []theme.Link{
			{Title: p.nav.Title(l), URL: v.Home},
			{Title: v.T.Get("tags"), URL: nav.Href(from, l.Code+"/"+o.above)},
		}
	}
	for _, other := range p.content.Languages {
		to := o.path
		if o.in != nil && o.in != other {
			to = ""
			for _, to = range o.elsewhere {
				if p.files[other.Code+"/"+to+"index.html"] != nil {
					break
				}
			}
		}
		v.Languages = append(v.Languages, theme.LanguageLink{
			Code:    other.Code,
			Name:    other.Name,
			URL:     nav.Href(from, other.Code+"/"+to),
			Current: other == l,
		})
	}
	v.Editions = p.options.Editions.View(from, address, l.Code)
	if !o.hidden && p.setCanonical(&v, address) {
		v.Alternates = p.nav.AlternatesAt(o.path)
	}
	return v
}

// homeURL returns the address of a language's home page, or that of its first page if it has none.
func (p *Plan) homeURL(l *site.Language) string {
	if to, ok := p.redirects[l.Code+"/index.html"]; ok {
		return to
	}
	tree := p.nav.Trees[l.Code]
	if tree == nil || len(tree.Order) == 0 || p.files[l.Code+"/index.html"] != nil {
		return l.Code + "/"
	}
	return tree.Order[0].Placed.URL()
}

// deferred returns where a page finds the results of more machines, or nil if it includes all.
func (p *Plan) deferred(from, lang string) *theme.DeferredView {
	if len(p.reports.Machines) <= results.MaxIncluded {
		return nil
	}
	view := &theme.DeferredView{T: p.theme.Text(lang), Number: p.theme.Text(lang).Number(10000.5, 1)}
	if p.files[feeds.ResultsFile] != nil {
		view.Results = nav.Href(from, feeds.ResultsDir+"/")
	}
	return view
}

// mentionsMachines reports whether a page, or a note that it embeds, shows results of machines.
func (in *inputs) mentionsMachines(p *site.Page) bool {
	found := len(p.Blocks)+len(p.LiveValues) > 0
	links := in.content.Links(p)
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

// imageOf returns the absolute address of the image that other sites show beside links to a page, or "".
func (in *inputs) imageOf(p *site.Page) string {
	t := in.content.Links(p).Image
	if image := in.content.Config.Image.Path; t == (site.Target{}) && site.IsExternal(image) {
		t.External = image
	} else if t == (site.Target{}) && slices.Contains(in.content.Assets, image) {
		t.Asset = image
	}
	if t.Asset != "" && in.options.BaseURL != "" && !in.options.Offline {
		return in.nav.Absolute(t.Asset)
	}
	return t.External
}
