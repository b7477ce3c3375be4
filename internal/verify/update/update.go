// Package update makes expectations of actual outputs, for verify --update.
//
// [New] revises the blocks of a run (revise.go), reconciles blocks that share expectations (shared.go),
// rewrites the pages (rewrite.go), and judges the result as a site (validate.go). [Update.Report] is the
// report for the updated site (report.go).
package update

import (
	"io/fs"
	"slices"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/verify"
	"github.com/gpudocs/gpudocs/internal/verify/judge"
)

// An Update is what verify --update writes: it replaces expectations that were not met
// by the actual output, in every place and translation of the check.
//
// It is made from a finished run, and writes nothing itself. The new pages have been
// parsed as a site, and every block in them has been judged again by the output of that
// run. So an update changes nothing but expectations, and a changed block passes, or
// else its update is refused.
type Update struct {
	// Pages are those that change, by name.
	Pages []PageUpdate
	// Refused are the checks with an expectation that cannot be updated.
	Refused []Refusal

	site, next *site.Site
	broken     map[string]bool // the pages of next with errors
	fsys       fs.FS
	report     *report.Report
	checks     map[report.ID]*report.Check // of the report
	examples   map[report.ID][]judge.Printed
	edits      map[*site.Block]revision
	// chosen are the checks of the run, revised those that are updated, both by their
	// old IDs.
	chosen, revised map[report.ID]bool
}

// A PageUpdate is the content of a page's file before and after the update.
type PageUpdate struct {
	Name     string
	Old, New []byte
}

// A Refusal is why a block's expectation is not updated.
type Refusal struct {
	Block *site.Block
	Why   text.Message
	// Skipped: the block did not run on this machine.
	Skipped bool
}

// New makes the update for a run. examples are the results that the run passed to
// [verify.Options].Examples. The pages are read from fsys again. It is an error if one of them
// has changed since the site was loaded.
func New(s *site.Site, p *verify.Plan, r *report.Report, examples map[report.ID][]judge.Printed, fsys fs.FS) (*Update, error) {
	u := &Update{site: s, fsys: fsys, report: r, checks: r.ByID(), examples: examples,
		chosen: map[report.ID]bool{}, revised: map[report.ID]bool{}, edits: map[*site.Block]revision{}}
	var blocks []*site.Block
	for _, s := range p.Sessions {
		for _, b := range s.Chosen() {
			if !u.chosen[b.ID] {
				u.chosen[b.ID] = true
				blocks = append(blocks, b)
			}
		}
	}
	for _, b := range blocks {
		u.block(b)
	}
	u.share()
	return u, u.validate()
}

// Failed reports whether a check of the plan still fails, or did not run and could not
// be updated.
func (u *Update) Failed(p *verify.Plan) bool {
	left := *u.report
	left.Checks = slices.DeleteFunc(slices.Clone(left.Checks), func(c report.Check) bool { return u.revised[c.ID] })
	return p.Failed(&left)
}

// block decides whether to update a block of the run, and its other places.
func (u *Update) block(b *site.Block) {
	c := u.checks[b.ID]
	if c == nil || c.Outcome == report.Passed || b.Page.Notebook == nil && b.Kind != site.Pycon && len(b.Expects) == 0 {
		return
	}
	why := whyReadOnly(b)
	if why.IsZero() {
		why = u.whyUnfit(b, c)
	}
	if !why.IsZero() {
		u.refuse(b, why, c.Outcome == report.Skipped)
		return
	}
	for _, t := range u.targets(b) {
		if why := whyReadOnly(t); !why.IsZero() {
			u.refuse(t, why, false)
		} else if v := u.revise(t, c); len(v.edits) > 0 {
			v.cause = b
			u.edits[t] = v
		}
	}
}

// targets returns the blocks that get an output: all places of the check, and the same
// code in translations of its page that has another expectation, unless that ran on its
// own.
func (u *Update) targets(b *site.Block) []*site.Block {
	var out []*site.Block
	for _, p := range u.site.Pages {
		for _, t := range p.Blocks {
			same := t.ID == b.ID || p.Key == b.Page.Key && p.Source != b.Page.Source && !u.chosen[t.ID] && slices.Equal(steps(b), steps(t))
			if _, taken := u.edits[t]; same && !taken && t.Kind == b.Kind {
				out = append(out, t)
			}
		}
	}
	return out
}
