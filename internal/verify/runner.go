package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/machine/subprocess"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/report/compat"
	"github.com/gpudocs/gpudocs/internal/report/match"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/verify/judge"
	"github.com/gpudocs/gpudocs/internal/verify/session"
	"github.com/gpudocs/gpudocs/internal/verify/tools"
)

// A runner runs the blocks of one session. It starts the interpreter for the first
// block that needs it.
type runner struct {
	*run
	redactor *redactor // that of the run, for the blocks of the session
	tool     *tools.Tool
	session  *session.Session
	scratch  string
	// nodeRedactor redacts the names of a job's nodes.
	nodeRedactor *redactor
	folder       *session.Scratch // nil before the session starts
	// endedBy is the check that ended the session, or nil. If it is skipped, builtOnly is set
	// as long as all blocks since the first skipped one were built.
	endedBy   *report.Check
	builtOnly bool
	lacks     lackings
}

func (r *run) runner(s *Session) *runner {
	return &runner{run: r, redactor: r.redactor.of(s.Session.Blocks...), tool: r.tools[tools.KeyOf(s.Session)]}
}

// toolOf returns the tool of a block: that of its recipe, or of the session.
func (x *runner) toolOf(b *site.Block) *tools.Tool { return x.tools[tools.KeyOfBlock(b)] }

func (x *runner) start(ctx context.Context, s *site.Session) (err error) {
	if x.folder, err = session.NewScratch(); err != nil {
		return err
	}
	x.scratch = x.folder.Dir
	x.session, err = session.Start(ctx, session.Command{
		Interpreter: x.tool.Kind, Path: x.tool.Path, Kernel: x.tool.Kernel,
		Env:     x.tool.Environ(filepath.Join(x.scratch, "tmp")),
		Scratch: x.scratch, Head: judge.Kept, Tail: judge.Kept,
		Bounds: x.confinement.bounds, Sandbox: x.sandbox(s),
		Container: x.tool.Container(x.sandboxPaths()...),
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

func (x *runner) timeLimit(b *site.Block) time.Duration {
	return cmp.Or(x.o.Timeout, b.Timeout)
}

// facts returns the facts that requirements of a block are compared with, including
// those of its environment.
func (r *run) facts(b *site.Block) ask.Machine { return compat.Facts(r.machine, b.Session.Env) }

// keepFigures adds the figures of a step to those of the block, with private facts redacted in those that are
// text. Figures are made by the author's code: one that is not valid in a report is left out, which
// the standard error of the block says.
func (e *execution) keepFigures(list []report.Figure) (faults string) {
	for _, f := range list {
		f.SVG, f.HTML, f.LaTeX = e.markup(f.SVG), e.markup(f.HTML), e.private(f.LaTeX, (*redactor).redact)
		_, _, err := f.Size()
		if err == nil && len(e.out.Figures) == report.MaxFigures {
			err = fmt.Errorf("a block keeps %d, and not those after them", report.MaxFigures)
		}
		if err != nil {
			faults += fmt.Sprintf("gpudocs: a figure is left out: %s\n", diag.Clip(err.Error(), maxShown))
			continue
		}
		e.out.Figures = append(e.out.Figures, f)
	}
	return faults
}

// maxShown limits the fault of a figure, in bytes.
const maxShown = 300

// maxDetail limits the text of an exception, in bytes.
const maxDetail = 4 << 10

// stream converts captured output to its published form.
func (x *runner) stream(out subprocess.Output) *report.Stream {
	if len(out.Text) == 0 && out.Cut == 0 {
		return nil
	}
	if out.Cut == 0 {
		return &report.Stream{Text: x.text(string(out.Text))}
	}
	head, tail := x.text(string(out.Text[:out.Head])), x.text(string(out.Text[out.Head:]))
	return &report.Stream{Text: head + fmt.Sprintf("\n[... %d bytes ...]\n", out.Cut) + tail, Cut: out.Cut,
		Bytes: out.Total, SHA256: out.SHA256}
}

// detail converts a message to its published form, shortened.
func (x *runner) detail(s string) string { return x.text(diag.Clip(s, maxDetail)) }

// text converts output to what a terminal would show, redacted and in UTF-8.
func (x *runner) text(s string) string {
	return x.private(match.Plain(strings.ToValidUTF8(s, "\ufffd")), (*redactor).redact)
}

// markup converts HTML and SVG to their published form: redacted and in UTF-8.
func (x *runner) markup(s string) string {
	return x.private(strings.ToValidUTF8(s, "\ufffd"), (*redactor).redactMarkup)
}

// private redacts private facts with a method of the redactors.
func (x *runner) private(s string, redact func(*redactor, string) string) string {
	if x.scratch != "" {
		s = strings.ReplaceAll(s, x.work(), "$WORK")
		s = strings.ReplaceAll(s, x.scratch, "$SCRATCH")
	}
	s = redact(x.redactor, s)
	if x.nodeRedactor != nil {
		s = redact(x.nodeRedactor, s)
	}
	return s
}

// work returns the folder of the session.
func (x *runner) work() string { return filepath.Join(x.scratch, "work") }

// sourceName returns the file name of the block for tracebacks and shell errors.
func sourceName(b *site.Block) string {
	if b.Cell > 0 {
		return fmt.Sprintf("%s, cell %d", b.CodeFile, b.Cell)
	}
	return b.CodeFile
}
