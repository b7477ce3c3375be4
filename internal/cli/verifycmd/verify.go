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
	outlets         env.OutletFlags
	updateFlags
	hosts hostFlags
}

func NewVerify(a *env.Env) *cobra.Command {
	f := &verifyFlags{}
	c := &cobra.Command{
		Use:   "verify [PATH...]",
		Short: "Run the checks on this machine and write its report",
		Long: `Verify runs the runnable blocks and the gpu blocks of the site, or of the pages
named, on this machine, and writes what it found to results/<machine>.json.

The machine's name is a label that the lab chooses, since reports are published:
--machine, else the variable ` + workspace.MachineVariable + `, else it is asked for on a terminal. The
host name is never used. Snippets run with your rights, and in no sandbox unless
gpudocs.toml says so: read first what would run, with --plan.

A check that passed before is kept, and not run, while nothing has changed that
it depends on: its code and what comes before it in its session, its
expectations, the system, driver and GPUs, the interpreter, and the packages
that gpudocs.toml declares. Checks that failed or were skipped always run again,
and so does a block that --run names. --rerun runs everything.

While the run goes on the report is written every few seconds: a run that was
interrupted, or even killed, goes on where it was.

--sign signs the report with an SSH key: a private key, or a public one that
ssh-agent has the private half of. The signature lies beside the report, as
<machine>.json.sig; [trust] of gpudocs.toml tells whose signatures count.

--update writes what snippets really printed into the expected output of the
pages that failed for it, in all translations. Lines with matchers that still
match stay. The difference is shown first, and on a terminal you are asked;
--yes does without. Nothing else of a file is touched. What crashed, ran into its
time limit, failed with an exit code or was skipped is not updated.

With --host it runs on other machines, all at once, through your own ssh. They
need nothing installed: gpudocs sends itself and the site, gathers the reports,
and removes what it sent.

With --slurm it runs on nodes of a cluster instead, in jobs with these options of
sbatch, and gathers their reports; --plan then shows what Slurm says of them.
docs/fleets.md tells of both.

Exit code 1 tells that a check failed; the report is written all the same. Exit
code 3 tells that a host gave no report, whatever the others gave.

In GitHub Actions each failure is also an annotation at its line, and the job's
summary gets a table. docs/report.md describes the events of --json.`,
		Example: `  gpudocs verify --plan                       list what would run, run nothing
  gpudocs verify --machine deepnine
  gpudocs verify --machine deepnine content/pt/gpu.md
  gpudocs verify --machine deepnine --run count --timeout 5m
  gpudocs verify --machine deepnine --update content/pt/gpu.md
  gpudocs verify --machine deepnine --rerun --jobs 1
  gpudocs verify --machine deepnine --sign ~/.ssh/id_ed25519
  gpudocs verify --machine deepnine --junit junit.xml      for a CI server
  gpudocs verify --machine deepnine --json |
      jq -r 'select(.type == "check").check.outcome'
  gpudocs verify --host deepnine --host deepten=ana@10.0.0.3
  gpudocs verify --slurm machine=v100,partition=gpu-8-v100,time=00:10:00`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			return a.Telling(&f.outlets, func() error { return runVerify(a, c.Context(), f, args) })
		},
	}
	c.Flags().StringVar(&f.machine, "machine", "", "the machine's `name` in the report")
	c.Flags().StringVar(&f.report, "report", "", "the `file` to write (default results/<machine>.json of the site)")
	c.Flags().StringVar(&f.sign, "sign", "", "sign the report with this SSH `key`")
	c.Flags().BoolVar(&f.plan, "plan", false, "list what would run and run nothing")
	c.Flags().BoolVar(&f.update, "update", false, "write the real output into expectations that it does not meet")
	c.Flags().BoolVar(&f.yes, "yes", false, "with --update: write without asking")
	c.Flags().StringArrayVar(&f.run, "run", nil, "only the block of this `name`, and what its session needs before it; repeat it for more")
	a.Slurm.Register(c)
	c.Flags().DurationVar(&f.timeout, "timeout", 0, "time limit of every block, in place of its own")
	c.Flags().BoolVar(&f.rerun, "rerun", false, "run also what passed before and has not changed")
	c.Flags().IntVar(&f.jobs, "jobs", 0, "`number` of sessions at once; those whose needs= name the GPU run alone\n(default 1 where there is a GPU, else half of the processors, at most 4)")
	c.Flags().StringVar(&f.outlets.Junit, "junit", "", "also write the results as JUnit XML to this `file`")
	c.Flags().BoolVar(&f.outlets.Json, "json", false, "print events as JSON, one on a line; what people read goes to standard error")
	workspace.CompleteMachineFlag(a, c)
	f.hosts.add(c)
	return c
}

