package verify

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/gpudocs/gpudocs/internal/compat"
	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/match"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/require"
	"github.com/gpudocs/gpudocs/internal/verify/session"
)

// Bytes that are kept of each stream's beginning and end; their sum is within
// what a report may hold.
const keptHead, keptTail = 32 << 10, 32 << 10

// A runner runs the blocks of one session. The first block that needs the
// interpreter starts it.
type runner struct {
	*run
	tool        *tool
	interpreter interpreter
	session     *session.Session
	scratch     string
	// hosts are the names of a job's nodes, which are private.
	hosts  *private
	folder *session.Scratch // nil until there is one
	// stopped is why the blocks behind are not run any more, nil while they are.
	stopped *report.Check
}

func (r *run) runner(s *Session) *runner {
	t := r.tools[keyOf(s.Session)]
	return &runner{run: r, tool: t, interpreter: t.interpreter}
}

func (r *run) session(ctx context.Context, s *Session) (err error) {
	x := r.runner(s)
	defer func() { err = errors.Join(err, x.close()) }()
	for _, b := range s.Chosen() {
		r.begin(b)
		c := r.check(b.ID, b.Kind)
		if err := x.block(ctx, b, c); err != nil {
			return err
		}
		r.finish(b, c)
	}
	return nil
}

// facts are what a block's requirements are compared with: those of its session's
// environment.
func (r *run) facts(b *content.Block) require.Machine { return compat.Facts(r.machine, b.Session.Env) }

// block fills in the check of one block.
func (x *runner) block(ctx context.Context, b *content.Block, c *report.Check) error {
	if x.stop(b, c) {
		return nil
	}
	c.Interpreter, c.Packages = x.tool.name, x.tool.packages
	var err error
	if x.session == nil && b.Kind != content.Sbatch {
		err = x.start(ctx, b.Session)
	}
	began := time.Now()
	switch {
	case err != nil:
	case b.Kind == content.Pycon:
		err = x.pycon(ctx, b, c)
	case b.Kind == content.Sbatch:
		err = x.sbatch(ctx, b, c)
	default:
		err = x.code(ctx, b, c)
	}
	if b.Kind != content.Sbatch { // it says itself how long the job ran
		c.DurationMS = float64(time.Since(began).Microseconds()) / 1000
	}
	if err != nil && ctx.Err() == nil {
		c.Outcome, c.Reason = report.Errored, &report.Reason{Code: report.ReasonEngine, Detail: x.text([]byte(clip(err.Error())))}
		if !errors.As(err, new(*session.RecordError)) { // after which the session goes on
			x.stopped = c
		}
		return nil
	}
	return err
}

// stop decides, before anything runs, that a block is not run.
func (x *runner) stop(b *content.Block, c *report.Check) bool {
	v := b.Needs.Judge(x.facts(b))
	switch {
	case x.stopped != nil && x.stopped.Outcome == report.Skipped:
		c.Outcome, c.Reason = report.Skipped, &report.Reason{Code: report.ReasonSessionSkip, Detail: x.stopped.Name}
	case x.stopped != nil:
		c.Outcome, c.Reason = report.Errored, &report.Reason{Code: report.ReasonSession, Detail: x.endedBy()}
	case !v.Met && (v.Program == "" || x.interpreter.missing == ""): // else that says more
		c.Outcome, c.Reason = report.Skipped, x.unmet(v, b.Session.Env)
		x.stopped = c
	case x.interpreter.missing != "":
		c.Outcome, c.Reason = report.Skipped, &report.Reason{Code: report.ReasonNoInterpreter, Detail: x.private.scrub(x.interpreter.missing)}
		x.stopped = c
	case x.confinement.noSandbox != "":
		c.Outcome, c.Reason = report.Skipped, &report.Reason{Code: report.ReasonNoSandbox, Detail: x.confinement.noSandbox}
		x.stopped = c
	case x.confinement.sandboxed && b.Kind == content.Sbatch:
		c.Outcome, c.Reason = report.Skipped, &report.Reason{Code: report.ReasonNoSandbox, Detail: "Slurm runs a job outside of it"}
		x.stopped = c
	default:
		return false
	}
	return true
}

