package env

import (
	"cmp"
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
	Catalog Catalog
	out     io.Writer
	color   bool
	width   int // 0 if out is not a terminal
	// Err is the first error of a write. A closed pipe (show | head) is not an error.
	Err error
}

func (a *Env) NewPrinter() Printer {
	return Printer{Catalog: a.Text, out: a.Stdout, color: a.Color(a.Stdout), width: a.width(a.Stdout)}
}

func (p *Printer) write(text string) {
	if _, err := io.WriteString(p.out, text); p.Err == nil && !errors.Is(err, syscall.EPIPE) {
		p.Err = err
	}
}

// Println writes a line whose text is printable.
func (p *Printer) Println(line string) { p.write(strings.TrimRight(line, " ") + "\n") }

// Text writes a line of text, wrapped at the width of the terminal.
func (p *Printer) Text(indent int, text string) {
	text = strings.Repeat(" ", indent) + diag.Printable(text)
	p.write(terminal.Hang(text, min(p.width, widestText), indent+2) + "\n")
}

// Line writes a line. Its arguments may be untrusted.
func (p *Printer) Line(format string, args ...any) {
	for i, arg := range args {
		if s, ok := arg.(string); ok {
			args[i] = diag.Printable(s)
		}
	}
	p.Println(fmt.Sprintf(format, args...))
}

// Heading writes a line that begins with a text in a colour.
func (p *Printer) Heading(code, text, rest string) {
	p.Println(p.Paint(code, text) + diag.Printable(rest))
}

func (p *Printer) Paint(code, text string) string { return terminal.Paint(p.color, code, text) }

// Lines writes a table.
func (p *Printer) Lines(t terminal.Table) {
	for _, l := range t.Lines(p.width) {
		p.Println(l)
	}
}

// TableWidth returns how wide a table may be.
func (p *Printer) TableWidth() int { return cmp.Or(p.width, widestText) }

// JSON writes a value on a line of its own.
func (p *Printer) JSON(v any) {
	line, err := JSONLine(v)
	if err != nil && p.Err == nil {
		p.Err = err
	}
	p.write(string(line))
}
