package sitecmd

import (
	"cmp"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/exit"
	"github.com/gpudocs/gpudocs/internal/project"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/frontmatter"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/site/resolve"
	"github.com/gpudocs/gpudocs/internal/site/translate"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/text/terminal"
	"github.com/gpudocs/gpudocs/internal/verify/update"
)

type translationsFlags struct{ json, strict, stamp bool }

func NewTranslations(a *env.Env) *cobra.Command {
	f := &translationsFlags{}
	c := &cobra.Command{
		Use:  "translations [PATH...]",
		RunE: func(_ *cobra.Command, args []string) error { return compareTranslations(a, f, args) },
	}
	c.Flags().BoolVar(&f.json, "json", false, "")
	c.Flags().BoolVar(&f.strict, "strict", false, "")
	c.Flags().BoolVar(&f.stamp, "stamp", false, "")
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
	Language string     `json:"language"`
	State    site.State `json:"state"`
	// File is empty if the page is missing.
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

func compareTranslations(a *env.Env, f *translationsFlags, args []string) error {
	p, err := a.Open()
	if err != nil {
		return err
	}
	s, diags := load.Load(p.FS, load.Options{Drafts: true, Editing: true})
	diags = slices.DeleteFunc(diags, func(d diag.Diagnostic) bool { return d.Severity != diag.Error })
	if s == nil || len(s.Pages) == 0 {
		a.Print(diags)
		return exit.Content(diags, "nothing_said")
	}
	paths, err := p.Below(args)
	if err != nil {
		return err
	}
	if f.stamp {
		return runStamp(a, p, s, paths, diags)
	}
	pages, err := translatedPages(s, paths)
	if err != nil {
		return err
	}
	differ := diag.List{}
	for _, row := range pages {
		for _, t := range row.Translations {
			if p := s.Page(row.Key, t.Language); p != nil {
				differ.Add(differences(s, p, s.Source(row.Key), diag.Warning)...)
			}
		}
	}
	a.Print(append(diags, differ...).Sorted())
	if !f.json {
		printTranslations(a, s, pages)
	} else if err := a.WriteJSONLine(struct {
		Languages []string         `json:"languages"`
		Pages     []translatedPage `json:"pages"`
	}{languageCodes(s), pages}); err != nil {
		return err
	}
	behind := countStates(pages)
	switch {
	case diags.HasErrors():
		return exit.Code(exit.Usage)
	case f.strict && len(differ)+behind[site.Missing]+behind[site.Outdated]+behind[site.Unstamped] > 0:
		return exit.Code(exit.Failed)
	}
	return nil
}

// differences returns where the code of a translation differs from its source's, which a build rejects.
func differences(s *site.Site, p, source *site.Page, as diag.Severity) (found diag.List) {
	for _, d := range resolve.CheckTranslation(s, p, source, false) {
		if d.Severity == diag.Error {
			d.Severity = as
			found.Add(d)
		}
	}
	return found
}

func languageCodes(site *site.Site) (codes []string) {
	for _, l := range site.Languages {
		codes = append(codes, l.Code)
	}
	return codes
}

// translatedPages returns the pages that the paths name, or all if there are no paths.
func translatedPages(site *site.Site, paths []string) ([]translatedPage, error) {
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

// translatedInto returns the state of a page in a language, and the name of its file, even if the file is
// missing.
func translatedInto(s *site.Site, source *site.Page, l *site.Language) (t translated, name string) {
	p := s.Page(source.Key, l.Code)
	if p == nil {
		return translated{Language: l.Code, State: site.Missing}, path.Join("content", l.Code, source.Path)
	}
	state, c := s.Translation(p)
	return translated{Language: l.Code, State: state, File: p.Source.Name,
		Changed: sectionsOf(source.Source, c.Changed), Added: sectionsOf(source.Source, c.Added), Removed: c.Removed}, p.Source.Name
}

// choose reports whether one of the paths covers the file, and notes which in used.
func choose(name string, paths []string, used map[string]bool) (chosen bool) {
	for _, path := range paths {
		if project.Covers(path, name) {
			used[path], chosen = true, true
		}
	}
	return chosen
}

func unusedPath(paths []string, used map[string]bool) error {
	for _, path := range paths {
		if !used[path] {
			return diag.Wrong(diag.Say("cli.page-missing", "path", path))
		}
	}
	return nil
}

func sectionsOf(source *diag.File, list []translate.Section) (out []changedSection) {
	for _, s := range list {
		c := changedSection{Anchor: s.Anchor, Title: s.Title, where: source.NameLine(s.Line)}
		c.Cell, c.Line = source.Cell(s.Line)
		c.Line = max(1, c.Line) // the beginning of a notebook is not in a cell
		if of, _ := source.Origin(s.Line); of.Name != source.Name {
			c.File = of.Name
		}
		out = append(out, c)
	}
	return out
}

// countStates counts the pages of each state.
func countStates(pages []translatedPage) map[site.State]int {
	n := map[site.State]int{}
	for _, p := range pages {
		for _, t := range p.Translations {
			n[t.State]++
		}
	}
	return n
}

// printTranslations prints the table, what has changed, and a summary.
func printTranslations(a *env.Env, s *site.Site, pages []translatedPage) {
	catalog, codes := a.Text, languageCodes(s)
	t := terminal.Table{Head: append([]string{catalog.Get("head_translated")}, codes...)}
	for _, row := range pages {
		cells := []string{diag.Printable(row.Key)}
		for _, code := range codes {
			state := "-" // not asked for
			if code == row.Source {
				state = stateText(catalog, site.IsSource)
			} else if i := slices.IndexFunc(row.Translations, func(t translated) bool { return t.Language == code }); i >= 0 {
				state = stateText(catalog, row.Translations[i].State)
			}
			cells = append(cells, state)
		}
		t.Rows = append(t.Rows, cells)
	}
	a.Table(t)
	for _, row := range pages {
		for _, t := range row.Translations {
			if t.State == site.Outdated {
				printOutdated(a, row, t)
			}
		}
	}
	n := countStates(pages)
	a.Line("")
	a.Indented(0, catalog.Get("translated", "pages", catalog.Count("pages", len(pages)), "current", strconv.Itoa(n[site.Current]),
		"outdated", strconv.Itoa(n[site.Outdated]), "unstamped", strconv.Itoa(n[site.Unstamped]), "missing", strconv.Itoa(n[site.Missing])))
}

func stateText(t text.Catalog, s site.State) string { return t.Get("state_" + string(s)) }

// printOutdated lists what has changed since a page was translated.
func printOutdated(a *env.Env, row translatedPage, t translated) {
	a.Line("")
	catalog := a.Text
	a.Indented(0, catalog.Get("behind", "file", t.File, "source", row.File))
	changed, added, removed := catalog.Get("section_changed"), catalog.Get("section_added"), catalog.Get("section_removed")
	wide := max(terminal.Columns(changed), terminal.Columns(added), terminal.Columns(removed))
	line := func(kind, what string) { a.Indented(2, terminal.Pad(kind, wide)+"  "+what) }
	section := func(kind string, s changedSection) {
		line(kind, s.where.In(catalog)+": "+cmp.Or(s.Title, catalog.Get("section_first")))
	}
	for _, s := range t.Changed {
		section(changed, s)
	}
	for _, s := range t.Added {
		section(added, s)
	}
	for _, anchor := range t.Removed {
		line(removed, "#"+anchor)
	}
}

// runStamp renews the stamps of the translations that the paths name. faults are those of the whole site: only
// those of these pages and their sources matter.
func runStamp(a *env.Env, p *project.Project, site *site.Site, paths []string, faults diag.List) error {
	var wrong diag.List
	var updates []update.PageUpdate
	used := map[string]bool{}
	chosen, same := 0, 0
	for _, page := range site.Pages {
		if len(paths) > 0 && !choose(page.Source.Name, paths, used) {
			continue
		}
		source := site.Source(page.Key)
		if source == page {
			continue
		}
		chosen++
		name := page.Source.Name
		files := slices.Concat([]string{name, source.Source.Name, "gpudocs.toml"}, page.Includes, source.Includes)
		for _, d := range faults {
			if slices.Contains(files, d.File) {
				wrong.Add(d)
			}
		}
		wrong.Add(differences(site, page, source, diag.Error)...)
		old, err := fs.ReadFile(p.FS, name)
		if err != nil {
			return err
		}
		next, err := frontmatter.WriteStamp(old, translate.NewStamp(source.Language.Code, source.Sections))
		if err != nil {
			return diag.Wrong(diag.Say("cli.stamp-failed", "file", name, "why", err).WithHint(diag.Say("cli.frontmatter-hint")))
		}
		if string(next) == string(old) {
			same++
			continue
		}
		updates = append(updates, update.PageUpdate{Name: name, Old: old, New: next})
	}
	if err := unusedPath(paths, used); err != nil {
		return err
	}
	if wrong = wrong.Sorted(); len(wrong) > 0 {
		a.Print(wrong)
		return exit.Content(wrong, "nothing_stamped")
	}
	if chosen == 0 {
		return diag.Wrong(diag.Say("cli.stamp-without-translation"))
	}
	if err := p.WritePages(updates); errors.Is(err, project.ErrPageChanged) {
		return exit.With(exit.Failed, diag.Plain(err).WithHint(diag.Say("verify.run-again-hint")))
	} else if err != nil {
		return err
	}
	for _, u := range updates {
		a.Indented(0, a.Text.Get("stamped", "file", u.Name))
	}
	if same > 0 {
		a.Indented(0, a.Text.Count("stamps_same", same))
	}
	return nil
}
