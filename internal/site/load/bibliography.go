package load

import (
	"bytes"
	"io/fs"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/bibtex"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// readBibliography reads the works that pages cite, if the file may have changed.
func (l *Loader) readBibliography(s *site.Site, c changes) diag.List {
	b, name := l.bibliography, s.Config.Bibliography
	if b == nil || b.Name != name || name != "" && (c.mayAffect(name) || len(b.Diags) > 0 || isLinked(l.fsys, name)) {
		now := readWorks(l.fsys, name)
		if b == nil || len(now.Diags)+len(b.Diags) > 0 || now.Name != b.Name || now.Name != "" && !bytes.Equal(now.File.Data, b.File.Data) {
			b = now
		}
	}
	l.bibliography = b
	s.Bibliography = b
	return b.Diags
}

// isLinked reports whether a symbolic link is part of a path: the file can change under another
// name.
func isLinked(fsys fs.FS, name string) bool {
	_, is := sitefile.FollowLink(fsys, name)
	return is
}

// readWorks reads the BibTeX file. Errors in it do not prevent a site from being published.
func readWorks(fsys fs.FS, name string) *site.Bibliography {
	b := &site.Bibliography{Name: name, Works: map[string]*bibtex.Entry{}}
	if name != "" {
		b.Diags = readWorksFile(b, fsys)
	}
	return b
}

func readWorksFile(b *site.Bibliography, fsys fs.FS) (diags diag.List) {
	name := b.Name
	if d, hidden := sitefile.LinksToHidden(fsys, name); hidden {
		return diag.List{d}
	}
	data, err := sitefile.ReadFile(fsys, name)
	if err != nil {
		return diag.List{diag.Unreadable(name, err)}
	}
	if len(data) > sitefile.MaxPage {
		return diag.List{{File: name, Message: diag.Say("links.bibliography-too-large", "most", sitefile.MaxPage>>20), Hint: diag.Say("links.bibliography-too-large-hint")}}
	}
	f := diag.NewFile(name, sitefile.WithoutBOM(data))
	if d, bad := sitefile.InvalidUTF8(f); bad {
		return diag.List{d}
	}
	b.File = f
	entries, faults := bibtex.Parse(f.Data)
	for _, e := range faults {
		diags.Add(f.Warning(e.Start, min(e.End, len(f.Data)), e.Message, diag.Text{}))
	}
	for _, e := range entries {
		if first := b.Works[e.Key]; first != nil {
			diags.Add(f.Warning(e.Start, e.End, diag.Say("links.bibliography-key-duplicate", "key", e.Key, "line", f.Line(first.Start)), diag.Say("links.bibliography-key-duplicate-hint")))
			continue
		}
		b.Works[e.Key] = e
	}
	for i := range diags {
		diags[i].Rule = site.RuleCitation
	}
	return diags
}
