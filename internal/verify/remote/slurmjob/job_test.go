//go:build unix

package slurmjob

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gpudocs/gpudocs/internal/machine/slurm"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/verify"
	"github.com/gpudocs/gpudocs/internal/verify/remote"
)

// TestGatherBesideBroken: an unreadable report of one node does not affect the others.
func TestGatherBesideBroken(t *testing.T) {
	tools, folder := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(tools, "scontrol"), []byte("#!/bin/sh\nprintf 'node1\\nnode2\\n'\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", tools+":"+os.Getenv("PATH"))
	for name, text := range map[string]string{
		"lab-0.json": "{",
		"lab-1.json": `{"schema":1,"generator":"g","machine":{"name":"lab-1","os":"","arch":"","gpu":{"status":"none"}},"checks":[]}`,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var gathered []string
	j := &job{Allocation: Allocation{Machine: "lab-%n"}, folder: slurm.Folder{Path: folder}, request: &remote.Request{Plan: &verify.Plan{}}, observer: remote.Observer{
		Report: func(label string, _ *report.Report) error { gathered = append(gathered, label); return nil },
	}}
	j.gather(t.Context(), slurm.Info{State: "COMPLETED", Nodes: "node[1-2]"}, slurm.Ended)
	if len(gathered) != 1 || gathered[0] != "lab-1" || len(j.results) != 2 || j.results[0].Err == nil || j.results[0].Code != remote.ExitBroken || j.results[1].Code != remote.ExitPassed {
		t.Errorf("gathered %q: %+v", gathered, j.results)
	}
}
