package servecmd

import (
	"context"
	"slices"

	"github.com/gpudocs/gpudocs/internal/project"
	"github.com/gpudocs/gpudocs/internal/render/page"
	"github.com/gpudocs/gpudocs/internal/serve"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A loadedSite is one that the preview shows, with its diagnostics.
type loadedSite struct {
	site  *site.Site
	diags diag.List
}

// mathLoop converts the formulas and draws the diagrams that no page has asked for yet, and has the
// site built again if one of them is broken, so that the overlay shows it.
func (p *previewer) mathLoop(ctx context.Context, server *serve.Server) {
	for {
		select {
		case <-ctx.Done():
			return
		case t := <-p.formulas:
			faults, err := page.Faults(ctx, t.site, p.options.Math, p.options.Diagrams, false, nil)
			if err != nil || ctx.Err() != nil {
				continue // the page with the formula shows the error
			}
			project.StoreDrawings(p.options.Math, p.options.Diagrams)
			if slices.ContainsFunc(faults, func(d diag.Diagnostic) bool { return !slices.ContainsFunc(t.diags, d.Equal) }) {
				server.Rebuild("formulas")
			}
		}
	}
}

// offerFormulas hands the newest site to the loop, in place of an older one.
func (p *previewer) offerFormulas(t loadedSite) {
	select {
	case <-p.formulas:
	default:
	}
	p.formulas <- t
}
