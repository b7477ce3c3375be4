// Package exit says how a command ends: with an exit code, an error and a hint.
package exit

import (
	"context"
	"errors"
	"fmt"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Exit codes, a contract.
const (
	Fine   = 0
	Failed = 1 // a check or a strict rule failed
	Usage  = 2 // wrong use, or broken content
	Broken = 3 // gpudocs itself failed
	Signal = 130
)

// An End is an error with an exit code. A nil Cause was printed before.
type End struct {
	Code  int
	Cause error
}

// Hint returns how to mend the cause. It may be empty.
func (e *End) Hint() diag.Text {
	if e.Cause == nil {
		return diag.Text{}
	}
	return diag.Plain(e.Cause).Hint()
}

func (e *End) Error() string {
	if e.Cause == nil {
		return fmt.Sprintf("exit %d", e.Code)
	}
	return e.Cause.Error()
}

func (e *End) Unwrap() error { return e.Cause }

// With ends the program with an exit code and an error.
func With(code int, cause error) error { return &End{code, cause} }

// Code ends the program with a code whose reason was printed before.
func Code(code int) error { return &End{Code: code} }

// Of returns how the program ends on an error.
func Of(err error) *End {
	var e *End
	var fault *diag.Fault
	switch {
	case err == nil:
		return &End{Code: Fine}
	case errors.As(err, &e):
		return e
	case errors.As(err, &fault):
		return &End{Usage, fault.Cause}
	case errors.Is(err, context.Canceled):
		return &End{Code: Signal}
	}
	return &End{Code: Broken, Cause: err}
}

// Content ends a command because of errors in the content. consequence is a text of group cli.
func Content(l diag.List, consequence string) error {
	errors := diag.Say("cli.errors", "n", l.Count(diag.Error))
	return diag.Wrong(diag.Say("cli.fault-broken", "errors", errors, "consequence", diag.Say("cli."+consequence)))
}

// Incomplete ends a command that did its work without some files, because of errors in the content. What it
// did is "written" or "run".
func Incomplete(l diag.List, did string, files []string) error {
	consequence := "rest_" + did
	if len(files) > 0 {
		consequence = "without_" + did
	}
	names := make([]diag.Text, len(files))
	for i, name := range files {
		names[i] = diag.Plain(name)
	}
	return diag.Wrong(diag.Say("cli.fault-broken", "errors", diag.Say("cli.errors", "n", l.Count(diag.Error)),
		"consequence", diag.Say("cli."+consequence, "pages", site.ShortList(names))))
}
