package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/slurm"
	"github.com/gpudocs/gpudocs/internal/verify"
)

// slurmFlags are those of verify that speak of Slurm.
type slurmFlags struct {
	options []string
	wait    time.Duration
	// inJob: this process is what a job of --slurm runs.
	inJob bool
	all   *pflag.FlagSet
}

// queueWait is how long a job waits for its start where --slurm-wait does not say.
const queueWait = 30 * time.Minute

const inJobFlag = "in-job"

func (f *slurmFlags) register(c *cobra.Command) {
	f.all = c.Flags()
	f.all.StringArrayVar(&f.options, "slurm", nil, "run on a node of Slurm: `options` of sbatch, and machine=NAME; once for each job")
	f.all.DurationVar(&f.wait, "slurm-wait", queueWait, "how long a job of Slurm may wait for its start")
	f.all.BoolVar(&f.inJob, inJobFlag, false, "")
	_ = f.all.MarkHidden(inJobFlag) // it is there
}

func (f *slurmFlags) asked() bool { return len(f.options) > 0 }

// mark is the reason of checks that a job did not finish, until it is known how
// the job ended.
var mark = report.Reason{Code: report.ReasonSlurm}

func (f *slurmFlags) unfinished() *report.Reason {
	if !f.inJob {
		return nil
	}
	why := mark
	return &why
}

// passed are the flags that a run on a node gets as well; job scripts that it
// submits wait as long as its own job may.
func (f *slurmFlags) passed() []string {
	return append(passedOn(f.all, append(slices.Clone(flagsThere), "slurm-wait")), "--"+inJobFlag)
}

// shared is the folder that all nodes see where they see the site.
func (a *app) shared() string { return a.path(privateDir, "slurm") }

// verifySlurm runs the plan in jobs of Slurm, side by side, and gathers the
// reports. What one of them comes to does not hold up the others.
func (a *app) verifySlurm(ctx context.Context, f *verifyFlags, config *content.Config, fsys fs.FS, plan *verify.Plan, paths []string) error {
	if f.update {
		return usage("run it where the pages are edited, without --slurm", "--update writes into the pages what this machine found")
	}
	seal, err := a.newSeal(ctx, fsys, config, f.sign)
	if err != nil {
		return err
	}
	jobs, err := a.slurmJobs(ctx, f, seal, plan)
	if err != nil {
		return err
	}
	var labels []string
	for _, j := range jobs {
		labels = append(labels, j.known...)
	}
	for _, label := range labels {
		if err := seal.mayCount(label); err != nil {
			return err
		}
	}
	if err := gitignore(a.path(privateDir)); err != nil {
		return fmt.Errorf("nothing was run: %w", err)
	}
	release, err := a.lockAll(labels)
	if err != nil {
		return err
	}
	defer release()
	for _, j := range jobs {
		if err := j.prepare(paths); err != nil {
			return err
		}
	}
	codes := make([]int, len(jobs))
	busy := a.newBusy()
	defer busy.end()
	ended := a.counted(busy, "work_jobs", len(jobs))
	var work sync.WaitGroup
	for i, j := range jobs {
		work.Go(func() {
			codes[i] = j.run(ctx)
			ended()
		})
	}
	work.Wait()
	busy.end()
	switch code := slices.Max(codes); {
	case ctx.Err() != nil:
		return said(exitSignal)
	case code != exitFine:
		return said(code)
	}
	return nil
}

// slurmJobs reads what --slurm says, and makes sure that each report has a name.
func (a *app) slurmJobs(ctx context.Context, f *verifyFlags, seal *seal, plan *verify.Plan) ([]*slurmJob, error) {
	if a.slurm.wait <= 0 {
		return nil, usage("write it as 30m or 2h", "--slurm-wait %s is no time to wait", a.slurm.wait)
	}
	if !slurm.Installed() {
		return nil, usage("run it where jobs are submitted, on the login node", "--slurm needs %s, which is not installed here", slurm.Program)
	}
	screen := &sync.Mutex{}
	var jobs []*slurmJob
	taken := map[string]bool{}
	for _, text := range a.slurm.options {
		o, err := slurm.ParseOptions(text)
		if err != nil {
			return nil, usage("write it as --slurm machine=NAME,partition=gpu,time=00:10:00", "--slurm %s: %v", text, err)
		}
		if err := a.nameJob(ctx, f, &o); err != nil {
			return nil, err
		}
		if taken[string(o.Machine)] {
			return nil, usage("give each --slurm a machine= of its own", "two jobs would write the report of %s", o.Machine)
		}
		taken[string(o.Machine)] = true
		j := &slurmJob{a: a, options: o, plan: plan, seal: seal, file: f.report, screen: screen, keeps: f.keeps(),
			prefixed: len(a.slurm.options) > 1 || o.Machine.PerNode()}
		if j.known, err = j.labels(); err != nil {
			return nil, err
		}
		jobs = append(jobs, j)
	}
	return jobs, nil
}

