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

// A Printer writes reports for people. Nothing of a report is written but through diag.Printable.
type Printer struct {
	Out     io.Writer
	Catalog Catalog
	color   bool
	width   int // 0 where there is no terminal
	Err     error
}

func (a *Env) NewPrinter() Printer {
	return Printer{Out: a.Stdout, Catalog: a.Text, color: a.Color(a.Stdout), width: a.width(a.Stdout)}
}

// Text writes a line of text, and what of it does not fit below it.
func (p *Printer) Text(indent int, text string) {
	_, err := fmt.Fprintln(p.Out, terminal.Hang(strings.Repeat(" ", indent)+diag.Printable(text), min(p.width, widestText), indent+2))
	p.Keep(err)
}

// Keep notes the first error. That who read has seen enough (show | head) is none.
func (p *Printer) Keep(err error) {
	if p.Err == nil && !errors.Is(err, syscall.EPIPE) {
		p.Err = err
	}
}

// Json writes a value on a line of its own.
func (p *Printer) Json(v any) {
	line, err := JsonLine(v)
	if err == nil {
		_, err = p.Out.Write(line)
	}
	p.Keep(err)
}

// Line writes a line; its arguments may be untrusted, its format is ours.
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
	if !p.color {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// Lines writes a table.
func (p *Printer) Lines(t terminal.Table) {
	for _, l := range t.Lines(p.width) {
		_, err := fmt.Fprintln(p.Out, strings.TrimRight(l, " "))
		p.Keep(err)
	}
}
