//go:build unix

package slurmjob

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/machine/slurm"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/verify"
	"github.com/gpudocs/gpudocs/internal/verify/remote"
)

// planOf returns the plan of a site with two blocks.
func planOf(t *testing.T) *verify.Plan {
	t.Helper()
	s, _ := load.Load(fstest.MapFS{
		"gpudocs.toml":    {Data: []byte("title = \"T\"\n")},
		"content/en/a.md": {Data: []byte("```bash {run name=a}\ntrue\n```\n```bash {run name=b}\nfalse\n```\n")},
	}, load.Options{})
	plan, err := verify.NewPlan(s, verify.Filter{})
	if err != nil || plan.Checks() != 2 {
		t.Fatal(plan, err)
	}
	return plan
}

// written is the report of a node: the first check passed, the second has this outcome.
func written(t *testing.T, plan *verify.Plan, label string, outcome report.Outcome, why *report.Reason) []byte {
	t.Helper()
	r := plan.NotRun(nil, verify.Options{Machine: label, Generator: "g"}, report.Skipped, report.Reason{Code: report.ReasonSlurm})
	r.Checks[0].Outcome, r.Checks[0].Reason = report.Passed, nil
	r.Checks[1].Outcome, r.Checks[1].Reason = outcome, why
	data, err := report.Encode(r)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestGather: what is told of a job and of its reports, however it ended.
func TestGather(t *testing.T) {
	plan := planOf(t)
	scontrol := t.TempDir()
	if err := os.WriteFile(filepath.Join(scontrol, "scontrol"), []byte("#!/bin/sh\neval last=\\$$#\necho $last | tr + '\\n'\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", scontrol+":"+os.Getenv("PATH"))
	passed := written(t, plan, "lab", report.Passed, nil)
	failed := written(t, plan, "lab", report.Failed, &report.Reason{Code: report.ReasonMismatch})
	unfinished := written(t, plan, "lab", report.Errored, &Unfinished)
	for _, tt := range []struct {
		name    string
		machine Label
		info    slurm.Info
		outcome slurm.Outcome
		files   map[string]string
		stopped bool // by Ctrl-C
		refuse  bool // the report cannot be written
		want    []string
	}{
		{name: "never started", machine: "lab", info: slurm.Info{State: "CANCELLED"}, outcome: slurm.NeverStarted,
			want: []string{"step 4", "report lab: skipped slurm cancelled, skipped slurm cancelled", "result lab 1"}},
		{name: "had a node and was given up", machine: "lab", info: slurm.Info{State: "PENDING", Nodes: "n1"}, outcome: slurm.NeverStarted,
			want: []string{"step 4", "report lab: skipped slurm queue, skipped slurm queue", "result lab 1"}},
		{name: "no node is known by its name", machine: "lab-%N", info: slurm.Info{State: "CANCELLED"}, outcome: slurm.Ended,
			want: []string{"step 4", "step 5", "result lab-%N 1"}},
		{name: "nodes have numbers", machine: "lab-%n", info: slurm.Info{State: "CANCELLED"}, outcome: slurm.Ended,
			want: []string{"step 4", "report lab-0: skipped slurm cancelled, skipped slurm cancelled", "report lab-1: skipped slurm cancelled, skipped slurm cancelled", "result lab-0 1", "result lab-1 1"}},
		{name: "interrupted in the queue", machine: "lab", info: slurm.Info{State: "CANCELLED"}, stopped: true},
		{name: "passed", machine: "lab", info: slurm.Info{State: "COMPLETED", Nodes: "n1"}, files: map[string]string{"lab.json": string(passed)},
			want: []string{"report lab: passed, passed", "result lab 0"}},
		{name: "a check failed, which gpudocs printed", machine: "lab", info: slurm.Info{State: "FAILED", Exit: 1, Nodes: "n1"}, files: map[string]string{"lab.json": string(failed), "job.log": "log\n"},
			want: []string{"report lab: passed, failed output-differs", "result lab 1"}},
		{name: "one report of two nodes", machine: "lab", info: slurm.Info{State: "COMPLETED", Nodes: "n1+n2"}, files: map[string]string{"lab.json": string(passed)},
			want: []string{"report lab: passed, passed", "result lab 0"}},
		{name: "cut off", machine: "lab", info: slurm.Info{State: "TIMEOUT", Nodes: "n1"}, files: map[string]string{"lab.json": string(unfinished), "job.log": "one\ntwo\n"},
			want: []string{"line lab: one", "line lab: two", "step 4", "report lab: passed, error slurm time-limit", "result lab 1"}},
		{name: "interrupted", machine: "lab", info: slurm.Info{State: "CANCELLED", Nodes: "n1"}, files: map[string]string{"lab.json": string(unfinished), "job.log": "log\n"}, stopped: true,
			want: []string{"report lab: passed", "result lab 0"}},
		{name: "interrupted before a report", machine: "lab", info: slurm.Info{State: "CANCELLED", Signal: 15, Nodes: "n1"}, stopped: true},
		{name: "its page has changed, which gpudocs printed", machine: "lab", info: slurm.Info{State: "FAILED", Exit: 2, Nodes: "n1"}, files: map[string]string{"lab.out": "usage\n"},
			want: []string{"step 4", "result lab 2"}},
		{name: "exit code 2 of something else", machine: "lab", info: slurm.Info{State: "FAILED", Exit: 2, Nodes: "n1"}, files: map[string]string{"lab.out": ""},
			want: []string{"step 4", "report lab: skipped slurm exit, skipped slurm exit", "result lab 1"}},
		{name: "the node does not see the site", machine: "lab", info: slurm.Info{State: "FAILED", Exit: exitNotSeen, Nodes: "n1"}, files: map[string]string{"lab.out": "no\n"},
			want: []string{"step 4", "report lab: skipped slurm not-seen, skipped slurm not-seen", "result lab 1"}},
		{name: "killed before it printed", machine: "lab", info: slurm.Info{State: "FAILED", Signal: 9, Nodes: "n1"},
			want: []string{"step 4", "report lab: skipped slurm signal, skipped slurm signal", "result lab 1"}},
		{name: "killed while it ran", machine: "lab", info: slurm.Info{State: "FAILED", Signal: 9, Exit: 2, Nodes: "n1"}, files: map[string]string{"lab.out": "x\n"},
			want: []string{"step 4", "report lab: error slurm signal, error slurm signal", "result lab 1"}},
		{name: "a node whose name is no label", machine: "lab-%N", info: slurm.Info{State: "COMPLETED", Nodes: "n/1+n2"}, files: map[string]string{"lab-n2.json": string(written(t, plan, "lab-n2", report.Passed, nil))},
			want: []string{"report lab-n2: passed, passed", "result lab-n/1 2 !", "result lab-n2 0"}},
		{name: "a report that cannot be read", machine: "lab", info: slurm.Info{State: "COMPLETED", Nodes: "n1"}, files: map[string]string{"lab.json": "{"},
			want: []string{"result lab 3 !"}},
		{name: "a report that cannot be written", machine: "lab", info: slurm.Info{State: "COMPLETED", Nodes: "n1"}, files: map[string]string{"lab.json": string(passed)}, refuse: true,
			want: []string{"report lab: passed, passed", "result lab 3 !"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			folder := slurm.Folder{Path: t.TempDir()}
			for name, text := range tt.files {
				if err := os.WriteFile(folder.Join(name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			var got []string
			note := func(format string, args ...any) { got = append(got, fmt.Sprintf(format, args...)) }
			j := &job{
				Allocation: Allocation{Machine: tt.machine, Nodes: 2},
				folder:     folder,
				request:    &remote.Request{Plan: plan, Options: verify.Options{Generator: "g"}},
				observer: remote.Observer{
					Line: func(label, line string) { note("line %s: %s", label, line) },
					Step: func(_ string, s remote.Step, _ text.Message) { note("step %d", s) },
					Report: func(label string, r *report.Report) error {
						var checks []string
						for _, c := range r.Checks {
							s := string(c.Outcome)
							if c.Reason != nil {
								s += strings.TrimRight(" "+c.Reason.Code+" "+c.Reason.Why, " ")
							}
							checks = append(checks, s)
						}
						note("report %s: %s", label, strings.Join(checks, ", "))
						if tt.refuse {
							return errors.New("disk full")
						}
						return nil
					},
				},
			}
			if tt.machine == "lab" {
				j.Nodes = 1
			}
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			if tt.stopped {
				stop()
			}
			j.gather(ctx, tt.info, tt.outcome)
			for _, r := range j.results {
				s := fmt.Sprintf("result %s %d", r.Label, r.Code)
				if r.Err != nil {
					s += " !"
				}
				got = append(got, s)
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

// TestPreviousReports: nodes get the reports that they continue, and one that they leave alone counts as none.
func TestPreviousReports(t *testing.T) {
	plan := planOf(t)
	data := written(t, plan, "lab-0", report.Passed, nil)
	r, err := report.Parse("lab-0.json", data)
	if err != nil {
		t.Fatal(err)
	}
	j := &job{
		Allocation: Allocation{Machine: "lab-%n"},
		folder:     slurm.Folder{Path: t.TempDir()},
		request:    &remote.Request{Plan: plan, Previous: map[string]report.File{"lab-0": {Report: r, Data: data}, "lab-1": {}, "other": {Report: r, Data: data}}},
	}
	if err := j.writePrevious(); err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(j.folder.Join("*"))
	if err != nil || len(names) != 1 || filepath.Base(names[0]) != "lab-0.json" {
		t.Fatalf("%q, %v", names, err)
	}
	ended := slurm.Info{State: "FAILED", Signal: 9}
	if got, err := j.written("lab-0", ended); got != nil || err != nil {
		t.Errorf("%+v, %v: the node has not written it", got, err)
	}
	if err := os.Chtimes(names[0], time.Now(), time.Now()); err != nil {
		t.Fatal(err)
	}
	if got, err := j.written("lab-0", ended); got == nil || err != nil {
		t.Errorf("%+v, %v: the node has written it", got, err)
	}
}

// TestLabels: the labels of a job are known, or those of earlier reports that it may have.
func TestLabels(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"lab-0", "lab-7", "lab-x", "other"} {
		if err := os.WriteFile(filepath.Join(dir, name+".json"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for machine, want := range map[Label]string{"lab": "lab", "lab-%n": "lab-0 lab-1 lab-0 lab-7", "lab-%N": "lab-0 lab-7 lab-x", "new-%N": ""} {
		got, err := Allocation{Machine: machine, Nodes: 2}.Labels(dir)
		if strings.Join(got, " ") != want || err != nil {
			t.Errorf("%s: %q, %v, want %s", machine, got, err, want)
		}
	}
}

// TestScript: the options of sbatch, and the program on each node.
func TestScript(t *testing.T) {
	node := nodeRun{executable: "/bin/gpudocs", site: "/site", folder: slurm.Folder{Path: "/f"}}
	for _, tt := range []struct {
		list  string
		tasks []string
		srun  bool
	}{
		{"machine=lab,gpus-per-node=2", nil, false},
		{"machine=lab-%n,nodes=3", []string{"--ntasks-per-node=1"}, true},
		{"machine=lab-%n,nodes=3,gpus-per-task=1", []string{"--ntasks-per-node=1", "--ntasks=3"}, true},
		{"machine=lab,gpus-per-task=1", []string{"--ntasks=1"}, false},
	} {
		a, err := Parse(tt.list)
		if err != nil {
			t.Fatal(err)
		}
		s := node.script(a)
		var tasks []string
		for _, arg := range s.Args {
			if strings.HasPrefix(arg, "--ntasks") {
				tasks = append(tasks, arg)
			}
		}
		if d := cmp.Diff(tt.tasks, tasks); d != "" || strings.Contains(s.Text, "exec srun ") != tt.srun {
			t.Errorf("%s: %s\n%s", tt.list, d, s.Text)
		}
		if got := strings.Join(s.Args[:3], " "); got != "--job-name=gpudocs --no-requeue --output=/f/job.log" || !strings.HasSuffix(strings.Join(s.Args, " "), a.Args[len(a.Args)-1]) {
			t.Errorf("%s: %q", tt.list, s.Args)
		}
	}
}
