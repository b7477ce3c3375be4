package render

import (
	"cmp"
	"slices"

	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Each tag of pages has a page with a list of them in each language, and all tags have one together. Their folder begins with
// an underscore, as no address of an author's page does.

// tagsDir is the folder of these pages, below that of the language.
const tagsDir = "_tags/"

// maxTags bounds the tags of a language that have a page.
const maxTags = 2000

// A tag has the pages of a language that have it, in reading order. Its title is as the first page in that language writes it.
type tag struct {
	name, title string
	inLanguage  bool // the title is in the language
	pages       []*nav.Entry
}

// planTags adds the pages of tags.
func (s *planner) planTags() (diags diag.List) {
	for _, l := range s.content.Languages {
		tags := s.tagsOf(l)
		if len(tags) > maxTags {
			diags.Add(diag.Diagnostic{Severity: diag.Warning, File: "content/" + l.Code, Message: diag.Say("page.tags-too-many", "n", len(tags), "most", maxTags), Hint: diag.Say("page.tags-too-many-hint")})
			slices.SortStableFunc(tags, func(a, b *tag) int { return cmp.Compare(len(b.pages), len(a.pages)) })
			tags = tags[:maxTags]
			slices.SortFunc(tags, compareTags)
		}
		if len(tags) == 0 {
			continue
		}
		index := l.Code + "/" + tagsDir
		s.planGenerated(generatedPage{path: tagsDir, in: l, elsewhere: []string{tagsDir, ""}, title: "tags", template: "index", hidden: true, data: func(l *site.Language, v theme.PageView) any {
			view := theme.IndexView{PageView: v}
			for _, t := range tags {
				view.Pages = append(view.Pages, theme.IndexedPage{Link: theme.Link{Title: t.title, URL: nav.Href(index, index+t.name+"/")}, Description: v.T.Count("pages_total", len(t.pages))})
			}
			return view
		}})
		for _, t := range tags {
			at := index + t.name + "/"
			s.tags[at] = true
			here := tagsDir + t.name + "/"
			s.planGenerated(generatedPage{path: here, in: l, elsewhere: []string{here, tagsDir, ""}, title: "tag_title", with: []string{"tag", t.title}, template: "index", hidden: true, above: tagsDir,
				data: func(_ *site.Language, v theme.PageView) any {
					view := theme.IndexView{PageView: v}
					for _, e := range t.pages {
						view.Pages = append(view.Pages, indexed(e, at))
					}
					return view
				}})
		}
	}
	return diags
}

func compareTags(a, b *tag) int { return sitefile.CompareNatural(a.name, b.name) }

// tagsOf returns the tags of the pages of a language, sorted.
func (s *planner) tagsOf(l *site.Language) (tags []*tag) {
	tree := s.nav.Trees[l.Code]
	if tree == nil {
		return nil
	}
	byName := map[string]*tag{}
	for _, e := range tree.Order {
		inLanguage := e.Placed.Foreign() == ""
		for _, title := range slices.Concat(e.Placed.Page.Tags, e.Placed.Page.InlineTags) {
			name := site.TagName(title)
			if name == "" {
				continue
			}
			t := byName[name]
			if t == nil {
				t = &tag{name: name, title: title, inLanguage: inLanguage}
				byName[name], tags = t, append(tags, t)
			} else if inLanguage && !t.inLanguage {
				t.title, t.inLanguage = title, true
			}
			if n := len(t.pages); n == 0 || t.pages[n-1] != e {
				t.pages = append(t.pages, e)
			}
		}
	}
	slices.SortFunc(tags, compareTags)
	return tags
}

// A tagPages has the addresses of the pages of tags.
type tagPages map[string]bool

// links returns links to the pages of tags, without an address for a tag that has none.
func (p tagPages) links(tags []string, at nav.Placed) (links []theme.Link) {
	for _, title := range tags {
		link := theme.Link{Title: title}
		if to := at.Language.Code + "/" + tagsDir + site.TagName(title) + "/"; p[to] {
			link.URL = nav.Href(at.URL(), to)
		}
		links = append(links, link)
	}
	return links
}
