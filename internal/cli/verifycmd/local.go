package verifycmd

import (
	"cmp"
	"context"
	"errors"
	"os"

	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/atomicfile"
	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/exit"
	"github.com/gpudocs/gpudocs/internal/machine/gpu"
	"github.com/gpudocs/gpudocs/internal/project"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/verify"
	"github.com/gpudocs/gpudocs/internal/verify/judge"
	"github.com/gpudocs/gpudocs/internal/verify/remote/slurmjob"
)

// here runs the plan on this machine.
func (v *verification) here(ctx context.Context) error {
	machine, err := machineName(ctx, v.Env, v.machine)
	if err != nil {
		return err
	}
	if err := v.checkReportFlag(machine); err != nil {
		return err
	}
	reports, err := v.claim(ctx, machine)
	if err != nil {
		return err
	}
	defer reports.release()
	if v.sync {
		if err := Sync(ctx, v.Env, v.site.Config.Env, v.plan.Environments()); err != nil {
			return err
		}
	}
	file, signer, previous := v.reportFile(machine), reports.signerOf(machine), reports.previous[machine].Report
	v.outputs.ReportFile = file
	seen := &examples{by: map[report.ID][]judge.Printed{}}
	o := verify.Options{
		Machine:    machine,
		Timeout:    v.timeout,
		Jobs:       v.jobs,
		Keep:       v.keeps(),
		QueueWait:  v.slurm.wait,
		Checkpoint: func(r *report.Report) error { return signer.Checkpoint(file, r) },
		Progress:   v.outputs.Event,
		Examples:   seen.add,
	}
	if v.slurm.inJob {
		why := slurmjob.Unfinished
		o.Unfinished = &why
	}
	r, err := RunPlan(ctx, v.Env, v.project, v.site, v.plan, previous, o)
	if r == nil {
		return err
	}
	v.outputs.Add(v.plan.Of(r))
	write := func(r *report.Report) error { return WriteReport(v.Env, signer, file, r) }
	if err := write(r); err != nil {
		return err
	}
	switch {
	case errors.Is(err, context.Canceled):
		v.Println(v.Text.Get("interrupted", "file", file))
		return exit.Code(exit.Signal)
	case err != nil:
		return diag.Say("verify.partly-finished", "why", err, "file", file)
	}
	v.Say(signer.Wrote(file))
	if v.update {
		return v.updatePages(ctx, r, seen, write)
	}
	now := pair{previous, r}
	if err := v.news.printSummary(v.Env, now); err != nil {
		return err
	}
	if v.news.fails(v.Env, now, v.plan.Failed(r)) {
		return exit.Code(exit.Failed)
	}
	return nil
}

// RunPlan runs a plan and shows its progress on the terminal. Options say what differs between commands.
func RunPlan(
	ctx context.Context, a *env.Env, p *project.Project, s *site.Site, plan *verify.Plan, previous *report.Report, o verify.Options,
) (*report.Report, error) {
	shown := newProgress(a)
	defer shown.clear()
	o.Generator, o.Root, o.Env, o.Packages = project.Generator(), p.Dir, s.Config.Env, s.Config.Packages
	o.Confine, o.References = s.Config.Verify, s.Config.References
	o.Shared, o.QueueWait = shared(p), cmp.Or(o.QueueWait, queueWait)
	o.Probe, o.Measure = Probe, measurer(p.Dir, s.Config.Env)
	also := o.Progress
	o.Progress = func(e verify.Event) {
		if also != nil {
			also(e)
		}
		shown.event(e)
	}
	r, err := verify.Run(ctx, plan, previous, o)
	shown.clear()
	if r != nil {
		shown.summary(plan.Of(r))
	}
	return r, err
}

// shared returns a folder that all nodes share, if they share the site.
func shared(p *project.Project) string { return p.Path(project.PrivateDir, "slurm") }

// Probe lists the GPUs in a subprocess, because the driver's library can crash its process.
func Probe(ctx context.Context) report.GPU {
	self, err := os.Executable()
	if err != nil {
		return report.GPU{Status: report.GPUNone, Code: report.CodeUnsupported, Detail: err.Error()}
	}
	return gpu.Probe(ctx, gpu.ProbeOptions{Executable: self, Args: []string{ProbeCommand}})
}

// ProbeCommand is the hidden command of the probe's subprocess.
const ProbeCommand = "internal-probe"

func NewProbe() *cobra.Command {
	return &cobra.Command{
		Use:    ProbeCommand,
		Hidden: true,
		RunE:   func(c *cobra.Command, _ []string) error { return gpu.RunProbe(c.OutOrStdout()) },
	}
}

// A LocalRun is a run for build --verify: the report of this machine, what of it was run now, and whether a check failed.
type LocalRun struct {
	Report, Run *report.Report
	Failed      bool
}

// Local runs all checks for build --verify and keeps the report in the private folder.
func Local(ctx context.Context, a *env.Env, p *project.Project, machine string) (out LocalRun, err error) {
	if err := report.CheckName(machine); err != nil {
		return out, diag.Wrong(err)
	}
	site, _, err := readSite(a, p, false)
	if err != nil {
		return out, err
	}
	plan, err := verify.NewPlan(site, verify.Filter{})
	if err != nil {
		return out, err
	}
	release, err := p.Lock(machine)
	if err != nil {
		return out, err
	}
	defer release()
	file := p.LocalFile(machine)
	atomicfile.Sweep(file)
	if err := errors.Join(p.MakePrivate(), atomicfile.Writable(file, 0o644)); err != nil {
		return out, diag.Say("verify.report-not-kept", "why", err)
	}
	r, err := RunPlan(ctx, a, p, site, plan, nil, verify.Options{Machine: machine})
	if r != nil {
		out = LocalRun{r, plan.Of(r), plan.Failed(r)}
	}
	if err == nil {
		err = p.WriteLocal(r)
	}
	return out, err
}
