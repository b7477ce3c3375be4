package verifycmd

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

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
)

type verifyFlags struct {
	machine, report string
	run             []string
	sign            string
	plan, rerun     bool
	jobs            int
	timeout         time.Duration
	outputs         env.OutputFlags
	updateFlags
	hosts hostFlags
}

func NewVerify(a *env.Env) *cobra.Command {
	f := &verifyFlags{}
	c := &cobra.Command{
		Use:  "verify [PATH...]",
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			return a.WithOutputs(&f.outputs, func() error { return runVerify(a, c.Context(), f, args) })
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
	c.Flags().IntVar(&f.jobs, "jobs", 0, "")
	c.Flags().StringVar(&f.outputs.JUnit, "junit", "", "")
	c.Flags().BoolVar(&f.outputs.JSON, "json", false, "")
	workspace.CompleteMachineFlag(a, c)
	f.hosts.add(c)
	return c
}

func runVerify(a *env.Env, ctx context.Context, f *verifyFlags, paths []string) error {
	if f.timeout < 0 || f.timeout > site.MaxTimeout {
		return env.Usage(diag.Say("verify.timeout-invalid-hint"), diag.Say("verify.timeout-invalid", "timeout", f.timeout))
	}
	if err := f.updateFlags.check(f.plan); err != nil {
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
	site, err := readSite(a, fsys, true)
	if err != nil {
		return err
	}
	filter := verify.Filter{Names: f.run}
	if filter.Paths, err = workspace.Below(a, paths); err != nil {
		return err
	}
	plan, err := verify.NewPlan(site, filter)
	if err != nil {
		return env.Usage(diag.Say("verify.list-blocks-hint"), err)
	}
	if f.plan {
		return errors.Join(showPlan(a, plan, site.Config.Verify, f), printHosts(a, hosts), planJobs(a, ctx, f, plan))
	}
	switch {
	case len(a.Slurm.Options) > 0:
		return verifySlurm(a, ctx, f, site, plan, filter.Paths)
	case len(hosts) > 0:
		return verifyHosts(a, ctx, f, hosts, site, plan, filter.Paths)
	}
	return verifyHere(a, ctx, f, site, plan)
}

// verifyHere runs the plan on this machine.
func verifyHere(a *env.Env, ctx context.Context, f *verifyFlags, site *site.Site, plan *verify.Plan) error {
	machine, err := machineName(a, ctx, f.machine)
	if err != nil {
		return err
	}
	if err := checkReportFlag(a, f.report, machine); err != nil {
		return err
	}
	reports, err := newClaim(a, ctx, f, site, machine)
	if err != nil {
		return err
	}
	defer reports.release()
	file, signer := workspace.ReportFile(a, f.report, machine), reports.signerOf(machine)
	a.Outputs.SetReportFile(file)
	return runAndWrite(a, ctx, site, plan, reports.previous[machine].Report, f, file, signer, verify.Options{
		Machine: machine, Timeout: f.timeout, Jobs: f.jobs, Keep: f.keeps(),
		Checkpoint: func(r *report.Report) error { return signer.Checkpoint(file, r) },
	})
}

// A claim is the right to write the reports of a run: their locks and signers.
type claim struct {
	// previous are the reports that the run continues, by machine.
	previous map[string]report.File
	signers  map[string]*workspace.ReportSigner
	unnamed  *workspace.ReportSigner // for machines that were not known before
	release  func()
}

// newClaim makes sure, before anything is run, that the reports of machines can be continued, signed
// and written. It holds their locks until it is released.
func newClaim(a *env.Env, ctx context.Context, f *verifyFlags, site *site.Site, machines ...string) (_ *claim, err error) {
	c := &claim{previous: map[string]report.File{}, signers: map[string]*workspace.ReportSigner{}, release: func() {}}
	if c.unnamed, err = workspace.NewReportSigner(a, ctx, site.FS, site.Config, f.sign); err != nil {
		return nil, err
	}
	for _, machine := range machines {
		if err := c.unnamed.MayCount(machine); err != nil {
			return nil, err
		}
	}
	if !a.Slurm.InJob { // the process that submitted the job holds the lock
		if c.release, err = workspace.LockAll(a, machines); err != nil {
			return nil, err
		}
	}
	for _, machine := range machines {
		if err := c.add(workspace.ReportFile(a, f.report, machine), machine); err != nil {
			c.release()
			return nil, err
		}
	}
	return c, nil
}

// add prepares the report of a machine whose lock is held.
func (c *claim) add(file, machine string) error {
	previous, err := workspace.PreviousFile(file, machine)
	if err != nil {
		return err
	}
	s := *c.unnamed
	if err := s.MayContinue(file, previous); err != nil {
		return err
	}
	atomicfile.Sweep(file)
	if err := atomicfile.Writable(file, 0o644); err != nil {
		return diag.Say("verify.report-not-writable", "why", err)
	}
	c.previous[machine], c.signers[machine] = previous, &s
	return nil
}

func (c *claim) signerOf(machine string) *workspace.ReportSigner {
	return cmp.Or(c.signers[machine], c.unnamed)
}

// keeps reports whether passed checks may be kept. A block that the user names is run.
func (f *verifyFlags) keeps() bool { return !f.rerun && len(f.run) == 0 }

// checkReportFlag refuses a file in the site's results/ that is not named after its machine: no build
// would accept it.
func checkReportFlag(a *env.Env, file, machine string) error {
	dir, err := filepath.Abs(filepath.Dir(file))
	if err != nil || file == "" {
		return err
	}
	results, err := filepath.Abs(a.Path(workspace.ResultsDir))
	if err == nil && dir == results && filepath.Base(file) != machine+".json" {
		return env.Usage(diag.Say("verify.report-flag-name-wrong-hint"),
			diag.Say("verify.report-flag-name-wrong", "file", file, "folder", workspace.ResultsDir, "name", machine))
	}
	return err
}

func runAndWrite(a *env.Env, ctx context.Context, site *site.Site, plan *verify.Plan, previous *report.Report, f *verifyFlags, file string, signer *workspace.ReportSigner, o verify.Options) error {
	seen := &examples{}
	o.Examples = seen.add
	r, err := RunPlan(a, ctx, site, plan, previous, o)
	if r == nil {
		return err
	}
	write := func(r *report.Report) error { return workspace.Write(a, file, r, signer) }
	if err := write(r); err != nil {
		return err
	}
	if f.update && err == nil {
		a.Println(signer.Wrote(a.Text, file))
		return updateAfter(a, ctx, f, site, plan, r, seen, write)
	}
	switch {
	case errors.Is(err, context.Canceled):
		a.Println(a.Text.Get("interrupted", "file", file))
		return env.ExitCode(env.ExitSignal)
	case err != nil:
		return diag.Say("verify.partly-finished", "why", err, "file", file)
	}
	a.Println(signer.Wrote(a.Text, file))
	if plan.Failed(r) {
		return env.ExitCode(env.ExitFailed)
	}
	return nil
}

// readSite loads the site for a run. If there are errors in the content, it prints them and returns
// an error.
func readSite(a *env.Env, fsys fs.FS, drafts bool) (*site.Site, error) {
	site, diags := load.Load(fsys, load.Options{Drafts: drafts})
	if diags.HasErrors() {
		a.Print(diags)
		return nil, a.Broken(diags, "nothing_run")
	}
	return site, nil
}

// machineName returns the label of this machine. The host name is never used, because a lab may not
// want to publish it.
func machineName(a *env.Env, ctx context.Context, flag string) (string, error) {
	name := flag
	if name == "" {
		name = os.Getenv(workspace.MachineVariable)
	}
	if name == "" && a.Terminal(a.Stdin) {
		var err error
		if name, err = Ask(a, ctx, a.Text.Get("ask_name")); err != nil {
			return "", err
		}
	}
	if name == "" {
		return "", env.Usage(diag.Say("cli.fault-no-name-hint", "variable", workspace.MachineVariable), diag.Say("cli.fault-no-name"))
	}
	if err := report.CheckName(name); err != nil {
		return "", env.Usage(diag.Text{}, err)
	}
	return name, nil
}

// Ask asks a question on the terminal. A read cannot be interrupted, so it is abandoned when ctx
// ends.
func Ask(a *env.Env, ctx context.Context, question string) (string, error) {
	fmt.Fprint(a.Stderr, question)
	answer := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(a.Stdin).ReadString('\n') // without a newline at the end too
		answer <- strings.TrimSpace(line)
	}()
	select {
	case s := <-answer:
		return s, nil
	case <-ctx.Done():
		fmt.Fprintln(a.Stderr)
		return "", ctx.Err()
	}
}

// RunPlan runs a plan and shows its progress on the terminal.
func RunPlan(a *env.Env, ctx context.Context, site *site.Site, plan *verify.Plan, previous *report.Report, o verify.Options) (*report.Report, error) {
	p := a.NewProgress()
	defer p.Clear()
	o.Generator, o.Root, o.Env, o.Packages = "gpudocs "+env.Version(), a.Site, site.Config.Env, site.Config.Packages
	o.Confine = site.Config.Verify
	also := o.Progress
	o.Progress = func(e verify.Event) {
		a.Outputs.Event(e)
		if also != nil {
			also(e)
		}
		p.Event(e)
	}
	o.Probe, o.Measure = func(ctx context.Context) report.GPU { return Probe(a, ctx) }, measurer(a, site.Config.Env)
	o.Shared, o.QueueWait, o.Unfinished = shared(a), a.Slurm.Wait, unfinished(&a.Slurm)
	r, err := verify.Run(ctx, plan, previous, o)
	p.Clear()
	if r != nil {
		p.Summary(r.Machine)
		a.Outputs.Add(plan.Of(r))
	}
	return r, err
}

// Probe lists the GPUs in a subprocess, because the driver's library can crash its process.
func Probe(a *env.Env, ctx context.Context) report.GPU {
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
func VerifyLocal(a *env.Env, ctx context.Context, fsys fs.FS, machine string) (r *report.Report, failed bool, err error) {
	if err := report.CheckName(machine); err != nil {
		return nil, false, env.Usage(diag.Text{}, err)
	}
	site, err := readSite(a, fsys, false)
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
	if r, err = RunPlan(a, ctx, site, plan, nil, verify.Options{Machine: machine}); err != nil {
		return nil, false, err
	}
	return r, plan.Failed(r), workspace.WriteLocal(a, r)
}
