package page

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/gpudocs/gpudocs/internal/render/diagram"
	"github.com/gpudocs/gpudocs/internal/render/tex"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Faults converts the formulas and draws the diagrams of all pages, on all CPUs, and returns
// diagnostics for those that are invalid. The converter and the drawer cache the others for the pages.
// If known is set, nothing is converted, and only results in the cache are reported. progress, which may be nil, gets the
// number of pages that are finished, and of all. Faults ends with ctx, even in the middle of a diagram.
func Faults(
	ctx context.Context, site *site.Site, c *tex.Converter, d *diagram.Drawer, known bool, progress func(done, all int),
) (diag.List, error) {
	found := make([]diag.List, len(site.Pages))
	all := 0
	for _, p := range site.Pages {
		if len(p.Formulas)+len(p.Diagrams) > 0 {
			all++
		}
	}
	var done atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, p := range site.Pages {
		if len(p.Formulas)+len(p.Diagrams) == 0 {
			continue
		}
		g.Go(func() error {
			err := mathFaults(ctx, p, site.Links(p), c, known, &found[i])
			if err == nil {
				err = diagramFaults(ctx, p, d, known, &found[i])
			}
			if progress != nil {
				progress(int(done.Add(1)), all)
			}
			return err
		})
	}
	err := g.Wait()
	return slices.Concat(found...), err
}

// mathFaults adds the faults of the formulas of a page.
func mathFaults(ctx context.Context, p *site.Page, links *site.Links, c *tex.Converter, known bool, diags *diag.List) error {
	for _, f := range p.Formulas {
		f = links.Formula(f)
		source := f.Typeset()
		if known && !c.Known(source, f.Display) {
			continue
		}
		_, err := c.Convert(ctx, source, f.Display)
		fault, ok := errors.AsType[*tex.Error](err)
		if !ok && err != nil {
			return err
		}
		if ok {
			start, end := f.Start, f.Stop
			if fault.Offset >= 0 {
				start = f.Place(fault.Offset)
				end = start + 1
			}
			w := p.Source.Warning(start, end, diag.Say("page.formula-invalid", "message", fault.Message))
			w.Rule = "math"
			diags.Add(w)
		}
	}
	return nil
}

// diagramFaults adds the faults of the diagrams of a page.
func diagramFaults(ctx context.Context, p *site.Page, d *diagram.Drawer, known bool, diags *diag.List) error {
	for _, g := range p.Diagrams {
		if known && !d.Known(g.Source) {
			continue
		}
		_, err := d.Draw(ctx, g.Source)
		fault, ok := errors.AsType[*diagram.Error](err)
		if !ok && err != nil {
			return err
		}
		if ok {
			start, end := g.Place(p.Source.Data, fault.Line)
			w := p.Source.Warning(start, end, diag.Say("page.diagram-invalid", "message", fault.Message))
			w.Rule = "diagram"
			diags.Add(w)
		}
	}
	return nil
}
