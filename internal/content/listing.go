package content

import (
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/diag"
)

// A listing is the files below content/, as slash paths below it.
type listing struct {
	files []string
	// parts are those that are there to be included alone.
	parts []string
	// linked are the files that are symbolic links, by their names below the site's folder:
	// they can change under other names.
	linked map[string]bool
	diags  diag.List
}

func (l *listing) same(other *listing) bool {
	return slices.Equal(l.files, other.files) && slices.Equal(l.parts, other.parts) && maps.Equal(l.linked, other.linked) &&
		slices.EqualFunc(l.diags, other.diags, diag.Diagnostic.Equal)
}

// list lists the files, unless only such have changed that are listed already.
func (l *Loader) list(c changes) {
	old := l.listing
	again := old == nil || c.all() || len(old.diags) > 0 || len(old.linked) > 0
	for _, name := range c.paths {
		again = again || l.relisted(name)
	}
	if again {
		if now := walk(l.fsys); old == nil || !now.same(old) {
			l.listing = now
		}
	}
}

// relisted tells whether a changed path may make another list of files.
func (l *Loader) relisted(name string) bool {
	file, below := strings.CutPrefix(name, root+"/")
	if !below {
		return name == root
	}
	known := slices.Contains(l.listing.files, file) || slices.Contains(l.listing.parts, file)
	info, err := fs.Lstat(l.fsys, name)
	switch {
	case known:
		return err != nil || !info.Mode().IsRegular()
	case err == nil:
		return true
	}
	inIt := func(f string) bool { return strings.HasPrefix(f, file+"/") }
	return slices.ContainsFunc(l.listing.files, inIt) || slices.ContainsFunc(l.listing.parts, inIt)
}

// sortedFiles are the listed files by what they are.
type sortedFiles struct {
	of        *listing
	declared  map[string]Language
	languages []*Language
	pages     []markdownFile
	assets    []string
	diags     diag.List
}

// sort tells pages from other files. Pages hold their language: where that is another they
// are parsed anew, all of them.
func (l *Loader) sort(c *Config) *sortedFiles {
	old := l.sorted
	if old != nil && old.of == l.listing && maps.Equal(old.declared, c.languages) {
		return old
	}
	now := &sortedFiles{of: l.listing, declared: c.languages, languages: languages(c, l.listing.files)}
	if n := len(now.languages); n > maxLanguages { // folders, for gpudocs.toml is bounded itself
		now.diags.Add(diag.Diagnostic{File: root, Message: diag.Say("%d languages, more than %d", n, maxLanguages), Hint: diag.Say("split the site by languages")})
		now.languages = now.languages[:maxLanguages]
	}
	if old != nil && slices.EqualFunc(old.languages, now.languages, func(a, b *Language) bool { return *a == *b }) {
		now.languages = old.languages
	} else {
		l.forget()
	}
	now.pages, now.assets = split(l.listing.files, now.languages, &now.diags)
	if l.pages != nil {
		l.rearrange(old.pages, now.pages)
	}
	l.sorted = now
	return now
}
