package judge

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/match"
	"github.com/gpudocs/gpudocs/internal/site"
)

// TestAgain: an earlier output is judged by new expectations.
func TestAgain(t *testing.T) {
	t.Parallel()
	errs := expect(t, "e\n", "")
	errs.Stderr = true
	bash := func(expects ...*site.Expect) *site.Block {
		return &site.Block{Kind: site.Bash, Expects: expects, Session: &site.Session{}}
	}
	examples, _ := match.Examples(">>> f(1)\n<v:int>\n>>> g()  # doctest: +SKIP\n>>> f(2)\nTraceback (most recent call last):\nE: no\n")
	pycon := &site.Block{Kind: site.Pycon, Examples: examples, CodeFile: "a.md", CodeLine: 10, Session: &site.Session{}}
	one, no := Printed{Output: "1\n"}, Printed{Exception: "E: no"}
	for _, tt := range []struct {
		name    string
		block   *site.Block
		printed []Printed
		want    string
	}{
		{"nothing is expected", bash(), nil, "passed exit=0 printed=a|e|"},
		{"what is expected", bash(expect(t, "<w:word>\n", ""), errs), nil, "passed exit=0 printed=a|e| w=a"},
		{"another output", bash(expect(t, "b\n", "")), nil, "failed output-differs :40 exit=0 printed=a|e| -b +a"},
		{"another error", bash(errs, expect(t, "a\n", "")), nil, "passed exit=0 printed=a|e|"},
		{"examples", pycon, []Printed{one, {}, no}, "passed printed=a|e| v=1"},
		{"an example differs", pycon, []Printed{{Output: "x\n"}, {}, no}, "failed output-differs :10 printed=a|e|"},
		{"an exception does not come", pycon, []Printed{one, {}, one}, "failed output-differs :13 printed=a|e| v=1"},
		{"an example is not known", pycon, []Printed{one, {}}, "failed output-differs :13 printed=a|e| v=1"},
	} {
		exit := 0
		same := report.Try{Reason: &report.Reason{Code: report.ReasonMismatch}, Stdout: stream("a\n"), Stderr: stream("e\n")}
		other := report.Try{Reason: &report.Reason{Code: report.ReasonExit}}
		c := &report.Check{Outcome: report.Failed, Reason: &report.Reason{Code: report.ReasonMismatch}, Exit: &exit, Stdout: stream("a\n"), Stderr: stream("e\n"), Tries: []report.Try{same, other}}
		Again(tt.block, c, nil, tt.printed)
		if d := cmp.Diff(tt.want, shown(c)); d != "" {
			t.Errorf("%s (-want +got)\n%s", tt.name, d)
		}
		if len(c.Tries) != 1 || c.Tries[0].Reason.Code != report.ReasonExit {
			t.Errorf("%s: tries %+v", tt.name, c.Tries)
		}
	}
}
