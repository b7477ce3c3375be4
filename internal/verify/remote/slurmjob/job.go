// Package slurmjob runs verify in Slurm jobs: on one node, or on each node of a job.
//
// The job script starts this program on the nodes, in the site's folder, as all nodes
// of a cluster share a file system. Output and reports come back in a folder below the
// site. A run on a node does not know why its job ends, so it marks the checks that it
// could not finish ([Unfinished]); the process that submitted the job replaces the mark
// with Slurm's reason for the end of the job. If a job did not run at all, its reports
// are written here with the reason.
package slurmjob

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gpudocs/gpudocs/internal/machine/slurm"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/reason"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/verify"
	"github.com/gpudocs/gpudocs/internal/verify/remote"
)

// Flag is the hidden flag of verify for a run on a node. Such a run takes no lock,
// because the process that submitted the job holds it, and marks unfinished checks as
// [Unfinished].
const Flag = "in-job"

// Unfinished is the reason of checks that a run on a node did not finish, until it
// is known how the job ended.
var Unfinished = report.Reason{Code: report.ReasonSlurm}

// Test asks Slurm, without submitting anything, whether it would accept the job, and when it would start.
func (a Allocation) Test(ctx context.Context) (verdict string, err error) {
	return slurm.Test(ctx, nodeRun{}.script(a))
}

// Run runs a request in a job. It makes an allocation a [remote.Target].
func (a Allocation) Run(ctx context.Context, r *remote.Request, o remote.Observer) []remote.Result {
	j := &job{Allocation: a, request: r, observer: o}
	if err := j.run(ctx); err != nil && !errors.Is(err, context.Canceled) {
		j.results = append(j.results, remote.Result{Label: j.name(), Code: remote.ExitBroken, Err: err})
	}
	return j.results
}

// A job is a request that runs in Slurm.
type job struct {
	Allocation
	request  *remote.Request
	observer remote.Observer
	folder   slurm.Folder
	results  []remote.Result
}

// name returns the name of the job for people.
func (j *job) name() string { return string(j.Machine) }

func (j *job) step(s remote.Step, detail text.Message) { j.observer.Step(j.name(), s, detail) }

// run submits the job, waits for its end and gathers its reports.
func (j *job) run(ctx context.Context) (err error) {
	site, siteErr := filepath.Abs(j.request.Options.Root)
	self, selfErr := os.Executable()
	if err := errors.Join(siteErr, selfErr); err != nil {
		return err
	}
	if j.folder, err = slurm.NewFolder(ctx, j.request.Options.Shared); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.folder.Remove()) }()
	if err := j.writePrevious(); err != nil {
		return err
	}
	node := nodeRun{executable: self, site: site, folder: j.folder, args: append([]string{"--" + Flag}, j.request.Args...)}
	submitted, err := j.folder.Submit(ctx, node.script(j.Allocation))
	if rejected := (*slurm.Rejected)(nil); errors.As(err, &rejected) {
		j.step(remote.Rejected, text.Plain(err))
		j.notRun(j.Machine.first(j.Nodes), remote.ExitUsage, report.Skipped, slurm.Reason(report.JobRejected, rejected.Message))
		return nil
	}
	if submitted.ID != "" {
		j.step(remote.Submitted, text.Plain(submitted.ID))
	}
	if err != nil {
		return err
	}
	info, outcome, err := j.wait(ctx, submitted)
	if err != nil && ctx.Err() == nil {
		return err
	}
	j.gather(ctx, info, outcome)
	return nil
}

// given is the time of the reports that the nodes receive. A node that writes its
// report changes it, even if the content is the same.
var given = time.Unix(0, 0)

// writePrevious writes the previous reports for the nodes to continue.
func (j *job) writePrevious() error {
	for label, f := range j.request.Previous {
		if f.Report == nil || !j.Machine.matches(label) {
			continue
		}
		file := j.folder.Join(label + ".json")
		if err := errors.Join(os.WriteFile(file, f.Data, 0o644), os.Chtimes(file, given, given)); err != nil {
			return err
		}
	}
	return nil
}

// followEvery is how often the output of the nodes is read.
const followEvery = 300 * time.Millisecond

// wait waits for the job's end, and passes on what the nodes print.
func (j *job) wait(ctx context.Context, submitted slurm.Job) (slurm.Info, slurm.Outcome, error) {
	f := &follower{folder: j.folder, files: map[string]*followed{}, line: func(label, line string) {
		if !strings.Contains(line, j.folder.Path) { // the path of the node's report is internal
			j.observer.Line(label, line)
		}
	}}
	over := make(chan struct{})
	var follow sync.WaitGroup
	follow.Go(func() {
		defer f.close()
		for t := time.NewTicker(followEvery); ; f.poll() {
			select {
			case <-over:
				t.Stop()
				return
			case <-t.C:
			}
		}
	})
	defer follow.Wait()
	defer close(over)
	return submitted.Wait(ctx, slurm.Limits{Queue: j.request.Options.QueueWait}, func(info slurm.Info) {
		switch {
		case info.Waiting() && info.Reason != "":
			j.step(remote.Waiting, text.Plain(info.Reason))
		case info.State == "RUNNING":
			j.step(remote.Running, text.Message{})
		}
	})
}

