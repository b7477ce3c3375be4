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
	"github.com/gpudocs/gpudocs/internal/verify/tools"
)

// jobFile is the name of the script in its work folder, as a reader would call it.
const jobFile = "job.sh"

// job runs a block that is a job script: it submits it to Slurm and waits for its end. The output is what Slurm wrote
// to the job's output file.
type job struct{ *runner }

func (x job) run(ctx context.Context, b *site.Block) (out judge.Output, err error) {
	if x.o.Shared == "" {
		return out, errors.New("there is no folder that the nodes of a cluster see")
	}
	folder, err := slurm.NewFolder(ctx, x.o.Shared)
	if err != nil {
		return out, err
	}
	defer folder.Release()
	x.scratch = folder.Path // close removes it
	script, err := jobScript(folder, b)
	if err != nil {
		return out, err
	}
	work, err := os.OpenRoot(script.Dir)
	if err != nil {
		return out, err
	}
	defer work.Close()
	if out.Files, err = x.put(ctx, work, b); err != nil {
		return out, err
	}
	submitted, err := folder.Submit(ctx, script)
	if rejected := (*slurm.Rejected)(nil); errors.As(err, &rejected) {
		out.Outcome, out.Reason = report.Failed, slurm.Reason(report.JobRejected, rejected.Message).Redacted(x.detail)
		if rejected.Absent(b.Code) { // missing hardware is not the script's fault
			out.Outcome = report.Skipped
		}
		return out, nil
	}
	if err != nil {
		return out, err
	}
	info, _, err := submitted.Wait(ctx, slurm.Limits{Queue: x.o.QueueWait, Run: x.timeLimit(b)}, nil)
	x.redactNodes(info, b)
	out.Duration = info.RunTime
	if errors.Is(err, slurm.ErrSeveral) {
		out.Outcome, out.Reason = report.Errored, slurm.Reason(report.JobSeveral, "")
		return out, nil
	}
	if err == nil {
		x.collect(b, info, &out)
	}
	return out, err
}

// collect reads what a job, or each task of an array, has written.
func (x job) collect(b *site.Block, info slurm.Info, out *judge.Output) {
	parts := info.Tasks
	if out.Array = len(parts) > 0; !out.Array {
		parts = []slurm.Info{info}
	}
	read := map[string]bool{} // tasks may write to one file
	for _, part := range parts {
		stdout, stderr, err := x.output(part, len(parts), read)
		t := x.task(b, part, err)
		if stdout != nil {
			t.Bytes = len(stdout.Text)
		}
		out.Stdout, out.Stderr = joined(out.Stdout, stdout), joined(out.Stderr, stderr)
		out.Tasks = append(out.Tasks, t)
	}
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

// task returns the result of a task, or of a job that is no array. If it ended by itself and its output can be read,
// its exit code and its output decide.
func (x job) task(b *site.Block, info slurm.Info, output error) report.Task {
	t := report.Task{
		Index:      info.Task,
		DurationMS: float64(info.RunTime.Milliseconds()),
		Outcome:    report.Errored,
		Reason:     info.Why().Redacted(x.detail),
	}
	switch {
	case info.Forgotten():
	case !info.Began(), info.Waiting():
		t.Outcome, t.Reason = report.Skipped, info.WhyNotStarted(x.o.QueueWait).Redacted(x.detail)
	case !info.Ended():
		t.Reason = &report.Reason{Code: report.ReasonTimeout, Limit: report.Seconds(x.timeLimit(b))}
	case info.State == "COMPLETED" && output != nil:
		t.Outcome, t.Reason = report.Failed, slurm.Reason(report.JobUnread, output.Error()).Redacted(x.detail)
	case info.State == "COMPLETED", info.State == "FAILED" && info.Signal == 0 && info.Exit != 0:
		t.Exit, t.Outcome, t.Reason = &info.Exit, "", nil
	}
	return t
}

// output reads the output files of a job, or of one of several tasks. Slurm writes both streams to
// one file unless the script sets two. A file that was read before is left out.
func (x job) output(info slurm.Info, tasks int, read map[string]bool) (stdout, stderr *report.Stream, err error) {
	file := func(name string) (*report.Stream, error) {
		if read[name] || !info.Wrote() {
			return nil, nil
		}
		read[name] = true
		out, err := slurm.ReadOutput(name, judge.Kept/tasks, judge.Kept/tasks)
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
