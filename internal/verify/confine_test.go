package verify

import (
	"slices"
	"testing"

	"github.com/gpudocs/gpudocs/internal/content"
)

// TestNoJobOutsideTheSandbox: Slurm would run a job script outside of it.
func TestNoJobOutsideTheSandbox(t *testing.T) {
	need(t, "bwrap", "sbatch")
	site := load(t, map[string]string{"content/pt/a.md": "```bash {run=sbatch name=job}\n#!/bin/bash\ntrue\n```\n"})
	r := verify(t, site, noGPU, Options{Shared: t.TempDir(), Confine: content.Verify{Sandbox: content.SandboxBwrap}})
	if r.Machine.Sandbox == "" {
		t.Skip("bubblewrap is not permitted here")
	}
	if got := outcomes(r); !slices.Equal(got, []string{"job skipped no-sandbox (Slurm runs a job outside of it)"}) {
		t.Errorf("%q", got)
	}
}
