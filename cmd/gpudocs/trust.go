package main

import (
	"io/fs"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/render"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/sitepath"
	"github.com/gpudocs/gpudocs/internal/trust"
)

// A judged is a report of results/ with the verdict on its signature.
type judged struct {
	name    string
	report  *report.Report
	verdict trust.Verdict
	// fault says why report is nil.
	fault *diag.Diagnostic
}

// unreadable returns the faults of the reports that cannot be read.
func unreadable(reports []judged) (faults diag.List) {
	for _, j := range reports {
		if j.fault != nil {
			faults.Add(*j.fault)
		}
	}
	return faults
}

// readReports reads the site's reports and tells who signed each: the verdict
// is about the very bytes that were parsed. Reports that cannot be read are in
// the list with their fault, which is no diagnostic yet: it is an error to some
// commands and a warning to others.
func readReports(fsys fs.FS, config *content.Config) ([]judged, diag.List) {
	signers, diags := readSigners(fsys, config)
	var list []judged
	diags.Add(report.EachFile(fsys, resultsDir, func(f report.File) {
		if d, hidden := sitepath.LinksToHidden(fsys, f.Name); hidden { // what verify found here, say
			diags.Add(d)
			return
		}
		if f.Fault != nil {
			list = append(list, judged{name: f.Name, fault: f.Fault})
			return
		}
		if d, warned := report.NameWarning(f.Name, f.Report); warned {
			diags.Add(d)
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
		list = append(list, judged{name: f.Name, report: f.Report, verdict: v})
	})...)
	return list, diags
}

// readSigners reads the file that [trust] names; without one nobody is known.
func readSigners(fsys fs.FS, config *content.Config) (*trust.Signers, diag.List) {
	if config == nil || config.AllowedSigners == "" {
		return nil, nil
	}
	return trust.ReadSigners(fsys, config.AllowedSigners)
}

// signature is what the pages say of a report's signature. A site that lists no
// signers says nothing of reports without one.
func signature(v trust.Verdict, config *content.Config) render.Signature {
	switch v.Status {
	case trust.Signed:
		return render.Signature{State: render.Signed, By: v.By}
	case trust.Unknown:
		return render.Signature{State: render.SignedUnknown, By: v.Key}
	case trust.OtherMachine:
		return render.Signature{State: render.SignedOtherMachine, By: v.By}
	case trust.Mismatch:
		return render.Signature{State: render.SignedOther}
	}
	if config.AllowedSigners == "" {
		return render.Signature{}
	}
	return render.Signature{State: render.NotSigned}
}

// requireSigned refuses a site with a report that none of its signers signed.
func (a *app) requireSigned(l loaded) error {
	if l.content.Config.AllowedSigners == "" {
		return usage(`write [trust] and allowed_signers = "allowed_signers" into `+content.ConfigFile+", and the signers into that file",
			"--require-signed: the site lists nobody who may sign")
	}
	refused := unreadable(l.reports)
	for _, j := range l.reports {
		if j.fault == nil && j.verdict.Status != trust.Signed {
			refused.Add(j.verdict.Diagnostic(diag.Error, j.name))
		}
	}
	if len(refused) == 0 {
		return nil
	}
	a.print(refused.Sorted())
	return a.ending(exitFailed, "refused", []string{"reports", inEnglish().Count("refused", len(refused))}, []string{"reports", a.w.Count("refused", len(refused))})
}