func (x *runner) start(ctx context.Context, s *content.Session) (err error) {
	if x.folder, err = session.NewScratch(); err != nil {
		return err
	}
	x.scratch = x.folder.Dir
	x.session, err = session.Start(ctx, session.Options{
		Interpreter: x.interpreter.family, Path: x.interpreter.path,
		Env:     environ(filepath.Join(x.scratch, "tmp"), x.interpreter.python.BinDir, x.interpreter.python.Env...),
		Scratch: x.scratch, Head: keptHead, Tail: keptTail,
		Bounds: x.confinement.bounds, Sandbox: x.sandbox(s),
	})
	return err
}

func (x *runner) close() error {
	var err error
	if x.session != nil {
		err = x.session.Close()
	}
	switch {
	case x.folder != nil:
		err = errors.Join(err, x.folder.Remove())
	case x.scratch != "": // that of a job
		err = errors.Join(err, session.RemoveAll(x.scratch))
	}
	return err
}

// step runs code and gives back what the session said of it.
func (x *runner) step(ctx context.Context, b *content.Block, code string, line int, mode session.Mode, left time.Duration) (session.Result, error) {
	res, err := x.session.Run(ctx, session.Step{File: file(b), Line: line, Code: code, Mode: mode, Timeout: left})
	if err == nil && res.Exit == 128+int(syscall.SIGTERM) {
		err = endsToo(ctx)
	}
	return res, err
}

func (x *runner) limit(b *content.Block) time.Duration {
	if x.o.Timeout > 0 {
		return x.o.Timeout
	}
	return b.Timeout
}

// code runs a bash or python block.
func (x *runner) code(ctx context.Context, b *content.Block, c *report.Check) error {
	res, err := x.step(ctx, b, b.Source(), b.CodeLine, session.Exec, x.limit(b))
	if err != nil {
		return err
	}
	c.Stdout, c.Stderr = x.stream(res.Stdout), x.stream(res.Stderr)
	keepFigures(c, res.Figures)
	x.judge(b, c, res)
	return nil
}

func place(b *content.Block, line int) *report.Place {
	if line == 0 {
		return nil
	}
	at := b.CodePlace(line)
	return &at
}

// placeOf is a line of an expectation, which may stand in a later cell.
func placeOf(b *content.Block, e *content.Expect, line int) *report.Place {
	return &report.Place{File: e.File, Cell: e.Cell, Line: line}
}

// file names the block's file for tracebacks and shell errors.
func file(b *content.Block) string {
	if b.Cell > 0 {
		return fmt.Sprintf("%s, cell %d", b.CodeFile, b.Cell)
	}
	return b.CodeFile
}

// maxDetail bounds an exception's text, in bytes.
const maxDetail = 4 << 10

func clip(s string) string {
	if len(s) > maxDetail {
		return strings.ToValidUTF8(s[:maxDetail], "") + " ..."
	}
	return s
}

// stream turns what was captured into what is published.
func (x *runner) stream(out session.Output) *report.Stream {
	if len(out.Text) == 0 && out.Cut == 0 {
		return nil
	}
	if out.Cut == 0 {
		return &report.Stream{Text: x.text(out.Text)}
	}
	head, tail := x.text(out.Text[:out.Head]), x.text(out.Text[out.Head:])
	return &report.Stream{Text: head + fmt.Sprintf("\n[... %d bytes ...]\n", out.Cut) + tail, Cut: out.Cut,
		Bytes: out.Total, SHA256: out.SHA256}
}

// text makes output fit to compare and to publish: what a terminal would have
// shown, without private facts, in UTF-8.
func (x *runner) text(b []byte) string {
	s := string(b)
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\ufffd")
	}
	if x.scratch != "" {
		s = strings.ReplaceAll(s, filepath.Join(x.scratch, "work"), "$WORK")
		s = strings.ReplaceAll(s, x.scratch, "$SCRATCH")
	}
	s = x.private.scrub(match.Plain(s))
	if x.hosts != nil {
		s = x.hosts.scrub(s)
	}
	return s
}

func textOf(s *report.Stream) string {
	if s == nil {
		return ""
	}
	return s.Text
}
