package verify

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
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
		c.Outcome, c.Reason = report.Errored, &report.Reason{Code: report.ReasonEngine, Detail: x.detail(err.Error())}
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
			fault = fmt.Errorf("%s has changed while the block ran", f.Path)
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
	c.Outcome, c.Reason = report.Errored, &report.Reason{Code: report.ReasonFiles, Detail: x.detail(err.Error())}
	x.endedBy = c
}

// skip decides, before a block runs, whether it is skipped.
func (x *runner) skip(b *site.Block, c *report.Check) bool {
	if x.endedBy != nil {
		c.Outcome, c.Reason = report.Errored, &report.Reason{Code: report.ReasonSession, Detail: x.describeEnd()}
		if x.endedBy.Outcome == report.Skipped {
			c.Outcome, c.Reason = report.Skipped, &report.Reason{Code: report.ReasonSessionSkip, Detail: x.endedBy.Name, Need: x.endedBy.Reason.Need, Found: x.endedBy.Reason.Code}
		}
		return true
	}
	v, tool := b.Needs.Judge(x.facts(b)), x.toolOf(b)
	var why *report.Reason
	switch {
	case !v.Met() && (!v.Fact.Entry().Installed() || tool.Missing == "" && tool.Env.Unavailable == ""): // otherwise what is missing is the better reason
		why = x.unmet(v, b.Session.Env)
	case tool.Env.Unavailable != "":
		why = &report.Reason{Code: report.ReasonEnvironment, Detail: x.detail(tool.Env.Unavailable)}
	case tool.Missing != "":
		why = &report.Reason{Code: report.ReasonNoInterpreter, Detail: x.redactor.redact(tool.Missing)}
	case x.confinement.sandboxFault != "":
		why = &report.Reason{Code: report.ReasonNoSandbox, Detail: x.confinement.sandboxFault}
	case x.confinement.sandboxed && b.Kind == site.Sbatch:
		why = &report.Reason{Code: report.ReasonNoSandbox, Detail: "Slurm runs a job outside of it"}
	case x.confinement.sandboxed && tool.Env.Image != nil:
		why = &report.Reason{Code: report.ReasonNoSandbox, Detail: "a container is no sandbox"}
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

// describeEnd names the block that ended the session, and the signal if there was one.
func (x *runner) describeEnd() string {
	if q := x.endedBy.Reason; q != nil && q.Code == report.ReasonCrash && strings.HasPrefix(q.Detail, signalPrefix) {
		return x.endedBy.Name + " (" + q.Detail + ")"
	}
	return x.endedBy.Name
}
