package reportcmd

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/workspace"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

type pruneFlags struct {
	dryRun  bool
	sign    string
	history int
	older   age
}

func newReportPrune(a *env.Env) *cobra.Command {
	f := &pruneFlags{}
	c := &cobra.Command{
		Use:               "prune [MACHINE...]",
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: workspace.CompleteMachines(a, cobra.ShellCompDirectiveNoFileComp),
		RunE:              func(c *cobra.Command, args []string) error { return runPrune(c.Context(), a, f, args) },
	}
	c.Flags().BoolVar(&f.dryRun, "dry-run", false, "")
	c.Flags().IntVar(&f.history, "history", report.MaxHistory, "")
	c.Flags().StringVar(&f.sign, "sign", "", "")
	c.Flags().Var(&f.older, "older", "")
	return c
}

// An age is a flag for a duration in days, weeks or years, or in Go's form.
type age time.Duration

var ages = regexp.MustCompile(`^([0-9]{1,5})([dwy])$`)

func (d *age) Set(s string) error {
	days := map[string]int{"d": 1, "w": 7, "y": 365}
	if m := ages.FindStringSubmatch(s); m != nil {
		n, _ := strconv.Atoi(m[1])
		*d = age(time.Duration(n*days[m[2]]) * 24 * time.Hour)
	} else if t, err := time.ParseDuration(s); err == nil {
		*d = age(t)
	}
	if *d <= 0 || *d > age(200*365*24*time.Hour) {
		return diag.Say("report.older-invalid")
	}
	return nil
}

func (d *age) String() string {
	if *d == 0 {
		return ""
	}
	return time.Duration(*d).String()
}

func (d *age) Type() string { return "age" }

func runPrune(ctx context.Context, a *env.Env, f *pruneFlags, machines []string) error {
	if f.history < 0 {
		return env.Usage(diag.Say("report.history-invalid-hint"), diag.Say("report.history-invalid", "n", f.history))
	}
	for _, m := range machines {
		if err := report.CheckOldName(m); err != nil {
			return env.Usage(diag.Say("report.prune-machines-hint"), err)
		}
	}
	fsys, err := workspace.OpenSite(a)
	if err != nil {
		return err
	}
	site, problems := load.Load(fsys, load.Options{Drafts: true, Editing: true})
	if problems.HasErrors() {
		a.Print(problems)
		return a.Broken(problems, "nothing_written")
	}
	reports, diags, err := workspace.Reports(a, machines)
	if err != nil {
		return err
	}
	signer, err := workspace.NewReportSigner(ctx, a, fsys, site.Config, f.sign)
	if err != nil {
		return err
	}
	o := report.PruneOptions{History: f.history}
	if f.older > 0 {
		o.Before = time.Now().Add(-time.Duration(f.older))
	}
	held := checksOf(site)
	for _, s := range reports {
		if err := pruneOne(a, s, held, o, signer, f.dryRun); err != nil {
			return err
		}
	}
	return workspace.WarnUnreadable(a, diags)
}

// checksOf returns the checks of a site and their places.
func checksOf(s *site.Site) report.Held {
	held := report.Held{}
	for _, p := range s.Pages {
		for _, b := range p.Runs() {
			for _, c := range b.Checks() {
				held[c.ID] = append(held[c.ID], report.Spot{Page: p.Key, Name: c.Name})
			}
		}
	}
	return held
}

// whyGone has the key of a text for each reason.
var whyGone = map[report.Why]string{report.GoneBlock: "prune_gone", report.Replaced: "prune_replaced", report.TooOld: "prune_old"}

func pruneOne(a *env.Env, s workspace.Stored, held report.Held, o report.PruneOptions, signer *workspace.ReportSigner, dry bool) error {
	previous := report.File{Report: s.Report}
	if !dry {
		release, err := workspace.Lock(a, s.Machine.Name)
		if err != nil {
			return err
		}
		defer release()
		// Read it again, because a run may have written it before the lock was taken.
		if previous, err = workspace.PreviousFile(s.File, s.Machine.Name); err != nil {
			return err
		}
	}
	if previous.Report == nil {
		return nil // it was removed meanwhile
	}
	out, gone := report.Prune(previous.Report, held, o)
	p := a.NewPrinter()
	printPruned(&p, s.File, len(previous.Report.Checks), gone)
	if len(gone.Gone)+gone.Past == 0 {
		return p.Err
	}
	if dry {
		p.Text(2, "--dry-run: "+a.Text.Get("nothing_written"))
		return p.Err
	}
	if err := signer.MayCount(s.Machine.Name); err != nil {
		return err
	}
	if err := signer.MayContinue(s.File, previous); err != nil {
		return err
	}
	if err := workspace.Write(a, s.File, out, signer); err != nil {
		return diag.Say("diag.error-at", "place", s.File, "why", err)
	}
	return p.Err
}

// printPruned writes which results of a report are removed.
func printPruned(p *env.Printer, file string, results int, gone report.Pruned) {
	t := p.Catalog
	if len(gone.Gone)+gone.Past == 0 {
		p.Text(0, t.Get("prune_nothing", "file", file))
		return
	}
	past := ""
	if gone.Past > 0 {
		past = t.Count("prune_past", gone.Past)
	}
	p.Text(0, t.Get("prune_out", "file", file, "n", strconv.Itoa(len(gone.Gone)), "results", t.Count("prune_results", results), "past", past))
	for _, g := range gone.Gone {
		p.Text(2, fmt.Sprintf("%s: %s (%s, %s): %s", g.Check.Page, g.Check.Name, t.Stands(g.Check), env.Day(g.Check.Ran), t.Get(whyGone[g.Why])))
	}
}
