package verify

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/gpudocs/gpudocs/internal/machine/slurm"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/verify/session"
	"github.com/gpudocs/gpudocs/internal/verify/tools"
)

// jobFile is the name of the script in its work folder, as a reader would call it.
const jobFile = "job.sh"

// sbatch submits a block that is a job script, waits for the job, and compares what
// Slurm wrote to its output file.
func (x *runner) sbatch(ctx context.Context, b *site.Block, c *report.Check) error {
	if x.o.Shared == "" {
		return errors.New("there is no folder that the nodes of a cluster see")
	}
	folder, err := slurm.NewFolder(ctx, x.o.Shared)
	if err != nil {
		return err
	}
	defer folder.Release()
	x.scratch = folder.Path // close removes it
	script, err := x.script(folder, b)
	if err != nil {
		return err
	}
	work, err := os.OpenRoot(script.Dir)
	if err != nil {
		return err
	}
	defer work.Close()
	if x.lacksFiles(ctx, work, b, c) {
		return ctx.Err()
	}
	job, err := folder.Submit(ctx, script)
	if rejected := (*slurm.Rejected)(nil); errors.As(err, &rejected) {
		c.Outcome, c.Reason = report.Failed, x.slurm("rejected: "+rejected.Message)
		if rejected.Absent(b.Code) { // missing hardware is not the script's fault
			c.Outcome = report.Skipped
		}
		return nil
	}
	if err != nil {
		return err
	}
	info, outcome, err := job.Wait(ctx, slurm.Limits{Queue: x.o.QueueWait, Run: x.timeLimit(b)}, nil)
	x.redactNodes(info)
	c.DurationMS = float64(info.RunTime.Milliseconds())
	if errors.Is(err, slurm.ErrSeveral) {
		c.Outcome, c.Reason = report.Errored, x.slurm(err.Error())
		return nil
	}
	if err != nil {
		return err
	}
	if outcome == slurm.NeverStarted || !info.Began() {
		c.Outcome, c.Reason = report.Skipped, x.slurm(info.WhyNotStarted(x.o.QueueWait))
		return nil
	}
	return x.jobEnded(b, c, info, outcome)
}

// script writes the job script to a folder that the nodes can read.
func (x *runner) script(folder slurm.Folder, b *site.Block) (slurm.Script, error) {
	work, tmp := folder.Join("work"), folder.Join("tmp")
	err := errors.Join(os.Mkdir(work, 0o700), os.Mkdir(tmp, 0o700),
		os.WriteFile(filepath.Join(work, jobFile), []byte(b.Code), 0o700))
	return slurm.Script{File: jobFile, Dir: work, Env: tools.Interpreter{}.Environ(tmp)}, err
}

// JobTest asks Slurm, without submitting anything, whether it would accept a job
// script, and when the job would start.
func JobTest(ctx context.Context, b *site.Block) (verdict string, err error) {
	return slurm.Test(ctx, slurm.Script{Text: b.Code})
}

func (x *runner) slurm(detail string) *report.Reason {
	return &report.Reason{Code: report.ReasonSlurm, Detail: x.detail(detail)}
}

// redactNodes redacts the names of a job's nodes, which Slurm writes to outputs.
func (x *runner) redactNodes(info slurm.Info) {
	x.nodeRedactor = &redactor{}
	for _, host := range slurm.Names(context.Background(), info.Nodes) {
		x.nodeRedactor.addHost(host)
	}
	if strings.Contains(info.Nodes, "[") {
		x.nodeRedactor.add(regexp.QuoteMeta(info.Nodes), "<host>")
	}
}

// jobEnded sets the outcome of a job that ran.
func (x *runner) jobEnded(b *site.Block, c *report.Check, info slurm.Info, outcome slurm.Outcome) error {
	err := x.output(c, info)
	switch {
	case outcome == slurm.TimedOut:
		c.Outcome, c.Reason = report.Errored, &report.Reason{Code: report.ReasonTimeout, Detail: x.timeLimit(b).String()}
	case info.State == "COMPLETED" && err != nil:
		c.Outcome, c.Reason = report.Failed, x.slurm("the job's output file cannot be read: "+err.Error())
	case info.State == "COMPLETED", info.State == "FAILED" && info.Signal == 0 && info.Exit != 0:
		x.judge(b, c, session.Result{Exit: info.Exit})
	default:
		c.Outcome, c.Reason = report.Errored, x.slurm(info.Why())
	}
	return nil
}

// output reads the output files of the job. Slurm writes both streams to one file
// unless the script sets two.
func (x *runner) output(c *report.Check, info slurm.Info) (err error) {
	read := func(file string) (*report.Stream, error) {
		out, err := slurm.ReadOutput(file, keptHead, keptTail)
		return x.stream(out), err
	}
	c.Stdout, err = read(info.Stdout)
	if info.Stderr != info.Stdout {
		c.Stderr, _ = read(info.Stderr) // a missing file differs from what is expected
	}
	return err
}
