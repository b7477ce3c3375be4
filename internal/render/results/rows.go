package results

import (
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A Row is a check of a page and of its translations, with what each machine found, in the order of [Index.Machines].
type Row struct {
	Page, Name string
	// Languages are those of the pages that have it, if others have other code by that name: "pt".
	Languages string
	Findings  []Finding
	id        report.ID
}

// Title is the name of the check, with its languages: "greet (pt)".
func (r *Row) Title() string {
	if r.Languages == "" {
		return r.Name
	}
	return r.Name + " (" + r.Languages + ")"
}

// Rows returns the checks of some pages, page by page: one for each place where it stands, and for each code that it has.
func (r *Index) Rows(pages []*site.Page) (rows []*Row) {
	var keys []string
	byPage := map[string][]*Row{}
	for _, p := range pages {
		if byPage[p.Key] == nil {
			keys = append(keys, p.Key)
		}
		for _, b := range p.Blocks {
			for _, c := range checks(b) {
				i := slices.IndexFunc(byPage[p.Key], func(o *Row) bool { return o.Name == c.Name && o.id == c.ID })
				if i < 0 {
					i = len(byPage[p.Key])
					row := &Row{Page: p.Key, Name: c.Name, id: c.ID}
					for _, m := range r.Machines {
						row.Findings = append(row.Findings, r.Find(m, c.ID, p, c.Name))
					}
					byPage[p.Key] = append(byPage[p.Key], row)
				}
				row := byPage[p.Key][i]
				row.Languages = strings.TrimPrefix(row.Languages+", "+p.Language.Code, ", ")
			}
		}
	}
	for _, key := range keys {
		list := byPage[key]
		for i, row := range list {
			j := slices.IndexFunc(list, func(o *Row) bool { return o != row && o.Name == row.Name })
			if j < 0 {
				row.Languages = ""
			}
			if j < 0 || j > i { // the codes of one name together
				rows = append(rows, row)
				for _, o := range list[i+1:] {
					if o.Name == row.Name {
						rows = append(rows, o)
					}
				}
			}
		}
	}
	return rows
}

// PagesOf returns pages with the checks of reports, as far as they tell: the newest check by a name in a file is that of its current code.
// They stand for those of a site that is not there.
func PagesOf(reports []*report.Report) (pages []*site.Page) {
	var all []*report.Check
	for _, r := range reports {
		for i := range r.Checks {
			all = append(all, &r.Checks[i])
		}
	}
	first := func(c *report.Check) string {
		if len(c.Places) == 0 {
			return ""
		}
		return c.Places[0].File
	}
	type spot struct{ file, page, name string }
	newest, held := map[spot]*report.Check{}, map[report.ID]*report.Check{}
	for _, c := range slices.SortedStableFunc(slices.Values(all), func(a, b *report.Check) int { return b.Ran.Compare(a.Ran) }) {
		if at := (spot{first(c), c.Page, c.Name}); held[c.ID] == nil && newest[at] == nil {
			held[c.ID], newest[at] = c, c
		}
	}
	byFile := map[[2]string]*site.Page{}
	for _, c := range all {
		at := [2]string{first(c), c.Page}
		if newest[spot{at[0], c.Page, c.Name}] == nil || held[c.ID] == nil {
			continue
		}
		p := byFile[at]
		if p == nil {
			language := at[0]
			if parts := strings.Split(at[0], "/"); len(parts) > 2 {
				language = parts[1]
			}
			p = &site.Page{Key: c.Page, Source: diag.NewFile(at[0], nil), Language: &site.Language{Code: language}}
			byFile[at], pages = p, append(pages, p)
		}
		current := newest[spot{at[0], c.Page, c.Name}]
		if !slices.ContainsFunc(p.Blocks, func(b *site.Block) bool { return b.ID == current.ID }) {
			p.Blocks = append(p.Blocks, &site.Block{ID: current.ID, Name: current.Name, Page: p})
		}
	}
	return pages
}
