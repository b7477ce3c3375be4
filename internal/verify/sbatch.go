package verify

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/gpudocs/gpudocs/internal/machine/slurm"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/verify/judge"
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
	script, err := jobScript(folder, b)
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
		c.Outcome, c.Reason = report.Failed, slurm.Reason(report.JobRejected, rejected.Message).Redacted(x.detail)
		if rejected.Absent(b.Code) { // missing hardware is not the script's fault
			c.Outcome = report.Skipped
		}
		return nil
	}
	if err != nil {
		return err
	}
	info, _, err := job.Wait(ctx, slurm.Limits{Queue: x.o.QueueWait, Run: x.timeLimit(b)}, nil)
	x.redactNodes(info, b)
	c.DurationMS = float64(info.RunTime.Milliseconds())
	if errors.Is(err, slurm.ErrSeveral) {
		c.Outcome, c.Reason = report.Errored, slurm.Reason(report.JobSeveral, "")
		return nil
	}
	if err != nil {
		return err
	}
	x.jobEnded(b, c, info)
	return nil
}

// jobScript writes the job script to a folder that the nodes can read.
func jobScript(folder slurm.Folder, b *site.Block) (slurm.Script, error) {
	work, tmp := folder.Join("work"), folder.Join("tmp")
	err := errors.Join(os.Mkdir(work, 0o700), os.Mkdir(tmp, 0o700),
		os.WriteFile(filepath.Join(work, jobFile), []byte(b.Code), 0o700))
	return slurm.Script{File: jobFile, Text: b.Code, Dir: work, Env: tools.Interpreter{}.Environ(tmp)}, err
}

// JobTest asks Slurm, without submitting anything, whether it would accept a job
// script, and when the job would start.
func JobTest(ctx context.Context, b *site.Block) (verdict string, err error) {
	return slurm.Test(ctx, slurm.Script{Text: b.Code})
}

// redactNodes redacts the names of a job's nodes, which Slurm writes to outputs.
func (x *runner) redactNodes(info slurm.Info, b *site.Block) {
	nodes := &redactor{}
	for _, host := range slurm.Names(context.Background(), info.Nodes) {
		nodes.addHost(host)
	}
	if strings.Contains(info.Nodes, "[") {
		nodes.add("", regexp.QuoteMeta(info.Nodes), "<host>")
	}
	x.nodeRedactor = nodes.of(b)
}

// jobEnded sets the outcome of a job. That of an array is the worst of its tasks, and its output is
// what they wrote, one after the other in the order of their indexes, as `cat slurm-*.out` shows it.
// So a page can expect each task to write something else.
func (x *runner) jobEnded(b *site.Block, c *report.Check, info slurm.Info) {
	parts := info.Tasks
	if len(parts) == 0 {
		parts = []slurm.Info{info}
	}
	exit := judge.Choose(b, x.facts(b)).Exit
	var worst *report.Task
	var all []report.Task
	read := map[string]bool{} // tasks may write to one file
	for _, part := range parts {
		out, errs, err := x.output(part, len(parts), read)
		t := x.task(b, part, exit, err)
		if out != nil {
			t.Bytes = len(out.Text)
		}
		c.Stdout, c.Stderr = joined(c.Stdout, out), joined(c.Stderr, errs)
		all = append(all, t)
		if worst == nil || outcomeRank[t.Outcome] > outcomeRank[worst.Outcome] {
			worst = &t
		}
	}
	switch {
	case worst.Outcome == report.Passed:
		x.judge(b, c, session.Result{Exit: exit})
	case len(info.Tasks) == 0:
		c.Outcome, c.Reason, c.Exit = worst.Outcome, worst.Reason, worst.Exit
	default:
		c.Outcome, c.Reason = worst.Outcome, slurm.Reason(report.JobTasks, "")
	}
	if len(info.Tasks) > 0 {
		c.Tasks = all
	}
}

// outcomeRank orders outcomes, the worst last.
var outcomeRank = map[report.Outcome]int{report.Passed: 0, report.Skipped: 1, report.Failed: 2, report.Errored: 3}

// task returns the result of a task, or of a job that is no array. It passes if it ends with the
// expected exit code and its output can be read.
func (x *runner) task(b *site.Block, info slurm.Info, exit int, output error) report.Task {
	t := report.Task{Index: info.Task, DurationMS: float64(info.RunTime.Milliseconds()), Outcome: report.Errored, Reason: info.Why().Redacted(x.detail)}
	switch {
	case info.Forgotten():
	case !info.Began(), info.Waiting():
		t.Outcome, t.Reason = report.Skipped, info.WhyNotStarted(x.o.QueueWait).Redacted(x.detail)
	case !info.Ended():
		t.Reason = &report.Reason{Code: report.ReasonTimeout, Limit: report.Seconds(x.timeLimit(b))}
	case info.State == "COMPLETED" && output != nil:
		t.Outcome, t.Reason = report.Failed, slurm.Reason(report.JobUnread, output.Error()).Redacted(x.detail)
	case info.State == "COMPLETED", info.State == "FAILED" && info.Signal == 0 && info.Exit != 0:
		t.Exit = &info.Exit
		t.Outcome, t.Reason = judgeExit(info.Exit, exit)
	}
	return t
}

// output reads the output files of a job, or of one of several tasks. Slurm writes both streams to
// one file unless the script sets two. A file that was read before is left out.
func (x *runner) output(info slurm.Info, tasks int, read map[string]bool) (stdout, stderr *report.Stream, err error) {
	file := func(name string) (*report.Stream, error) {
		if read[name] || !info.Wrote() {
			return nil, nil
		}
		read[name] = true
		out, err := slurm.ReadOutput(name, keptHead/tasks, keptTail/tasks)
		return x.stream(out), err
	}
	stdout, err = file(info.Stdout)
	stderr, _ = file(info.Stderr) // a missing file differs from what is expected
	return stdout, stderr, err
}

// joined returns two outputs as one. Only a single one has a hash.
func joined(a, b *report.Stream) *report.Stream {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	sum := report.Stream{Text: a.Text + b.Text, Cut: a.Cut + b.Cut}
	if sum.Cut > 0 {
		sum.Bytes = int64(cmp.Or(int(a.Bytes), len(a.Text)) + cmp.Or(int(b.Bytes), len(b.Text)))
	}
	return &sum
}
