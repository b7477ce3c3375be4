package step

import (
	"slices"

	"github.com/gpudocs/gpudocs/internal/markdown/native"
	"github.com/gpudocs/gpudocs/internal/render/mygpu"
	"github.com/gpudocs/gpudocs/internal/render/page"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/site"
)

// A recorder records that a page shows results. Which results belong to its blocks is part of the fact about
// its links, so one fact is enough for all of them.
type recorder struct {
	results page.Results
	step    *Step
}

func (r recorder) record() page.Results {
	r.step.Reports()
	return r.results
}

// Panel implements [page.Results].
func (r recorder) Panel(b *site.Block) *theme.PanelView { return r.record().Panel(b) }

// Live implements [page.Results].
func (r recorder) Live(on *site.Page, n *native.Live) theme.LiveView {
	r.step.used[totalsFact] = r.step.used[totalsFact] || slices.Contains([]string{"passed", "failed", "skipped"}, n.Fact)
	return r.record().Live(on, n)
}

// Table implements [page.Results].
func (r recorder) Table() theme.MachinesView {
	r.step.used[totalsFact] = true
	return r.record().Table()
}

// ExpectedOn implements [page.Results].
func (r recorder) ExpectedOn(b *site.Block, e *site.Expect) (bool, []theme.ExpectedOnView) {
	return r.record().ExpectedOn(b, e)
}

// Requirement implements [page.Results].
func (r recorder) Requirement(need ask.Expr, environment string) (bool, []theme.RequirementView) {
	return r.record().Requirement(need, environment)
}

// Need implements [page.Results].
func (r recorder) Need(b *site.Block) mygpu.Need { return r.record().Need(b) }
