package verifycmd

import (
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/workspace"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/verify"
)

func NewVerify(a *env.Env) *cobra.Command {
	f := &verifyFlags{}
	c := &cobra.Command{
		Use:  "verify [PATH...]",
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			f.news.begin(a)
			return a.WithOutputs(&f.outputs, func() error { return runVerify(c.Context(), a, f, args) })
		},
	}
	c.Flags().StringVar(&f.machine, "machine", "", "")
	c.Flags().StringVar(&f.report, "report", "", "")
	c.Flags().StringVar(&f.sign, "sign", "", "")
	c.Flags().BoolVar(&f.plan, "plan", false, "")
	c.Flags().BoolVar(&f.update, "update", false, "")
	c.Flags().BoolVar(&f.yes, "yes", false, "")
	c.Flags().StringArrayVar(&f.run, "run", nil, "")
	a.Slurm.Register(c)
	c.Flags().DurationVar(&f.timeout, "timeout", 0, "")
	c.Flags().BoolVar(&f.rerun, "rerun", false, "")
	c.Flags().BoolVar(&f.sync, "sync", false, "")
	c.Flags().StringVar(&f.drift, "drift", "", "")
	c.Flags().IntVar(&f.jobs, "jobs", 0, "")
	c.Flags().StringVar(&f.outputs.JUnit, "junit", "", "")
	c.Flags().BoolVar(&f.outputs.JSON, "json", false, "")
	workspace.CompleteMachineFlag(a, c)
	f.hosts.add(c)
	f.news.add(c)
	return c
}

func runVerify(ctx context.Context, a *env.Env, f *verifyFlags, paths []string) error {
	if f.timeout < 0 || f.timeout > site.MaxTimeout {
		return env.Usage(diag.Say("verify.timeout-invalid-hint"), diag.Say("verify.timeout-invalid", "timeout", f.timeout))
	}
	if err := f.updateFlags.check(f.plan); err != nil {
		return err
	}
	if err := f.news.check(); err != nil {
		return err
	}
	if f.jobs < 0 {
		return env.Usage(diag.Say("verify.jobs-invalid-hint"), diag.Say("verify.jobs-invalid", "n", f.jobs))
	}
	hosts, err := f.hosts.parse()
	if err != nil {
		return err
	}
	fsys, err := workspace.OpenSite(a)
	if err != nil {
		return err
	}
	content, diags, err := readSite(a, fsys, true)
	if err != nil {
		return err
	}
	if f.drift != "" {
		if content.Config.Verify.Drift, err = parseDrift(f.drift); err != nil {
			return err
		}
	}
	filter := verify.Filter{Names: f.run}
	if filter.Paths, err = workspace.Below(a, paths); err != nil {
		return err
	}
	plan, err := verify.NewPlan(content, filter)
	if err != nil {
		return env.Usage(diag.Say("verify.list-blocks-hint"), err)
	}
	var included []string
	for _, p := range content.Pages {
		if filter.Chooses(p.Source.Name) {
			included = append(included, p.Includes...)
		}
	}
	faults := slices.DeleteFunc(slices.Clone(diags), func(d diag.Diagnostic) bool {
		return d.Severity != diag.Error || !filter.Chooses(d.File) && !slices.Contains(included, d.File)
	})
	a.Print(append(faults, slices.DeleteFunc(diags, func(d diag.Diagnostic) bool { return d.Rule != site.RuleRunnable || !filter.Chooses(d.File) })...))
	switch {
	case f.plan:
		err = errors.Join(showPlan(a, plan, content.Config, f), printHosts(a, hosts), planJobs(ctx, a, plan))
	case len(a.Slurm.Options) > 0:
		err = verifySlurm(ctx, a, f, content, plan, filter.Paths)
	case len(hosts) > 0:
		err = verifyHosts(ctx, a, f, hosts, content, plan, filter.Paths)
	default:
		err = verifyHere(ctx, a, f, content, plan)
	}
	if e := env.ExitOf(err); len(faults) > 0 && e.Code <= env.ExitFailed && e.Cause == nil {
		return a.Incomplete(faults, "run", plan.Unread(filter))
	}
	return err
}

func parseDrift(text string) (site.Drift, error) {
	d, ok := site.ParseDrift(text)
	if !ok {
		return d, env.Usage(diag.Say("config.drift-invalid-hint"), diag.Say("config.drift-invalid", "text", text))
	}
	return d, nil
}
