package verify

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/verify/session"
)

func (r *run) session(ctx context.Context, s *Session, firsts firstCombinations) (err error) {
	defer firsts.ended(s)
	x := r.runner(s)
	defer func() { err = errors.Join(err, x.close()) }()
	for i, b := range s.Chosen() {
		r.blockStarted(b)
		c := r.newCheck(b.ID, b.Kind)
		if err := x.block(ctx, b, c); err != nil {
			return err
		}
		r.judgeValues(b, c)
		x.lacks.attribute(b, c)
		firsts.attribute(ctx, s, b, c)
		for drifted := false; ; {
			first := c.DriftedOnly() && !drifted // noise, perhaps: what has drifted does so twice
			if !first && (len(c.Tries) >= b.Retries || !mayPassAgain(c)) {
				break
			}
			again := r.newCheck(b.ID, b.Kind)
			if drifted = drifted || first; first {
				again.Tries = c.Tries
			} else {
				again.Tries = append(c.Tries, tryOf(c))
			}
			if err := tryAgain(ctx, x, s.Blocks[:i], b, again); err != nil {
				if ctx.Err() == nil { // what it has found counts, although its session does not end
					r.blockFinished(b, c)
				}
				return err
			}
			r.judgeValues(b, again)
			x.lacks.attribute(b, again)
			firsts.attribute(ctx, s, b, again)
			c = again
		}
		r.blockFinished(b, c)
	}
	return nil
}

// block sets the outcome of one block.
func (x *runner) block(ctx context.Context, b *site.Block, c *report.Check) error {
	if x.skip(b, c) && !x.buildsAnyway(b, c) {
		if x.builtOnly && x.session != nil {
			_ = x.inputs.Put(x.session.Folder(), b) // for blocks that are built; these fail without
		}
		return nil
	}
	tool := x.toolOf(b)
	c.Interpreter, c.Packages = tool.Name, tool.Packages
	var err error
	if x.session == nil && b.Kind != site.Sbatch {
		err = x.start(ctx, b.Session)
	}
	if err == nil && b.Kind != site.Sbatch && x.lacksFiles(ctx, x.session.Folder(), b, c) {
		return ctx.Err()
	}
	began := time.Now()
	switch {
	case err != nil:
	case b.Kind == site.Pycon:
		err = x.pycon(ctx, b, c)
	case b.Kind == site.Sbatch:
		err = x.sbatch(ctx, b, c)
	case b.Recipe != nil:
		err = x.recipe(ctx, b, c)
	default:
		err = x.code(ctx, b, c)
	}
	if b.Kind != site.Sbatch { // a job has its own duration
		c.DurationMS = float64(time.Since(began).Microseconds()) / 1000
	}
	if err != nil && ctx.Err() == nil {
		c.Outcome, c.Reason = report.Errored, &report.Reason{Code: report.ReasonEngine, Said: x.detail(err.Error())}
		if !errors.As(err, new(*session.RecordError)) { // after which the session goes on
			x.endedBy = c
		}
		return nil
	}
	if err != nil || b.Kind == site.Sbatch {
		return err
	}
	now, fault := x.inputs.Large(ctx, b)
	for i, f := range now {
		if f != c.Files[i] {
			fault = &report.Reason{Code: report.ReasonFiles, Why: report.FileChanging, Path: f.Path}
		}
	}
	if fault != nil {
		x.filesFault(c, fault)
	}
	return ctx.Err()
}

// lacksFiles puts what a block needs into the folder of its session. It reports whether that failed,
// which is the outcome of the block and ends the session.
func (x *runner) lacksFiles(ctx context.Context, folder *os.Root, b *site.Block, c *report.Check) bool {
	err := x.inputs.Put(folder, b)
	if err == nil {
		c.Files, err = x.inputs.Large(ctx, b)
	}
	if err != nil {
		x.filesFault(c, err)
	}
	return err != nil
}

func (x *runner) filesFault(c *report.Check, err error) {
	why, known := errors.AsType[*report.Reason](err)
	if !known {
		why = &report.Reason{Code: report.ReasonFiles, Said: err.Error()}
	}
	c.Outcome, c.Reason, x.endedBy = report.Errored, why.Redacted(x.detail), c
}

// driverNeeds is what the program that runs Python blocks needs.
var driverNeeds, _ = ask.Parse("python >= 3.8")

// skip decides, before a block runs, whether it is skipped.
func (x *runner) skip(b *site.Block, c *report.Check) bool {
	if x.endedBy != nil {
		c.Outcome, c.Reason = report.Errored, &report.Reason{Code: report.ReasonSession, Block: x.endedBy.Name}
		if x.endedBy.Outcome == report.Skipped {
			c.Outcome, c.Reason.Code = report.Skipped, report.ReasonSessionSkip
			c.Reason.Need, c.Reason.Why = x.endedBy.Reason.Need, x.endedBy.Reason.Code
		} else if x.endedBy.Reason != nil {
			c.Reason.Signal = x.endedBy.Reason.Signal
		}
		return true
	}
	v, tool := b.Needs.Judge(x.facts(b)), x.toolOf(b)
	if old := driverNeeds.Judge(x.facts(b)); v.Met() && x.tool.Kind == session.Python && !old.Met() && old.Found != "" {
		v = old
	}
	var why *report.Reason
	switch {
	case !v.Met() && (!v.Fact.Entry().Installed() || tool.Missing == nil && tool.Env.Unavailable == nil): // otherwise what is missing is the better reason
		why = x.unmet(v, b.Session.Env)
	case tool.Env.Unavailable != nil:
		why = tool.Env.Unavailable.Redacted(x.detail)
	case tool.Missing != nil:
		why = tool.Missing.Redacted(x.detail)
	case x.confinement.sandboxFault != nil:
		why = x.confinement.sandboxFault
	case x.confinement.sandboxed && b.Kind == site.Sbatch:
		why = &report.Reason{Code: report.ReasonNoSandbox, Why: report.BwrapJob}
	case x.confinement.sandboxed && tool.Env.Image != nil:
		why = &report.Reason{Code: report.ReasonNoSandbox, Why: report.BwrapContainer}
	default:
		return false
	}
	c.Outcome, c.Reason, x.endedBy = report.Skipped, why, c
	return true
}

// code runs a bash or python block.
func (x *runner) code(ctx context.Context, b *site.Block, c *report.Check) error {
	res, err := x.step(ctx, b, b.Source(), b.CodeLine, session.Exec, x.timeLimit(b))
	if err != nil {
		return err
	}
	c.Stdout, c.Stderr = x.stream(res.Stdout), x.stream(res.Stderr)
	if faults := x.keepFigures(c, res.Figures); faults != "" {
		if c.Stderr == nil {
			c.Stderr = &report.Stream{}
		}
		c.Stderr.Text += faults
	}
	x.judge(b, c, res)
	return nil
}
