package env

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"syscall"

	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/text/terminal"
)

// Print writes diagnostics to standard error.
func (a *Env) Print(l diag.List) {
	a.Around(func() { a.PrintNow(l) })
}

// PrintNow is Print within [Env.Around].
func (a *Env) PrintNow(l diag.List) {
	diag.Print(a.Stderr, l, diag.Style{Color: a.Color(a.Stderr), Width: a.TextWidth(a.Stderr), Catalog: a.Text.Catalog})
	a.Outputs.AddDiagnostics(l)
}

// WriteJSON writes a document for programs. A closed pipe is not an error.
func WriteJSON(w io.Writer, document any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(document); err != nil && !errors.Is(err, syscall.EPIPE) {
		return err
	}
	return nil
}

// Println writes a line of text to standard output.
func (a *Env) Println(text string) {
	fmt.Fprintln(a.Stdout, terminal.Hang(text, a.TextWidth(a.Stdout), 2))
}
