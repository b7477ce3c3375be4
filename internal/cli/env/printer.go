package env

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"

	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/text/terminal"
)

// A Printer writes reports for people. It makes all text of a report printable: see [diag.Printable].
type Printer struct {
	Out     io.Writer
	Catalog Catalog
	color   bool
	width   int // 0 if Out is not a terminal
	Err     error
}

func (a *Env) NewPrinter() Printer {
	return Printer{Out: a.Stdout, Catalog: a.Text, color: a.Color(a.Stdout), width: a.width(a.Stdout)}
}

// Text writes a line of text, wrapped at the width of the terminal.
func (p *Printer) Text(indent int, text string) {
	_, err := fmt.Fprintln(p.Out, terminal.Hang(strings.Repeat(" ", indent)+diag.Printable(text), min(p.width, widestText), indent+2))
	p.Keep(err)
}

// Keep stores the first error. A closed pipe (show | head) is not an error.
func (p *Printer) Keep(err error) {
	if p.Err == nil && !errors.Is(err, syscall.EPIPE) {
		p.Err = err
	}
}

// JSON writes a value on a line of its own.
func (p *Printer) JSON(v any) {
	line, err := JSONLine(v)
	if err == nil {
		_, err = p.Out.Write(line)
	}
	p.Keep(err)
}

// Line writes a line. Its arguments may be untrusted.
func (p *Printer) Line(format string, args ...any) {
	for i, arg := range args {
		if s, ok := arg.(string); ok {
			args[i] = diag.Printable(s)
		}
	}
	_, err := fmt.Fprintln(p.Out, strings.TrimRight(fmt.Sprintf(format, args...), " "))
	p.Keep(err)
}

func (p *Printer) Paint(code, text string) string {
	return terminal.Paint(p.color, code, text)
}

// Lines writes a table.
func (p *Printer) Lines(t terminal.Table) {
	for _, l := range t.Lines(p.width) {
		_, err := fmt.Fprintln(p.Out, strings.TrimRight(l, " "))
		p.Keep(err)
	}
}
