package verifycmd

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/atomicfile"
	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/workspace"
	"github.com/gpudocs/gpudocs/internal/machine/gpu"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/verify"
	"github.com/gpudocs/gpudocs/internal/verify/judge"
)

// verifyHere runs the plan on this machine.
func verifyHere(ctx context.Context, a *env.Env, f *verifyFlags, site *site.Site, plan *verify.Plan) error {
	machine, err := machineName(ctx, a, f.machine)
	if err != nil {
		return err
	}
	if err := checkReportFlag(a, f.report, machine); err != nil {
		return err
	}
	reports, err := newClaim(ctx, a, f, site, machine)
	if err != nil {
		return err
	}
	defer reports.release()
	if f.sync {
		if err := Sync(ctx, a, site.Config.Env, plan.Environments()); err != nil {
			return err
		}
	}
	file, signer := workspace.ReportFile(a, f.report, machine), reports.signerOf(machine)
	a.Outputs.SetReportFile(file)
	return runAndWrite(ctx, a, site, plan, reports.previous[machine].Report, f, file, signer, verify.Options{
		Machine: machine, Timeout: f.timeout, Jobs: f.jobs, Keep: f.keeps(),
		Checkpoint: func(r *report.Report) error { return signer.Checkpoint(file, r) },
	})
}

func runAndWrite(ctx context.Context, a *env.Env, site *site.Site, plan *verify.Plan, previous *report.Report, f *verifyFlags, file string, signer *workspace.ReportSigner, o verify.Options) error {
	seen := &examples{by: map[report.ID][]judge.Printed{}}
	o.Examples = seen.add
	r, err := RunPlan(ctx, a, site, plan, previous, o)
	if r == nil {
		return err
	}
	write := func(r *report.Report) error { return workspace.Write(a, file, r, signer) }
	if err := write(r); err != nil {
		return err
	}
	if f.update && err == nil {
		a.Println(signer.Wrote(a.Text, file))
		return updateAfter(ctx, a, f, site, plan, r, seen, write)
	}
	switch {
	case errors.Is(err, context.Canceled):
		a.Println(a.Text.Get("interrupted", "file", file))
		return env.ExitCode(env.ExitSignal)
	case err != nil:
		return diag.Say("verify.partly-finished", "why", err, "file", file)
	}
	a.Println(signer.Wrote(a.Text, file))
	now := pair{previous, r}
	if err := f.news.printSummary(a, now); err != nil {
		return err
	}
	if f.news.fails(a, now, plan.Failed(r)) {
		return env.ExitCode(env.ExitFailed)
	}
	return nil
}

// RunPlan runs a plan and shows its progress on the terminal.
func RunPlan(ctx context.Context, a *env.Env, site *site.Site, plan *verify.Plan, previous *report.Report, o verify.Options) (*report.Report, error) {
	p := a.NewProgress()
	defer p.Clear()
	o.Generator, o.Root, o.Env, o.Packages = "gpudocs "+env.Version(), a.Site, site.Config.Env, site.Config.Packages
	o.Confine, o.References = site.Config.Verify, site.Config.References
	also := o.Progress
	o.Progress = func(e verify.Event) {
		a.Outputs.Event(e)
		if also != nil {
			also(e)
		}
		p.Event(e)
	}
	o.Probe, o.Measure = func(ctx context.Context) report.GPU { return Probe(ctx, a) }, measurer(a, site.Config.Env)
	o.Shared, o.QueueWait, o.Unfinished = shared(a), a.Slurm.Wait, unfinished(&a.Slurm)
	r, err := verify.Run(ctx, plan, previous, o)
	p.Clear()
	if r != nil {
		run := plan.Of(r)
		p.Summary(run)
		a.Outputs.Add(run)
	}
	return r, err
}

// Probe lists the GPUs in a subprocess, because the driver's library can crash its process.
func Probe(ctx context.Context, a *env.Env) report.GPU {
	self, err := os.Executable()
	if err != nil {
		return report.GPU{Status: report.GPUNone, Code: report.CodeUnsupported, Detail: err.Error()}
	}
	return gpu.Probe(ctx, gpu.Options{Executable: self, Args: []string{ProbeCommand}})
}

// ProbeCommand is the hidden command of the probe's subprocess.
const ProbeCommand = "internal-probe"

func NewProbe() *cobra.Command {
	return &cobra.Command{
		Use:    ProbeCommand,
		Hidden: true,
		Args:   env.NoArgs,
		RunE:   func(c *cobra.Command, _ []string) error { return gpu.RunProbe(c.OutOrStdout()) },
	}
}

// VerifyLocal runs all checks for build --verify and keeps the report in the
// private folder.
func VerifyLocal(ctx context.Context, a *env.Env, fsys fs.FS, machine string) (r *report.Report, failed bool, err error) {
	if err := report.CheckName(machine); err != nil {
		return nil, false, env.Usage(diag.Text{}, err)
	}
	site, _, err := readSite(a, fsys, false)
	if err != nil {
		return nil, false, err
	}
	plan, err := verify.NewPlan(site, verify.Filter{})
	if err != nil {
		return nil, false, err
	}
	release, err := workspace.Lock(a, machine)
	if err != nil {
		return nil, false, err
	}
	defer release()
	atomicfile.Sweep(workspace.LocalReport(a, machine))
	if err := errors.Join(workspace.Gitignore(a.Path(workspace.PrivateDir)), atomicfile.Writable(workspace.LocalReport(a, machine), 0o644)); err != nil {
		return nil, false, diag.Say("verify.report-not-kept", "why", err)
	}
	if r, err = RunPlan(ctx, a, site, plan, nil, verify.Options{Machine: machine}); err != nil {
		return nil, false, err
	}
	return r, plan.Failed(r), workspace.WriteLocal(a, r)
}

// readSite loads the site for a run. If nothing of it can be run, it prints the diagnostics and
// returns an error.
func readSite(a *env.Env, fsys fs.FS, drafts bool) (*site.Site, diag.List, error) {
	site, diags := load.Load(fsys, load.Options{Drafts: drafts})
	if site == nil || site.Unusable {
		a.Print(diags)
		return nil, nil, a.Broken(diags, "nothing_run")
	}
	return site, diags, nil
}
