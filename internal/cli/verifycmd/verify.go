package verifycmd

import (
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/exit"
	"github.com/gpudocs/gpudocs/internal/project"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/verify"
	"github.com/gpudocs/gpudocs/internal/verify/remote/ssh"
)

func NewVerify(a *env.Env) *cobra.Command {
	f := &verifyFlags{}
	c := &cobra.Command{
		Use: "verify [PATH...]",
		RunE: func(c *cobra.Command, args []string) error {
			f.news.begin(a)
			return f.outputs.Around(a, func() error { return runVerify(c.Context(), a, f, args) })
		},
	}
	f.add(c)
	return c
}

// A verification is what verify was asked to do, and for which site.
type verification struct {
	*env.Env
	*verifyFlags
	project *project.Project
	site    *site.Site
	plan    *verify.Plan
	paths   []string // of the command line, below the site's folder
	hosts   []ssh.Host
}

func runVerify(ctx context.Context, a *env.Env, f *verifyFlags, paths []string) error {
	hosts, err := f.check()
	if err != nil {
		return err
	}
	p, err := a.Open()
	if err != nil {
		return err
	}
	content, diags, err := readSite(a, p, true)
	if err != nil {
		return err
	}
	if f.drift != "" {
		drift, ok := site.ParseDrift(f.drift)
		if !ok {
			return diag.Wrong(diag.Say("config.drift-invalid", "text", f.drift))
		}
		content.Config.Verify.Drift = drift
	}
	filter := verify.Filter{Names: f.run}
	if filter.Paths, err = p.Below(paths); err != nil {
		return err
	}
	plan, err := verify.NewPlan(content, filter)
	if err != nil {
		return diag.Wrong(diag.Plain(err).WithHint(diag.Say("verify.list-blocks-hint")))
	}
	faults := printFaults(a, content, filter, diags)
	v := &verification{a, f, p, content, plan, filter.Paths, hosts}
	switch {
	case f.plan:
		err = errors.Join(v.showPlan(), v.planHosts(), v.planJobs(ctx))
	case len(f.slurm.options) > 0:
		err = v.onSlurm(ctx)
	case len(hosts) > 0:
		err = v.onHosts(ctx)
	default:
		err = v.here(ctx)
	}
	if e := exit.Of(err); len(faults) > 0 && e.Code <= exit.Failed && e.Cause == nil {
		return exit.Incomplete(faults, "run", plan.Unread(filter))
	}
	return err
}

// printFaults prints what is wrong with the chosen pages: their errors, which it returns, and blocks that could run.
func printFaults(a *env.Env, s *site.Site, filter verify.Filter, diags diag.List) (faults diag.List) {
	var included []string
	for _, p := range s.Pages {
		if filter.Chooses(p.Source.Name) {
			included = append(included, p.Includes...)
		}
	}
	var runnable diag.List
	for _, d := range diags {
		chosen := filter.Chooses(d.File)
		if d.Severity == diag.Error && (chosen || slices.Contains(included, d.File)) {
			faults.Add(d)
		}
		if d.Rule == site.RuleRunnable && chosen {
			runnable.Add(d)
		}
	}
	a.Print(slices.Concat(faults, runnable))
	return faults
}

// readSite loads the site for a run. If nothing of it can be run, it prints the diagnostics and
// returns an error.
func readSite(a *env.Env, p *project.Project, drafts bool) (*site.Site, diag.List, error) {
	site, diags := load.Load(p.FS, load.Options{Drafts: drafts})
	if site == nil || site.Unusable {
		a.Print(diags)
		return nil, nil, exit.Content(diags, "nothing_run")
	}
	return site, diags, nil
}
