package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/gpu"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/verify"
)

// localMachine names the machine of build --verify and serve --verify.
const localMachine = "local"

// machineVariable names the machine where no flag does.
const machineVariable = "GPUDOCS_MACHINE"

type verifyFlags struct {
	machine, report string
	run             []string
	sign            string
	plan, rerun     bool
	jobs            int
	timeout         time.Duration
	outlets         outletFlags
	updateFlags
	hosts hostFlags
}

func newVerify(a *app) *cobra.Command {
	f := &verifyFlags{}
	c := &cobra.Command{
		Use:   "verify [PATH...]",
		Short: "Run the checks on this machine and write its report",
		Long: `Verify runs the runnable blocks and the gpu blocks of the site, or of the pages
named, on this machine, and writes what it found to results/<machine>.json.

The machine's name is a label that the lab chooses, since reports are published:
--machine, else the variable ` + machineVariable + `, else it is asked for on a terminal. The
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
			return a.telling(&f.outlets, func() error { return a.verify(c.Context(), f, args) })
		},
	}
	c.Flags().StringVar(&f.machine, "machine", "", "the machine's `name` in the report")
	c.Flags().StringVar(&f.report, "report", "", "the `file` to write (default results/<machine>.json of the site)")
	c.Flags().StringVar(&f.sign, "sign", "", "sign the report with this SSH `key`")
	c.Flags().BoolVar(&f.plan, "plan", false, "list what would run and run nothing")
	c.Flags().BoolVar(&f.update, "update", false, "write the real output into expectations that it does not meet")
	c.Flags().BoolVar(&f.yes, "yes", false, "with --update: write without asking")
	c.Flags().StringArrayVar(&f.run, "run", nil, "only the block of this `name`, and what its session needs before it; repeat it for more")
	a.slurm.register(c)
	c.Flags().DurationVar(&f.timeout, "timeout", 0, "time limit of every block, in place of its own")
	c.Flags().BoolVar(&f.rerun, "rerun", false, "run also what passed before and has not changed")
	c.Flags().IntVar(&f.jobs, "jobs", 0, "`number` of sessions at once; those whose needs= name the GPU run alone\n(default 1 where there is a GPU, else half of the processors, at most 4)")
	c.Flags().StringVar(&f.outlets.junit, "junit", "", "also write the results as JUnit XML to this `file`")
	c.Flags().BoolVar(&f.outlets.json, "json", false, "print events as JSON, one on a line; what people read goes to standard error")
	a.completeMachineFlag(c)
	f.hosts.add(c)
	return c
}

func (a *app) verify(ctx context.Context, f *verifyFlags, paths []string) error {
	if f.timeout < 0 || f.timeout > content.MaxTimeout {
		return usage("write it as 30s or 5m, at most 24h", "--timeout %s is not a time limit", f.timeout)
	}
	if err := f.updateFlags.check(f.plan); err != nil {
		return err
	}
	if f.jobs < 0 {
		return usage("write it as --jobs 4", "--jobs %d is not a number of sessions", f.jobs)
	}
	hosts, err := f.hosts.parse()
	if err != nil {
		return err
	}
	fsys, err := a.openSite()
	if err != nil {
		return err
	}
	site, err := a.readSite(fsys, true)
	if err != nil {
		return err
	}
	filter := verify.Filter{Names: f.run}
	if filter.Paths, err = a.below(paths); err != nil {
		return err
	}
	plan, err := verify.NewPlan(site, filter)
	if err != nil {
		return usage("gpudocs verify --plan lists all blocks", "%v", err)
	}
	if f.plan {
		return errors.Join(a.showPlan(plan, site.Config.Verify, f), a.printHosts(hosts), a.planJobs(ctx, f, plan))
	}
	switch {
	case a.slurm.asked():
		return a.verifySlurm(ctx, f, site.Config, fsys, plan, filter.Paths)
	case len(hosts) > 0:
		return a.verifyHosts(ctx, f, hosts, site, plan, filter.Paths)
	}
	return a.verifyHere(ctx, f, fsys, site, plan)
}

// verifyHere runs the plan on this machine.
func (a *app) verifyHere(ctx context.Context, f *verifyFlags, fsys fs.FS, site *content.Site, plan *verify.Plan) error {
	machine, err := a.machineName(ctx, f.machine)
	if err != nil {
		return err
	}
	seal, err := a.newSeal(ctx, fsys, site.Config, f.sign)
	if err != nil {
		return err
	}
	if err := seal.mayCount(machine); err != nil {
		return err
	}
	if !a.slurm.inJob { // else who submitted the job holds it
		release, err := a.lock(machine)
		if err != nil {
			return err
		}
		defer release()
	}
	if err := a.checkReportFlag(f.report, machine); err != nil {
		return err
	}
	file := a.reportFile(f, machine)
	previous, err := berth(file, machine, seal)
	if err != nil {
		return err
	}
	a.outlets.writes(file)
	return a.runAndWrite(ctx, site, plan, previous.Report, f, file, seal, verify.Options{
		Machine: machine, Timeout: f.timeout, Jobs: f.jobs, Keep: f.keeps(),
		Checkpoint: func(r *report.Report) error { return seal.checkpoint(file, r) },
	})
}

// berth makes sure, before anything is run, that the report of a machine can be
// continued, signed and written, and returns the one of before. The machine's
// lock is held.
func berth(file, machine string, s *seal) (previous report.File, err error) {
	if previous, err = previousFile(file, machine); err != nil {
		return previous, err
	}
	if err := s.mayContinue(file, previous); err != nil {
		return previous, err
	}
	report.Sweep(file)
	if err := report.Writable(file); err != nil {
		return previous, fmt.Errorf("nothing was run, for its report could not be written: %w", err)
	}
	return previous, nil
}

// keeps tells whether checks may be kept: a block that the user names is one to run.
func (f *verifyFlags) keeps() bool { return !f.rerun && len(f.run) == 0 }

func (a *app) reportFile(f *verifyFlags, machine string) string {
	if f.report != "" {
		return f.report
	}
	return a.path(resultsDir, machine+".json")
}

// checkReportFlag refuses a file among the site's reports that is not named after
// its machine: no build would take it.
func (a *app) checkReportFlag(file, machine string) error {
	dir, err := filepath.Abs(filepath.Dir(file))
	if err != nil || file == "" {
		return err
	}
	results, err := filepath.Abs(a.path(resultsDir))
	if err == nil && dir == results && filepath.Base(file) != machine+".json" {
		return usage("leave --report out, or name a file elsewhere",
			"--report %s: in %s/ the report of machine %q must be named %[3]s.json", file, resultsDir, machine)
	}
	return err
}

func (a *app) runAndWrite(ctx context.Context, site *content.Site, plan *verify.Plan, previous *report.Report, f *verifyFlags, file string, seal *seal, o verify.Options) error {
	seen := &examples{}
	o.Examples = seen.add
	r, err := a.runPlan(ctx, site, plan, previous, o)
	if r == nil {
		return err
	}
	write := func(r *report.Report) error { return a.write(file, r, seal) }
	if err := write(r); err != nil {
		return err
	}
	if f.update && err == nil {
		a.tell(seal.wrote(a.w, file))
		return a.updateAfter(ctx, f, site, plan, r, seen, write)
	}
	switch {
	case errors.Is(err, context.Canceled):
		a.tell(a.w.Get("interrupted", "file", file))
		return said(exitSignal)
	case err != nil:
		return fmt.Errorf("%w; what was finished is in %s", err, file)
	}
	a.tell(seal.wrote(a.w, file))
	if plan.Failed(r) {
		return said(exitFailed)
	}
	return nil
}

// readSite loads the site for a run; broken content is printed and ends it.
func (a *app) readSite(fsys fs.FS, drafts bool) (*content.Site, error) {
	site, diags := content.Load(fsys, content.Options{Drafts: drafts})
	if diags.HasErrors() {
		a.print(diags)
		return nil, a.broken(diags, "nothing_run")
	}
	return site, nil
}

// below turns paths of the command line, relative to the current folder, into
// paths below the site's folder; such a path itself is taken too.
func (a *app) below(paths []string) ([]string, error) {
	site, err := filepath.Abs(a.site)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, p := range paths {
		abs, err := filepath.Abs(p)
		if err != nil {
			return nil, err
		}
		rel, err := filepath.Rel(site, abs)
		if _, statErr := os.Stat(abs); statErr != nil || err != nil || !inside(site, abs) {
			rel = p
		}
		out = append(out, filepath.ToSlash(rel))
	}
	return out, nil
}

// machineName finds the label of this machine. The host's name would publish
// what the lab may not want to, so it is never used.
func (a *app) machineName(ctx context.Context, flag string) (string, error) {
	name := flag
	if name == "" {
		name = os.Getenv(machineVariable)
	}
	if name == "" && a.terminal(a.stdin) {
		var err error
		if name, err = a.ask(ctx, a.w.Get("ask_name")); err != nil {
			return "", err
		}
	}
	if name == "" {
		return "", a.fault("no_name", "variable", machineVariable)
	}
	if err := report.CheckName(name); err != nil {
		return "", usage("", "%v", err)
	}
	return name, nil
}

// ask puts a question on the terminal. A read cannot be interrupted, so when ctx
// ends it is left behind.
func (a *app) ask(ctx context.Context, question string) (string, error) {
	fmt.Fprint(a.stderr, question)
	answer := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(a.stdin).ReadString('\n') // its end without a line is no answer
		answer <- strings.TrimSpace(line)
	}()
	select {
	case s := <-answer:
		return s, nil
	case <-ctx.Done():
		fmt.Fprintln(a.stderr)
		return "", ctx.Err()
	}
}

// previousReport reads the report that a run continues. One that cannot be read
// is never replaced.
func previousReport(file, machine string) (*report.Report, error) {
	f, err := previousFile(file, machine)
	return f.Report, err
}

// previousFile returns nothing in the file where there is none.
func previousFile(file, machine string) (f report.File, err error) {
	f.Name = file
	if f.Data, err = os.ReadFile(file); errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err == nil {
		f.Report, err = report.ParseAs(file, machine, f.Data)
	}
	if d := (diag.Diagnostic{}); errors.As(err, &d) {
		if d.Line > 0 {
			file = fmt.Sprintf("%s:%d:%d", file, d.Line, d.Column)
		}
		return report.File{}, usage(d.Hint, "%s is no report that this run could continue: %s", file, d.Message)
	} else if err != nil {
		return report.File{}, usage("move it away, or name another with --report", "%s is no report that this run could continue: %v", file, err)
	}
	return f, nil
}

// runPlan runs a plan with its progress on the screen.
func (a *app) runPlan(ctx context.Context, site *content.Site, plan *verify.Plan, previous *report.Report, o verify.Options) (*report.Report, error) {
	p := a.newProgress()
	defer p.clear()
	o.Generator, o.Root, o.Env, o.Packages = "gpudocs "+version(), a.site, site.Config.Env, site.Config.Packages
	o.Confine = site.Config.Verify
	event := p.event
	if told := o.Progress; told != nil { // somebody else wants to know too
		event = func(e verify.Event) { told(e); p.event(e) }
	}
	o.Probe, o.Progress, o.Measure = a.probe, a.outlets.also(event), a.measurer(site.Config.Env)
	o.Shared, o.QueueWait, o.Unfinished = a.shared(), a.slurm.wait, a.slurm.unfinished()
	r, err := verify.Run(ctx, plan, previous, o)
	p.clear()
	if r != nil {
		p.summary(r.Machine)
		a.outlets.ran(plan.Of(r))
	}
	return r, err
}

// probe asks for the GPUs in another process, for the driver's library can end
// the one it is loaded in.
func (a *app) probe(ctx context.Context) report.GPU {
	self, err := os.Executable()
	if err != nil {
		return report.GPU{Status: report.GPUNone, Code: report.CodeUnsupported, Detail: err.Error()}
	}
	return gpu.Probe(ctx, gpu.Options{Executable: self, Args: []string{probeCommand}})
}

// probeCommand is the hidden command that the probe's process runs.
const probeCommand = "internal-probe"

func newProbe() *cobra.Command {
	return &cobra.Command{
		Use:    probeCommand,
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE:   func(c *cobra.Command, _ []string) error { return gpu.ProbeChild(c.OutOrStdout()) },
	}
}

// verifyLocal runs all checks for build --verify and keeps the report in the
// private folder.
func (a *app) verifyLocal(ctx context.Context, fsys fs.FS, machine string) (r *report.Report, failed bool, err error) {
	if err := report.CheckName(machine); err != nil {
		return nil, false, usage("", "%v", err)
	}
	site, err := a.readSite(fsys, false)
	if err != nil {
		return nil, false, err
	}
	plan, err := verify.NewPlan(site, verify.Filter{})
	if err != nil {
		return nil, false, err
	}
	release, err := a.lock(machine)
	if err != nil {
		return nil, false, err
	}
	defer release()
	report.Sweep(a.localReport(machine))
	if err := errors.Join(gitignore(a.path(privateDir)), report.Writable(a.localReport(machine))); err != nil {
		return nil, false, fmt.Errorf("nothing was run, for its report could not be kept: %w", err)
	}
	if r, err = a.runPlan(ctx, site, plan, nil, verify.Options{Machine: machine}); err != nil {
		return nil, false, err
	}
	return r, plan.Failed(r), a.keepLocal(r)
}

// keepLocal writes the report of this machine where nothing is published from.
func (a *app) keepLocal(r *report.Report) error {
	if err := gitignore(a.path(privateDir)); err != nil {
		return err
	}
	return report.Write(a.localReport(r.Machine.Name), r)
}

// gitignore makes git leave a folder alone, also where the site's own
// .gitignore does not name it.
func gitignore(dir string) error {
	file := filepath.Join(dir, ".gitignore")
	if _, err := os.Stat(file); err == nil {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, []byte("*\n"), 0o644)
}

func (a *app) localReport(machine string) string {
	return a.path(privateDir, resultsDir, machine+".json")
}
