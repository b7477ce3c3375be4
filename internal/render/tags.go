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

// tagClaims are the pages of tags.
func tagClaims(in *inputs) (claims []claim, diags diag.List) {
	for _, l := range in.content.Languages {
		tags := tagsOf(in.nav.Trees[l.Code])
		if len(tags) > maxTags {
			diags.Add(diag.Diagnostic{
				Severity: diag.Warning,
				File:     "content/" + l.Code,
				Message:  diag.Say("page.tags-too-many", "n", len(tags), "most", maxTags),
				Hint:     diag.Say("page.tags-too-many-hint"),
			})
			slices.SortStableFunc(tags, func(a, b *tag) int { return cmp.Compare(len(b.pages), len(a.pages)) })
			tags = tags[:maxTags]
			slices.SortFunc(tags, compareTags)
		}
		if len(tags) == 0 {
			continue
		}
		claims = append(claims, tagList(l, tags).claims(in)...)
		for _, t := range tags {
			claims = append(claims, t.page(l).claims(in)...)
		}
	}
	return claims, diags
}

// tagList is the page with all tags of a language.
func tagList(l *site.Language, tags []*tag) generatedPage {
	o := generatedPage{path: tagsDir, in: l, elsewhere: []string{tagsDir, ""}, title: "tags", template: "index", hidden: true}
	o.data = func(_ *Plan, l *site.Language, v theme.PageView) any {
		index := l.Code + "/" + tagsDir
		view := theme.IndexView{PageView: v}
		for _, t := range tags {
			view.Pages = append(view.Pages, theme.IndexedPage{
				Link:        theme.Link{Title: t.title, URL: nav.Href(index, index+t.name+"/")},
				Description: v.T.Count("pages_total", len(t.pages)),
			})
		}
		return view
	}
	return o
}

// page is the page with the pages that have a tag.
func (t *tag) page(l *site.Language) generatedPage {
	here := tagsDir + t.name + "/"
	return generatedPage{
		path:      here,
		in:        l,
		elsewhere: []string{here, tagsDir, ""},
		title:     "tag_title",
		with:      []string{"tag", t.title},
		template:  "index",
		hidden:    true,
		above:     tagsDir,
		data: func(_ *Plan, l *site.Language, v theme.PageView) any {
			view := theme.IndexView{PageView: v}
			for _, e := range t.pages {
				view.Pages = append(view.Pages, indexed(e, l.Code+"/"+here))
			}
			return view
		},
	}
}

func compareTags(a, b *tag) int { return sitefile.CompareNatural(a.name, b.name) }

// tagsOf returns the tags of the pages of a language, sorted.
func tagsOf(tree *nav.Tree) (tags []*tag) {
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

// tagLinks returns links to the pages of tags, without an address for a tag that has none.
func (p *Plan) tagLinks(tags []string, at nav.Placed) (links []theme.Link) {
	for _, title := range tags {
		link := theme.Link{Title: title}
		if to := at.Language.Code + "/" + tagsDir + site.TagName(title) + "/"; p.files[to+"index.html"] != nil {
			link.URL = nav.Href(at.URL(), to)
		}
		links = append(links, link)
	}
	return links
}
