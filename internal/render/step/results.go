package step

import (
	"github.com/gpudocs/gpudocs/internal/markdown/native"
	"github.com/gpudocs/gpudocs/internal/render/page"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/report/require"
	"github.com/gpudocs/gpudocs/internal/site"
)

// results records that results were asked for. Which of them are those of a page's blocks is part of
// the answer about the page's links; so one question is enough.
type results struct {
	of   page.Results
	step *Step
}

func (r results) asked() page.Results {
	r.step.asked[reports] = true
	return r.of
}

// Panel implements [page.Results].
func (r results) Panel(b *site.Block) *theme.PanelView { return r.asked().Panel(b) }

// Live implements [page.Results].
func (r results) Live(n *native.Live) theme.LiveView { return r.asked().Live(n) }

// Table implements [page.Results].
func (r results) Table() theme.MachinesView { return r.asked().Table() }

// ExpectedOn implements [page.Results].
func (r results) ExpectedOn(b *site.Block, e *site.Expect) (bool, []theme.ExpectedOnView) {
	return r.asked().ExpectedOn(b, e)
}

// Requirement implements [page.Results].
func (r results) Requirement(need require.Expr, environment string) (bool, []theme.RequirementView) {
	return r.asked().Requirement(need, environment)
}