// gather collects the reports of the nodes.
func (j *job) gather(ctx context.Context, info slurm.Info, outcome slurm.Outcome) {
	if !info.Began() || outcome == slurm.NeverStarted {
		if ctx.Err() == nil {
			why := info.WhyNotStarted(j.request.Options.QueueWait)
			j.step(remote.Failed, reason.Message(why))
			j.notRun(j.Machine.first(j.Nodes), remote.ExitFailed, report.Skipped, why)
		}
		return
	}
	checksFailed := info.State == "FAILED" && info.Exit == remote.ExitFailed // gpudocs printed which
	if info.State != "COMPLETED" && !checksFailed && ctx.Err() == nil {
		j.showLog()
		j.step(remote.Failed, reason.Message(info.Why()))
	}
	for n, host := range slurm.Hosts(context.WithoutCancel(ctx), info.Nodes) {
		label := j.Machine.Of(n, host)
		if n > 0 && !j.Machine.PerNode() {
			break
		}
		if err := report.CheckName(label); err != nil { // the name of a node is not known before
			j.results = append(j.results, remote.Result{Label: label, Code: remote.ExitUsage, Err: err})
			continue
		}
		j.gatherNode(ctx, label, info)
	}
}

// showLog shows the end of what Slurm wrote to the job's log.
func (j *job) showLog() {
	log, _ := os.ReadFile(j.folder.Join("job.log")) // may be missing
	for line := range strings.Lines(string(log[max(0, len(log)-4<<10):])) {
		j.observer.Line(j.name(), strings.TrimRight(line, "\n"))
	}
}

// gatherNode collects the report of one node, and completes the reason of checks that
// it did not finish.
func (j *job) gatherNode(ctx context.Context, label string, info slurm.Info) {
	r, err := j.written(label, info)
	interrupted := ctx.Err() != nil
	switch {
	case err != nil:
		j.results = append(j.results, remote.Result{Label: label, Code: remote.ExitBroken, Err: err})
		return
	case r != nil:
	case interrupted:
		return
	case info.Signal == 0 && info.Exit == remote.ExitUsage && j.began(label): // gpudocs printed why: its page has changed, for example
		j.results = append(j.results, remote.Result{Label: label, Code: remote.ExitUsage})
		return
	case info.Exit == exitNotSeen:
		j.notRun([]string{label}, remote.ExitFailed, report.Skipped, slurm.Reason(report.JobNotSeen, ""))
		return
	case !j.began(label):
		j.notRun([]string{label}, remote.ExitFailed, report.Skipped, info.Why())
		return
	default:
		j.notRun([]string{label}, remote.ExitFailed, report.Errored, info.Why())
		return
	}
	var why *report.Reason
	if !interrupted {
		why = info.Why()
	}
	verify.ReplaceReason(r, j.request.Previous[label].Report, Unfinished, why)
	code := remote.ExitPassed
	if j.request.Plan.Failed(r) {
		code = remote.ExitFailed
	}
	j.report(label, r, code)
}

// written returns the report that the node wrote, or nil. A shared file system may show
// it late, so if gpudocs ended in a way that implies a report, written waits for it.
func (j *job) written(label string, info slurm.Info) (r *report.Report, err error) {
	wrote := info.Signal == 0 && slices.Contains([]int{remote.ExitPassed, remote.ExitFailed, remote.ExitInterrupted}, info.Exit)
	var data []byte
	j.folder.Late(func() bool {
		var stat fs.FileInfo
		data = nil
		file := j.folder.Join(label + ".json")
		if stat, err = os.Stat(file); err == nil && !stat.ModTime().Equal(given) {
			data, err = os.ReadFile(file)
		}
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return !wrote || data != nil || err != nil
	})
	if err != nil || data == nil {
		return nil, err
	}
	return report.Parse(label+".json", data)
}

// began reports whether gpudocs printed anything on the node.
func (j *job) began(label string) bool {
	info, err := os.Stat(j.folder.Join(label + outSuffix))
	return err == nil && info.Size() > 0
}

// notRun writes reports with the reason why nothing was run.
func (j *job) notRun(labels []string, code int, outcome report.Outcome, why *report.Reason) {
	if len(labels) == 0 {
		j.step(remote.Nameless, text.Message{})
		j.results = append(j.results, remote.Result{Label: j.name(), Code: code})
	}
	for _, label := range labels {
		o := j.request.Options
		o.Machine = label
		r := j.request.Plan.NotRun(j.request.Previous[label].Report, o, outcome, *why)
		j.report(label, r, code)
	}
}

// report passes on a report and adds the result of its machine.
func (j *job) report(label string, r *report.Report, code int) {
	result := remote.Result{Label: label, Code: code, Report: r}
	if result.Err = j.observer.Report(label, r); result.Err != nil {
		result.Code, result.Report = remote.ExitBroken, nil
	}
	j.results = append(j.results, result)
}
