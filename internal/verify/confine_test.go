package verify

import (
	"os/exec"
	"slices"
	"testing"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/test/programtest"
)

// TestNoJobOutsideTheSandbox: a job script is refused, because Slurm would run it outside of
// the sandbox.
func TestNoJobOutsideTheSandbox(t *testing.T) {
	if _, err := exec.LookPath("sbatch"); err != nil {
		t.Skip(err) // it is not called, so its Slurm need not run
	}
	programtest.NeedSandbox(t)
	s := loadSite(t, map[string]string{"content/pt/a.md": "```bash {run=sbatch name=job}\n#!/bin/bash\ntrue\n```\n"})
	r := verify(t, s, noGPU, Options{Shared: t.TempDir(), Confine: site.Verify{Sandbox: site.SandboxBwrap}})
	if got := outcomes(r); !slices.Equal(got, []string{"job skipped no-sandbox (job)"}) {
		t.Errorf("%q", got)
	}
}
