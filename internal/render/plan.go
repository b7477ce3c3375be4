package render

import (
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/gpudocs/gpudocs/internal/render/feeds"
	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/page"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A Plan says which files a site has and what makes each. Nothing of it changes, so that files can be made at the same time.
type Plan struct {
	*inputs
	// files are the makers of the files by name, except for those whose names are listed only when
	// asked for: figures and search indexes.
	files map[string]maker
	// redirects are the addresses to which files lead that only send readers there, and formerly the former addresses by those
	// to which they lead.
	redirects map[string]string
	formerly  map[string][]string
	// sections are those that have a page with all of their pages.
	sections map[*nav.Entry]*section
	// notebooks are the names of the notebooks of pages.
	notebooks map[*site.Page]string
}

// plan decides which files a site has: every page in every language, what lies beside them, and what is generated. The
// diagnostics are about files that want the same name: the order of the claims decides who gets it.
func plan(in *inputs) (*Plan, diag.List) {
	hosting, diags := hostingClaims(in)
	tags, found := tagClaims(in)
	diags.Add(found...)
	p, lost := decide(in, slices.Concat(
		pageClaims(in),
		hosting,
		assetClaims(in),
		imageClaims(in),
		redirectClaims(in),
		indexClaims(in),
		feedClaims(in.feeds.PlanFeeds),
		statusClaims(in),
		myGPUClaims(in),
		tags,
		badgeClaims(in),
		notebookClaims(in),
		exportClaims(in),
		feedClaims(in.feeds.PlanSitemap),
		printClaims(in),
		notFoundClaims(in),
		rootClaims(in),
		themeClaims(in),
		documentClaims(in),
	))
	return p, append(diags, lost...)
}

func pageClaims(in *inputs) []claim {
	claims := make([]claim, len(in.pages))
	for i, e := range in.pages {
		claims[i] = claim{
			name: e.Placed.File(),
			make: func(p *Plan) ([]byte, error) { return p.renderPage(*e.Placed) },
			lost: taken(e.Placed.Page.File.Name),
		}
	}
	return claims
}

// taken returns the diagnostic for a file of the site's folder whose name the site has for something else.
func taken(file string) func(other string) diag.Diagnostic {
	return func(string) diag.Diagnostic {
		return diag.Diagnostic{File: file, Message: diag.Say("page.path-taken"), Hint: diag.Say("diag.rename-one-of-two-hint")}
	}
}

// assetClaims are the files that lie beside the pages.
func assetClaims(in *inputs) (claims []claim) {
	for _, a := range in.content.Assets {
		if in.isHosting(a) {
			continue
		}
		file := path.Join("content", a)
		c := claim{name: norm.NFC.String(a), lost: taken(file), authors: true} // as links and the addresses of pages have it
		c.make = func(*Plan) ([]byte, error) {
			data, err := fs.ReadFile(in.content.FS, file)
			if err != nil {
				return nil, diag.Unreadable(file, err)
			}
			return data, nil
		}
		claims = append(claims, c)
	}
	return claims
}

// isOurs reports whether a file of the content would be in a folder of generated files.
func isOurs(name string) bool {
	top, _, _ := strings.Cut(name, "/")
	return top == theme.AssetDir || top == results.FigureDir || top == feeds.ResultsDir || top == page.ImageDir
}

// feedClaims are the files that a function of package feeds adds.
func feedClaims(list func(add func(name string, make func() ([]byte, error)))) (claims []claim) {
	list(func(name string, make func() ([]byte, error)) {
		claims = append(claims, claim{name: name, make: alone(make)})
	})
	return claims
}

func badgeClaims(in *inputs) (claims []claim) {
	in.feeds.PlanBadges(func(name string, make func() ([]byte, error), lost func(other string) diag.Diagnostic) {
		claims = append(claims, claim{name: name, make: alone(make), lost: lost})
	})
	return claims
}

func notebookClaims(in *inputs) (claims []claim) {
	if in.content.Config.Launch == nil {
		return nil
	}
	for _, n := range in.notebooks.List {
		claims = append(claims, claim{name: n.Name, make: alone(n.Make), lost: n.Clash, notebook: n.Page})
	}
	return claims
}

// exportClaims are the pages as Markdown, and the lists of them for programs.
func exportClaims(in *inputs) []claim {
	if in.content.Config.Without.Markdown {
		return nil
	}
	return append(feedClaims(in.feeds.PlanExports), feedClaims(in.feeds.PlanLLMs)...)
}

// rootClaims are the page that sends readers to their language, and the file without which GitHub Pages leaves out what begins with _.
func rootClaims(in *inputs) []claim {
	claims := []claim{{name: "index.html", make: (*Plan).renderRoot}}
	if !in.options.Offline {
		claims = append(claims, claim{name: ".nojekyll", make: always(nil)})
	}
	return claims
}

func themeClaims(in *inputs) (claims []claim) {
	for _, name := range slices.Sorted(maps.Keys(in.theme.Assets)) {
		claims = append(claims, claim{name: in.theme.Folder + name, make: always(in.theme.Assets[name])})
	}
	return claims
}

// documentClaims are the documents that [Site.Add] has added.
func documentClaims(in *inputs) (claims []claim) {
	for _, name := range slices.Sorted(maps.Keys(in.documents)) {
		claims = append(claims, claim{name: name, make: always(in.documents[name])})
	}
	return claims
}

// findFigures returns the figures that pages show and the pictures of notebooks, by the names of their
// files. As a name is a hash of the content, they are listed only if one of them is asked for, or all
// files are.
func findFigures(in *inputs) map[string][]byte {
	files := map[string][]byte{}
	for _, p := range in.content.Pages {
		for _, b := range p.Blocks {
			for _, result := range in.reports.For(b) {
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
