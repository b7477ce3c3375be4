package workspace

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

	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/trust"
	"github.com/gpudocs/gpudocs/internal/site/config"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A Stored is a report with the place that it was read from.
type Stored struct {
	*report.Report
	// File is the path for people. Local is set if it is in the private folder.
	File  string
	Local bool
	// Rev is the commit of an older version.
	Rev string
	// signature is the verdict on the signature of a report in results/.
	signature trust.Verdict
}

// Title returns the report's heading.
func (s Stored) Title(t env.Catalog) string {
	text := s.Machine.Name
	if s.Rev != "" {
		text += "@" + s.Rev[:min(len(s.Rev), 10)]
	}
	var parts []string
	if s.File != "" {
		parts = append(parts, s.File)
	}
	if newest := s.Newest(); !newest.IsZero() {
		parts = append(parts, env.Day(newest))
	}
	if s.signature.Status == trust.Mismatch {
		parts = append(parts, s.Signed(t))
	}
	return diag.Printable(fmt.Sprintf("%s (%s)", text, strings.Join(parts, ", ")))
}

// Source returns the report as pages show it.
func (s Stored) Source() results.Source {
	source := results.Source{Report: s.Report, Local: s.Local}
	if s.signature.Status == trust.Mismatch {
		source.Signature.State = results.SignedOther
	}
	return source
}

// Signed returns the verdict on the signature, or "" if there is none.
func (s Stored) Signed(t env.Catalog) string {
	switch s.signature.Status {
	case trust.Signed:
		return t.Get("signed_by", "name", s.signature.By)
	case trust.Unknown, trust.OtherMachine:
		return t.Get("signature_unknown", "why", s.signature.Reason.In(t.Catalog))
	case trust.Mismatch:
		return t.Get("signature_mismatch", "why", s.signature.Reason.In(t.Catalog))
	}
	return ""
}

// localDir is the folder of the reports of --verify, below the site's folder.
const localDir = PrivateDir + "/" + ResultsDir

// Reports reads the reports that the arguments name, machines or files, or all reports of the site.
// Those that cannot be read are among the diagnostics.
func Reports(a *env.Env, args []string) ([]Stored, diag.List, error) {
	if len(args) == 0 {
		return AllReports(a)
	}
	var out []Stored
	var diags diag.List
	for _, arg := range args {
		found, problems, err := ReportsOf(a, arg)
		if err != nil {
			return nil, nil, err
		}
		out, diags = append(out, found...), append(diags, problems...)
	}
	return out, diags, nil
}

func AllReports(a *env.Env) ([]Stored, diag.List, error) {
	fsys, err := OpenSite(a)
	if err != nil {
		return nil, nil, err
	}
	config, _ := config.Read(fsys) // without it all signers are unknown
	committed, diags := ReadReports(fsys, config)
	diags.Add(Unreadable(committed)...)
	var out []Stored
	for _, c := range committed {
		if c.fault == nil {
			out = append(out, Stored{Report: c.report, File: a.Path(c.name), signature: c.verdict})
		}
	}
	local, problems := report.ReadDir(fsys, localDir)
	for _, r := range local {
		out = append(out, Stored{Report: r, File: a.Path(localDir, r.Machine.Name+".json"), Local: true})
	}
	diags = append(diags, problems...)
	if len(out) == 0 && len(diags) == 0 {
		return nil, nil, env.Usage(diag.Say("cli.fault-no-reports-hint"), diag.Say("cli.fault-no-reports", "folder", a.Path(ResultsDir)))
	}
	return out, diags, nil
}

// ReportsOf reads what one argument names: a file, or the reports of a machine.
func ReportsOf(a *env.Env, arg string) (out []Stored, diags diag.List, err error) {
	if IsFile(arg) {
		r, err := report.ReadFile(arg)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, nil, env.Usage(diag.Say("report.argument-file-missing-hint"), diag.Say("report.argument-file-missing", "file", arg))
		case err != nil:
			return nil, diag.List{diag.Unreadable(arg, err)}, nil
		}
		if d, warned := report.Ahead(arg, r); warned {
			diags.Add(d)
		}
		return []Stored{{Report: r, File: arg}}, diags, nil
	}
	if err := report.CheckOldName(arg); err != nil {
		return nil, nil, env.Usage(diag.Say("report.file-argument-hint"), err)
	}
	all, problems, err := AllReports(a)
	if err != nil {
		return nil, nil, err
	}
	for _, s := range all {
		if s.Machine.Name == arg {
			out = append(out, s)
		}
	}
	for _, d := range problems {
		if name := path.Base(d.File); name == arg+".json" || name == arg+".json"+report.SignatureExtension {
			diags = append(diags, d)
		}
	}
	if len(out) == 0 && len(diags) == 0 {
		return nil, nil, env.Usage(diag.Suggest(arg, Machines(a), diag.Say("report.show-all-hint")), diag.Say("report.machine-unknown", "name", arg))
	}
	return out, diags, nil
}

