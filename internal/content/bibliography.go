package content

import (
	"io/fs"
	"maps"
	"slices"

	"github.com/gpudocs/gpudocs/internal/bibtex"
	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/sitepath"
)

// RuleCitation is of a citation of what the bibliography has not.
const RuleCitation = "citation"

// Work returns a work of the bibliography, or nil.
func (s *Site) Work(key string) *bibtex.Entry { return s.works[key] }

// Bibliography is its file, or nil.
func (s *Site) Bibliography() *diag.File { return s.bibliography }

// readBibliography reads the works that pages can cite. A fault in one of them
// does not keep a site from being published.
func readBibliography(fsys fs.FS, name string) *bibliography {
	b := &bibliography{name: name, works: map[string]*bibtex.Entry{}}
	if name != "" {
		b.diags = b.read(fsys)
	}
	return b
}

func (b *bibliography) read(fsys fs.FS) (diags diag.List) {
	name := b.name
	if d, hidden := sitepath.LinksToHidden(fsys, name); hidden {
		return diag.List{d}
	}
	data, err := readFile(fsys, name)
	if err != nil {
		return diag.List{diag.Unreadable(name, err)}
	}
	if len(data) > maxPage {
		return diag.List{{File: name, Message: diag.Say("a bibliography of more than %d MiB", maxPage>>20), Hint: diag.Say("keep in it what pages cite")}}
	}
	f := diag.NewFile(name, withoutBOM(data))
	if d, bad := invalidUTF8(f); bad {
		return diag.List{d}
	}
	b.file = f
	entries, faults := bibtex.Parse(f.Data)
	for _, e := range faults {
		diags.Add(f.Warning(e.Start, min(e.End, len(f.Data)), e.Message, diag.Text{}))
	}
	for _, e := range entries {
		if first := b.works[e.Key]; first != nil {
			diags.Add(f.Warning(e.Start, e.End, diag.Say("the key %q stands already in line %d", e.Key, f.Line(first.Start)), diag.Say("citations mean the first")))
			continue
		}
		b.works[e.Key] = e
	}
	for i := range diags {
		diags[i].Rule = RuleCitation
	}
	return diags
}

// citation notes what a page cites.
func (l *pageLinks) citation(c *markdown.Citation) {
	for _, w := range c.Works {
		if l.site.works[w.Key] != nil {
			if !l.cited[w.Key] {
				if l.cited == nil {
					l.cited = map[string]bool{}
				}
				l.cited[w.Key] = true
				l.page.Cited = append(l.page.Cited, w.Key)
			}
			continue
		}
		if l.site.Config.Bibliography == "" {
			if !l.reported[RuleCitation] {
				l.reported[RuleCitation] = true
				l.cites(c.Span, diag.Say("this site has no bibliography, so citations show their keys"), diag.Say(`write bibliography = "refs.bib" below [markdown] in gpudocs.toml`))
			}
			continue
		}
		l.cites(c.Span, diag.Say("%s has no work %q", l.site.Config.Bibliography, w.Key),
			l.suggest.Suggest(w.Key, func() []string { return slices.Sorted(maps.Keys(l.site.works)) }, diag.Say("add it there, as @article{%s, ...}", w.Key)))
	}
}

func (l *pageLinks) cites(at markdown.Span, message, hint diag.Text) {
	d := l.page.Source.Warning(at.Start, at.Stop, message, hint)
	d.Rule = RuleCitation
	l.diags.Add(d)
}
