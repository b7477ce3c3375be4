package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/slurm"
	"github.com/gpudocs/gpudocs/internal/verify"
)

// A slurmJob is one --slurm: a job that runs verify on its node, or on each of
// its nodes.
type slurmJob struct {
	a       *app
	options slurm.Options
	plan    *verify.Plan
	node    slurm.NodeRun
	// known are the labels that the job has for sure, or may have: those of
	// earlier reports.
	known []string
	// file is --report, or empty.
	file string
	// seal signs the reports; seals is that of each label.
	seal  *seal
	seals map[string]*seal
	// previous are the reports that the job continues.
	previous map[string]report.File
	prefixed bool
	// screen is held by who writes to it or to the outlets, for jobs run side by side.
	screen *sync.Mutex
	keeps  bool // what passed before
}

// prepare does all that can go wrong before a job is submitted. The locks of its
// labels are held by now, until its reports are written: the run on the node
// takes none.
func (j *slurmJob) prepare(paths []string) error {
	site, self, err := j.a.absolute()
	if err != nil {
		return err
	}
	// sbatch need not pass on the environment, and the language with it.
	args := append(j.a.spoken(j.a.slurm.passed()), "--")
	j.node = slurm.NodeRun{Executable: self, Site: site, Label: j.options.Machine, Args: append(args, paths...)}
	j.previous, j.seals = map[string]report.File{}, map[string]*seal{}
	for _, label := range j.known {
		own := *j.seal
		if j.previous[label], err = berth(j.reportFile(label), label, &own); err != nil {
			return err
		}
		j.seals[label] = &own
	}
	return nil
}

// labels are those for known.
func (j *slurmJob) labels() ([]string, error) {
	if !j.options.Machine.PerNode() {
		return []string{string(j.options.Machine)}, nil
	}
	files, err := filepath.Glob(j.a.path(resultsDir, "*.json"))
	labels := j.numbered(j.options.Nodes)
	for _, f := range files {
		label := strings.TrimSuffix(filepath.Base(f), ".json")
		if j.options.Machine.Matches(label) && report.CheckName(label) == nil {
			labels = append(labels, label)
		}
	}
	return labels, err
}

// numbered are the labels of the first nodes, where nodes have numbers only.
func (j *slurmJob) numbered(nodes int) (labels []string) {
	if !j.options.Machine.Numbered() {
		return nil
	}
	for n := range nodes {
		labels = append(labels, j.options.Machine.Of(n, ""))
	}
	return labels
}

func (j *slurmJob) reportFile(label string) string {
	if j.file != "" {
		return j.file
	}
	return j.a.path(resultsDir, label+".json")
}

// say writes a line, behind the label where there are several.
func (j *slurmJob) say(label, format string, args ...any) {
	j.screen.Lock()
	defer j.screen.Unlock()
	prefix := ""
	if j.prefixed {
		prefix = label + ": "
	}
	j.a.say(func() { fmt.Fprintf(j.a.stdout, prefix+format+"\n", args...) })
}

// run submits the job, waits for its end and writes its reports. The result is
// an exit code.
func (j *slurmJob) run(ctx context.Context) int {
	code, err := j.submit(ctx)
	if err != nil && !errors.Is(err, context.Canceled) {
		j.say(string(j.options.Machine), "%v", err)
		return exitBroken
	}
	return code
}

func (j *slurmJob) submit(ctx context.Context) (code int, err error) {
	if j.node.Folder, err = slurm.NewFolder(ctx, j.a.shared()); err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, j.node.Folder.Remove()) }()
	for label, f := range j.previous {
		if f.Report == nil {
			continue
		}
		file := j.node.Folder.Join(label + ".json")
		if err := errors.Join(os.WriteFile(file, f.Data, 0o644), os.Chtimes(file, given, given)); err != nil {
			return 0, err
		}
	}
	job, err := slurm.Submit(ctx, j.node.Script(j.options))
	if rejected := (*slurm.Rejected)(nil); errors.As(err, &rejected) {
		j.say(string(j.options.Machine), "%s", j.a.w.Get("job_rejected", "why", err.Error()))
		_, err := j.notRun(j.numbered(j.options.Nodes), report.Skipped, "rejected: "+rejected.Message)
		return exitUsage, err
	}
	if err != nil {
		return 0, err
	}
	j.say(string(j.options.Machine), "%s", j.a.w.Get("job_submitted", "id", string(job.ID)))
	if err := j.node.Folder.Holds(job); err != nil {
		return 0, errors.Join(err, job.Cancel())
	}
	info, fate, err := j.wait(ctx, job)
	if err != nil && ctx.Err() == nil {
		return 0, err
	}
	return j.gather(ctx, info, fate)
}

// followEvery is how often the output of the nodes is looked at.
const followEvery = 300 * time.Millisecond

