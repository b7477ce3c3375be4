package render

import (
	"io/fs"
	"maps"
	"path"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/gpudocs/gpudocs/internal/render/feeds"
	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/page"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A planner lists the files of a site, and the function that makes each.
type planner struct{ *Site }

// plan names the files of the site and says what makes each: every page in every language, what lies
// beside them, and what is generated. The diagnostics are about files that want the same name.
func (s *planner) plan(pages []*nav.Entry) (diags diag.List) {
	s.files, s.redirects, s.sections = make(map[string]func() ([]byte, error), 3*len(pages)), map[string]string{}, map[*nav.Entry]*section{}
	s.tags, s.formerly = tagPages{}, map[string][]string{}
	for _, e := range pages {
		s.add(e.Placed.File(), func() ([]byte, error) { return s.renderPage(*e.Placed) })
	}
	diags = s.planAssets()
	s.planImages()
	s.planRedirects()
	s.planIndexes()
	s.feeds.PlanFeeds(s.add)
	s.planStatus()
	s.planMyGPU()
	diags.Add(s.planTags()...)
	diags.Add(s.feeds.PlanBadges(s.taken, s.add)...)
	if s.Notebooks = feeds.NewNotebooks(s.feeds, s.taken); s.content.Config.Launch != nil {
		maps.Copy(s.files, s.Notebooks.Makers)
		diags.Add(s.Notebooks.Diags...)
	}
	s.planAside()
	s.planHosting()
	s.publish("index.html", func() ([]byte, error) { return s.renderRoot() })
	for name, data := range s.theme.Assets {
		s.add(s.theme.Folder+name, func() ([]byte, error) { return data, nil })
	}
	return diags
}

// add adds a file.
func (s *planner) add(name string, make func() ([]byte, error)) { s.files[name] = make }

// publish adds a file, unless the content brings its own.
func (s *planner) publish(name string, make func() ([]byte, error)) {
	if s.files[name] == nil {
		s.add(name, make)
	}
}

// taken returns the file that has a name, or is in the way because it has the name of a folder that is
// needed. If there is none it returns "".
func (s *planner) taken(name string) string {
	for at := name; at != "."; at = path.Dir(at) {
		if s.files[at] != nil {
			return at
		}
	}
	return ""
}

// planAssets adds the files that lie beside the pages.
func (s *planner) planAssets() (diags diag.List) {
	if len(s.content.Assets) == 0 {
		return nil
	}
	folders := map[string]bool{}
	for name := range s.files {
		for dir := path.Dir(name); dir != "." && !folders[dir]; dir = path.Dir(dir) {
			folders[dir] = true
		}
	}
	for _, a := range s.content.Assets {
		name := norm.NFC.String(a) // as links and the addresses of pages have it
		if s.files[name] != nil || folders[name] || isOurs(name) {
			diags.Add(diag.Diagnostic{File: path.Join("content", a), Message: diag.Say("page.path-taken"), Hint: diag.Say("diag.rename-one-of-two-hint")})
			continue
		}
		s.add(name, func() ([]byte, error) {
			file := path.Join("content", a)
			data, err := fs.ReadFile(s.content.FS, file)
			if err != nil {
				return nil, diag.Unreadable(file, err)
			}
			return data, nil
		})
	}
	return diags
}

// isOurs reports whether a file of the content would be in a folder of generated files.
func isOurs(name string) bool {
	top, _, _ := strings.Cut(name, "/")
	return top == theme.AssetDir || top == results.FigureDir || top == feeds.ResultsDir || top == page.ImageDir
}

// planAside adds what is published beside the pages, mostly for programs. A file of the same name in content/
// replaces it.
func (s *planner) planAside() {
	if !s.content.Config.Without.Markdown {
		s.feeds.PlanExports(s.publish)
		s.feeds.PlanLLMs(s.publish)
	}
	s.feeds.PlanSitemap(s.publish)
	s.planPrint()
	s.planNotFound()
	if s.options.Offline {
		return
	}
	// GitHub Pages leaves out what begins with _ unless this is there.
	s.publish(".nojekyll", func() ([]byte, error) { return nil, nil })
}

// findFigures returns the figures that pages show and the pictures of notebooks, by the names of their
// files. As a name is a hash of the content, they are listed only if one of them is asked for, or all
// files are.
func (s *Site) findFigures() map[string][]byte {
	files := map[string][]byte{}
	for _, p := range s.content.Pages {
		for _, b := range p.Blocks {
			for _, result := range s.reports.For(b) {
				for _, f := range result.Findings {
					for _, figure := range f.Check.Figures {
						if figure.Picture() {
							files[results.FigureFile(figure)] = figure.Data()
						}
					}
				}
			}
		}
		if p.Notebook == nil {
			continue
		}
		for i := range p.Notebook.Cells {
			c := &p.Notebook.Cells[i]
			for _, picture := range c.Attachments {
				files[page.PictureFile(picture)] = picture.Data
			}
			for _, o := range c.Outputs {
				if o.Picture != nil && !c.NoOutput() {
					files[page.PictureFile(o.Picture)] = o.Picture.Data
				}
			}
		}
	}
	return files
}
