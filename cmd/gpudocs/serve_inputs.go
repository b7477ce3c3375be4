package main

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/diag"
)

// remembered reads what serve builds of again and again, and of that only what has changed.
type remembered struct {
	fsys    fs.FS
	content *content.Loader
	// reports are those that were read last, with what counted for their signatures; read is
	// false where they may be others by now.
	reports []judged
	found   diag.List
	signers string
	read    bool
}

func newRemembered(fsys fs.FS) *remembered {
	return &remembered{fsys: fsys, content: content.NewLoader(fsys, content.Options{Drafts: true, Editing: true})}
}

// since returns what reads the inputs after some paths have changed; without any, all may have.
func (r *remembered) since(changed []string) inputs {
	if len(changed) == 0 || slices.ContainsFunc(changed, r.ofReports) || len(r.found) > 0 || len(unreadable(r.reports)) > 0 {
		r.read = false
	}
	return inputs{func() (*content.Site, diag.List) { return r.content.Load(changed) }, r.readReports}
}

// ofReports tells whether a path is that of a report, a signature, or of who may sign. What
// serve itself found is handed over, and not read.
func (r *remembered) ofReports(name string) bool {
	in := func(file string) bool {
		return name == file || strings.HasPrefix(name, file+"/") || strings.HasPrefix(file, name+"/")
	}
	return in(resultsDir) || r.signers != "" && in(r.signers)
}

func (r *remembered) readReports(c *content.Config) ([]judged, diag.List) {
	signers := ""
	if c != nil {
		signers = c.AllowedSigners
	}
	if !r.read || signers != r.signers {
		r.reports, r.found = readReports(r.fsys, c)
		r.read, r.signers = !r.linked(signers), signers
	}
	return r.reports, slices.Clone(r.found)
}

// linked tells whether one of these files is a symbolic link: it can change under another name.
func (r *remembered) linked(signers string) bool {
	isLink := func(name string) bool {
		info, err := fs.Lstat(r.fsys, name)
		return err == nil && info.Mode()&fs.ModeSymlink != 0
	}
	entries, _ := fs.ReadDir(r.fsys, resultsDir) // without the folder there are none
	return isLink(resultsDir) || signers != "" && isLink(signers) ||
		slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Type()&fs.ModeSymlink != 0 })
}
