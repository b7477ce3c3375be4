package verifycmd

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/words"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/report/compare"
	"github.com/gpudocs/gpudocs/internal/report/reason"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// newsFlags are the flags of verify that compare a run with the reports before it.
type newsFlags struct {
	notify bool
	failOn string
	out    io.Writer // takes the summary
}

// Values of --fail-on.
const failure, regression, future = "failure", "regression", "future"

var failOn = []string{failure, regression, future}

func (f *newsFlags) add(c *cobra.Command) {
	c.Flags().BoolVar(&f.notify, "notify-if-changed", false, "")
	c.Flags().StringVar(&f.failOn, "fail-on", failure, "")
	_ = c.RegisterFlagCompletionFunc("fail-on", cobra.FixedCompletions(failOn, cobra.ShellCompDirectiveNoFileComp)) // it exists
	for _, other := range []string{"plan", "update", "json"} {
		c.MarkFlagsMutuallyExclusive("notify-if-changed", other)
	}
	for _, other := range []string{"plan", "update"} {
		c.MarkFlagsMutuallyExclusive("fail-on", other)
	}
}

// begin leaves standard output to the summary. All else goes to standard error.
func (f *newsFlags) begin(a *env.Env) {
	if f.notify {
		f.out, a.Stdout = a.Stdout, a.Stderr
	}
}

// A pair is the report of a machine before and after a run. The one before may be nil.
type pair struct{ before, after *report.Report }

func (p pair) compare() compare.Result {
	if p.before != nil {
		return compare.Reports(p.before, p.after)
	}
	first := compare.Reports(&report.Report{}, p.after)
	first.Facts = nil
	return first
}

// fails reports whether the exit status is a failure, given whether a check failed. With --fail-on=regression only new failures and
// lost checks count. With --fail-on=future a result with a date in the future counts too. It prints what the option changes.
func (f *newsFlags) fails(a *env.Env, p pair, failed bool) bool {
	if f.failOn == future {
		for _, r := range []*report.Report{p.before, p.after} {
			if r == nil {
				continue
			}
			if d, warned := report.Ahead(r.Machine.Name, r); warned {
				a.Print(diag.List{d})
				return true
			}
		}
	}
	if f.failOn != regression {
		return failed
	}
	if len(p.compare().NewFailures()) > 0 {
		return true
	}
	if failed {
		a.Println(a.Text.Get("news_old_failures", "machine", p.after.Machine.Name))
	}
	return false
}

// lost describes what a machine lost together with its checks: "gpu-a: 8 × A100 → no GPU". It is empty if no check was lost.
func lost(t text.Catalog, p pair, changes []compare.Change) string {
	if len(changes) == 0 {
		return ""
	}
	before, after := p.before.Machine.GPU, p.after.Machine.GPU
	was, now := results.Models(before.Devices), cmp.Or(results.Models(after.Devices), t.Get("news_lost_gpu"))
	switch {
	case was != "" && was != now:
	case before.Driver != after.Driver:
		was, now = t.Get("driver", "version", before.Driver), cmp.Or(after.Driver, t.Get("diff_none"))
	default: // the first of what it lacks says it
		was, now = changes[0].Name, words.Reason(t, changes[0].B)
	}
	return diag.Printable(t.Get("news_lost", "machine", p.after.Machine.Name, "was", was, "now", now))
}

// maxSummary limits a summary, in bytes: GitHub takes 65,536 characters in an issue, and Slack 40,000 in a
// message.
const maxSummary = 30_000

// printSummary prints a summary in Markdown of what has changed on machines, and nothing if nothing has. Its
// first line is plain text, for a title.
func (f *newsFlags) printSummary(a *env.Env, pairs ...pair) error {
	if !f.notify {
		return nil
	}
	var machines, title []string
	var body strings.Builder
	counts := map[compare.Kind]int{}
	for _, p := range pairs {
		news := p.compare().News()
		if len(news.Facts)+len(news.Changes) == 0 {
			continue
		}
		machines = append(machines, p.after.Machine.Name)
		if text := lost(a.Text, p, news.Lost()); text != "" {
			title = append(title, text)
		}
		fmt.Fprintf(&body, "\n## %s\n", p.after.Machine.Name)
		tellMachine(&body, a.Text, news, counts)
	}
	if len(machines) == 0 {
		return nil
	}
	for _, k := range compare.Kinds {
		if counts[k] > 0 {
			title = append(title, a.Text.Count(newsKeys[k], counts[k]))
		}
	}
	what := cmp.Or(strings.Join(title, ", "), a.Text.Get("news_facts"))
	head := a.Text.Get("news_title", "what", what, "machines", strings.Join(machines, ", "))
	_, err := io.WriteString(f.out, shortened(a.Text, head+"\n"+body.String()))
	return err
}

