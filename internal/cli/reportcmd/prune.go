package reportcmd

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/exit"
	"github.com/gpudocs/gpudocs/internal/cli/verifycmd"
	"github.com/gpudocs/gpudocs/internal/cli/words"
	"github.com/gpudocs/gpudocs/internal/project"
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
		ValidArgsFunction: completeMachines(a, cobra.ShellCompDirectiveNoFileComp),
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
		return diag.Wrong(diag.Say("report.history-invalid", "n", f.history))
	}
	for _, m := range machines {
		if err := report.CheckOldName(m); err != nil {
			return diag.Wrong(diag.Plain(err).WithHint(diag.Say("report.prune-machines-hint")))
		}
	}
	p, reports, diags, err := readReports(a, machines)
	if err != nil {
		return err
	}
	site, problems := load.Load(p.FS, load.Options{Drafts: true, Editing: true})
	if problems.HasErrors() {
		a.Print(problems)
		return exit.Content(problems, "nothing_written")
	}
	signer, err := verifycmd.OpenSigner(ctx, a, p, site.Config, f.sign)
	if err != nil {
		return err
	}
	o := report.PruneOptions{History: f.history}
	if f.older > 0 {
		o.Before = time.Now().Add(-time.Duration(f.older))
	}
	pruner := pruner{a, p, checksOf(site), o, signer, f.dryRun}
	for _, r := range reports {
		if err := pruner.prune(r); err != nil {
			return err
		}
	}
	return warnUnreadable(a, diags)
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

// A pruner removes old results from reports.
type pruner struct {
	*env.Env
	project *project.Project
	held    report.Held
	options report.PruneOptions
	signer  *project.Signer
	dry     bool
}

func (p *pruner) prune(r project.Report) error {
	previous := report.File{Report: r.Report}
	if !p.dry {
		release, err := p.project.Lock(r.Machine.Name)
		if err != nil {
			return err
		}
		defer release()
		// Read it again, because a run may have written it before the lock was taken.
		if previous, err = project.Previous(r.File, r.Machine.Name); err != nil {
			return err
		}
	}
	if previous.Report == nil {
		return nil // it was removed meanwhile
	}
	out, gone := report.Prune(previous.Report, p.held, p.options)
	printPruned(p.Env, r.File, len(previous.Report.Checks), gone)
	if len(gone.Gone)+gone.Past == 0 {
		return nil
	}
	if p.dry {
		p.Indented(2, "--dry-run: "+p.Text.Get("nothing_written"))
		return nil
	}
	if err := p.signer.MayCount(r.Machine.Name); err != nil {
		return err
	}
	if err := p.signer.MayContinue(r.File, previous); err != nil {
		return err
	}
	if err := verifycmd.WriteReport(p.Env, p.signer, r.File, out); err != nil {
		return diag.Say("diag.error-at", "place", r.File, "why", err)
	}
	return nil
}

// printPruned writes which results of a report are removed.
func printPruned(a *env.Env, file string, results int, gone report.Pruned) {
	t := a.Text
	if len(gone.Gone)+gone.Past == 0 {
		a.Indented(0, t.Get("prune_nothing", "file", file))
		return
	}
	past := ""
	if gone.Past > 0 {
		past = t.Count("prune_past", gone.Past)
	}
	n := strconv.Itoa(len(gone.Gone))
	a.Indented(0, t.Get("prune_out", "file", file, "n", n, "results", t.Count("prune_results", results), "past", past))
	for _, g := range gone.Gone {
		stood := words.Stands(t, g.Check) + ", " + words.Day(g.Check.Ran)
		a.Indented(2, fmt.Sprintf("%s: %s (%s): %s", g.Check.Page, g.Check.Name, stood, t.Get(whyGone[g.Why])))
	}
}
