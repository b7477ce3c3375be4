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

// An inputCache reads the inputs of a build again if they have changed.
type inputCache struct {
	fsys    fs.FS
	content *load.Loader
	// The reports that were read last, their diagnostics, the file of signers that was used, and
	// whether they are still valid.
	reports []workspace.CheckedReport
	found   diag.List
	signers string
	read    bool
}

func newInputCache(fsys fs.FS) *inputCache {
	return &inputCache{fsys: fsys, content: load.NewLoader(fsys, load.Options{Drafts: true, Editing: true})}
}

// after returns the inputs after some paths have changed. If none is named, all may have.
func (r *inputCache) after(changed []string) workspace.Inputs {
	if len(changed) == 0 || slices.ContainsFunc(changed, r.affectsReports) || len(r.found) > 0 || len(workspace.Unreadable(r.reports)) > 0 {
		r.read = false
	}
	return workspace.Inputs{Content: func() (*site.Site, diag.List) { return r.content.Load(changed) }, Reports: r.readReports}
}

// affectsReports reports whether a path is that of a report, a signature or the file of signers.
// The report of serve itself is not read from a file.
func (r *inputCache) affectsReports(name string) bool {
	in := func(file string) bool {
		return name == file || strings.HasPrefix(name, file+"/") || strings.HasPrefix(file, name+"/")
	}
	return in(workspace.ResultsDir) || r.signers != "" && in(r.signers)
}

func (r *inputCache) readReports(c *site.Config) ([]workspace.CheckedReport, diag.List) {
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

// linked reports whether one of these files is a symbolic link, which can change under another
// name.
func (r *inputCache) linked(signers string) bool {
	isLink := func(name string) bool {
		info, err := fs.Lstat(r.fsys, name)
		return err == nil && info.Mode()&fs.ModeSymlink != 0
	}
	entries, _ := fs.ReadDir(r.fsys, workspace.ResultsDir) // without the folder there are none
	return isLink(workspace.ResultsDir) || signers != "" && isLink(signers) ||
		slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Type()&fs.ModeSymlink != 0 })
}
