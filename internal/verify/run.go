package verify

import (
	"context"
	"errors"
	"os"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/verify/judge"
	"github.com/gpudocs/gpudocs/internal/verify/session"
)

// session runs the blocks of a session. A block that may pass at another try is tried again, and one that has only
// drifted once: what has drifted does so twice, else it was noise.
func (r *run) session(ctx context.Context, s *Session, firsts firstCombinations) (err error) {
	defer firsts.ended(s)
	x := r.runner(s)
	defer func() { err = errors.Join(err, x.close()) }()
	for i, b := range s.Chosen() {
		r.blockStarted(b)
		var c *report.Check
		var tries []report.Try
		for drifted := false; ; {
			next, err := x.check(ctx, b)
			if err != nil {
				return err
			}
			c, next.Tries = next, tries
			r.judgeValues(b, c)
			x.lacks.attribute(b, c)
			firsts.attribute(ctx, s, b, c)
			if c.DriftedOnly() && !drifted {
				drifted = true
			} else if len(tries) < b.Retries && mayPassAgain(c) {
				tries = append(tries, tryOf(c))
			} else {
				break
			}
			if err := x.restart(ctx, s.Blocks[:i]); err != nil {
				if ctx.Err() == nil { // what it has found counts, although its session does not end
					r.blockFinished(b, c)
				}
				return err
			}
		}
		r.blockFinished(b, c)
	}
	return nil
}

// check runs one block and judges what it did.
func (x *runner) check(ctx context.Context, b *site.Block) (*report.Check, error) {
	c := x.newCheck(b.ID, b.Kind)
	if x.skip(b, c) && !x.buildsAnyway(b, c) {
		if x.builtOnly && x.session != nil {
			_ = x.inputs.putAll(x.session.Folder(), b) // for blocks that are built; these fail without
		}
		return c, nil
	}
	tool := x.toolOf(b)
	c.Interpreter, c.Packages = tool.Name, tool.Packages
	out, err := x.executor(b, c.Outcome == report.Skipped).run(ctx, b)
	c.Files, c.DurationMS = out.Files, judge.Milliseconds(out.Duration)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if why, known := errors.AsType[*report.Reason](err); known {
		c.Outcome, c.Reason, x.endedBy = report.Errored, why.Redacted(x.detail), c
		return c, nil
	}
	if err != nil {
		c.Outcome, c.Reason = report.Errored, &report.Reason{Code: report.ReasonEngine, Said: x.detail(err.Error())}
		if !errors.As(err, new(*session.RecordError)) { // after which the session goes on
			x.endedBy = c
		}
		return c, nil
	}
	judge.Block(b, x.facts(b), &out, c)
	if b.Kind == site.Pycon && c.Outcome != report.Skipped {
		x.o.Examples(b.ID, out.Printed())
	}
	switch {
	case out.Ended:
		x.endedBy = c
	case x.endedBy == c && c.Outcome != report.Skipped: // it was only built, and failed as any block does
		x.endedBy = nil
	}
	return c, nil
}

// put puts what a block needs into the folder of its session, and returns the large files that are there.
func (x *runner) put(ctx context.Context, folder *os.Root, b *site.Block) ([]report.DataFile, error) {
	err := x.inputs.putAll(folder, b)
	if err != nil {
		return nil, filesFault(err)
	}
	files, err := x.inputs.large(ctx, b)
	return files, filesFault(err)
}

// filesFault returns a fault of the files of a block as a reason.
func filesFault(err error) error {
	if err == nil || errors.As(err, new(*report.Reason)) {
		return err
	}
	return &report.Reason{Code: report.ReasonFiles, Said: err.Error()}
}
