package main

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/diagram"
	"github.com/gpudocs/gpudocs/internal/preview"
	"github.com/gpudocs/gpudocs/internal/render"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/tex"
)

// keptFile is where this user's formulas, diagrams, colours of code or packed programs are kept
// between runs, or empty. It can be removed at any time.
func keptFile(name string) string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "gpudocs", name)
}

const (
	formulasFile = "formulas.json"
	diagramsFile = "diagrams.json"
	coloursFile  = "colours"
	programsDir  = "programs"
)

// newConverter converts formulas, and knows those of earlier runs.
func newConverter() *tex.Converter {
	return tex.New(func() (io.ReadCloser, error) { return os.Open(keptFile(formulasFile)) })
}

// newDrawer draws diagrams, and knows those of earlier runs.
func newDrawer() *diagram.Drawer {
	return diagram.New(func() (io.ReadCloser, error) { return os.Open(keptFile(diagramsFile)) })
}

// newHighlighter colours code, and knows that of earlier runs.
func newHighlighter() *render.Highlighter {
	return render.NewHighlighter(func() ([]byte, error) { return readKept(coloursFile, render.MaxStored) })
}

// readKept reads such a file whole. One that is too large, or none at all, is not ours any more, and
// reading it might never end.
func readKept(name string, most int64) ([]byte, error) {
	file := keptFile(name)
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > most {
		return nil, fs.ErrInvalid
	}
	return os.ReadFile(file)
}

// keepColours writes what is known of code, as keep does, once pages are made.
func keepColours(h *render.Highlighter) {
	if h.Fresh() {
		keepIn(coloursFile, h.Store)
	}
}

// keep writes what was made of formulas and diagrams, for the next run. Without a
// place to write to, that run makes it again: nothing to bother anyone with.
func keep(c *tex.Converter, d *diagram.Drawer) {
	if c.Fresh() {
		keepIn(formulasFile, c.Store)
	}
	if d.Fresh() {
		keepIn(diagramsFile, d.Store)
	}
}

func keepIn(name string, store func(io.Writer) error) {
	file := keptFile(name)
	if file == "" || os.MkdirAll(filepath.Dir(file), 0o700) != nil {
		return
	}
	var b bytes.Buffer
	if store(&b) == nil {
		_ = report.WriteFile(file, b.Bytes())
	}
}

// A told site is one that the preview shows, with what it says of it.
type told struct {
	site  *content.Site
	diags diag.List
}

// mathLoop makes the formulas and diagrams that no page has asked for yet, and has the site
// built again where one of them is at fault, so that the overlay tells it.
func (p *previewer) mathLoop(ctx context.Context, server *preview.Server) {
	for {
		select {
		case <-ctx.Done():
			return
		case t := <-p.formulas:
			faults, err := render.Faults(ctx, t.site, p.math, p.diagrams, false, nil)
			if err != nil || ctx.Err() != nil {
				continue // a page that holds formulas says so
			}
			keep(p.math, p.diagrams)
			if slices.ContainsFunc(faults, func(d diag.Diagnostic) bool { return !slices.ContainsFunc(t.diags, d.Equal) }) {
				server.Rebuild("formulas")
			}
		}
	}
}

// offerFormulas hands the newest site to the loop, in the place of an older one.
func (p *previewer) offerFormulas(t told) {
	select {
	case <-p.formulas:
	default:
	}
	p.formulas <- t
}
