package servecmd

import (
	"bytes"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// TestPrintNew: what the last build has found is counted, wherever it stands by now; errors, what
// is new and what comes back are told.
func TestPrintNew(t *testing.T) {
	var out, errs bytes.Buffer
	p := &previewer{Env: &env.Env{Stdout: &out, Stderr: &errs, Text: env.CatalogOf("en")}}
	at := func(s diag.Severity, line int, text string) diag.Diagnostic {
		return diag.Diagnostic{Severity: s, File: "a.md", Line: line, Message: diag.Plain(text)}
	}
	for _, tt := range []struct {
		found     diag.List
		told, say string
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
		var told []string
		for line := range strings.Lines(errs.String()) {
			told = append(told, line[strings.LastIndex(line, " ")+1:len(line)-1])
		}
		if got := strings.Join(told, " "); got != tt.told || strings.TrimSpace(out.String()) != tt.say {
			t.Errorf("%q, %q; want %q, %q", got, out.String(), tt.told, tt.say)
		}
	}
}
