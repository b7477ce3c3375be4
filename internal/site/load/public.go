package load

import (
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/page"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
)

// A Publication says what of a site is published.
type Publication struct {
	// WithoutSolutions leaves out all solutions of exercises.
	WithoutSolutions bool
	// Time is when the site is published. Solutions whose day has not come are withheld.
	Time time.Time
	// before are the days before which a site that is published with this one withholds solutions, by the keys of pages,
	// and under "" for all other pages.
	before map[string]time.Time
}

// OfEditions returns the publication of earlier editions of a site. What the current one withholds cannot be read there.
func (o Publication) OfEditions(current *site.Site) Publication {
	o.before = map[string]time.Time{}
	add := func(key string, day time.Time) {
		if !o.Time.Before(day) {
			day = time.Time{}
		}
		if !day.Equal(o.before[""]) && !day.Before(o.before[key]) {
			o.before[key] = day
		}
	}
	add("", current.Config.SolutionsAfter)
	for _, p := range current.Pages {
		add(p.Key, current.SolutionsAfter(p))
	}
	return o
}

// Of returns a site as it is published. Files that pages use only in solutions that are withheld are left out too. What
// is wrong with the pages is known from the whole site. It returns nil if gpudocs.toml cannot be read any more.
func (o Publication) Of(whole *site.Site) *site.Site {
	withheld := map[string]page.Withheld{}
	for _, p := range whole.Pages {
		until, known := o.before[p.Key]
		if !known {
			until = o.before[""]
		}
		if day := whole.SolutionsAfter(p); until.Before(day) {
			until = day
		}
		switch {
		case !p.HasSolutions:
		case o.WithoutSolutions:
			withheld[p.File.Name] = page.Withheld{Whole: p}
		case o.Time.Before(until):
			withheld[p.File.Name] = page.Withheld{Whole: p, Until: until}
		}
	}
	if len(withheld) == 0 {
		return whole
	}
	public, _ := Load(whole.FS, Options{Withheld: withheld})
	if public == nil {
		return nil
	}
	public.Config = whole.Config
	before, still := usedFiles(whole), usedFiles(public)
	public.Assets = slices.DeleteFunc(public.Assets, func(file string) bool { return before[file] && !still[file] })
	return public
}

// usedFiles returns the files below content/ that pages show, include, run or link.
func usedFiles(s *site.Site) map[string]bool {
	used := map[string]bool{}
	for _, links := range s.LinksByPage {
		for _, l := range links.All {
			used[l.Target.Asset] = true
		}
	}
	for _, name := range s.Included {
		if file, ok := strings.CutPrefix(path.Clean(name), sitefile.ContentFolder+"/"); ok {
			used[file] = true
		}
	}
	return used
}
