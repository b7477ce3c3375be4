package slurm

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/report"
)

// Info describes a job.
type Info struct {
	// State is "PENDING", "RUNNING", "COMPLETED", ... Reason is why it waits or ended,
	// in Slurm's words.
	State, Reason string
	// Exit is the script's exit code. Signal is the signal that ended it, or 0.
	Exit, Signal int
	// TimeLimit is in Slurm's format: "00:10:00".
	TimeLimit string
	// RunTime is how long it ran, in whole seconds.
	RunTime time.Duration
	// Nodes are the nodes of the job in Slurm's format: "n[1-3]"; empty if it has not
	// started. BatchHost is the node that ran the script.
	Nodes, BatchHost string
	// Stdout and Stderr are its output files, often the same.
	Stdout, Stderr string
	// Tasks are the tasks of an array, in the order of their indexes. The array's own State
	// is that of a task that runs, or else waits; its RunTime is the sum of theirs.
	Tasks []Info
	// Task is the index of a task.
	Task int
	// id is the number of the job or task, array Slurm's list of the tasks that a record
	// describes.
	id, array string
}

// ErrSeveral is the error of a script that defines several jobs.
var ErrSeveral = errors.New("heterogeneous job")

// parseInfos parses the output of `scontrol show job N`: lines of NAME=VALUE. Values
// with arbitrary text, such as paths, are on lines of their own, except for a job's
// name. So a name counts only at the beginning of a line or after a value without
// spaces. An array has a record for each task that has started, and one for the others.
func parseInfos(text string) (all []Info, err error) {
	i := &Info{} // lines before the first record
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		fields := strings.TrimLeft(line, " ")
		name, value, _ := strings.Cut(fields, "=")
		switch name {
		case "JobId":
			id, rest, _ := strings.Cut(value, " ")
			rest, _, _ = strings.Cut(rest, "JobName=")
			if field(rest, "HetJobId") != "" || len(all) > 0 && field(rest, "ArrayTaskId") == "" {
				return nil, ErrSeveral
			}
			all = append(all, Info{id: id, array: field(rest, "ArrayTaskId")})
			i = &all[len(all)-1]
		case "JobState":
			i.State, value, _ = strings.Cut(value, " ")
			i.Reason = plainReason(field(value, "Reason"))
		case "Requeue":
			i.Exit, i.Signal = exitCode(field(value, "ExitCode"))
		case "RunTime":
			run, _, _ := strings.Cut(value, " ")
			i.RunTime, i.TimeLimit = duration(run), field(value, "TimeLimit")
		case "NodeList":
			i.Nodes = unset(value)
		case "BatchHost":
			i.BatchHost = unset(value)
		case "StdOut":
			i.Stdout = value
		case "StdErr":
			i.Stderr = value
		}
	}
	if len(all) == 0 || slices.ContainsFunc(all, func(i Info) bool { return i.State == "" }) {
		return nil, fmt.Errorf("scontrol said nothing of the job")
	}
	return all, nil
}

// field returns the value of NAME=VALUE among words.
func field(words, name string) string {
	for _, w := range strings.Fields(words) {
		if v, ok := strings.CutPrefix(w, name+"="); ok {
			return v
		}
	}
	return ""
}

func unset(s string) string {
	if s == "(null)" {
		return ""
	}
	return s
}

// plainReason drops what follows Slurm's keyword: names of nodes.
func plainReason(s string) string {
	if k := strings.IndexAny(s, ",:(["); k >= 0 {
		s = s[:k]
	}
	if s == "None" || s == "null" {
		return ""
	}
	return strings.Trim(strings.ReplaceAll(s, "_", " "), " ")
}

// exitCode parses "3:0", exit code and signal.
func exitCode(s string) (exit, signal int) {
	a, b, _ := strings.Cut(s, ":")
	exit, _ = strconv.Atoi(a) // absent is 0
	signal, _ = strconv.Atoi(b)
	return exit, signal
}

var clock = lazyregexp.New(`^(?:(\d{1,4})-)?(\d{1,2}):(\d{2}):(\d{2})$`)

// duration parses "1-02:03:04".
func duration(s string) time.Duration {
	m := clock.FindStringSubmatch(s)
	if m == nil {
		return 0
	}
	var total int
	for k, factor := range []int{86400, 3600, 60, 1} {
		n, _ := strconv.Atoi(m[k+1]) // days may be absent
		total += n * factor
	}
	return time.Duration(total) * time.Second
}

// Ended reports whether the job or task is over. One that was given up is as it was before.
func (i Info) Ended() bool { return i.ended() }

// Began reports whether the job has ever had a node.
func (i Info) Began() bool { return i.Nodes != "" }

