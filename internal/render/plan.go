package render

import (
	"io/fs"
	"path"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/gpudocs/gpudocs/internal/markdown/notebook"
	"github.com/gpudocs/gpudocs/internal/render/feeds"
	"github.com/gpudocs/gpudocs/internal/render/page"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/render/step"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A plan names the files of a site and says what makes them. A later site may take it over; see replan.go.
// So it holds no page, which would stay in memory with it: a maker is given the site, and gets the page from
// there, by its place among all pages or in the navigation.
type plan struct {
	files map[string]maker
	// sections are those that have a page with all of their pages.
	sections map[sectionKey]*section
	// redirects are the files of old addresses, and where they lead.
	redirects map[string]string
	// diags are about files that want the same name.
	diags diag.List
}

// A maker makes a file of a site, or nothing if the step says that it is the same as before.
type maker func(s *Site, file *step.Step) ([]byte, error)

// A planner makes the plan of a site.
type planner struct{ *Site }

// newPlan gives a site its plan.
func newPlan(site *Site) {
	site.plan = &plan{files: map[string]maker{}, redirects: map[string]string{}, sections: map[sectionKey]*section{}}
	s := &planner{site}
	site.diags = s.makePlan()
	for name, data := range s.theme.Assets {
		s.files[s.theme.Folder+name] = func(*Site, *step.Step) ([]byte, error) { return data, nil }
	}
}

// makePlan names the files of the content: every page in every language, and what
// lies beside them.
func (s *planner) makePlan() diag.List {
	diags := s.planPages()
	folders := map[string]bool{}
	for name := range s.files {
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			folders[dir] = true
		}
	}
	for _, a := range s.content.Assets {
		name := norm.NFC.String(a) // as links and the addresses of pages have it
		if _, taken := s.files[name]; taken || folders[name] || isOurs(name) {
			diags.Add(diag.Diagnostic{File: path.Join("content", a), Message: diag.Say("page.path-taken"), Hint: diag.Say("diag.rename-one-of-two-hint")})
			continue
		}
		s.files[name] = func(s *Site, _ *step.Step) ([]byte, error) {
			file := path.Join("content", a)
			data, err := fs.ReadFile(s.content.FS, file)
			if err != nil {
				return nil, diag.Unreadable(file, err)
			}
			return data, nil
		}
	}
	s.planRedirects()
	s.planFigures()
	s.planPictures()
	s.feeds.PlanFeeds(s.addFeed)
	s.planStatus()
	diags.Add(s.feeds.PlanBadges(s.taken, s.addFeed)...)
	s.planAside()
	s.planHosting()
	if _, taken := s.files["index.html"]; !taken {
		s.files["index.html"] = func(s *Site, _ *step.Step) ([]byte, error) { return s.renderRoot() }
	}
	return diags
}

// publish adds a file that is made of the content, unless the content brings its own.
func (s *planner) publish(name string, make maker) {
	if _, taken := s.files[name]; !taken {
		s.files[name] = make
	}
}

// planPictures names the files of the pictures that notebooks hold.
func (s *planner) planPictures() {
	add := func(p *notebook.Picture) {
		s.files[page.PictureFile(p)] = func(*Site, *step.Step) ([]byte, error) { return p.Data, nil }
	}
	for _, page := range s.content.Pages {
		if page.Notebook == nil {
			continue
		}
		for i := range page.Notebook.Cells {
			c := &page.Notebook.Cells[i]
			for _, p := range c.Attachments {
				add(p)
			}
			for _, o := range c.Outputs {
				if o.Picture != nil && !c.NoOutput() {
					add(o.Picture)
				}
			}
		}
	}
}

// planFigures names the files of the figures that pages show.
func (s *planner) planFigures() {
	for _, p := range s.content.Pages {
		for _, b := range p.Blocks {
			for _, result := range s.results.For(b) {
				for _, f := range result.Findings {
					for _, figure := range f.Check.Figures {
						s.files[results.FigureFile(figure)] = func(*Site, *step.Step) ([]byte, error) { return figure.PNG, nil }
					}
				}
			}
		}
	}
}

// addFeed adds a file that is made of what feeds are.
func (s *planner) addFeed(name string, make feeds.Maker) {
	s.files[name] = func(s *Site, file *step.Step) ([]byte, error) { return make(s.feeds, file) }
}

// publishFeed adds it unless the content brings its own.
func (s *planner) publishFeed(name string, make feeds.Maker) {
	if _, taken := s.files[name]; !taken {
		s.addFeed(name, make)
	}
}

// taken returns the file that has a name, or stands in the way of it as a file where it needs a
// folder: a file of the content, or another badge.
func (s *planner) taken(name string) string {
	for at := name; at != "."; at = path.Dir(at) {
		if _, taken := s.files[at]; taken {
			return at
		}
	}
	return ""
}

// isOurs reports whether a file would stand among those that are made here.
func isOurs(name string) bool {
	top, _, _ := strings.Cut(name, "/")
	return top == theme.AssetDir || top == results.FigureDir || top == feeds.ResultsDir || top == feeds.CardDir
}

// planPages makes each page at its address in each language that shows it.
func (s *planner) planPages() diag.List {
	refs, diags := s.nav.Build()
	for _, at := range refs {
		s.files[s.nav.At(at).File()] = func(s *Site, file *step.Step) ([]byte, error) { return s.renderPage(s.nav.At(at), file) }
	}
	return diags
}

// planAside names what is published beside the pages, for programs more than for readers. The content goes
// before it: a file of the same name in content/ takes its place.
func (s *planner) planAside() {
	if !s.content.Config.Without.Markdown {
		s.feeds.PlanExports(s.publishFeed)
		s.feeds.PlanLLMs(s.publishFeed)
	}
	s.feeds.PlanSitemap(s.publishFeed)
	s.planPrint()
	s.planNotFound()
	if s.options.Offline {
		return
	}
	// GitHub Pages leaves out what begins with _ unless this is there.
	s.publish(".nojekyll", func(*Site, *step.Step) ([]byte, error) { return nil, nil })
}
