package update

import (
	"slices"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/compat"
	"github.com/gpudocs/gpudocs/internal/report/match"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/verify/judge"
)

// share makes one revision for blocks that are one fence of a page, as code for several
// tabs is, and share their expectations. Each of them that ran must meet it.
func (u *Update) share() {
	for _, p := range u.site.Pages {
		by := map[*site.Expect][]*site.Block{}
		for _, b := range p.Blocks {
			if len(b.Expects) > 0 {
				by[b.Expects[0]] = append(by[b.Expects[0]], b)
			}
		}
		for _, b := range p.Blocks {
			if len(b.Expects) > 0 && len(by[b.Expects[0]]) > 1 {
				u.mergeShared(by[b.Expects[0]])
				delete(by, b.Expects[0])
			}
		}
	}
}

// mergeShared makes one revision for blocks that share their expectations, or withdraws
// their revisions if these contradict one another.
func (u *Update) mergeShared(blocks []*site.Block) {
	all := revision{expects: texts(blocks[0])}
	for _, b := range blocks {
		v, ok := u.edits[b]
		if !ok {
			continue
		}
		if all.cause == nil {
			all.cause = v.cause
		}
		for _, e := range v.edits {
			i := slices.IndexFunc(b.Expects, func(x *site.Expect) bool { return x.Line-1 == e.fence })
			if all.expects[i] == b.Expects[i].Text {
				all.expects[i], all.edits = v.expects[i], append(all.edits, e)
			}
		}
	}
	if all.cause == nil {
		return
	}
	if slices.ContainsFunc(blocks, func(b *site.Block) bool { return u.hasRun(b) && !u.meetsExpectations(b, all.expects) }) {
		u.withdraw(blocks)
		return
	}
	for i, b := range blocks {
		v := all
		v.code = b.Code
		if u.hasRun(b) {
			v.cause = b
		}
		if i > 0 { // written only once
			v.edits = nil
		}
		u.edits[b] = v
	}
}

// hasRun reports whether a block of the plan ran.
func (u *Update) hasRun(b *site.Block) bool {
	c := u.checks[b.ID]
	return u.chosen[b.ID] && c != nil && c.Outcome != report.Skipped
}

// meetsExpectations reports whether the output of a block matches new expectations.
func (u *Update) meetsExpectations(b *site.Block, expects []string) bool {
	c := u.checks[b.ID]
	if c.Outcome != report.Passed && !u.whyUnfit(b, c).IsZero() {
		return false
	}
	want := judge.Choose(b, compat.Facts(u.report.Machine, b.Session.Env))
	met := func(e *site.Expect, s *report.Stream) bool {
		if e == nil {
			return true
		}
		next, _ := match.Parse(expects[slices.Index(b.Expects, e)], e.Tolerance)
		return next.Compare(s.String()).Same
	}
	return met(want.Stdout, c.Stdout) && met(want.Stderr, c.Stderr)
}

// withdraw refuses the revisions of blocks, and those of other blocks with the same
// cause.
func (u *Update) withdraw(blocks []*site.Block) {
	var causes []*site.Block
	for _, b := range blocks {
		if v, ok := u.edits[b]; ok {
			causes = append(causes, v.cause)
			u.refuse(b, text.Say("verify.update-tabs-differ"), false)
		}
	}
	for t, v := range u.edits {
		if slices.Contains(causes, v.cause) {
			delete(u.edits, t)
		}
	}
}
