package reportcmd

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/words"
	"github.com/gpudocs/gpudocs/internal/project"
	"github.com/gpudocs/gpudocs/internal/report/trust"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

func NewReport(a *env.Env) *cobra.Command {
	c := &cobra.Command{Use: "report"}
	c.AddCommand(newReportShow(a), newReportDiff(a), newReportPrune(a))
	return c
}

// completeMachines lets shells complete the names of machines. The directive says whether they complete files too.
func completeMachines(a *env.Env, directive cobra.ShellCompDirective) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return project.Machines(a.Site), directive
	}
}

// readReports reads the reports that the arguments name. A file needs no site.
func readReports(a *env.Env, args []string) (*project.Project, []project.Report, diag.List, error) {
	p, err := a.Open()
	if err != nil {
		return nil, nil, nil, err
	}
	reports, diags, err := p.Reports(args...)
	return p, reports, diags, err
}

// warnUnreadable prints the diagnostics of reports. It returns an error if some reports could not
// be read.
func warnUnreadable(a *env.Env, l diag.List) error {
	a.Print(l)
	if n := l.Count(diag.Error); n > 0 {
		return diag.Wrong(diag.Say("cli.fault-unread", "files", diag.Say("cli.files", "n", n)))
	}
	return nil
}

// title returns a report's heading.
func title(t text.Catalog, r project.Report) string {
	name := r.Machine.Name
	if r.Rev != "" {
		name += "@" + r.Rev[:min(len(r.Rev), 10)]
	}
	var parts []string
	if r.File != "" {
		parts = append(parts, r.File)
	}
	if newest := r.Newest(); !newest.IsZero() {
		parts = append(parts, words.Day(newest))
	}
	if r.Verdict.Status == trust.Mismatch {
		parts = append(parts, signed(t, r))
	}
	return diag.Printable(fmt.Sprintf("%s (%s)", name, strings.Join(parts, ", ")))
}

// signed returns the verdict on a report's signature. It is "" for a report without a signature.
func signed(t text.Catalog, r project.Report) string {
	switch v := r.Verdict; v.Status {
	case trust.Signed:
		return t.Get("signed_by", "name", v.By)
	case trust.Unknown, trust.OtherMachine:
		return t.Get("signature_unknown", "why", v.Reason.In(t))
	case trust.Mismatch:
		return t.Get("signature_mismatch", "why", v.Reason.In(t))
	}
	return ""
}
