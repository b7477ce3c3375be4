// Package reporttest says in words what a check is, for the messages of tests.
package reporttest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
)

// Text returns what became of checks: the place and the name of each, its outcome and reason, its exit code, what it
// printed, and how that differs from what was expected.
func Text(checks ...report.Check) string {
	var texts []string
	for _, c := range checks {
		texts = append(texts, text(c))
	}
	return strings.Join(texts, "\n")
}

func text(c report.Check) string {
	var b strings.Builder
	for _, p := range c.Places[:min(1, len(c.Places))] {
		fmt.Fprintf(&b, "%v ", p)
	}
	fmt.Fprintf(&b, "%s: %s", c.Name, c.Outcome)
	if c.Reason != nil {
		fmt.Fprintf(&b, " because: %s", Reason(c.Reason))
	}
	if c.Exit != nil {
		fmt.Fprintf(&b, "\nexit code %d", *c.Exit)
	}
	if c.Build != nil {
		fmt.Fprintf(&b, "\nbuild %s, stderr %q", c.Build.Outcome, c.Build.Stderr.String())
	}
	for _, s := range []struct{ name, text string }{{"stdout", c.Stdout.String()}, {"stderr", c.Stderr.String()}} {
		if s.text != "" {
			fmt.Fprintf(&b, "\n%s %q", s.name, s.text)
		}
	}
	for _, l := range c.Diff {
		fmt.Fprintf(&b, "\n%s", compact(l))
	}
	return b.String()
}

// Reason returns the fields of a reason that are set, as JSON.
func Reason(r *report.Reason) string {
	if r == nil {
		return "no reason"
	}
	return compact(r)
}

func compact(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err.Error()
	}
	return strings.TrimSpace(b.String())
}