// wait waits for the job's end, and shows meanwhile what the nodes say.
func (j *slurmJob) wait(ctx context.Context, job slurm.Job) (slurm.Info, slurm.Fate, error) {
	f := &slurm.Follower{Folder: j.node.Folder, Line: func(label, line string) {
		if !strings.Contains(line, j.node.Folder.Path) { // where the node's own report is concerns nobody
			j.say(label, "%s", line)
		}
	}}
	over := make(chan struct{})
	var follow sync.WaitGroup
	follow.Go(func() {
		defer f.Close()
		for t := time.NewTicker(followEvery); ; f.Read() {
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
	return job.Wait(ctx, slurm.Limits{Queue: j.a.slurm.wait}, func(info slurm.Info) {
		switch {
		case info.Waiting() && info.Reason != "":
			j.say(string(j.options.Machine), "%s", j.a.w.Get("job_waiting", "why", info.Reason))
		case info.State == "RUNNING":
			j.say(string(j.options.Machine), "%s", j.a.w.Get("job_running"))
		}
	})
}

// gather takes the nodes' reports to the results.
func (j *slurmJob) gather(ctx context.Context, info slurm.Info, fate slurm.Fate) (int, error) {
	if !info.Began() || fate == slurm.NeverStarted {
		if ctx.Err() != nil {
			return exitSignal, nil
		}
		why := info.WhyNotStarted(j.a.slurm.wait)
		j.say(string(j.options.Machine), "Slurm: %s", why)
		return j.notRun(j.numbered(j.options.Nodes), report.Skipped, why)
	}
	failed := info.State == "FAILED" && info.Exit == exitFailed // its checks did, and said so
	if info.State != "COMPLETED" && !failed && ctx.Err() == nil {
		j.tell(info)
	}
	worst := exitFine
	for n, host := range slurm.Hosts(context.WithoutCancel(ctx), info.Nodes) {
		label := j.options.Machine.Of(n, host)
		if n > 0 && !j.options.Machine.PerNode() {
			break
		}
		if err := report.CheckName(label); err != nil { // what a node is called is known only now
			j.say(label, "%s", j.a.w.say(err))
			worst = max(worst, exitUsage)
			continue
		}
		code, err := j.gatherOne(ctx, label, info)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", label, err)
		}
		worst = max(worst, code)
	}
	return worst, nil
}

// tell shows what Slurm wrote beside what the nodes said, where a job did not end
// well.
func (j *slurmJob) tell(info slurm.Info) {
	log, _ := os.ReadFile(j.node.Folder.Join("job.log")) // may be missing
	for line := range strings.Lines(string(log[max(0, len(log)-4<<10):])) {
		j.say(string(j.options.Machine), "%s", strings.TrimRight(line, "\n"))
	}
	j.say(string(j.options.Machine), "Slurm: %s", info.Why())
}

// notSeen is the exit code of a job script whose node does not see what it needs.
const notSeen = 126

// gatherOne takes over the report of one node, and puts into it why checks did
// not come to their end.
func (j *slurmJob) gatherOne(ctx context.Context, label string, info slurm.Info) (int, error) {
	data, err := j.written(label, info)
	if err != nil {
		return 0, err
	}
	interrupted := ctx.Err() != nil
	if data == nil {
		switch {
		case interrupted:
			return exitSignal, nil
		case info.Signal == 0 && info.Exit == exitUsage && j.spoke(label): // another run has its lock, or its page was changed
			return exitUsage, nil
		case info.Exit == notSeen:
			return j.notRun([]string{label}, report.Skipped, "the node does not see gpudocs or the site, which must be on a file system that all nodes share")
		case !j.spoke(label):
			return j.notRun([]string{label}, report.Skipped, info.Why())
		}
		return j.notRun([]string{label}, report.Errored, info.Why())
	}
	r, err := report.Parse(label+".json", data)
	if err != nil {
		return 0, err
	}
	var why *report.Reason
	if !interrupted {
		why = &report.Reason{Code: report.ReasonSlurm, Detail: info.Why()}
	}
	verify.Because(r, j.previous[label].Report, mark, why)
	return j.keep(label, r)
}

// given is the time of the reports that the nodes are given. One that a node has
// written has another, be it with the same bytes, for all was kept.
var given = time.Unix(0, 0)

// written is the report that the node wrote, or nil. It may be seen a little late;
// gpudocs has written none where it ended in any other way than these.
func (j *slurmJob) written(label string, job slurm.Info) (data []byte, err error) {
	comes := job.Signal == 0 && slices.Contains([]int{exitFine, exitFailed, exitSignal}, job.Exit)
	j.node.Folder.Late(func() bool {
		var info fs.FileInfo
		data = nil
		file := j.node.Folder.Join(label + ".json")
		if info, err = os.Stat(file); err == nil && !info.ModTime().Equal(given) {
			data, err = os.ReadFile(file)
		}
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return !comes || data != nil || err != nil
	})
	return data, err
}

// spoke tells whether gpudocs began on the node.
func (j *slurmJob) spoke(label string) bool {
	info, err := os.Stat(j.node.Folder.Join(label + ".out"))
	return err == nil && info.Size() > 0
}

// notRun writes reports that say why nothing was run.
func (j *slurmJob) notRun(labels []string, outcome report.Outcome, why string) (int, error) {
	if len(labels) == 0 {
		j.say(string(j.options.Machine), "%s", j.a.w.Get("job_nameless"))
	}
	for _, label := range labels {
		o := verify.Options{Machine: label, Generator: "gpudocs " + version(), Root: j.a.site, Keep: j.keeps}
		if _, err := j.keep(label, j.plan.NotRun(j.previous[label].Report, o, outcome, report.Reason{Code: report.ReasonSlurm, Detail: why})); err != nil {
			return 0, err
		}
	}
	return exitFailed, nil
}

func (j *slurmJob) keep(label string, r *report.Report) (int, error) {
	file := j.reportFile(label)
	signed := cmp.Or(j.seals[label], j.seal)
	j.screen.Lock()
	err := j.a.write(file, r, signed)
	j.a.outlets.gathered(j.plan.Of(r), file)
	j.screen.Unlock()
	if err != nil {
		return 0, err
	}
	j.say(label, "%s", signed.wrote(j.a.w, file))
	if j.plan.Failed(r) {
		return exitFailed, nil
	}
	return exitFine, nil
}
