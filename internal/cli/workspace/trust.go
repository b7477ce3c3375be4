package workspace

import (
	"io/fs"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/trust"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A CheckedReport is a report in results/ with the verdict on its signature.
type CheckedReport struct {
	name    string
	report  *report.Report
	verdict trust.Verdict
	// fault says why report is nil.
	fault *diag.Diagnostic
}

// Unreadable returns the faults of the reports that cannot be read.
func Unreadable(reports []CheckedReport) (faults diag.List) {
	for _, c := range reports {
		if c.fault != nil {
			faults.Add(*c.fault)
		}
	}
	return faults
}

// ReadReports reads the site's reports and checks their signatures, for the same bytes that it parses.
// An unreadable report is in the list with its fault, and not among the diagnostics, because it is
// an error for some commands and a warning for others.
func ReadReports(fsys fs.FS, config *site.Config) ([]CheckedReport, diag.List) {
	signers, diags := readSigners(fsys, config)
	var list []CheckedReport
	diags.Add(report.EachFile(fsys, ResultsDir, func(f report.File) {
		if d, hidden := sitefile.LinksToHidden(fsys, f.Name); hidden { // such as the results of --verify
			diags.Add(d)
			return
		}
		if f.Fault != nil {
			list = append(list, CheckedReport{name: f.Name, fault: f.Fault})
			return
		}
		for _, warn := range []func(string, *report.Report) (diag.Diagnostic, bool){report.NameWarning, report.Ahead} {
			if d, warned := warn(f.Name, f.Report); warned {
				diags.Add(d)
			}
		}
		signature, err := trust.ReadSignature(fsys, f.Name)
		if err != nil {
			diags.Add(diag.Unreadable(f.Name+report.SignatureExtension, err))
			return
		}
		v := signers.Check(f, signature)
		if v.Status != trust.Signed && v.Status != trust.NotSigned {
			diags.Add(v.Diagnostic(diag.Warning, f.Name))
		}
		list = append(list, CheckedReport{name: f.Name, report: f.Report, verdict: v})
	})...)
	return list, diags
}

// readSigners reads the site's file of signers. It returns nil if there is none.
func readSigners(fsys fs.FS, config *site.Config) (*trust.Signers, diag.List) {
	if config == nil || config.AllowedSigners == "" {
		return nil, nil
	}
	return trust.ReadSigners(fsys, config.AllowedSigners)
}

// signature returns what the pages show of a report's signature. If a site lists no signers, they
// show nothing for an unsigned report.
func signature(v trust.Verdict, config *site.Config) results.Signature {
	switch v.Status {
	case trust.Signed:
		return results.Signature{State: results.Signed, By: v.By}
	case trust.Unknown:
		return results.Signature{State: results.SignedUnknown, By: v.Key}
	case trust.OtherMachine:
		return results.Signature{State: results.SignedOtherMachine, By: v.By}
	case trust.Mismatch:
		return results.Signature{State: results.SignedOther}
	}
	if config.AllowedSigners == "" {
		return results.Signature{}
	}
	return results.Signature{State: results.NotSigned}
}

// RequireSigned returns an error if a report is not signed by one of the site's signers.
func RequireSigned(a *env.Env, l Loaded) error {
	if l.Content.Config.AllowedSigners == "" {
		return env.Usage(diag.Say("report.require-signed-without-signers-hint"),
			diag.Say("report.require-signed-without-signers"))
	}
	refused := Unreadable(l.Reports)
	for _, c := range l.Reports {
		if c.fault == nil && c.verdict.Status != trust.Signed {
			refused.Add(c.verdict.Diagnostic(diag.Error, c.name))
		}
	}
	if len(refused) == 0 {
		return nil
	}
	a.Print(refused.Sorted())
	return env.EndWith(env.ExitFailed, diag.Say("cli.fault-refused", "reports", diag.Say("cli.refused", "n", len(refused))), diag.Text{})
}
