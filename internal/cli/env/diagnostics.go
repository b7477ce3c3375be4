package env

import (
	"fmt"

	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/text/terminal"
)

// Print writes diagnostics to standard error.
func (a *Env) Print(l diag.List) {
	a.Say(func() { a.PrintNow(l) })
}

// PrintNow does so where no live line can be in the way.
func (a *Env) PrintNow(l diag.List) {
	diag.Print(a.Stderr, l, diag.Style{Color: a.Color(a.Stderr), Width: a.TextWidth(a.Stderr), Catalog: a.Text.Catalog})
	a.Outlets.Found(l)
}

// Tell writes a line of text to standard output.
func (a *Env) Tell(text string) {
	fmt.Fprintln(a.Stdout, terminal.Hang(text, a.TextWidth(a.Stdout), 2))
}
