package servecmd

import (
	"context"
	"slices"

	"github.com/gpudocs/gpudocs/internal/cli/workspace"
	"github.com/gpudocs/gpudocs/internal/render/page"
	"github.com/gpudocs/gpudocs/internal/serve"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A told site is one that the preview shows, with what it says of it.
type told struct {
	site  *site.Site
	diags diag.List
}

// mathLoop makes the formulas and diagrams that no page has asked for yet, and has the site
// built again where one of them is at fault, so that the overlay tells it.
func (p *previewer) mathLoop(ctx context.Context, server *serve.Server) {
	for {
		select {
		case <-ctx.Done():
			return
		case t := <-p.formulas:
			faults, err := page.Faults(ctx, t.site, p.math, p.diagrams, false, nil)
			if err != nil || ctx.Err() != nil {
				continue // a page that holds formulas says so
			}
			workspace.Keep(p.math, p.diagrams)
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
