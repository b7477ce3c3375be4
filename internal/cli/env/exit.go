package env

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/text/terminal"
)

// Broken ends a command because of errors in the content. consequence is a text of group cli.
func (a *Env) Broken(l diag.List, consequence string) error {
	errors := text.Say("cli.errors", "n", l.Count(diag.Error))
	return Usage(diag.Text{}, text.Say("cli.fault-broken", "errors", errors, "consequence", text.Say("cli."+consequence)))
}

// Incomplete ends a command that did its work without some files, because of errors in the content. What it
// did is "written" or "run".
func (a *Env) Incomplete(l diag.List, did string, files []string) error {
	consequence := "rest_" + did
	if len(files) > 0 {
		consequence = "without_" + did
	}
	names := make([]diag.Text, len(files))
	for i, name := range files {
		names[i] = diag.Plain(name)
	}
	return Usage(diag.Text{}, text.Say("cli.fault-broken", "errors", text.Say("cli.errors", "n", l.Count(diag.Error)),
		"consequence", text.Say("cli."+consequence, "pages", site.ShortList(names))))
}

// Exit codes, a contract.
const (
	ExitFine   = 0
	ExitFailed = 1 // a check or a strict rule failed
	ExitUsage  = 2 // wrong use, or broken content
	ExitBroken = 3 // gpudocs itself failed
	ExitSignal = 130
)

// An exit is an error with an exit code. A nil Cause was printed before.
type exit struct {
	Code  int
	Cause error
	Hint  diag.Text
}

func (e *exit) Error() string {
	if e.Cause == nil {
		return fmt.Sprintf("exit %d", e.Code)
	}
	return e.Cause.Error()
}

func (e *exit) Unwrap() error { return e.Cause }

// EndWith ends the program with an exit code, an error and a hint, which may be empty.
func EndWith(code int, cause error, hint diag.Text) error {
	return &exit{Code: code, Cause: cause, Hint: hint}
}

// Usage ends the program because of wrong usage.
func Usage(hint diag.Text, cause error) error { return EndWith(ExitUsage, cause, hint) }

// Warn prints an error that does not end the program.
func (a *Env) Warn(message error) {
	fmt.Fprintln(a.Stderr, terminal.Hang("gpudocs: "+a.Text.Error(message), a.TextWidth(a.Stderr), 2))
}

// ExitCode ends the program with a code whose reason was printed before.
func ExitCode(code int) error { return &exit{Code: code} }

// ExitOf returns how the program ends on an error.
func ExitOf(err error) *exit {
	var e *exit
	switch {
	case err == nil:
		return &exit{Code: ExitFine}
	case errors.As(err, &e):
		return e
	case errors.Is(err, context.Canceled):
		return &exit{Code: ExitSignal}
	}
	return &exit{Code: ExitBroken, Cause: err}
}

// WhichCommand is run by commands that only have subcommands.
func WhichCommand(c *cobra.Command, _ []string) error {
	_ = c.Help()
	return Usage(diag.Text{}, diag.Say("cli.command-missing"))
}
