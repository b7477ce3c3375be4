package main

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

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/trust"
)

func newReport(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "report",
		Short: "Look at reports, compare, merge and prune them",
		Long: `Report works on the reports that verify has written: those in results/, and those
of build --verify and serve --verify in .gpudocs/results/. It runs no check.`,
		Example: `  gpudocs report show deepnine
  gpudocs report diff deepnine deepten
  gpudocs report merge deepnine
  gpudocs report prune --dry-run`,
		Args: cobra.NoArgs,
		RunE: whichCommand,
	}
	c.AddCommand(newReportShow(a), newReportDiff(a), newReportMerge(a), newReportPrune(a))
	return c
}

// A stored report is one that was read, and from where.
type stored struct {
	*report.Report
	// file is its path for people, local tells that it lies in the private folder.
	file  string
	local bool
	// rev is the commit of an older version.
	rev string
	// signature is what a report of results/ is signed with.
	signature trust.Verdict
}

// title names it in a heading.
func (s stored) title(w words) string {
	text := s.Machine.Name
	if s.rev != "" {
		text += "@" + s.rev[:min(len(s.rev), 10)]
	}
	var parts []string
	if s.file != "" {
		parts = append(parts, s.file)
	}
	if t := s.Newest(); !t.IsZero() {
		parts = append(parts, day(t))
	}
	if s.signature.Status == trust.Mismatch {
		parts = append(parts, s.signed(w))
	}
	return diag.Printable(fmt.Sprintf("%s (%s)", text, strings.Join(parts, ", ")))
}

// signed says what the signature is worth, and nothing of a report without one.
func (s stored) signed(w words) string {
	switch s.signature.Status {
	case trust.Signed:
		return w.Get("signed_by", "name", s.signature.By)
	case trust.Unknown, trust.OtherMachine:
		return w.Get("signature_unknown", "why", s.signature.Reason.In(w.catalog()))
	case trust.Mismatch:
		return w.Get("signature_mismatch", "why", s.signature.Reason.In(w.catalog()))
	}
	return ""
}

// localDir is where --verify keeps reports, below the site's folder.
const localDir = privateDir + "/" + resultsDir

// reports reads those that the arguments name, machines or files, or all of the
// site. Those that cannot be read are among the diagnostics.
func (a *app) reports(args []string) ([]stored, diag.List, error) {
	if len(args) == 0 {
		return a.allReports()
	}
	var out []stored
	var diags diag.List
	for _, arg := range args {
		found, problems, err := a.reportsOf(arg)
		if err != nil {
			return nil, nil, err
		}
		out, diags = append(out, found...), append(diags, problems...)
	}
	return out, diags, nil
}

func (a *app) allReports() ([]stored, diag.List, error) {
	fsys, err := a.openSite()
	if err != nil {
		return nil, nil, err
	}
	config, _ := content.ReadConfig(fsys) // without it nobody's signature is known
	committed, diags := readReports(fsys, config)
	diags.Add(unreadable(committed)...)
	var out []stored
	for _, j := range committed {
		if j.fault != nil {
			continue
		}
		out = append(out, stored{Report: j.report, file: a.path(j.name), signature: j.verdict})
	}
	local, problems := report.ReadDir(fsys, localDir)
	for _, r := range local {
		out = append(out, stored{Report: r, file: a.path(localDir, r.Machine.Name+".json"), local: true})
	}
	diags = append(diags, problems...)
	if len(out) == 0 && len(diags) == 0 {
		return nil, nil, a.fault("no_reports", "folder", a.path(resultsDir))
	}
	return out, diags, nil
}

// reportsOf reads what one argument names: a file, or the reports of a machine.
func (a *app) reportsOf(arg string) (out []stored, diags diag.List, err error) {
	if isFile(arg) {
		r, err := report.ReadFile(arg)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, nil, usage("name a machine, or the file of a report", "there is no file %s", arg)
		case err != nil:
			return nil, diag.List{diag.Unreadable(arg, err)}, nil
		}
		return []stored{{Report: r, file: arg}}, nil, nil
	}
	if err := report.CheckOldName(arg); err != nil {
		return nil, nil, usage("a file is named with a slash or with .json", "%v", err)
	}
	all, problems, err := a.allReports()
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
		return nil, nil, usage(diag.Suggest(arg, a.machines(), diag.Say("gpudocs report show lists all")), "there is no report of machine %q", arg)
	}
	return out, diags, nil
}

func isFile(arg string) bool {
	return strings.ContainsRune(arg, '/') || strings.ContainsRune(arg, filepath.Separator) || strings.HasSuffix(arg, ".json")
}

// machines are the names of all reports of the site, by their files.
func (a *app) machines() []string {
	names := map[string]bool{}
	for _, dir := range []string{resultsDir, localDir} {
		entries, _ := os.ReadDir(a.path(dir)) // without the folder there are none
		for _, e := range entries {
			name, isReport := strings.CutSuffix(e.Name(), ".json")
			if isReport && !e.IsDir() && report.CheckOldName(name) == nil {
				names[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// completeMachines completes names of machines, or files where with is set.
func (a *app) completeMachines(with cobra.ShellCompDirective) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return a.machines(), with
	}
}

// completeMachineFlag has --machine of a command completed.
func (a *app) completeMachineFlag(c *cobra.Command) {
	_ = c.RegisterFlagCompletionFunc("machine", a.completeMachines(cobra.ShellCompDirectiveNoFileComp))
}

// unreadable prints what is wrong with reports, and ends the command where some
// could not be read.
func (a *app) unreadable(l diag.List) error {
	a.print(l)
	if n := l.Count(diag.Error); n > 0 {
		return a.ending(exitUsage, "unread", []string{"files", inEnglish().Count("files", n)}, []string{"files", a.w.Count("files", n)})
	}
	return nil
}
