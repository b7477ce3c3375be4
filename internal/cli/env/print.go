package env

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/text/terminal"
)

// Print writes diagnostics to standard error.
func (a *Env) Print(l diag.List) {
	a.Around(func() { a.PrintNow(l) })
}

// PrintNow is Print within [Env.Around].
func (a *Env) PrintNow(l diag.List) {
	diag.Print(a.Stderr, l, diag.Style{Color: a.Color(a.Stderr), Width: a.TextWidth(a.Stderr), Catalog: a.Text})
	if a.Also != nil {
		a.Also(l)
	}
}

// Warn prints an error that does not end the program.
func (a *Env) Warn(message error) {
	fmt.Fprintln(a.Stderr, terminal.Hang("gpudocs: "+a.Text.Error(message), a.TextWidth(a.Stderr), 2))
}

// Println writes a line of text to standard output, wrapped at the width of the terminal.
func (a *Env) Println(text string) {
	fmt.Fprintln(a.Stdout, terminal.Hang(text, a.TextWidth(a.Stdout), 2))
}

// Say writes a message to standard output.
func (a *Env) Say(message diag.Text) { a.Println(a.Text.Say(message)) }

// The methods below write what a report says, which may be untrusted: they make it printable, see [diag.Printable].

// Indented writes a line of text, wrapped at the width of the terminal.
func (a *Env) Indented(indent int, text string) {
	text = strings.Repeat(" ", indent) + diag.Printable(text)
	fmt.Fprintln(a.Stdout, terminal.Hang(text, a.TextWidth(a.Stdout), indent+2))
}

// Line writes a line that is not wrapped.
func (a *Env) Line(format string, args ...any) {
	for i, arg := range args {
		if s, ok := arg.(string); ok {
			args[i] = diag.Printable(s)
		}
	}
	a.Raw(fmt.Sprintf(format, args...))
}

// Raw writes a line that is printable.
func (a *Env) Raw(line string) { fmt.Fprintln(a.Stdout, strings.TrimRight(line, " ")) }

// Heading writes a line that begins with a text in a colour.
func (a *Env) Heading(code, text, rest string) { a.Raw(a.Paint(code, text) + diag.Printable(rest)) }

// Table writes a table, whose cells are printable.
func (a *Env) Table(t terminal.Table) {
	for _, l := range t.Lines(a.width(a.Stdout)) {
		a.Raw(l)
	}
}

// TableWidth returns how wide a table may be.
func (a *Env) TableWidth() int { return cmp.Or(a.width(a.Stdout), widestText) }

// Paint returns a text in a colour, if standard output has colours.
func (a *Env) Paint(code, text string) string { return terminal.Paint(a.Color(a.Stdout), code, text) }

// WriteJSON writes a document for programs.
func WriteJSON(w io.Writer, document any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	err := e.Encode(document)
	if err == nil {
		_, _ = w.Write(b.Bytes()) // Unwritten has the error
	}
	return err
}

// WriteJSONLine writes a value on a line of its own.
func (a *Env) WriteJSONLine(v any) error {
	line, err := JSONLine(v)
	if err == nil {
		_, _ = a.Stdout.Write(line) // Unwritten has the error
	}
	return err
}

// JSONLine encodes a value on one line that is safe to print. It escapes control characters, because
// a terminal acts on them, and ##[, because GitHub's runner acts on it. Both occur in strings only.
func JSONLine(v any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	for _, r := range string(bytes.TrimSuffix(bytes.ReplaceAll(b.Bytes(), []byte("##["), []byte(`#\u0023[`)), []byte("\n"))) {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			fmt.Fprintf(&out, `\u%04x`, r)
			continue
		}
		out.WriteRune(r)
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}
