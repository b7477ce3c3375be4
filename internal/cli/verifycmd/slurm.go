package verifycmd

import (
	"context"
	"errors"
	"fmt"

	"github.com/gpudocs/gpudocs/internal/cli/exit"
	"github.com/gpudocs/gpudocs/internal/machine/slurm"
	"github.com/gpudocs/gpudocs/internal/project"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/verify"
	"github.com/gpudocs/gpudocs/internal/verify/remote"
	"github.com/gpudocs/gpudocs/internal/verify/remote/slurmjob"
)

// onSlurm runs the plan in jobs of Slurm, and prints their output.
func (v *verification) onSlurm(ctx context.Context) error {
	if v.update {
		return diag.Wrong(diag.Say("verify.update-excludes-slurm"))
	}
	jobs, err := v.slurmJobs(ctx)
	if err != nil {
		return err
	}
	if err := v.project.MakePrivate(); err != nil {
		return diag.Say("verify.nothing-run", "why", err)
	}
	run := remoteRun{work: "work_jobs"}
	for _, o := range jobs {
		labels, err := o.Labels(v.project.Path(project.ResultsDir))
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
		v.Around(func() { fmt.Fprintln(v.Stdout, line) })
	}
	run.Step = func(label string, s remote.Step, detail diag.Text) { run.Line(label, jobStep(v.Text, s, detail)) }
	run.wrote = run.Line
	run.Ended = func(results []remote.Result) {
		for _, r := range results {
			if r.Err != nil {
				run.Line(r.Label, v.Text.Error(r.Err))
			}
		}
	}
	results, err := v.remotely(ctx, run)
	if err != nil {
		return err
	}
	return worst(ctx, results)
}

// jobStep returns what happened to a job.
func jobStep(t text.Catalog, s remote.Step, detail diag.Text) string {
	switch s {
	case remote.Submitted:
		return t.Get("job_submitted", "id", t.Say(detail))
	case remote.Rejected:
		return t.Get("job_rejected", "why", t.Say(detail))
	case remote.Waiting:
		return t.Get("job_waiting", "why", t.Say(detail))
	case remote.Running:
		return t.Get("job_running")
	case remote.Nameless:
		return t.Get("job_nameless")
	}
	return t.Say(detail)
}

// slurmJobs parses --slurm, and makes sure that each report has a name.
func (v *verification) slurmJobs(ctx context.Context) (jobs []slurmjob.Allocation, err error) {
	if v.slurm.wait <= 0 {
		return nil, diag.Wrong(diag.Say("verify.slurm-wait-invalid", "time", v.slurm.wait))
	}
	if !slurm.Installed() {
		return nil, diag.Wrong(diag.Say("verify.slurm-missing", "program", slurm.Program))
	}
	taken := map[slurmjob.Label]bool{}
	for _, text := range v.slurm.options {
		o, err := parseJob(text)
		if err != nil {
			return nil, err
		}
		if err := v.nameJob(ctx, &o); err != nil {
			return nil, err
		}
		if taken[o.Machine] {
			return nil, diag.Wrong(diag.Say("verify.job-report-duplicate", "name", o.Machine))
		}
		taken[o.Machine] = true
		jobs = append(jobs, o)
	}
	return jobs, nil
}

func parseJob(text string) (slurmjob.Allocation, error) {
	o, err := slurmjob.Parse(text)
	if err != nil {
		return o, diag.Wrong(diag.Say("verify.slurm-invalid", "options", text, "why", err).WithHint(diag.Say("verify.slurm-hint")))
	}
	return o, nil
}

// nameJob finds the label of a job's reports.
func (v *verification) nameJob(ctx context.Context, o *slurmjob.Allocation) error {
	several := len(v.slurm.options) > 1
	switch {
	case o.Machine != "" && v.machine != "" || several && v.machine != "":
		return diag.Wrong(diag.Say("verify.machine-many-reports", "name", v.machine))
	case o.Machine == "" && several:
		return diag.Wrong(diag.Say("verify.slurm-report-unnamed", "options", o.Text, "name", o.Text))
	case o.Machine == "" && v.machine != "":
		named, err := slurmjob.Parse(o.Text + ",machine=" + v.machine)
		if err != nil {
			return diag.Wrong(diag.Say("verify.machine-invalid", "name", v.machine, "why", err))
		}
		*o = named
	case o.Machine == "":
		name, err := machineName(ctx, v.Env, "")
		if err != nil {
			return err
		}
		o.Machine = slurmjob.Label(name)
	}
	if err := report.CheckName(o.Machine.Of(0, "n")); err != nil {
		return diag.Wrong(err)
	}
	if v.report != "" && (several || o.Machine.PerNode()) {
		return diag.Wrong(diag.Say("verify.report-flag-many-reports", "file", v.report))
	}
	return v.checkReportFlag(string(o.Machine))
}

// planJobs prints what Slurm says of the jobs that would be submitted.
func (v *verification) planJobs(ctx context.Context) error {
	var blocks []*site.Block
	for _, s := range v.plan.Sessions {
		for _, b := range s.Chosen() {
			if b.Kind == site.Sbatch {
				blocks = append(blocks, b)
			}
		}
	}
	if len(blocks) == 0 && len(v.slurm.options) == 0 {
		return nil
	}
	if !slurm.Installed() {
		fmt.Fprintln(v.Stdout, v.Text.Get("slurm_absent", "program", slurm.Program))
		return nil
	}
	fmt.Fprintln(v.Stdout, v.Text.Get("slurm_says"))
	refused := false
	show := func(what, verdict string, err error) error {
		var rejected *slurm.Rejected
		switch {
		case errors.As(err, &rejected):
			refused = true
			fmt.Fprintf(v.Stdout, "  %s  %s\n", what, v.Text.Get("slurm_rejects", "why", err.Error()))
		case err != nil:
			return err
		default:
			fmt.Fprintf(v.Stdout, "  %s  %s\n", what, verdict)
		}
		return nil
	}
	for _, b := range blocks {
		verdict, err := verify.JobTest(ctx, b)
		if err := show(fmt.Sprintf("%s  %s", b.Place(b.Line).Text().In(v.Text), b.CheckName()), verdict, err); err != nil {
			return err
		}
	}
	for _, text := range v.slurm.options {
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
		return exit.Code(exit.Failed)
	}
	return nil
}
