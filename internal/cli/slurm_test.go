package cli

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gpudocs/gpudocs/internal/machine/slurm/slurmtest"
)

// TestSlurm runs the scripts in testdata/slurm against a real Slurm of two nodes
// that lives as long as the test; see package slurmtest for its partitions.
func TestSlurm(t *testing.T) {
	t.Parallel() // beside TestScripts, because most of its time is waiting
	cluster := slurmtest.Start(t)
	python := pythonFolder(t)
	testscript.Run(t, params(t, "testdata/slurm", func(e *testscript.Env) error {
		e.Setenv("SLURM_CONF", cluster.Conf)
		return setup(e, python)
	}))
}
