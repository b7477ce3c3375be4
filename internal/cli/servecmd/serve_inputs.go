package servecmd

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/cli/workspace"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// remembered reads what serve builds of again and again, and of that only what has changed.
type remembered struct {
	fsys    fs.FS
	content *load.Loader
	// reports are those that were read last, with what counted for their signatures; read is
	// false where they may be others by now.
	reports []workspace.Judged
	found   diag.List
	signers string
	read    bool
}

func newRemembered(fsys fs.FS) *remembered {
	return &remembered{fsys: fsys, content: load.NewLoader(fsys, load.Options{Drafts: true, Editing: true})}
}

// since returns what reads the inputs after some paths have changed; without any, all may have.
func (r *remembered) since(changed []string) workspace.Inputs {
	if len(changed) == 0 || slices.ContainsFunc(changed, r.ofReports) || len(r.found) > 0 || len(workspace.Unreadable(r.reports)) > 0 {
		r.read = false
	}
	return workspace.Inputs{Content: func() (*site.Site, diag.List) { return r.content.Load(changed) }, Reports: r.readReports}
}

// ofReports tells whether a path is that of a report, a signature, or of who may sign. What
// serve itself found is handed over, and not read.
func (r *remembered) ofReports(name string) bool {
	in := func(file string) bool {
		return name == file || strings.HasPrefix(name, file+"/") || strings.HasPrefix(file, name+"/")
	}
	return in(workspace.ResultsDir) || r.signers != "" && in(r.signers)
}

func (r *remembered) readReports(c *site.Config) ([]workspace.Judged, diag.List) {
	signers := ""
	if c != nil {
		signers = c.AllowedSigners
	}
	if !r.read || signers != r.signers {
		r.reports, r.found = workspace.ReadReports(r.fsys, c)
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
	entries, _ := fs.ReadDir(r.fsys, workspace.ResultsDir) // without the folder there are none
	return isLink(workspace.ResultsDir) || signers != "" && isLink(signers) ||
		slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Type()&fs.ModeSymlink != 0 })
}
