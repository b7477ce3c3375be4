package main

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/terminal"
	"github.com/gpudocs/gpudocs/internal/translate"
	"github.com/gpudocs/gpudocs/internal/verify"
)

type translationsFlags struct{ json, strict, stamp bool }

func newTranslations(a *app) *cobra.Command {
	f := &translationsFlags{}
	c := &cobra.Command{
		Use:   "translations [PATH...]",
		Short: "Show which translations are behind their source, and stamp them",
		Long: `Translations shows every page in every language: missing, current, outdated, or
unstamped, which means that nobody has said of which version of the source it is a
translation. Under an outdated page stand the sections of the source that have
changed since, were added or removed. PATHs are pages or folders; a source stands for
all its translations.

--stamp notes in the front matter of the translations that PATH names, or of all, that
they say what their source says now. Do that when you have looked them through: it
writes the stamp and not one other byte. While the site's content is broken, code
that differs between translations included, nothing is written.`,
		Example: `  gpudocs translations
  gpudocs translations content/pt/uso.md
  gpudocs translations --strict            exit code 1 unless all are current
  gpudocs translations --stamp content/es/uso.md
  gpudocs translations --json |
      jq -r '.pages[].translations[] | select(.state == "outdated").file'`,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error { return a.translations(f, args) },
	}
	c.Flags().BoolVar(&f.json, "json", false, "print JSON")
	c.Flags().BoolVar(&f.strict, "strict", false, "end with exit code 1 if a page is missing, outdated or unstamped")
	c.Flags().BoolVar(&f.stamp, "stamp", false, "note that these translations say what their source says now")
	c.MarkFlagsMutuallyExclusive("stamp", "json")
	c.MarkFlagsMutuallyExclusive("stamp", "strict")
	return c
}

// A translatedPage is a page with its translations: a row of the table.
type translatedPage struct {
	Key    string `json:"key"`
	Title  string `json:"title"`
	Source string `json:"source"` // the code of its language
	File   string `json:"file"`
	// Translations are in the order of the languages, without the source.
	Translations []translated `json:"translations"`
}

type translated struct {
	Language string        `json:"language"`
	State    content.State `json:"state"`
	// File is empty where the page is missing.
	File    string           `json:"file,omitempty"`
	Changed []changedSection `json:"changed,omitempty"`
	Added   []changedSection `json:"added,omitempty"`
	Removed []string         `json:"removed,omitempty"`
}

// A changedSection is one of the source.
type changedSection struct {
	Anchor string `json:"anchor"`
	Title  string `json:"title"`
	// File is the one that the source includes there, if it is another.
	File string `json:"file,omitempty"`
	// Cell is that of a notebook; Line counts in it.
	Cell int `json:"cell,omitempty"`
	Line int `json:"line"`

	where diag.Text
}

func (a *app) translations(f *translationsFlags, args []string) error {
	fsys, err := a.openSite()
	if err != nil {
		return err
	}
	site, diags := content.Load(fsys, content.Options{Drafts: true})
	if diags.HasErrors() {
		a.print(diags)
		consequence := "nothing_said"
		if f.stamp {
			consequence = "nothing_stamped"
		}
		return a.broken(diags, consequence)
	}
	paths, err := a.below(args)
	if err != nil {
		return err
	}
	if f.stamp {
		return a.stamp(site, fsys, paths)
	}
	pages, err := translatedPages(site, paths)
	if err != nil {
		return err
	}
	p := a.newPaper()
	if f.json {
		p.json(struct {
			Languages []string         `json:"languages"`
			Pages     []translatedPage `json:"pages"`
		}{languageCodes(site), pages})
	} else {
		p.translations(site, pages)
	}
	behind := states(pages)
	if f.strict && behind[content.Missing]+behind[content.Outdated]+behind[content.Unstamped] > 0 && p.err == nil {
		return said(exitFailed)
	}
	return p.err
}

func languageCodes(site *content.Site) (codes []string) {
	for _, l := range site.Languages {
		codes = append(codes, l.Code)
	}
	return codes
}

// translatedPages are those that a path chooses, all without one.
func translatedPages(site *content.Site, paths []string) ([]translatedPage, error) {
	out := []translatedPage{}
	used := map[string]bool{}
	for _, p := range site.Pages {
		if site.Source(p.Key) != p {
			continue
		}
		row := translatedPage{Key: p.Key, Title: p.Title, Source: p.Language.Code, File: p.Source.Name, Translations: []translated{}}
		whole := len(paths) == 0 || choose(p.Source.Name, paths, used)
		for _, l := range site.Languages {
			if l == p.Language {
				continue
			}
			t, name := translatedInto(site, p, l)
			if choose(name, paths, used) || whole {
				row.Translations = append(row.Translations, t)
			}
		}
		if whole || len(row.Translations) > 0 {
			out = append(out, row)
		}
	}
	return out, unusedPath(paths, used)
}

// translatedInto tells how a page stands in a language, and the name of its file, which
// a missing one would have.
func translatedInto(site *content.Site, source *content.Page, l *content.Language) (t translated, name string) {
	p := site.Page(source.Key, l.Code)
	if p == nil {
		return translated{Language: l.Code, State: content.Missing}, path.Join("content", l.Code, source.Path)
	}
	state, c := site.Translation(p)
	return translated{Language: l.Code, State: state, File: p.Source.Name,
		Changed: sectionsOf(source.Source, c.Changed), Added: sectionsOf(source.Source, c.Added), Removed: c.Removed}, p.Source.Name
}

