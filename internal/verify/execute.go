package verify

import (
	"context"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/verify/judge"
	"github.com/gpudocs/gpudocs/internal/verify/session"
)

// An executor runs a block and returns what it did, also with an error. It judges nothing: that is [judge.Block].
type executor interface {
	run(ctx context.Context, b *site.Block) (judge.Output, error)
}

// executor returns what runs a block. If buildOnly, a block with a recipe is not run.
func (x *runner) executor(b *site.Block, buildOnly bool) executor {
	switch {
	case b.Kind == site.Sbatch:
		return job{x}
	case b.Kind == site.Pycon:
		return inSession{x, pycon{x}}
	case b.Recipe != nil:
		return inSession{x, recipe{x, buildOnly}}
	}
	return inSession{x, code{x}}
}

// inSession starts the session if a block is the first that needs it, and puts the files of the block in place.
type inSession struct {
	*runner
	kind executor
}

func (x inSession) run(ctx context.Context, b *site.Block) (out judge.Output, err error) {
	if x.session == nil {
		if err := x.start(ctx, b.Session); err != nil {
			return out, err
		}
	}
	files, err := x.put(ctx, x.session.Folder(), b)
	if err != nil {
		return out, err
	}
	began := time.Now()
	out, err = x.kind.run(ctx, b)
	out.Files, out.Duration = files, time.Since(began)
	if err != nil {
		return out, err
	}
	now, err := x.inputs.large(ctx, b)
	for i, f := range now {
		if f != files[i] {
			err = &report.Reason{Code: report.ReasonFiles, Why: report.FileChanging, Path: f.Path}
		}
	}
	return out, filesFault(err)
}

// An execution is a block that runs in the session. Its steps share the time limit of the block.
type execution struct {
	*runner
	block *site.Block
	left  time.Duration
	out   judge.Output
}

func (x *runner) execution(b *site.Block) *execution {
	return &execution{runner: x, block: b, left: x.timeLimit(b)}
}

// step runs a step of the block.
func (e *execution) step(ctx context.Context, s session.Step) (*judge.Step, error) {
	s.File, s.Timeout = sourceName(e.block), max(e.left, time.Millisecond)
	res, err := e.session.Run(ctx, s)
	if err == nil && res.Exit == 128+int(syscall.SIGTERM) {
		err = alsoInterrupted(ctx)
	}
	if err != nil {
		return nil, err
	}
	e.left -= res.Duration
	done := &judge.Step{End: res.End, Stdout: e.stream(res.Stdout), Stderr: e.stream(res.Stderr)}
	done.Exception = e.text(res.Exception)
	switch res.Status {
	case session.TimedOut:
		done.Exceeded = report.Seconds(e.timeLimit(e.block))
	case session.Limited:
		done.Exceeded = e.confinement.limit(res.Limit)
	}
	if faults := e.keepFigures(res.Figures); faults != "" {
		if done.Stderr == nil {
			done.Stderr = &report.Stream{}
		}
		done.Stderr.Text += faults
	}
	return done, nil
}

// last makes a step the one that decides, and returns the output of the block.
func (e *execution) last(s *judge.Step, err error) (judge.Output, error) {
	if err == nil {
		e.out.Step = *s
	}
	return e.out, err
}

// code runs a block of bash, Python or a Jupyter kernel.
type code struct{ *runner }

func (x code) run(ctx context.Context, b *site.Block) (judge.Output, error) {
	e := x.execution(b)
	return e.last(e.step(ctx, session.Step{Line: b.CodeLine, Code: b.Source()}))
}

// pycon runs a Python session example by example.
type pycon struct{ *runner }

func (x pycon) run(ctx context.Context, b *site.Block) (judge.Output, error) {
	e := x.execution(b)
	for i := range b.Examples {
		example, did := &b.Examples[i], (*judge.Step)(nil)
		if judge.Runs(example) {
			var err error
			did, err = e.step(ctx, session.Step{Line: b.LineOf(example.Line), Code: example.Code, Mode: session.Single})
			if err != nil {
				return e.out, err
			}
		}
		e.out.Examples = append(e.out.Examples, did)
		if did != nil && did.Ended {
			return e.last(&judge.Step{End: did.End}, nil)
		}
	}
	if !slices.ContainsFunc(e.out.Examples, func(s *judge.Step) bool { return s != nil }) {
		return e.out, nil
	}
	return e.last(e.step(ctx, session.Step{Line: b.CodeLine})) // now figures that were left open are complete
}

// recipe writes a block to a file in the folder of its bash session. The commands that build and run it are steps of
// that bash, in a subshell in that folder.
type recipe struct {
	*runner
	buildOnly bool
}

func (x recipe) run(ctx context.Context, b *site.Block) (judge.Output, error) {
	e := x.execution(b)
	e.out.Tool = x.toolOf(b).Program
	if err := session.CreateFile(x.session.Folder(), b.Recipe.Source(b.Program()), []byte(b.Code), 0o600); err != nil {
		return e.out, err
	}
	if b.Recipe.Build != "" {
		did, err := e.command(ctx, b.Recipe.Build)
		if err != nil {
			return e.out, err
		}
		if e.out.Build = did; !did.Built() {
			return e.last(&judge.Step{End: did.End}, nil)
		}
	}
	if x.buildOnly || b.NoBuild || b.Recipe.Run == "" {
		return e.out, nil
	}
	return e.last(e.command(ctx, b.Recipe.Run))
}

// command runs a command of a recipe. Bash names the line of the fence in its messages.
func (e *execution) command(ctx context.Context, command string) (*judge.Step, error) {
	b := e.block
	quoted := "'" + strings.ReplaceAll(e.work(), "'", `'\''`) + "'"
	did, err := e.step(ctx, session.Step{
		Line: b.Line,
		Code: "(\ncd -- " + quoted + "\n" + b.Recipe.Expand(command, b.Program(), b.Flags) + "\n)\n",
	})
	if err == nil {
		did.FailLine = 0
	}
	return did, err
}

// signalSpread is the longest time between the arrival of one signal at two processes
// of a job.
const signalSpread = 2 * time.Second

// alsoInterrupted is called if SIGTERM ended a block. Slurm, containers and service
// managers send it to all processes of a job at once. If gpudocs gets it too, within
// signalSpread, the run was interrupted and the block has not failed.
func alsoInterrupted(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(signalSpread):
		return nil
	}
}
