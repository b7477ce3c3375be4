package slurm

import (
	"cmp"
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

// sacctFields are the fields that [parseAccounting] reads. Each is in every version of Slurm
// since 20.11.
const sacctFields = "JobID,State,ExitCode,ElapsedRaw,Timelimit,NodeList"

// accounted returns the records that accounting has of the job. There are none if the cluster has no accounting.
func (j Job) accounted(ctx context.Context) []Info {
	args := []string{"--noheader", "--parsable2", "--allocations", "--format=" + sacctFields, "--jobs=" + j.ID}
	if j.Cluster != "" {
		args = append(args, "--clusters="+j.Cluster)
	}
	out, _, err := run(ctx, "sacct", args...)
	if err != nil {
		return nil
	}
	return parseAccounting(out)
}

var jobOrTask = lazyregexp.New(`^(\d+)(?:_\[?([\d,:%-]+)\]?)?$`)

// parseAccounting parses lines of [sacctFields]: "12_3|FAILED|7:0|61|00:10:00|n1". The time limit is in
// the format of scontrol. The names of output files are not there.
func parseAccounting(text string) (all []Info) {
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimSpace(line), "|")
		if len(f) != 6 {
			continue
		}
		m := jobOrTask.FindStringSubmatch(f[0])
		state, _, _ := strings.Cut(f[1], " ") // "CANCELLED by 1000"
		if m == nil || state == "" {
			continue
		}
		i := Info{id: m[1], array: m[2], State: state, TimeLimit: f[4], Nodes: f[5]}
		i.Exit, i.Signal = exitCode(f[2])
		seconds, _ := strconv.ParseUint(f[3], 10, 31) // absent is 0
		i.RunTime = time.Duration(seconds) * time.Second
		if i.Nodes == "None assigned" {
			i.Nodes = ""
		}
		all = append(all, i)
	}
	return all
}

// with returns a job or task with the end that accounting has recorded.
func (i Info) with(a Info) Info {
	a.Task, a.BatchHost, a.Stdout, a.Stderr = i.Task, i.BatchHost, i.Stdout, i.Stderr
	a.TimeLimit = cmp.Or(i.TimeLimit, a.TimeLimit)
	return a
}
