package update

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/verify"
	"github.com/gpudocs/gpudocs/internal/verify/judge"
)

// A ran is how a block ended in the run, by its name; by default it printed something else than expected.
type ran struct {
	stdout, stderr string
	outcome        report.Outcome
	code           string
	cut            bool
	printed        []judge.Printed
}

// updateOf makes the update of a run of a site.
func updateOf(t *testing.T, files map[string]string, ended map[string]ran) (*Update, *verify.Plan, fs.FS) {
	t.Helper()
	fsys := fstest.MapFS{"gpudocs.toml": {Data: []byte("[languages.en]\n[languages.pt]\n")}}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	s, diags := load.Load(fsys, load.Options{Drafts: true})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	plan, err := verify.NewPlan(s, verify.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	r := &report.Report{Machine: report.Machine{Name: "m", GPU: report.GPU{Status: report.GPUNone}}}
	examples := map[report.ID][]judge.Printed{}
	for _, session := range plan.Sessions {
		for _, b := range session.Chosen() {
			e, known := ended[b.Name]
			if !known {
				continue
			}
			c := report.Check{Kind: string(b.Kind), Outcome: report.Failed, Reason: &report.Reason{Code: report.ReasonMismatch}}
			if e.outcome != "" {
				c.Outcome = e.outcome
			}
			if e.code != "" {
				c.Reason.Code = e.code
			}
			if c.Outcome == report.Passed {
				c.Reason = nil
			}
			c.Stdout, c.Stderr = &report.Stream{Text: e.stdout}, &report.Stream{Text: e.stderr}
			if e.cut {
				c.Stdout.Cut = 1
			}
			if e.printed != nil {
				examples[b.ID] = e.printed
			}
			r.Checks = append(r.Checks, plan.Order(map[report.ID]report.Check{b.ID: c})...)
		}
	}
	u, err := New(s, plan, r, examples, fsys)
	if err != nil {
		t.Fatal(err)
	}
	return u, plan, fsys
}

// told lists what an update does: changed lines, refusals, and the outcomes of its report.
func told(t *testing.T, u *Update, plan *verify.Plan) (out []string) {
	t.Helper()
	for _, p := range u.Pages {
		before, after := strings.Split(string(p.Old), "\n"), strings.Split(string(p.New), "\n")
		for i, line := range after {
			if i >= len(before) || before[i] != line {
				out = append(out, fmt.Sprintf("%s:%d %s", p.Name, i+1, line))
			}
		}
	}
	for _, r := range u.Refused {
		why, _, _ := strings.Cut(r.Why.String(), ":")
		s := "refused " + r.Block.Name + ": " + why
		if r.Skipped {
			s += " (skipped)"
		}
		out = append(out, s)
	}
	r, err := u.Report()
	if err != nil {
		t.Fatal(err)
	}
	outcomes := ""
	for _, c := range r.Checks {
		outcomes += " " + c.Name + "=" + string(c.Outcome)
	}
	return append(out, fmt.Sprintf("report%s, failed %v", outcomes, u.Failed(plan)))
}

// TestUpdate: what is updated, and what is refused.
func TestUpdate(t *testing.T) {
	t.Parallel()
	const page = "content/en/p.md"
	block := func(name, code, expected string) string {
		return "```bash {run name=" + name + "}\n" + code + "\n```\n```{expect}\n" + expected + "\n```\n"
	}
	const shared = "---\nblocks: {run: true}\ndialects: [d2l]\n---\n```{.python .input}\n#@tab jax\nx = 2\n```\n```{.python .input}\n#@tab pytorch\nx = 3\n```\n" +
		"```{.python .input}\n#@tab all\nprint(x)\n```\n```{expect}\nold\n```\n"
	const differ = "its expectation is that of the code in each of its tabs, and they did not print the same"
	const pycon = "```pycon {run name=a}\n>>> f(1)\n1\n>>> f(2)\n2\n>>> f(3)\n3\n```\n"
	for _, tt := range []struct {
		name  string
		files map[string]string
		ended map[string]ran
		want  []string
	}{
		{"an output", map[string]string{page: block("a", "x", "old")}, map[string]ran{"a": {stdout: "new\n"}},
			[]string{page + ":5 new", "report a=passed, failed false"}},
		{"one of two", map[string]string{page: block("a", "x", "old") + block("b", "y", "old")}, map[string]ran{"a": {stdout: "new\n"}, "b": {outcome: report.Passed, stdout: "old\n"}},
			[]string{page + ":5 new", "report a=passed b=passed, failed false"}},
		{"of two streams", map[string]string{page: "```bash {run name=a}\nx\n```\n```{expect}\nout\n```\n```{expect stream=stderr}\nerr\n```\n"}, map[string]ran{"a": {stdout: "out\n", stderr: "ERR\n"}},
			[]string{page + ":8 ERR", "report a=passed, failed false"}},
		{"of this machine", map[string]string{page: "```bash {run name=a}\nx\n```\n```{expect when=\"gpus >= 1\"}\ngpu\n```\n```{expect}\ncpu\n```\n"}, map[string]ran{"a": {stdout: "new\n"}},
			[]string{page + ":8 new", "report a=passed, failed false"}},
		{"in a translation too", map[string]string{page: block("a", "x", "old"), "content/pt/p.md": "Texto.\n\n" + block("a", "x", "old")}, map[string]ran{"a": {stdout: "new\n"}},
			[]string{page + ":5 new", "content/pt/p.md:7 new", "report a=passed, failed false"}},
		{"examples", map[string]string{page: pycon}, map[string]ran{"a": {printed: []judge.Printed{{Output: "1\n"}, {Output: "5\n\n6\n"}, {Exception: "E: no"}}}},
			[]string{page + ":5 5", page + ":6 <BLANKLINE>", page + ":7 6", page + ":8 >>> f(3)", page + ":9 Traceback (most recent call last):", page + ":10 E: no", page + ":11 ```", page + ":12 ", "report a=passed, failed false"}},
		{"examples of which one was cut", map[string]string{page: pycon}, map[string]ran{"a": {printed: []judge.Printed{{Output: "1\n"}, {Output: "5\n", Cut: true}, {Output: "3\n"}}}},
			[]string{"refused a: some of its output was left out", "report a=failed, failed true"}},
		{"an exception of examples", map[string]string{page: pycon}, map[string]ran{"a": {code: report.ReasonException, printed: []judge.Printed{{Exception: "E: no"}, {Output: "2\n"}, {Output: "3\n"}}}},
			[]string{page + ":3 Traceback (most recent call last):", page + ":4 E: no", page + ":5 >>> f(2)", page + ":6 2", page + ":7 >>> f(3)", page + ":8 3", page + ":9 ```", page + ":10 ", "report a=passed, failed false"}},
		{"an exception of a block", map[string]string{page: block("a", "x", "old")}, map[string]ran{"a": {code: report.ReasonException}},
			[]string{"refused a: raised", "report a=failed, failed true"}},
		{"it was skipped", map[string]string{page: block("a", "x", "old")}, map[string]ran{"a": {outcome: report.Skipped, code: report.ReasonNeeds}},
			[]string{"refused a: it was skipped on this machine (skipped)", "report a=skipped, failed false"}},
		{"it was cut", map[string]string{page: block("a", "x", "old")}, map[string]ran{"a": {stdout: "new\n", cut: true}},
			[]string{"refused a: some of its output was left out", "report a=failed, failed true"}},
		{"it was too long", map[string]string{page: block("a", "x", "old")}, map[string]ran{"a": {code: report.ReasonTruncated}},
			[]string{"refused a: some of its output was left out", "report a=failed, failed true"}},
		{"which expectation applies is not known", map[string]string{page: block("a", "x", "old")}, map[string]ran{"a": {code: report.ReasonManyExpect}},
			[]string{"refused a: not exactly one of its expectations is for this machine", "report a=failed, failed true"}},
		{"combinations", map[string]string{page: "```bash {run name=a matrix=\"n=1,2\"}\nn=1\necho $n\n```\n```{expect}\nold\n```\n"}, map[string]ran{"a": {stdout: "new\n"}},
			[]string{"refused a: its expectation must hold for all combinations of its matrix", "refused a: its expectation must hold for all combinations of its matrix", "report a[n=1]=failed a[n=2]=failed, failed true"}},
		{"code for several tabs that print the same", map[string]string{page: shared}, map[string]ran{"#2": {stdout: "new\n"}, "#4": {stdout: "new\n"}},
			[]string{page + ":18 new", "report #2=passed #4=passed, failed false"}},
		{"code for several tabs that print the same already", map[string]string{page: shared}, map[string]ran{"#2": {outcome: report.Passed, stdout: "old\n"}, "#4": {outcome: report.Passed, stdout: "old\n"}},
			[]string{"report #2=passed #4=passed, failed false"}},
		{"code for several tabs that print different things", map[string]string{page: shared}, map[string]ran{"#2": {stdout: "new\n"}, "#4": {stdout: "other\n"}},
			[]string{"refused #2: " + differ, "refused #4: " + differ, "report #2=failed #4=failed, failed true"}},
		{"code for several tabs, of which one passes", map[string]string{page: shared}, map[string]ran{"#2": {stdout: "new\n"}, "#4": {outcome: report.Passed, stdout: "old\n"}},
			[]string{"refused #2: " + differ, "report #2=failed #4=passed, failed true"}},
		{"code for several tabs, of which one did not run", map[string]string{page: shared}, map[string]ran{"#2": {stdout: "new\n"}, "#4": {outcome: report.Skipped, code: report.ReasonNeeds}},
			[]string{page + ":18 new", "refused #4: it was skipped on this machine (skipped)", "report #2=passed #4=skipped, failed false"}},
		{"nothing is expected", map[string]string{page: "```bash {run name=a}\nx\n```\n"}, map[string]ran{"a": {code: report.ReasonExit}},
			[]string{"report a=failed, failed true"}},
		{"it did not run", map[string]string{page: block("a", "x", "old") + block("b", "y", "old")}, map[string]ran{"b": {stdout: "new\n"}},
			[]string{page + ":11 new", "report b=passed, failed false"}},
	} {
		u, plan, _ := updateOf(t, tt.files, tt.ended)
		if d := cmp.Diff(tt.want, told(t, u, plan)); d != "" {
			t.Errorf("%s (-want +got)\n%s", tt.name, d)
		}
	}
}

// TestPageChanged: a page that was edited meanwhile is not overwritten.
func TestPageChanged(t *testing.T) {
	t.Parallel()
	text := "```bash {run name=a}\nx\n```\n```{expect}\nold\n```\n"
	u, plan, _ := updateOf(t, map[string]string{"content/en/p.md": text}, map[string]ran{"a": {stdout: "new\n"}})
	for now, same := range map[string]bool{text: true, "\ufeff" + text: true, text + "x": false, strings.Replace(text, "x", "y", 1): false, "": false} {
		fsys := fstest.MapFS{"content/en/p.md": {Data: []byte(now)}}
		if _, err := New(u.site, plan, u.report, u.examples, fsys); (err == nil) != same {
			t.Errorf("%q: %v", now, err)
		}
	}
}