// newsKeys are the texts that count changes. Of other output only drift is news.
var newsKeys = map[compare.Kind]string{
	compare.Regression: "diff_regression", compare.Mend: "diff_mend", compare.Outcome: "diff_outcome",
	compare.Output: "news_drift", compare.OnlyA: "news_gone", compare.OnlyB: "news_new",
}

// tellMachine writes what has changed on a machine, and counts it.
func tellMachine(b *strings.Builder, t text.Catalog, news compare.Result, counts map[compare.Kind]int) {
	if len(news.Facts) > 0 {
		b.WriteString("\n")
	}
	none := t.Get("diff_none")
	for _, f := range news.Facts {
		fmt.Fprintf(b, "- %s: %s → %s\n", code(f.Name), code(cmp.Or(f.A, none)), code(cmp.Or(f.B, none)))
	}
	for _, k := range compare.Kinds {
		changes := news.Of(k)
		if len(changes) == 0 {
			continue
		}
		counts[k] += len(changes)
		fmt.Fprintf(b, "\n**%s**\n\n", t.Count(newsKeys[k], len(changes)))
		for _, c := range changes {
			where := ""
			if c.B != nil && len(c.B.Places) > 0 {
				where = " (" + code(c.B.Places[0].String()) + ")"
			}
			fmt.Fprintf(b, "- %s%s: %s\n", code(c.Page+": "+c.Name), where, change(t, c))
		}
	}
}

// change describes how a check has changed.
func change(t text.Catalog, c compare.Change) string {
	switch c.Kind {
	case compare.OnlyA:
		return words.Stands(t, c.A)
	case compare.OnlyB:
		return code(words.StandsWhy(t, c.B)) + marks(t, c.B)
	case compare.Output:
		if c.B.Measurement != nil {
			return code(rates(c.A.Measurement)) + " → " + code(rates(c.B.Measurement)) + marks(t, c.B)
		}
		return words.Stands(t, c.B) + marks(t, c.B)
	}
	text := words.Stands(t, c.A) + " → " + code(words.StandsWhy(t, c.B)) + marks(t, c.B)
	if c.Edited {
		text += t.Get("diff_edited")
	}
	return text
}

// marks returns the values that have drifted, unless that is why the check failed, and how often the check was tried.
func marks(t text.Catalog, c *report.Check) (text string) {
	for _, v := range c.Captures {
		if v.Drift != nil && v.Drift.Drifted && (c.Reason == nil || c.Reason.Code != report.ReasonDrift) {
			drift := report.Reason{Code: report.ReasonDrift, Value: v.Name, Found: strings.TrimSpace(v.Value + " " + v.Unit),
				Need: strings.TrimSpace(ask.FormatNumber(v.Drift.Median) + " " + v.Unit)}
			text += ", " + code(reason.Sentence(t, &drift, report.GPU{}))
		}
	}
	if tried := words.Tried(t, c); tried != "" {
		text += ", " + tried
	}
	return text
}

// rates returns the rates of a measurement, of each GPU.
func rates(m *report.Measurement) string {
	if m == nil {
		return "–"
	}
	var each []string
	for _, g := range m.GPUs {
		each = append(each, cmp.Or(g.Why, fmt.Sprintf("%.4g %s", g.Rate, m.Unit)))
	}
	return strings.Join(each, ", ")
}

// maxCode limits a quoted text, in bytes.
const maxCode = 300

var backticks = regexp.MustCompile("`+")

// code quotes a text of a report as code, in which Markdown has no meaning: a report may be hostile, and a
// name such as @all would notify people.
func code(s string) string {
	s = diag.Printable(diag.Clip(strings.Join(strings.Fields(s), " "), maxCode))
	fence := "`"
	for _, run := range backticks.FindAllString(s, -1) {
		fence = strings.Repeat("`", max(len(fence), len(run)+1))
	}
	if len(fence) > 1 {
		s = " " + s + " "
	}
	return fence + s + fence
}

// shortened returns the beginning of a long summary and how many lines are missing.
func shortened(t text.Catalog, text string) string {
	if len(text) <= maxSummary {
		return text
	}
	end := strings.LastIndexByte(text[:maxSummary], '\n') + 1
	return text[:end] + "\n" + t.Count("lines_more", strings.Count(text[end:], "\n")) + "\n"
}
