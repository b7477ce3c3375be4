package project

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/trust"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/config"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// LocalMachine names the machine of build --verify and serve --verify.
const LocalMachine = "local"

// MachineVariable names the machine if no flag does.
const MachineVariable = "GPUDOCS_MACHINE"

// A Report is a report with the place that it was read from.
type Report struct {
	*report.Report
	// Name is the path of a committed report below the site's folder. File is the path for people.
	Name, File string
	Local      bool   // it is in the private folder
	Rev        string // the commit of an older version
	// Verdict is that on the signature of a committed report.
	Verdict trust.Verdict
	// Fault says why there is no report in the file.
	Fault *diag.Diagnostic
}

func (r Report) signed() bool { return r.Verdict.Status == trust.Signed }

// Source returns the report as pages show it. If a site lists no signers, they show nothing for an unsigned report.
func (r Report) Source(config *site.Config) results.Source {
	source := results.Source{Report: r.Report, Local: r.Local}
	switch v := r.Verdict; v.Status {
	case trust.Signed:
		source.Signature = results.Signature{State: results.Signed, By: v.By}
	case trust.Unknown:
		source.Signature = results.Signature{State: results.SignedUnknown, By: v.Key}
	case trust.OtherMachine:
		source.Signature = results.Signature{State: results.SignedOtherMachine, By: v.By}
	case trust.Mismatch:
		source.Signature = results.Signature{State: results.SignedOther}
	default:
		if config != nil && config.AllowedSigners != "" {
			source.Signature = results.Signature{State: results.NotSigned}
		}
	}
	return source
}

// Unreadable returns the faults of the reports that cannot be read.
func Unreadable(reports []Report) (faults diag.List) {
	for _, r := range reports {
		if r.Fault != nil {
			faults.Add(*r.Fault)
		}
	}
	return faults
}

// readReports reads the site's committed reports and checks their signatures, for the same bytes that it parses.
// An unreadable report is in the list with its fault, and not among the diagnostics, because it is
// an error for some commands and a warning for others.
func (p *Project) readReports(config *site.Config) ([]Report, diag.List) {
	signers, diags := p.signers(config)
	var list []Report
	diags.Add(report.EachFile(p.FS, ResultsDir, func(f report.File) {
		if d, hidden := sitefile.LinksToHidden(p.FS, f.Name); hidden { // such as the results of --verify
			diags.Add(d)
			return
		}
		if f.Fault != nil {
			list = append(list, Report{Name: f.Name, Fault: f.Fault})
			return
		}
		for _, warn := range []func(string, *report.Report) (diag.Diagnostic, bool){report.NameWarning, report.Ahead} {
			if d, warned := warn(f.Name, f.Report); warned {
				diags.Add(d)
			}
		}
		signature, err := trust.ReadSignature(p.FS, f.Name)
		if err != nil {
			diags.Add(diag.Unreadable(f.Name+report.SignatureExtension, err))
			return
		}
		v := signers.Check(f, signature)
		if v.Status != trust.Signed && v.Status != trust.NotSigned {
			diags.Add(v.Diagnostic(diag.Warning, f.Name))
		}
		list = append(list, Report{Report: f.Report, Name: f.Name, File: p.Path(f.Name), Verdict: v})
	})...)
	return list, diags
}

// signers reads the site's file of signers. It returns nil if there is none.
func (p *Project) signers(config *site.Config) (*trust.Signers, diag.List) {
	if config == nil || config.AllowedSigners == "" {
		return nil, nil
	}
	return trust.ReadSigners(p.FS, config.AllowedSigners)
}

// Reports reads the reports that the arguments name, machines or files, or all reports of the site.
// Those that cannot be read are among the diagnostics.
func (p *Project) Reports(args ...string) (out []Report, diags diag.List, err error) {
	if len(args) == 0 {
		return p.allReports()
	}
	for _, arg := range args {
		read := p.reportsOf
		if IsFile(arg) {
			read = readFile
		}
		found, problems, err := read(arg)
		if err != nil {
			return nil, nil, err
		}
		out, diags = append(out, found...), append(diags, problems...)
	}
	return out, diags, nil
}

