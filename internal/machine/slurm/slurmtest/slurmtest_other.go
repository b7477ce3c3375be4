//go:build !linux

package slurmtest

import "testing"

type daemon struct{}

// Start skips the test: Slurm's daemons run on Linux.
func Start(t testing.TB) *Cluster {
	t.Helper()
	t.Skip("Slurm's daemons need Linux")
	return nil
}
