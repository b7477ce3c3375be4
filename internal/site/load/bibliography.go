package load

import (
	"bytes"
	"io/fs"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/bibtex"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// readBibliography reads the works that pages cite. It returns the earlier bibliography if the file is
// the same. Errors in the file do not prevent a site from being published.
func readBibliography(fsys fs.FS, name string, earlier *site.Bibliography) *site.Bibliography {
	b := &site.Bibliography{Name: name, Works: map[string]*bibtex.Entry{}}
	if name != "" {
		b.File, b.Diags = readBibTeX(fsys, name)
	}
	if earlier != nil && earlier.Name == name && len(b.Diags) == 0 && (name == "" || earlier.File != nil && bytes.Equal(earlier.File.Data, b.File.Data)) {
		return earlier
	}
	if b.File != nil {
		addWorks(b)
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
		return nil, diag.List{{File: name, Message: diag.Say("links.bibliography-too-large", "most", sitefile.MaxPage>>20),
			Hint: diag.Say("links.bibliography-too-large-hint")}}
	}
	f := diag.NewFile(name, sitefile.WithoutBOM(data))
	if d, bad := sitefile.InvalidUTF8(f); bad {
		return nil, diag.List{d}
	}
	return f, nil
}

// addWorks parses the works in the file of a bibliography.
func addWorks(b *site.Bibliography) {
	f := b.File
	entries, faults := bibtex.Parse(f.Data)
	for _, e := range faults {
		b.Diags.Add(f.Warning(e.Start, min(e.End, len(f.Data)), e.Message, diag.Text{}).WithRule(site.RuleCitation))
	}
	for _, e := range entries {
		if first := b.Works[e.Key]; first != nil {
			b.Diags.Add(f.Warning(e.Start, e.End, diag.Say("links.bibliography-key-duplicate", "key", e.Key, "line", f.Line(first.Start)),
				diag.Say("links.bibliography-key-duplicate-hint")).WithRule(site.RuleCitation))
			continue
		}
		b.Works[e.Key] = e
	}
}
