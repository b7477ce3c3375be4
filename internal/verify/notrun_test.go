package verify

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
)

const twoBlocks = "# A\n```bash {run name=a}\necho 1\n```\n```bash {run name=b}\necho 2\n```\n```gpu {name=lab}\ngpus >= 1\n```\n"

// TestNotRun: the report of a machine that was never reached has the reason, and keeps what the
// plan leaves out.
func TestNotRun(t *testing.T) {
	need(t, "bash")
	site := loadSite(t, map[string]string{"content/pt/index.md": twoBlocks})
	all, err := NewPlan(site, Filter{})
	if err != nil {
		t.Fatal(err)
	}
	home, err := os.UserHomeDir()
	if err != nil {
		t.Skip(err)
	}
	o := Options{Machine: "m", Generator: "test"}
	why := report.Reason{Code: report.ReasonSlurm, Why: report.JobRejected, Said: home + "/x"}
	r := all.NotRun(nil, o, report.Skipped, why)
	want := []string{"a skipped slurm (rejected: ~/x)", "b skipped slurm (rejected: ~/x)", "lab.gpus skipped slurm (rejected: ~/x)"}
	if d := cmp.Diff(want, outcomes(r)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if _, known := ask.MachineOf(r.Machine)["gpus"]; known || r.Machine.GPU.Code != report.CodeNotReached {
		t.Errorf("the GPUs were not queried, but the report has %+v", r.Machine.GPU)
	}
	if err := report.Write(filepath.Join(t.TempDir(), "m.json"), r); err != nil {
		t.Error(err)
	}

	before := verify(t, site, oldGPU, o)
	one, err := NewPlan(site, Filter{Names: []string{"b"}})
	if err != nil {
		t.Fatal(err)
	}
	r = one.NotRun(before, o, report.Errored, report.Reason{Code: report.ReasonSlurm, Why: report.JobEnded, Said: "NODE_FAIL"})
	if d := cmp.Diff([]string{"a passed", "b error slurm (ended: NODE_FAIL)", "lab.gpus passed"}, outcomes(r)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	o.Keep = true
	r = all.NotRun(r, o, report.Skipped, report.Reason{Code: report.ReasonSlurm, Why: report.JobRejected})
	if d := cmp.Diff([]string{"a passed", "b skipped slurm (rejected)", "lab.gpus passed"}, outcomes(r)); d != "" {
		t.Errorf("an earlier pass is lost (-want +got):\n%s", d)
	}
	if d := cmp.Diff(oldGPU, r.Machine.GPU); d != "" {
		t.Errorf("the machine's description is lost (-want +got):\n%s", d)
	}
}

// TestUnfinished: an interrupted run marks its unfinished checks if it is told to, and Because
// gives the marks their reason, or removes them.
func TestUnfinished(t *testing.T) {
	need(t, "bash")
	site := loadSite(t, map[string]string{"content/pt/index.md": twoBlocks})
	plan, err := NewPlan(site, Filter{})
	if err != nil {
		t.Fatal(err)
	}
	mark := report.Reason{Code: report.ReasonSlurm}
	o := Options{Machine: "m", Generator: "test", Unfinished: &mark, Probe: func(context.Context) report.GPU { return oldGPU }}
	interrupted := func(previous *report.Report) *report.Report {
		ctx, stop := context.WithCancel(t.Context())
		o.Progress = func(e Event) {
			if e.Finished != nil && e.Finished.Name == "a" {
				stop()
			}
		}
		r, err := Run(ctx, plan, previous, o)
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("error %v", err)
		}
		return r
	}
	check := func(what string, r *report.Report, want ...string) {
		t.Helper()
		if d := cmp.Diff(want, outcomes(r)); d != "" {
			t.Errorf("%s (-want +got):\n%s", what, d)
		}
	}
	r := interrupted(nil)
	check("marked", r, "a passed", "b error slurm", "lab.gpus passed")
	ReplaceReason(r, nil, mark, &report.Reason{Code: report.ReasonSlurm, Why: report.JobTime})
	check("with a reason", r, "a passed", "b error slurm (time-limit)", "lab.gpus passed")

	r = interrupted(nil)
	ReplaceReason(r, nil, mark, nil)
	check("without a reason", r, "a passed", "lab.gpus passed")

	before := verify(t, site, oldGPU, Options{})
	r = interrupted(before)
	ReplaceReason(r, before, mark, nil)
	check("as before", r, "a passed", "b passed", "lab.gpus passed")

	o.Unfinished = nil
	check("without marks", interrupted(nil), "a passed", "lab.gpus passed")
}

// TestSignalForAll: the end of a job sends SIGTERM to all of its processes. A block that ends
// by that has not failed; one that kills itself has.
func TestSignalForAll(t *testing.T) {
	need(t, "bash")
	site := loadSite(t, map[string]string{"content/pt/index.md": "# A\n```bash {run name=a}\nkill $$; sleep 9\n```\n"})
	r := verify(t, site, noGPU, Options{})
	if d := cmp.Diff([]string{"a error crash (SIGTERM)"}, outcomes(r)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	plan, err := NewPlan(site, Filter{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	o := Options{Machine: "m", Generator: "test", Probe: func(context.Context) report.GPU { return noGPU }}
	o.Progress = func(e Event) {
		if e.Started != nil {
			// Here gpudocs gets the signal a little later than the block.
			time.AfterFunc(signalSpread/2, stop)
		}
	}
	r, err = Run(ctx, plan, nil, o)
	if !errors.Is(err, context.Canceled) || len(r.Checks) > 0 {
		t.Errorf("%v, %q", err, outcomes(r))
	}
}

// TestNoSbatch: without Slurm a job script is skipped.
func TestNoSbatch(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	site := loadSite(t, map[string]string{"content/pt/index.md": "# A\n```bash {run=sbatch name=job}\n#!/bin/bash\ntrue\n```\n"})
	r := verify(t, site, noGPU, Options{})
	if d := cmp.Diff([]string{"job skipped no-interpreter (sbatch)"}, outcomes(r)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
