package main

import (
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// names are the languages of a site, with their own names.
var names = [][2]string{{"pt", "Português"}, {"es", "Español"}, {"en", "English"}, {"fr", "Français"}, {"de", "Deutsch"},
	{"it", "Italiano"},
	{"ca", "Català"}, {"gl", "Galego"}, {"nl", "Nederlands"}, {"pl", "Polski"}, {"tr", "Türkçe"}, {"sv", "Svenska"}}

// pagesEach is the approximate number of pages of a language in a site of up to 1,500 pages.
const pagesEach = 125

//go:embed all:hugo
var hugoTheme embed.FS

// A site is written for both programs.
type site struct {
	pages     int
	languages [][2]string
	docs      map[string][]document
}

// newSite returns a site in at most some languages, those of the documents first.
func newSite(pages, languages int, docs map[string][]document) site {
	own := slices.Clone(names)
	slices.SortStableFunc(own, func(a, b [2]string) int { return min(len(docs[b[0]]), 1) - min(len(docs[a[0]]), 1) })
	n := min(max(2, pages/pagesEach), languages, len(names))
	return site{pages, own[:n], docs}
}

// write writes the site's folder. Languages without documents have the text of another language. If a
// language has more pages than documents, the documents are repeated in another folder, with
// other titles and other code.
func (s site) write(dir string) error {
	own := slices.Sorted(maps.Keys(s.docs))
	slices.Reverse(own) // pt first
	for i, l := range s.languages {
		docs := s.docs[l[0]]
		if docs == nil {
			docs = s.docs[own[i%len(own)]]
		}
		n := s.pages / len(s.languages)
		if i < s.pages%len(s.languages) {
			n++
		}
		for j := range n {
			if err := writePage(filepath.Join(dir, "content", l[0]), docs[j%len(docs)], j/len(docs)); err != nil {
				return err
			}
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "gpudocs.toml"), s.gpudocs(), 0o644); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "hugo.toml"), s.hugo(), 0o644); err != nil {
		return err
	}
	layouts, err := fs.Sub(hugoTheme, "hugo")
	if err != nil {
		return err
	}
	return os.CopyFS(dir, layouts)
}

// writePage writes a variant of a document.
func writePage(dir string, d document, variant int) error {
	folder, heading, text := d.folder, d.title, d.text
	if variant > 0 {
		folder = path.Join(fmt.Sprintf("part-%d", variant), folder)
		heading = fmt.Sprintf("%s, %d", d.title, variant)
		text = distinct(text, variant)
	}
	file := filepath.Join(dir, filepath.FromSlash(folder), d.name+".md")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, fmt.Appendf(nil, "---\ntitle: %q\n---\n\n%s", heading, text), 0o644)
}

// distinct adds a line to each block of code that no other variant has.
func distinct(text string, variant int) string {
	var b strings.Builder
	open := ""
	for line := range strings.Lines(text) {
		m := fence.FindStringSubmatch(line)
		if open != "" && strings.HasPrefix(strings.TrimSpace(line), open) {
			fmt.Fprintf(&b, "# %d\n", variant)
			open = ""
		} else if m != nil && open == "" {
			open = m[2]
		}
		b.WriteString(line)
	}
	return b.String()
}

func (s site) gpudocs() []byte {
	b := []byte("title = \"Bench\"\nbase_url = \"https://example.org/\"\n")
	for i, l := range s.languages {
		b = fmt.Appendf(b, "\n[languages.%s]\nname = %q\nweight = %d\n", l[0], l[1], i+1)
	}
	return b
}

// hugo returns the configuration for the same work: a folder for each language, highlighting by classes,
// heading ids, no minification.
func (s site) hugo() []byte {
	b := []byte(`title = "Bench"
baseURL = "https://example.org/"
relativeURLs = true
defaultContentLanguage = "` + s.languages[0][0] + `"
defaultContentLanguageInSubdir = true
disableKinds = ["taxonomy", "term", "RSS"]

[markup.highlight]
noClasses = false

[markup.goldmark.renderer]
unsafe = true
`)
	for i, l := range s.languages {
		b = fmt.Appendf(b, "\n[languages.%s]\nlabel = %q\nweight = %d\ncontentDir = \"content/%s\"\n", l[0], l[1], i+1, l[0])
	}
	return b
}