// choose tells whether a path names the file or a folder above it.
func choose(name string, paths []string, used map[string]bool) (chosen bool) {
	for _, path := range paths {
		clean := strings.TrimSuffix(path, "/")
		if clean == "." || name == clean || strings.HasPrefix(name, clean+"/") {
			used[path], chosen = true, true
		}
	}
	return chosen
}

func unusedPath(paths []string, used map[string]bool) error {
	for _, path := range paths {
		if !used[path] {
			return usage("write it as content/es/page.md, or as a folder", "there is no page at %s", path)
		}
	}
	return nil
}

func sectionsOf(source *diag.File, list []translate.Section) (out []changedSection) {
	for _, s := range list {
		c := changedSection{Anchor: s.Anchor, Title: s.Title, where: source.NameLine(s.Line)}
		c.Cell, c.Line = source.Cell(s.Line)
		c.Line = max(1, c.Line) // the beginning of a notebook is no cell
		if of, _ := source.Origin(s.Line); of.Name != source.Name {
			c.File = of.Name
		}
		out = append(out, c)
	}
	return out
}

// states counts the pages of each state.
func states(pages []translatedPage) map[content.State]int {
	n := map[content.State]int{}
	for _, p := range pages {
		for _, t := range p.Translations {
			n[t.State]++
		}
	}
	return n
}

// translations prints the table, what has changed, and a summary.
func (p *paper) translations(site *content.Site, pages []translatedPage) {
	w, codes := p.words, languageCodes(site)
	t := terminal.Table{Head: append([]string{w.Get("head_translated")}, codes...)}
	for _, row := range pages {
		cells := []string{diag.Printable(row.Key)}
		for _, code := range codes {
			state := "-" // not asked for
			if code == row.Source {
				state = w.state(content.IsSource)
			} else if i := slices.IndexFunc(row.Translations, func(t translated) bool { return t.Language == code }); i >= 0 {
				state = w.state(row.Translations[i].State)
			}
			cells = append(cells, state)
		}
		t.Rows = append(t.Rows, cells)
	}
	p.lines(t)
	for _, row := range pages {
		for _, t := range row.Translations {
			if t.State == content.Outdated {
				p.outdated(row, t)
			}
		}
	}
	n := states(pages)
	p.line("")
	p.text(0, w.Get("translated", "pages", w.Count("pages", len(pages)), "current", strconv.Itoa(n[content.Current]),
		"outdated", strconv.Itoa(n[content.Outdated]), "unstamped", strconv.Itoa(n[content.Unstamped]), "missing", strconv.Itoa(n[content.Missing])))
}

// state words how a page stands.
func (w words) state(s content.State) string { return w.Get("state_" + string(s)) }

// outdated lists what a translation has to catch up with.
func (p *paper) outdated(row translatedPage, t translated) {
	p.line("")
	w := p.words
	p.text(0, w.Get("behind", "file", t.File, "source", row.File))
	kinds := []string{w.Get("section_changed"), w.Get("section_added"), w.Get("section_removed")}
	wide := 0
	for _, k := range kinds {
		wide = max(wide, terminal.Columns(k))
	}
	line := func(kind int, what string) { p.text(2, terminal.Pad(kinds[kind], wide)+"  "+what) }
	for _, s := range t.Changed {
		line(0, s.where.In(w.catalog())+": "+cmp.Or(s.Title, w.Get("section_first")))
	}
	for _, s := range t.Added {
		line(1, s.where.In(w.catalog())+": "+cmp.Or(s.Title, w.Get("section_first")))
	}
	for _, anchor := range t.Removed {
		line(2, "#"+anchor)
	}
}

// stamp renews the stamps of the translations that the paths name.
func (a *app) stamp(site *content.Site, fsys fs.FS, paths []string) error {
	var updates []verify.PageUpdate
	used := map[string]bool{}
	chosen, same := 0, 0
	for _, p := range site.Pages {
		if len(paths) > 0 && !choose(p.Source.Name, paths, used) {
			continue
		}
		source := site.Source(p.Key)
		if source == p {
			continue
		}
		chosen++
		old, err := fs.ReadFile(fsys, p.Source.Name)
		if err != nil {
			return err
		}
		next, err := content.WriteStamp(old, translate.NewStamp(source.Language.Code, source.Sections))
		if err != nil {
			return endWith(exitUsage, fmt.Errorf("%s: %w; nothing was stamped", p.Source.Name, err), "write the front matter as key: value, a key on each line")
		}
		if string(next) == string(old) {
			same++
			continue
		}
		updates = append(updates, verify.PageUpdate{Name: p.Source.Name, Old: old, New: next})
	}
	if err := unusedPath(paths, used); err != nil {
		return err
	}
	if chosen == 0 {
		return usage("--stamp takes the translation, not its source", "no translation to stamp")
	}
	if err := a.writePages(updates); err != nil {
		return err
	}
	p := a.newPaper()
	for _, u := range updates {
		p.text(0, p.words.Get("stamped", "file", u.Name))
	}
	if same > 0 {
		p.text(0, p.words.Count("stamps_same", same))
	}
	return p.err
}