// Forgotten reports whether nobody knows how a task ended, or whether it began.
func (i Info) Forgotten() bool { return i.State == unknown }

// Wrote reports whether the job has output files.
func (i Info) Wrote() bool { return i.Began() && i.Signal != noOutput }

// Waiting reports whether the job is in the queue.
func (i Info) Waiting() bool {
	switch i.State {
	case "PENDING", "CONFIGURING", "REQUEUED", "REQUEUE_FED", "REQUEUE_HOLD", "SPECIAL_EXIT":
		return true
	}
	return false
}

// ended reports whether the job is over.
func (i Info) ended() bool {
	switch i.State {
	case "BOOT_FAIL", "CANCELLED", "COMPLETED", "DEADLINE", "FAILED", "NODE_FAIL", "OUT_OF_MEMORY", "PREEMPTED", "REVOKED", "TIMEOUT", unknown:
		return true
	}
	return false
}

// hopeless reports whether a job with this reason never starts, unless the job or the
// cluster is changed.
func (i Info) hopeless() bool {
	switch i.Reason {
	case "BadConstraints", "DependencyNeverSatisfied", "InvalidAccount", "InvalidQOS", "PartitionTimeLimit",
		"launch failed requeued held":
		return true
	}
	return false
}

// noOutput is the signal that Slurm reports for a script whose output file could not be
// created.
const noOutput = 53

// unknown is the state of a task that neither the controller nor accounting knows any more.
const unknown = "UNKNOWN"

// Reason returns a reason with one of the Job codes and what Slurm said.
func Reason(why, said string) *report.Reason {
	return &report.Reason{Code: report.ReasonSlurm, Why: why, Said: said}
}

// Why returns how the job ended.
func (i Info) Why() *report.Reason {
	switch {
	case i.State == unknown:
		return Reason(report.JobForgotten, "")
	case i.State == "CANCELLED" && !i.Began():
		return Reason(report.JobCancelled, "")
	case i.State == "TIMEOUT":
		return Reason(report.JobTime, i.TimeLimit)
	case i.State == "FAILED" && i.Signal == noOutput:
		return Reason(report.JobNoOutput, "")
	case i.State == "FAILED" && i.Signal != 0:
		return &report.Reason{Code: report.ReasonSlurm, Why: report.JobSignal, Signal: report.SignalName(syscall.Signal(i.Signal).String())}
	case i.State == "FAILED" && i.Exit != 0:
		return &report.Reason{Code: report.ReasonSlurm, Why: report.JobExit, Exit: &i.Exit}
	case i.Reason != "":
		return Reason(report.JobEnded, i.State+": "+i.Reason)
	}
	return Reason(report.JobEnded, i.State)
}

// WhyNotStarted returns why a job never ran: it was given up after some time in the
// queue, or cancelled by somebody else.
func (i Info) WhyNotStarted(wait time.Duration) *report.Reason {
	switch {
	case i.hopeless():
		return Reason(report.JobNever, i.Reason)
	case !i.Waiting():
		return i.Why()
	}
	why := Reason(report.JobQueue, i.Reason)
	why.Limit = report.Seconds(wait)
	return why
}

// files completes the names of the output files, in which Slurm leaves patterns that
// only a node knows. id is the number of the job, host the name that the node has for itself.
func (i *Info) files(id, host string) {
	short, _, _ := strings.Cut(host, ".")
	task, _, _ := strings.Cut(i.array, "%")
	for _, file := range []*string{&i.Stdout, &i.Stderr} {
		*file = expand(*file, map[byte]string{'j': i.id, 'A': id, 'J': i.id, 'a': task, 'N': short, 'n': "0", 't': "0", 's': "batch", '%': "%"})
		if *file != "" {
			*file = filepath.Clean(*file)
		}
	}
}

// hostPattern is the pattern of the node's own name.
var hostPattern = lazyregexp.New(`%\d*N`)

var namePattern = lazyregexp.New(`%(\d*)([a-zA-Z%])`)

// expand replaces sbatch's patterns, such as "%j" and "%4j" with leading zeros. Unknown
// ones stay. After a backslash there are no patterns.
func expand(name string, values map[byte]string) string {
	if strings.Contains(name, `\`) {
		return strings.ReplaceAll(name, `\`, "")
	}
	return namePattern.ReplaceAllStringFunc(name, func(s string) string {
		m := namePattern.FindStringSubmatch(s)
		v, ok := values[m[2][0]]
		if !ok {
			return s
		}
		if width, err := strconv.Atoi(m[1]); err == nil && strings.Trim(v, "0123456789") == "" {
			v = strings.Repeat("0", max(0, min(width, 10)-len(v))) + v
		}
		return v
	})
}