func runVerify(a *env.Env, ctx context.Context, f *verifyFlags, paths []string) error {
	if f.timeout < 0 || f.timeout > site.MaxTimeout {
		return env.Usage(diag.Say("verify.timeout-not-time-hint"), diag.Say("verify.timeout-not-time", "timeout", f.timeout))
	}
	if err := f.updateFlags.check(f.plan); err != nil {
		return err
	}
	if f.jobs < 0 {
		return env.Usage(diag.Say("verify.jobs-not-number-hint"), diag.Say("verify.jobs-not-number", "n", f.jobs))
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
		return env.Usage(diag.Say("verify.gpudocs-verify-plan"), err)
	}
	if f.plan {
		return errors.Join(showPlan(a, plan, site.Config.Verify, f), printHosts(a, hosts), planJobs(a, ctx, f, plan))
	}
	switch {
	case a.Slurm.Asked():
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
	file, seal := workspace.ReportFile(a, f.report, machine), reports.sealOf(machine)
	a.Outlets.Writes(file)
	return runAndWrite(a, ctx, site, plan, reports.previous[machine].Report, f, file, seal, verify.Options{
		Machine: machine, Timeout: f.timeout, Jobs: f.jobs, Keep: f.keeps(),
		Checkpoint: func(r *report.Report) error { return seal.Checkpoint(file, r) },
	})
}

// A claim is the right to write the reports of a run.
type claim struct {
	// previous are the reports that the run continues, by machine.
	previous map[string]report.File
	seals    map[string]*workspace.Seal
	unnamed  *workspace.Seal // of machines that were not known
	release  func()
}

// claim makes sure, before anything is run, that the reports of machines can be
// continued, signed and written. It holds their locks until it is released.
func newClaim(a *env.Env, ctx context.Context, f *verifyFlags, site *site.Site, machines ...string) (_ *claim, err error) {
	c := &claim{previous: map[string]report.File{}, seals: map[string]*workspace.Seal{}, release: func() {}}
	if c.unnamed, err = workspace.NewSeal(a, ctx, site.FS, site.Config, f.sign); err != nil {
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

// add makes sure of the report of a machine whose lock is held.
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
		return diag.Say("verify.nothing-run-report", "why", err)
	}
	c.previous[machine], c.seals[machine] = previous, &s
	return nil
}

func (c *claim) sealOf(machine string) *workspace.Seal { return cmp.Or(c.seals[machine], c.unnamed) }

// keeps tells whether checks may be kept: a block that the user names is one to run.
func (f *verifyFlags) keeps() bool { return !f.rerun && len(f.run) == 0 }

// checkReportFlag refuses a file among the site's reports that is not named after
// its machine: no build would take it.
func checkReportFlag(a *env.Env, file, machine string) error {
	dir, err := filepath.Abs(filepath.Dir(file))
	if err != nil || file == "" {
		return err
	}
	results, err := filepath.Abs(a.Path(workspace.ResultsDir))
	if err == nil && dir == results && filepath.Base(file) != machine+".json" {
		return env.Usage(diag.Say("verify.report-report-machine-hint"),
			diag.Say("verify.report-report-machine", "file", file, "folder", workspace.ResultsDir, "name", machine))
	}
	return err
}

func runAndWrite(a *env.Env, ctx context.Context, site *site.Site, plan *verify.Plan, previous *report.Report, f *verifyFlags, file string, seal *workspace.Seal, o verify.Options) error {
	seen := &examples{}
	o.Examples = seen.add
	r, err := RunPlan(a, ctx, site, plan, previous, o)
	if r == nil {
		return err
	}
	write := func(r *report.Report) error { return workspace.Write(a, file, r, seal) }
	if err := write(r); err != nil {
		return err
	}
	if f.update && err == nil {
		a.Tell(seal.Wrote(a.W, file))
		return updateAfter(a, ctx, f, site, plan, r, seen, write)
	}
	switch {
	case errors.Is(err, context.Canceled):
		a.Tell(a.W.Get("interrupted", "file", file))
		return env.Said(env.ExitSignal)
	case err != nil:
		return diag.Say("verify.finished", "why", err, "file", file)
	}
	a.Tell(seal.Wrote(a.W, file))
	if plan.Failed(r) {
		return env.Said(env.ExitFailed)
	}
	return nil
}

// readSite loads the site for a run; broken content is printed and ends it.
func readSite(a *env.Env, fsys fs.FS, drafts bool) (*site.Site, error) {
	site, diags := load.Load(fsys, load.Options{Drafts: drafts})
	if diags.HasErrors() {
		a.Print(diags)
		return nil, a.Broken(diags, "nothing_run")
	}
	return site, nil
}

// machineName finds the label of this machine. The host's name would publish
// what the lab may not want to, so it is never used.
func machineName(a *env.Env, ctx context.Context, flag string) (string, error) {
	name := flag
	if name == "" {
		name = os.Getenv(workspace.MachineVariable)
	}
	if name == "" && a.Terminal(a.Stdin) {
		var err error
		if name, err = Ask(a, ctx, a.W.Get("ask_name")); err != nil {
			return "", err
		}
	}
	if name == "" {
		return "", env.Fault("no_name", "variable", workspace.MachineVariable)
	}
	if err := report.CheckName(name); err != nil {
		return "", env.Usage(diag.Text{}, err)
	}
	return name, nil
}

// Ask puts a question on the terminal. A read cannot be interrupted, so when ctx
// ends it is left behind.
func Ask(a *env.Env, ctx context.Context, question string) (string, error) {
	fmt.Fprint(a.Stderr, question)
	answer := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(a.Stdin).ReadString('\n') // its end without a line is no answer
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

// RunPlan runs a plan with its progress on the screen.
func RunPlan(a *env.Env, ctx context.Context, site *site.Site, plan *verify.Plan, previous *report.Report, o verify.Options) (*report.Report, error) {
	p := a.NewProgress()
	defer p.Clear()
	o.Generator, o.Root, o.Env, o.Packages = "gpudocs "+env.Version(), a.Site, site.Config.Env, site.Config.Packages
	o.Confine = site.Config.Verify
	event := p.Event
	if told := o.Progress; told != nil { // somebody else wants to know too
		event = func(e verify.Event) { told(e); p.Event(e) }
	}
	o.Probe, o.Progress, o.Measure = func(ctx context.Context) report.GPU { return Probe(a, ctx) }, a.Outlets.Also(event), measurer(a, site.Config.Env)
	o.Shared, o.QueueWait, o.Unfinished = shared(a), a.Slurm.Wait, unfinished(&a.Slurm)
	r, err := verify.Run(ctx, plan, previous, o)
	p.Clear()
	if r != nil {
		p.Summary(r.Machine)
		a.Outlets.Ran(plan.Of(r))
	}
	return r, err
}

// Probe asks for the GPUs in another process, for the driver's library can end
// the one it is loaded in.
func Probe(a *env.Env, ctx context.Context) report.GPU {
	self, err := os.Executable()
	if err != nil {
		return report.GPU{Status: report.GPUNone, Code: report.CodeUnsupported, Detail: err.Error()}
	}
	return gpu.Probe(ctx, gpu.Options{Executable: self, Args: []string{ProbeCommand}})
}

// ProbeCommand is the hidden command that the probe's process runs.
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
		return nil, false, diag.Say("verify.nothing-run-report-could-not-kept", "why", err)
	}
	if r, err = RunPlan(a, ctx, site, plan, nil, verify.Options{Machine: machine}); err != nil {
		return nil, false, err
	}
	return r, plan.Failed(r), workspace.KeepLocal(a, r)
}
