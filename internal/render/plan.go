package render

import (
	"crypto/sha256"
	"fmt"
	"html/template"
	"io/fs"
	"reflect"
	"slices"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/i18n"
	"github.com/gpudocs/gpudocs/internal/layout"
)

// The plan of a site, which names its files, is the work of many thousand pages, and nearly
// always what it was before an edit. So a site takes the plan of the one before it, see
// [Options].Before, where nothing is another that a plan is made of. Files are made by functions that
// are told of which site: what they keep of a page is its place in [content.Site.Pages] or in the
// navigation, and they ask the site for the page. One that kept the page would keep it in memory
// for as long as the plan holds.

// A maker makes a file of a site.
type maker func(s *Site) ([]byte, error)

// A pageRef is a page of a plan at the address of a language: its place among the pages.
type pageRef struct {
	place    int
	language *content.Language
}

func (s *Site) at(r pageRef) placed { return placed{s.content.Pages[r.place], r.language} }

// replan takes the plan of an earlier site, and tells whether that is a plan of this one too.
func (s *Site) replan(before *Site) bool {
	if before == nil || before.parsed != s.parsed || !s.content.SameNames(before.content) || !sameSources(s.sources, before.sources) ||
		!reflect.DeepEqual(s.content.Config, before.content.Config) || !sameOptions(s.options, before.options) {
		return false
	}
	stale := map[*content.Language]bool{} // whose pages have changed
	for i, p := range s.content.Pages {
		if old := before.content.Pages[i]; p != old {
			if !samePlan(p, old, len(s.sources) > maxHere) {
				return false
			}
			stale[p.Language] = true
		}
	}
	s.results, s.files, s.sections, s.owned, s.redirects, s.planned = before.results, before.files, before.sections, before.owned, before.redirects, before.planned
	for code, t := range before.nav {
		if len(stale) > 0 {
			t = t.with(s.content.Pages)
		}
		s.nav[code] = t
	}
	return true
}

// sameSources tells whether reports are the very same.
func sameSources(a, b []Source) bool {
	return slices.EqualFunc(a, b, func(a, b Source) bool {
		return a.Report == b.Report && a.Local == b.Local && a.Signature == b.Signature
	})
}

// sameOptions compares what of the options counts for a plan.
func sameOptions(a, b Options) bool {
	return a.BaseURL == b.BaseURL && a.Offline == b.Offline && a.Root == b.Root && slices.Equal(a.Unreadable, b.Unreadable) && sameDates(a, b)
}

func sameDates(a, b Options) bool { return (len(a.Changed) > 0) == (len(b.Changed) > 0) }

// samePlan tells whether two pages of the same names have the same files, the same place among
// the others, and the same checks. many is set where a page has no room for all machines: which
// pages of a section are printed, and so which machines stand there, hangs on their length.
func samePlan(a, b *content.Page, many bool) bool {
	return a.Weight == b.Weight && a.Draft == b.Draft && a.Updated.IsZero() == b.Updated.IsZero() &&
		(a.Source == b.Source || a.Notebook == nil && b.Notebook == nil) && slices.Equal(a.Includes, b.Includes) &&
		slices.EqualFunc(a.Blocks, b.Blocks, sameChecks) && (!many || speaks(a) == speaks(b) && len(a.Source.Data) == len(b.Source.Data))
}

// sameChecks tells whether reports say the same of two blocks.
func sameChecks(a, b *content.Block) bool {
	return a.ID == b.ID && a.Name == b.Name && a.Kind == b.Kind &&
		slices.EqualFunc(a.GPULines, b.GPULines, func(a, b content.GPULine) bool { return a.ID == b.ID && a.Name == b.Name })
}

// A parsedTheme is what was read of a theme.
type parsedTheme struct {
	key     string
	layouts *template.Template
	quick   *layout.Set // of the layouts
	strings map[string]i18n.Strings
	diags   diag.List
	// assets are its files by their names below folder, which is where they are published.
	assets map[string][]byte
	folder string
}

// useTheme reads the theme, unless an earlier site has read the same.
func (s *Site) useTheme(before *Site) error {
	var codes []string
	for _, l := range s.content.Languages {
		codes = append(codes, l.Code)
	}
	key, err := themeKey(s.theme, codes, s.options.Style)
	if before != nil && err == nil && before.parsed != nil && before.parsed.key == key {
		s.parsed = before.parsed
	} else {
		t := &parsedTheme{key: key}
		if t.layouts, t.strings, t.diags = readTheme(s.theme, codes); t.diags.HasErrors() {
			return &ThemeFaults{t.diags}
		}
		t.quick = layout.New(t.layouts)
		s.parsed = t
	}
	s.layouts, s.quick, s.strings = s.parsed.layouts, s.parsed.quick, s.parsed.strings
	return nil
}

// themeKey is another for a theme with other files, or other bytes in one, in any of its
// layers.
func themeKey(theme fs.FS, codes []string, style string) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q\n", codes, style)
	for _, layer := range layers(theme) {
		dir := ""
		if l, ok := layer.(Layer); ok {
			dir = l.Dir
		}
		fmt.Fprintf(h, "layer %q\n", dir)
		err := fs.WalkDir(layer, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := fs.ReadFile(layer, name)
			fmt.Fprintf(h, "%q %d\n", name, len(data))
			h.Write(data)
			return err
		})
		if err != nil {
			return "", err
		}
	}
	return string(h.Sum(nil)), nil
}
