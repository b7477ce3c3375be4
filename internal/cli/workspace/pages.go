package workspace

import (
	"bytes"
	"os"
	"path/filepath"

	"github.com/gpudocs/gpudocs/internal/atomicfile"
	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/verify/update"
)

// WritePages replaces pages. It first writes the new content of all of them to disk, and replaces none if
// one of them has changed since it was read.
func WritePages(a *env.Env, pages []update.PageUpdate) error {
	var ready []*atomicfile.Pending
	defer func() {
		for _, p := range ready {
			p.Discard()
		}
	}()
	for _, page := range pages {
		p, err := prepare(a, page)
		if err != nil {
			return err
		}
		ready = append(ready, p)
	}
	for _, p := range ready {
		if err := p.Commit(); err != nil {
			return err
		}
	}
	return nil
}

// prepare writes a page's new bytes beside it, with its permissions.
func prepare(a *env.Env, p update.PageUpdate) (*atomicfile.Pending, error) {
	// A symbolic link stays one.
	file, err := filepath.EvalSymlinks(a.Path(filepath.FromSlash(p.Name)))
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
	if !bytes.Equal(now, p.Old) {
		return nil, env.EndWith(env.ExitFailed, diag.Say("verify.update-page-changed", "file", p.Name), diag.Say("verify.run-again-hint"))
	}
	return atomicfile.Prepare(file, p.New, info.Mode().Perm())
}
