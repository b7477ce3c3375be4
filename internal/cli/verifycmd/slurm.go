package verifycmd

import (
	"context"
	"errors"
	"fmt"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/workspace"
	"github.com/gpudocs/gpudocs/internal/machine/slurm"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/verify"
	"github.com/gpudocs/gpudocs/internal/verify/remote"
	"github.com/gpudocs/gpudocs/internal/verify/remote/slurmjob"
)

// verifySlurm runs the plan in jobs of Slurm, and prints their output.
func verifySlurm(ctx context.Context, a *env.Env, f *verifyFlags, site *site.Site, plan *verify.Plan, paths []string) error {
	if f.update {
		return env.Usage(diag.Say("verify.update-excludes-slurm-hint"), diag.Say("verify.update-excludes-slurm"))
	}
	jobs, err := slurmJobs(ctx, a, f)
	if err != nil {
		return err
	}
	if err := workspace.Gitignore(a.Path(workspace.PrivateDir)); err != nil {
		return diag.Say("verify.nothing-run", "why", err)
	}
	run := remoteRun{work: "work_jobs"}
	for _, o := range jobs {
		labels, err := o.Labels(a.Path(workspace.ResultsDir))
		if err != nil {
			return err
		}
		run.labels = append(run.labels, labels...)
		run.targets = append(run.targets, o)
	}
	prefixed := len(jobs) > 1 || jobs[0].Machine.PerNode()
	run.Line = func(label, line string) {
		if prefixed {
			line = label + ": " + line
		}
		a.Around(func() { fmt.Fprintln(a.Stdout, line) })
	}
	run.Step = func(label string, s remote.Step, detail diag.Text) { run.Line(label, jobStep(a, s, detail)) }
	run.wrote = run.Line
	run.Ended = func(results []remote.Result) {
		for _, r := range results {
			if r.Err != nil {
				run.Line(r.Label, a.Text.Error(r.Err))
			}
		}
	}
	results, err := verifyRemote(ctx, a, f, run, site, plan, paths)
	if err != nil {
		return err
	}
	return worst(ctx, results)
}

// jobStep returns what happened to a job.
func jobStep(a *env.Env, s remote.Step, detail diag.Text) string {
	switch s {
	case remote.Submitted:
		return a.Text.Get("job_submitted", "id", a.Text.Say(detail))
	case remote.Rejected:
		return a.Text.Get("job_rejected", "why", a.Text.Say(detail))
	case remote.Waiting:
		return a.Text.Get("job_waiting", "why", a.Text.Say(detail))
	case remote.Running:
		return a.Text.Get("job_running")
	case remote.Nameless:
		return a.Text.Get("job_nameless")
	}
	return a.Text.Say(detail)
}

// slurmJobs parses --slurm, and makes sure that each report has a name.
func slurmJobs(ctx context.Context, a *env.Env, f *verifyFlags) (jobs []slurmjob.Allocation, err error) {
	if a.Slurm.Wait <= 0 {
		return nil, env.Usage(diag.Say("verify.slurm-wait-invalid-hint"), diag.Say("verify.slurm-wait-invalid", "time", a.Slurm.Wait))
	}
	if !slurm.Installed() {
		return nil, env.Usage(diag.Say("verify.slurm-missing-hint"), diag.Say("verify.slurm-missing", "program", slurm.Program))
	}
	taken := map[slurmjob.Label]bool{}
	for _, text := range a.Slurm.Options {
		o, err := parseJob(text)
		if err != nil {
			return nil, err
		}
		if err := nameJob(ctx, a, f, &o); err != nil {
			return nil, err
		}
		if taken[o.Machine] {
			return nil, env.Usage(diag.Say("verify.job-report-duplicate-hint"), diag.Say("verify.job-report-duplicate", "name", o.Machine))
		}
		taken[o.Machine] = true
		jobs = append(jobs, o)
	}
	return jobs, nil
}

func parseJob(text string) (slurmjob.Allocation, error) {
	o, err := slurmjob.Parse(text)
	if err != nil {
		return o, env.Usage(diag.Say("verify.slurm-hint"), diag.Say("verify.slurm-invalid", "options", text, "why", err))
	}
	return o, nil
}

// nameJob finds the label of a job's reports.
func nameJob(ctx context.Context, a *env.Env, f *verifyFlags, o *slurmjob.Allocation) error {
	several := len(a.Slurm.Options) > 1
	switch {
	case o.Machine != "" && f.machine != "" || several && f.machine != "":
		return env.Usage(diag.Say("verify.machine-many-reports-hint"), diag.Say("verify.machine-many-reports", "name", f.machine))
	case o.Machine == "" && several:
		return env.Usage(diag.Say("verify.slurm-report-unnamed-hint", "name", o.Text), diag.Say("verify.slurm-report-unnamed", "options", o.Text))
	case o.Machine == "" && f.machine != "":
		named, err := slurmjob.Parse(o.Text + ",machine=" + f.machine)
		if err != nil {
			return env.Usage(diag.Text{}, diag.Say("verify.machine-invalid", "name", f.machine, "why", err))
		}
		*o = named
	case o.Machine == "":
		name, err := machineName(ctx, a, "")
		if err != nil {
			return err
		}
		o.Machine = slurmjob.Label(name)
	}
	if err := report.CheckName(o.Machine.Of(0, "n")); err != nil {
		return env.Usage(diag.Text{}, err)
	}
	if f.report != "" && (several || o.Machine.PerNode()) {
		return env.Usage(diag.Say("verify.report-flag-many-reports-hint"), diag.Say("verify.report-flag-many-reports", "file", f.report))
	}
	return checkReportFlag(a, f.report, string(o.Machine))
}

// planJobs prints what Slurm says of the jobs that would be submitted.
func planJobs(ctx context.Context, a *env.Env, plan *verify.Plan) error {
	var blocks []*site.Block
	for _, s := range plan.Sessions {
		for _, b := range s.Chosen() {
			if b.Kind == site.Sbatch {
				blocks = append(blocks, b)
			}
		}
	}
	if len(blocks) == 0 && len(a.Slurm.Options) == 0 {
		return nil
	}
	if !slurm.Installed() {
		fmt.Fprintln(a.Stdout, a.Text.Get("slurm_absent", "program", slurm.Program))
		return nil
	}
	fmt.Fprintln(a.Stdout, a.Text.Get("slurm_says"))
	refused := false
	show := func(what, verdict string, err error) error {
		var rejected *slurm.Rejected
		switch {
		case errors.As(err, &rejected):
			refused = true
			fmt.Fprintf(a.Stdout, "  %s  %s\n", what, a.Text.Get("slurm_rejects", "why", err.Error()))
		case err != nil:
			return err
		default:
			fmt.Fprintf(a.Stdout, "  %s  %s\n", what, verdict)
		}
		return nil
	}
	for _, b := range blocks {
		verdict, err := verify.JobTest(ctx, b)
		if err := show(fmt.Sprintf("%s  %s", b.Place(b.Line).Text().In(a.Text.Catalog), b.CheckName()), verdict, err); err != nil {
			return err
		}
	}
	for _, text := range a.Slurm.Options {
		o, err := parseJob(text)
		if err != nil {
			return err
		}
		verdict, err := o.Test(ctx)
		if err := show("--slurm "+text, verdict, err); err != nil {
			return err
		}
	}
	if refused {
		return env.ExitCode(env.ExitFailed)
	}
	return nil
}
