package project

import (
	"bytes"
	"os"
	"path/filepath"

	"github.com/gpudocs/gpudocs/internal/atomicfile"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/verify/update"
)

// ErrPageChanged is the error if a page has changed since it was read.
var ErrPageChanged = diag.Say("verify.update-page-changed")

// WritePages replaces pages. It first writes the new content of all of them to disk, and replaces none if
// one of them has changed since it was read.
func (p *Project) WritePages(pages []update.PageUpdate) error {
	var ready []*atomicfile.Pending
	defer func() {
		for _, p := range ready {
			p.Discard()
		}
	}()
	for _, page := range pages {
		pending, err := p.prepare(page)
		if err != nil {
			return err
		}
		ready = append(ready, pending)
	}
	for _, p := range ready {
		if err := p.Commit(); err != nil {
			return err
		}
	}
	return nil
}

// prepare writes a page's new bytes beside it, with its permissions.
func (p *Project) prepare(page update.PageUpdate) (*atomicfile.Pending, error) {
	// A symbolic link stays one.
	file, err := filepath.EvalSymlinks(p.Path(filepath.FromSlash(page.Name)))
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	now, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(now, page.Old) {
		return nil, diag.Say("verify.update-page-changed", "file", page.Name)
	}
	return atomicfile.Prepare(file, page.New, info.Mode().Perm())
}
