package slurm_test

import (
	"context"
	"errors"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/internal/machine/slurm"
	"github.com/gpudocs/gpudocs/internal/machine/slurm/slurmtest"
)

// TestWait: a real job, from the queue to its end, and one that is interrupted when it has
// begun since the last query of Slurm: the result then has the fact that it began.
func TestWait(t *testing.T) {
	cluster := slurmtest.Start(t)
	t.Setenv("SLURM_CONF", cluster.Conf)
	dir := t.TempDir()
	submit := func(text string, args ...string) slurm.Job {
		t.Helper()
		job, err := slurm.Submit(t.Context(), slurm.Script{Args: append(args, "--output=out"), Text: "#!/bin/sh\n" + text + "\n", Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		return job
	}
	var states []string
	info, end, err := submit("echo hello; exit 3").Wait(t.Context(), slurm.Limits{Queue: time.Hour, Run: time.Hour}, func(i slurm.Info) { states = append(states, i.State) })
	if err != nil || end != slurm.Ended || info.State != "FAILED" || info.Exit != 3 || !info.Began() || info.Nodes != "node1" {
		t.Errorf("%+v, %v, %v", info, end, err)
	}
	if last := states[len(states)-1]; last != "FAILED" {
		t.Errorf("states %q", states)
	}
	out, err := slurm.ReadOutput(info.Stdout, 100, 100)
	if err != nil || string(out.Text) != "hello\n" {
		t.Errorf("%q, %v", out.Text, err)
	}

	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	// The shell execs the program: Slurm ends the processes that it finds in /proc, and may
	// miss one that the shell starts at that moment.
	job := submit("exec sleep 600", "--hold")
	time.AfterFunc(3*time.Second, func() { // by now Slurm is queried about once a second
		defer stop()
		if out, err := exec.Command("scontrol", "release", job.ID).CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
		for range 1000 {
			out, _ := exec.Command("scontrol", "show", "job", job.ID).Output()
			if strings.Contains(string(out), "JobState=RUNNING") {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
	})
	info, _, err = job.Wait(ctx, slurm.Limits{}, nil)
	if !errors.Is(err, context.Canceled) || !info.Began() || info.State != "CANCELLED" {
		t.Errorf("%+v, %v", info, err)
	}
}
