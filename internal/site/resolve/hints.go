package resolve

import (
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A hintCache caches hints: a broken link of a template is on all pages, and each of them would search
// all names of the site again.
type hintCache struct{ files, known sync.Map }

// file returns the file of the same folder with the most similar path, or "".
func (h *hintCache) file(want string, x *index) string {
	near, ok := h.files.Load(want)
	if !ok {
		near, _ = h.files.LoadOrStore(want, diag.Nearest(want, x.byDir[path.Dir(want)]))
	}
	return near.(string)
}

// labels returns the labels of a language, or only those of its equations, sorted.
func (h *hintCache) labels(of *site.Language, equation bool, s *site.Site, x *index) []string {
	type key struct {
		of       *site.Language
		equation bool
	}
	known, _ := h.known.LoadOrStore(key{of, equation}, sync.OnceValue(func() (names []string) {
		for _, name := range slices.Sorted(maps.Keys(x.byLabel[of])) {
			label := s.Pages[x.byLabel[of][name][0]].Labels[name]
			if !equation || label.Kind == markdown.Equation {
				names = append(names, name)
			}
		}
		return names
	}))
	return known.(func() []string)()
}

// missingHint explains why a path leads nowhere: its case, a folder without a page, a way out of
// the site. Otherwise it suggests the same path in a language, a file of that name elsewhere, then a similar name in the same
// folder.
func (l *pageLinks) missingHint(file string, pos int) diag.Text {
	want, here := l.full(file, pos), l.folderAt(pos)
	stem := strings.TrimSuffix(want, "/")
	if want == ".." || strings.HasPrefix(want, "../") {
		return diag.Say("links.outside-content")
	}
	if p := l.pageFormerlyAt(stem); p != nil {
		return diag.Say("links.near-redirect-hint", "here", relative(here, path.Join(p.Language.Code, p.Path)))
	}
	for _, name := range []string{stem, stem + ".md", stem + "/index.md", stem + ".markdown"} {
		if n, ok := l.index.byFold[strings.ToLower(name)]; ok && n != name {
			return diag.Say("links.near-file-case-hint", "here", relative(here, n))
		}
	}
	if l.index.dirs[stem] {
		return diag.Say("links.folder-without-page-hint", "here", relative(here, path.Join(stem, "index.md")))
	}
	if n := l.inLanguage(file, pos); n != "" {
		return diag.Say("links.near-name-hint", "here", relative(here, n))
	}
	if same := l.index.byBase[path.Base(want)]; len(same) > 0 {
		return diag.Say("links.near-name-hint", "here", relative(here, same[0]))
	}
	if !l.suggest.More() {
		return diag.Text{}
	}
	if n := l.hints.file(want, l.index); n != "" && diag.Nearest(path.Base(want), []string{path.Base(n)}) != "" {
		return diag.Say("links.near-file-hint", "here", relative(here, n))
	}
	return diag.Text{}
}

// inLanguage returns the page or file that a path means in the page's language, or else in another one: for
// "/img/x.png" and "/es/img/x.png" that is pt/img/x.png.
func (l *pageLinks) inLanguage(file string, pos int) string {
	for _, language := range slices.Concat([]*site.Language{l.page.Language}, l.site.Languages) {
		for _, name := range l.names(file, pos) {
			if code, below, ok := strings.Cut(name, "/"); ok && l.isLanguage(code) {
				name = below
			}
			name = path.Join(language.Code, name)
			if _, isPage := l.index.pages[name]; isPage || l.index.Files[name] != "" {
				return name
			}
		}
	}
	return ""
}
