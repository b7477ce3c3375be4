package load

import (
	"bytes"
	"io/fs"
	"slices"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/bibtex"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// readBibliography reads the works that pages cite. It returns the earlier bibliography if the files are
// the same. Errors in a file do not prevent a site from being published.
func readBibliography(fsys fs.FS, names []string, earlier *site.Bibliography) *site.Bibliography {
	b := &site.Bibliography{Names: names, Works: map[string]*bibtex.Entry{}, FileOf: map[*bibtex.Entry]*diag.File{}}
	for _, name := range names {
		f, diags := readBibTeX(fsys, name)
		b.Diags.Add(diags...)
		if f != nil {
			b.Files = append(b.Files, f)
		}
	}
	same := func(x, y *diag.File) bool { return bytes.Equal(x.Data, y.Data) }
	if earlier != nil && len(b.Diags) == 0 && slices.Equal(earlier.Names, names) && slices.EqualFunc(earlier.Files, b.Files, same) {
		return earlier
	}
	for _, f := range b.Files {
		addWorks(b, f)
	}
	return b
}

// readBibTeX returns the text of a bibliography, or diagnostics if it cannot be read.
func readBibTeX(fsys fs.FS, name string) (*diag.File, diag.List) {
	if d, hidden := sitefile.LinksToHidden(fsys, name); hidden {
		return nil, diag.List{d}
	}
	data, err := sitefile.ReadFile(fsys, name)
	if err != nil {
		return nil, diag.List{diag.Unreadable(name, err)}
	}
	if len(data) > sitefile.MaxPage {
		return nil, diag.List{diag.About(diag.Error, name, diag.Say("links.bibliography-too-large", "most", sitefile.MaxPage>>20))}
	}
	f := diag.NewFile(name, sitefile.WithoutBOM(data))
	if d, bad := sitefile.InvalidUTF8(f); bad {
		return nil, diag.List{d}
	}
	return f, nil
}

// addWorks parses the works in a file of a bibliography. A work may be in several files.
func addWorks(b *site.Bibliography, f *diag.File) {
	entries, faults := bibtex.Parse(f.Data)
	for _, e := range faults {
		b.Diags.Add(f.Warning(e.Start, min(e.End, len(f.Data)), e.Message.WithHint(diag.Text{})).WithRule(site.RuleCitation))
	}
	for _, e := range entries {
		if first := b.Works[e.Key]; first != nil && b.FileOf[first] != f {
			continue
		} else if first != nil {
			b.Diags.Add(f.Warning(e.Start, e.End, diag.Say("links.bibliography-key-duplicate", "key", e.Key,
				"line", f.Line(first.Start))).WithRule(site.RuleCitation))
			continue
		}
		b.Works[e.Key], b.FileOf[e] = e, f
	}
}
