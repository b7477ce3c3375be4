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

	"github.com/gpudocs/gpudocs/internal/machine/subprocess"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/compat"
	"github.com/gpudocs/gpudocs/internal/report/match"
	"github.com/gpudocs/gpudocs/internal/report/require"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/verify/session"
)

// Bytes kept of the beginning and of the end of each stream. Their sum is within the
// limit of a report.
const keptHead, keptTail = 32 << 10, 32 << 10

// A runner runs the blocks of one session. It starts the interpreter for the first
// block that needs it.
type runner struct {
	*run
	tool        *tool
	interpreter interpreter
	session     *session.Session
	scratch     string
	// nodeRedactor redacts the names of a job's nodes.
	nodeRedactor *redactor
	folder       *session.Scratch // nil before the session starts
	// endedBy is the check that ended the session, or nil.
	endedBy *report.Check
}

func (r *run) runner(s *Session) *runner {
	t := r.tools[keyOf(s.Session)]
	return &runner{run: r, tool: t, interpreter: t.interpreter}
}

func (r *run) session(ctx context.Context, s *Session) (err error) {
	x := r.runner(s)
	defer func() { err = errors.Join(err, x.close()) }()
	for _, b := range s.Chosen() {
		r.blockStarted(b)
		c := r.newCheck(b.ID, b.Kind)
		if err := x.block(ctx, b, c); err != nil {
			return err
		}
		r.blockFinished(b, c)
	}
	return nil
}

// facts returns the facts that requirements of a block are compared with, including
// those of its environment.
func (r *run) facts(b *site.Block) require.Machine { return compat.Facts(r.machine, b.Session.Env) }

// block sets the outcome of one block.
func (x *runner) block(ctx context.Context, b *site.Block, c *report.Check) error {
	if x.skip(b, c) {
		return nil
	}
	c.Interpreter, c.Packages = x.tool.name, x.tool.packages
	var err error
	if x.session == nil && b.Kind != site.Sbatch {
		err = x.start(ctx, b.Session)
	}
	began := time.Now()
	switch {
	case err != nil:
	case b.Kind == site.Pycon:
		err = x.pycon(ctx, b, c)
	case b.Kind == site.Sbatch:
		err = x.sbatch(ctx, b, c)
	default:
		err = x.code(ctx, b, c)
	}
	if b.Kind != site.Sbatch { // a job has its own duration
		c.DurationMS = float64(time.Since(began).Microseconds()) / 1000
	}
	if err != nil && ctx.Err() == nil {
		c.Outcome, c.Reason = report.Errored, &report.Reason{Code: report.ReasonEngine, Detail: x.text([]byte(diag.Clip(err.Error(), maxDetail)))}
		if !errors.As(err, new(*session.RecordError)) { // after which the session goes on
			x.endedBy = c
		}
		return nil
	}
	return err
}

// skip decides, before a block runs, whether it is skipped.
func (x *runner) skip(b *site.Block, c *report.Check) bool {
	v := b.Needs.Judge(x.facts(b))
	switch {
	case x.endedBy != nil && x.endedBy.Outcome == report.Skipped:
		c.Outcome, c.Reason = report.Skipped, &report.Reason{Code: report.ReasonSessionSkip, Detail: x.endedBy.Name}
	case x.endedBy != nil:
		c.Outcome, c.Reason = report.Errored, &report.Reason{Code: report.ReasonSession, Detail: x.describeEnd()}
	case !v.Met && (v.Program == "" || x.interpreter.missing == ""): // otherwise the missing interpreter is the better reason
		c.Outcome, c.Reason = report.Skipped, x.unmet(v, b.Session.Env)
		x.endedBy = c
	case x.interpreter.missing != "":
		c.Outcome, c.Reason = report.Skipped, &report.Reason{Code: report.ReasonNoInterpreter, Detail: x.redactor.redact(x.interpreter.missing)}
		x.endedBy = c
	case x.confinement.sandboxFault != "":
		c.Outcome, c.Reason = report.Skipped, &report.Reason{Code: report.ReasonNoSandbox, Detail: x.confinement.sandboxFault}
		x.endedBy = c
	case x.confinement.sandboxed && b.Kind == site.Sbatch:
		c.Outcome, c.Reason = report.Skipped, &report.Reason{Code: report.ReasonNoSandbox, Detail: "Slurm runs a job outside of it"}
		x.endedBy = c
	default:
		return false
	}
	return true
}

func (x *runner) start(ctx context.Context, s *site.Session) (err error) {
	if x.folder, err = session.NewScratch(); err != nil {
		return err
	}
	x.scratch = x.folder.Dir
	x.session, err = session.Start(ctx, session.Options{
		Interpreter: x.interpreter.kind, Path: x.interpreter.path,
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
	case x.scratch != "": // of a job
		err = errors.Join(err, session.RemoveAll(x.scratch))
	}
	return err
}

// step runs code in the session and returns its result.
func (x *runner) step(ctx context.Context, b *site.Block, code string, line int, mode session.Mode, left time.Duration) (session.Result, error) {
	res, err := x.session.Run(ctx, session.Step{File: sourceName(b), Line: line, Code: code, Mode: mode, Timeout: left})
	if err == nil && res.Exit == 128+int(syscall.SIGTERM) {
		err = alsoInterrupted(ctx)
	}
	return res, err
}

func (x *runner) describeLimit(b *site.Block) time.Duration {
	if x.o.Timeout > 0 {
		return x.o.Timeout
	}
	return b.Timeout
}

// code runs a bash or python block.
func (x *runner) code(ctx context.Context, b *site.Block, c *report.Check) error {
	res, err := x.step(ctx, b, b.Source(), b.CodeLine, session.Exec, x.describeLimit(b))
	if err != nil {
		return err
	}
	c.Stdout, c.Stderr = x.stream(res.Stdout), x.stream(res.Stderr)
	keepFigures(c, res.Figures)
	x.judge(b, c, res)
	return nil
}

func place(b *site.Block, line int) *report.Place {
	if line == 0 {
		return nil
	}
	at := b.CodePlace(line)
	return &at
}

// placeOf returns the place of a line of an expectation, which may be in a later cell.
func placeOf(b *site.Block, e *site.Expect, line int) *report.Place {
	return &report.Place{File: e.File, Cell: e.Cell, Line: line}
}

// sourceName returns the file name of the block for tracebacks and shell errors.
func sourceName(b *site.Block) string {
	if b.Cell > 0 {
		return fmt.Sprintf("%s, cell %d", b.CodeFile, b.Cell)
	}
	return b.CodeFile
}

// maxDetail limits the text of an exception, in bytes.
const maxDetail = 4 << 10

// stream converts captured output to its published form.
func (x *runner) stream(out subprocess.Output) *report.Stream {
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

// text converts output to what a terminal would show, redacted and in UTF-8.
func (x *runner) text(b []byte) string {
	s := string(b)
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\ufffd")
	}
	if x.scratch != "" {
		s = strings.ReplaceAll(s, filepath.Join(x.scratch, "work"), "$WORK")
		s = strings.ReplaceAll(s, x.scratch, "$SCRATCH")
	}
	s = x.redactor.redact(match.Plain(s))
	if x.nodeRedactor != nil {
		s = x.nodeRedactor.redact(s)
	}
	return s
}