// nameJob finds the label of a job's reports.
func (a *app) nameJob(ctx context.Context, f *verifyFlags, o *slurm.Options) error {
	several := len(a.slurm.options) > 1
	switch {
	case o.Machine != "" && f.machine != "" || several && f.machine != "":
		return usage("write machine=NAME in each --slurm, and no --machine", "--machine %s names more than one report", f.machine)
	case o.Machine == "" && several:
		return usage("write --slurm machine=NAME,"+o.Text, "the report of --slurm %s has no name", o.Text)
	case o.Machine == "" && f.machine != "":
		named, err := slurm.ParseOptions(o.Text + ",machine=" + f.machine)
		if err != nil {
			return usage("", "--machine %s: %v", f.machine, err)
		}
		*o = named
	case o.Machine == "":
		name, err := a.machineName(ctx, "")
		if err != nil {
			return err
		}
		o.Machine = slurm.Label(name)
	}
	if err := report.CheckName(o.Machine.Of(0, "n")); err != nil {
		return usage("", "%v", err)
	}
	if f.report != "" && (several || o.Machine.PerNode()) {
		return usage("leave it out: each report is written to results/", "--report %s names one file for several reports", f.report)
	}
	return a.checkReportFlag(f.report, string(o.Machine))
}

// planJobs tells what Slurm says of what would be submitted.
func (a *app) planJobs(ctx context.Context, f *verifyFlags, plan *verify.Plan) error {
	var blocks []*content.Block
	for _, s := range plan.Sessions {
		for _, b := range s.Chosen() {
			if b.Kind == content.Sbatch {
				blocks = append(blocks, b)
			}
		}
	}
	if len(blocks) == 0 && !a.slurm.asked() {
		return nil
	}
	if !slurm.Installed() {
		fmt.Fprintln(a.stdout, a.w.Get("slurm_absent", "program", slurm.Program))
		return nil
	}
	fmt.Fprintln(a.stdout, a.w.Get("slurm_says"))
	refused := false
	tell := func(what, verdict string, err error) error {
		var rejected *slurm.Rejected
		switch {
		case errors.As(err, &rejected):
			refused = true
			fmt.Fprintf(a.stdout, "  %s  %s\n", what, a.w.Get("slurm_rejects", "why", err.Error()))
		case err != nil:
			return err
		default:
			fmt.Fprintf(a.stdout, "  %s  %s\n", what, verdict)
		}
		return nil
	}
	for _, b := range blocks {
		verdict, err := verify.JobTest(ctx, b)
		if err := tell(fmt.Sprintf("%s  %s", b.Place(b.Line), b.Name), verdict, err); err != nil {
			return err
		}
	}
	for _, text := range a.slurm.options {
		o, err := slurm.ParseOptions(text)
		if err != nil {
			return usage("write it as --slurm machine=NAME,partition=gpu,time=00:10:00", "--slurm %s: %v", text, err)
		}
		verdict, err := slurm.Test(ctx, slurm.NodeRun{Label: o.Machine}.Script(o))
		if err := tell("--slurm "+text, verdict, err); err != nil {
			return err
		}
	}
	if refused {
		return said(exitFailed)
	}
	return nil
}

// absolute is the site's folder and this program, as the nodes must see them.
func (a *app) absolute() (site, self string, err error) {
	site, siteErr := filepath.Abs(a.site)
	self, selfErr := os.Executable()
	return site, self, errors.Join(siteErr, selfErr)
}