func (p *Project) allReports() ([]Report, diag.List, error) {
	config, _ := config.Read(p.FS) // without it all signers are unknown
	out, diags := p.readReports(config)
	diags.Add(Unreadable(out)...)
	out = slices.DeleteFunc(out, func(r Report) bool { return r.Fault != nil })
	local, problems := report.ReadDir(p.FS, localDir)
	for _, r := range local {
		out = append(out, Report{Report: r, File: p.Path(localDir, r.Machine.Name+".json"), Local: true})
	}
	diags = append(diags, problems...)
	if len(out) == 0 && len(diags) == 0 {
		return nil, nil, diag.Wrong(diag.Say("cli.fault-no-reports", "folder", p.Path(ResultsDir)))
	}
	return out, diags, nil
}

// IsFile reports whether an argument names the file of a report, and not a machine.
func IsFile(arg string) bool {
	return strings.ContainsRune(arg, '/') || strings.ContainsRune(arg, filepath.Separator) || strings.HasSuffix(arg, ".json")
}

// readFile reads the report in a file, which need not be one of a site.
func readFile(file string) (out []Report, diags diag.List, err error) {
	r, err := report.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, diag.Wrong(diag.Say("report.argument-file-missing", "file", file))
	case err != nil:
		return nil, diag.List{diag.Unreadable(file, err)}, nil
	}
	if d, warned := report.Ahead(file, r); warned {
		diags.Add(d)
	}
	return []Report{{Report: r, File: file}}, diags, nil
}

// reportsOf reads the reports of a machine.
func (p *Project) reportsOf(machine string) (out []Report, diags diag.List, err error) {
	if err := report.CheckOldName(machine); err != nil {
		return nil, nil, diag.Wrong(diag.Plain(err).WithHint(diag.Say("report.file-argument-hint")))
	}
	all, problems, err := p.allReports()
	if err != nil {
		return nil, nil, err
	}
	out = slices.DeleteFunc(all, func(r Report) bool { return r.Machine.Name != machine })
	for _, d := range problems {
		if name := path.Base(d.File); name == machine+".json" || name == machine+".json"+report.SignatureExtension {
			diags = append(diags, d)
		}
	}
	if len(out) == 0 && len(diags) == 0 {
		hint := diag.Suggest(machine, Machines(p.Dir), diag.Say("report.show-all-hint"))
		return nil, nil, diag.Wrong(diag.Say("report.machine-unknown", "name", machine).WithHint(hint))
	}
	return out, diags, nil
}

// Machines returns the names of all machines with a report of a site, by their files.
func Machines(site string) []string {
	names := map[string]bool{}
	for _, dir := range []string{ResultsDir, localDir} {
		entries, _ := os.ReadDir(filepath.Join(site, dir)) // without the folder there are none
		for _, e := range entries {
			name, isReport := strings.CutSuffix(e.Name(), ".json")
			if isReport && !e.IsDir() && report.CheckOldName(name) == nil {
				names[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// ReportFile returns the file of a machine's committed report.
func (p *Project) ReportFile(machine string) string { return p.Path(ResultsDir, machine+".json") }

// LocalFile returns the file of a machine's report in the private folder.
func (p *Project) LocalFile(machine string) string { return p.Path(localDir, machine+".json") }

// WriteLocal writes the report of this machine to the private folder.
func (p *Project) WriteLocal(r *report.Report) error {
	if err := p.MakePrivate(); err != nil {
		return err
	}
	return report.Write(p.LocalFile(r.Machine.Name), r)
}

// Previous reads the file of the report that a run continues. Its Report is nil if there is no such file. One that
// cannot be read is an error, so that it is never replaced.
func Previous(file, machine string) (f report.File, err error) {
	f.Name = file
	if f.Data, err = os.ReadFile(file); errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err == nil {
		f.Report, err = report.ParseAs(file, machine, f.Data)
	}
	if d, ok := errors.AsType[diag.Diagnostic](err); ok {
		if d.Line > 0 {
			file = fmt.Sprintf("%s:%d:%d", file, d.Line, d.Column)
		}
		return report.File{}, diag.Wrong(diag.Say("verify.report-not-continuable", "file", file, "why", d.Message).WithHint(d.Hint))
	}
	if err != nil {
		return report.File{}, diag.Wrong(diag.Say("verify.report-unreadable", "file", file, "why", err))
	}
	return f, nil
}
