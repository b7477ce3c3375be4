package servecmd

import (
	"bytes"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/words"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// TestPrintNew: diagnostics that the last build had too are counted, even if their line has
// changed; errors, new diagnostics and those that come back are printed.
func TestPrintNew(t *testing.T) {
	var out, errs bytes.Buffer
	p := &previewer{Env: &env.Env{Stdout: &out, Stderr: &errs, Text: words.English()}}
	at := func(s diag.Severity, line int, text string) diag.Diagnostic {
		return diag.Diagnostic{Severity: s, File: "a.md", Line: line, Message: diag.Plain(text)}
	}
	for _, tt := range []struct {
		found          diag.List
		printed, count string
	}{
		{diag.List{at(diag.Warning, 1, "one"), at(diag.Notice, 2, "two")}, "one two", ""},
		{diag.List{at(diag.Warning, 5, "one"), at(diag.Notice, 2, "two"), at(diag.Warning, 6, "one")}, "one", "as before: 1 warning, 1 notice"},
		{diag.List{at(diag.Error, 1, "broken"), at(diag.Warning, 6, "one")}, "broken", "as before: 1 warning"},
		{diag.List{at(diag.Error, 1, "broken"), at(diag.Notice, 2, "two")}, "broken two", ""},
		{nil, "", ""},
		{diag.List{at(diag.Warning, 1, "one")}, "one", ""},
	} {
		out.Reset()
		errs.Reset()
		p.printNew(tt.found)
		var printed []string
		for line := range strings.Lines(errs.String()) {
			printed = append(printed, line[strings.LastIndex(line, " ")+1:len(line)-1])
		}
		if got := strings.Join(printed, " "); got != tt.printed || strings.TrimSpace(out.String()) != tt.count {
			t.Errorf("%q, %q; want %q, %q", got, out.String(), tt.printed, tt.count)
		}
	}
}