func IsFile(arg string) bool {
	return strings.ContainsRune(arg, '/') || strings.ContainsRune(arg, filepath.Separator) || strings.HasSuffix(arg, ".json")
}

// Machines returns the names of all machines with a report of the site, by their files.
func Machines(a *env.Env) []string {
	names := map[string]bool{}
	for _, dir := range []string{ResultsDir, localDir} {
		entries, _ := os.ReadDir(a.Path(dir)) // without the folder there are none
		for _, e := range entries {
			name, isReport := strings.CutSuffix(e.Name(), ".json")
			if isReport && !e.IsDir() && report.CheckOldName(name) == nil {
				names[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// CompleteMachines makes shells complete names of machines. The directive says whether files are completed too.
func CompleteMachines(a *env.Env, directive cobra.ShellCompDirective) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return Machines(a), directive
	}
}

// CompleteMachineFlag makes shells complete --machine of a command.
func CompleteMachineFlag(a *env.Env, c *cobra.Command) {
	_ = c.RegisterFlagCompletionFunc("machine", CompleteMachines(a, cobra.ShellCompDirectiveNoFileComp))
}

// NeedsVerify returns an error if --machine would have no effect.
func NeedsVerify(c *cobra.Command, verify bool) error {
	if c.Flags().Changed("machine") && !verify {
		return env.Usage(diag.Say("cli.machine-without-verify-hint"), diag.Say("cli.machine-without-verify"))
	}
	return nil
}

// WarnUnreadable prints the diagnostics of reports. It returns an error if some reports could not
// be read.
func WarnUnreadable(a *env.Env, l diag.List) error {
	a.Print(l)
	if n := l.Count(diag.Error); n > 0 {
		return env.Usage(diag.Text{}, diag.Say("cli.fault-unread", "files", diag.Say("cli.files", "n", n)))
	}
	return nil
}

// LocalMachine names the machine of build --verify and serve --verify.
const LocalMachine = "local"

// MachineVariable names the machine if no flag does.
const MachineVariable = "GPUDOCS_MACHINE"

func ReportFile(a *env.Env, file, machine string) string {
	if file != "" {
		return file
	}
	return a.Path(ResultsDir, machine+".json")
}

// PreviousReport reads the report that a run continues, nil if there is none. One that cannot be
// read is an error, so that it is never replaced.
func PreviousReport(file, machine string) (*report.Report, error) {
	f, err := PreviousFile(file, machine)
	return f.Report, err
}

// PreviousFile reads the file of the report that a run continues. Its Report is nil if there is no
// such file.
func PreviousFile(file, machine string) (f report.File, err error) {
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
		return report.File{}, env.Usage(d.Hint, diag.Say("verify.report-not-continuable", "file", file, "why", d.Message))
	} else if err != nil {
		return report.File{}, env.Usage(diag.Say("verify.report-unreadable-hint"), diag.Say("verify.report-unreadable", "file", file, "why", err))
	}
	return f, nil
}

// WriteLocal writes the report of this machine to the private folder.
func WriteLocal(a *env.Env, r *report.Report) error {
	if err := Gitignore(a.Path(PrivateDir)); err != nil {
		return err
	}
	return report.Write(LocalReport(a, r.Machine.Name), r)
}

// Gitignore makes git ignore a folder, even if the site's own .gitignore does not name it.
func Gitignore(dir string) error {
	file := filepath.Join(dir, ".gitignore")
	if _, err := os.Stat(file); err == nil {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, []byte("*\n"), 0o644)
}

func LocalReport(a *env.Env, machine string) string {
	return a.Path(PrivateDir, ResultsDir, machine+".json")
}
