package slurm_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/internal/machine/slurm"
	"github.com/gpudocs/gpudocs/internal/machine/slurm/slurmtest"
)

// TestSubmitInterrupted: an interrupt during the answer of a slow controller leaves no unknown
// job behind.
func TestSubmitInterrupted(t *testing.T) {
	cluster := slurmtest.Start(t)
	t.Setenv("SLURM_CONF", cluster.Conf)
	number, err := os.ReadFile(filepath.Join(filepath.Dir(cluster.Conf), "slurmctld.pid"))
	if err != nil {
		t.Fatal(err)
	}
	controller, err := strconv.Atoi(strings.TrimSpace(string(number)))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(controller, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	goOn := func() { _ = syscall.Kill(controller, syscall.SIGCONT) }
	defer goOn()
	ctx, stop := context.WithTimeout(t.Context(), time.Second)
	defer stop()
	time.AfterFunc(2*time.Second, goOn)
	job, err := slurm.Submit(ctx, slurm.Script{Args: []string{"--output=/dev/null"}, Text: "#!/bin/sh\nexec sleep 600\n", Dir: t.TempDir()})
	if err == nil {
		if _, _, err := job.Wait(ctx, slurm.Limits{}, nil); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Wait waited for the job: %v", err)
		}
	}
	goOn()
	time.Sleep(time.Second) // for the late answer
	if out, err := exec.Command("squeue", "--noheader", "--states=PENDING,RUNNING").CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("left in the queue: %v\n%s", err, out)
	}
}
