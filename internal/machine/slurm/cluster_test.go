package slurm

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParsePartitions(t *testing.T) {
	t.Parallel()
	got := parsePartitions(`cpu*|up|12|1-00:00:00|(null)
gpu|up|4|infinite|gpu:a100:4(S:0-1),craynetwork:4
gpu|up|2|infinite|gpu:v100:8(S:0,2),shard:16
gpu|up|1|infinite|gpu:a100:4(S:0-1)
old|down|1|30:00|gpu
bare|drain|0|n/a|

|up|1|1:00|gpu:1
a line of a plugin
`)
	want := []Partition{
		{Name: "cpu", Default: true, Up: true, Nodes: 12, TimeLimit: "1-00:00:00"},
		{Name: "gpu", Up: true, Nodes: 7, TimeLimit: "infinite", GPUs: []string{"gpu:a100:4", "gpu:v100:8"}},
		{Name: "old", Nodes: 1, TimeLimit: "30:00", GPUs: []string{"gpu"}},
		{Name: "bare", TimeLimit: "n/a"},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func FuzzPartitions(f *testing.F) {
	f.Add("gpu*|up|4|infinite|gpu:a100:4(S:0-1),shard:16")
	f.Add("x|up|1|1|gpu:(,gpu:)")
	f.Fuzz(func(t *testing.T, text string) {
		for _, p := range parsePartitions(text) {
			for _, g := range p.GPUs {
				if !strings.HasPrefix(g, "gpu") || strings.ContainsAny(g, "(|\n") {
					t.Errorf("GPU %q", g)
				}
			}
		}
	})
}

// TestVersion: the version is the client's, also through a wrapper, and no longer than a report
// may hold.
func TestVersion(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	if v := Version(t.Context()); v != "" {
		t.Errorf("without Slurm: %q", v)
	}
	for script, want := range map[string]string{
		"echo slurm 23.11.4": "23.11.4", "echo slurm-wlm 21.08.8-2": "21.08.8-2", "echo; echo a module of the lab; echo slurm 24.05.1": "24.05.1",
		"": "?", "echo in /home/ana/slurm": "?", "echo Could not establish a configuration source >&2; exit 1": "",
	} {
		if err := os.WriteFile(filepath.Join(dir, "sbatch"), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
			t.Fatal(err)
		}
		if v := Version(t.Context()); v != want {
			t.Errorf("%s: %q, want %q", script, v, want)
		}
	}
}

// TestAsk: the output of sinfo when the controller is down names its host.
func TestAsk(t *testing.T) {
	dir := t.TempDir()
	sinfo := func(script string) {
		if err := os.WriteFile(filepath.Join(dir, "sinfo"), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	sinfo(`[ "$1" = --version ] && echo slurm-wlm 23.11.4 || echo 'gpu*|up|1|infinite|gpu:4'`)
	c, err := Ask(t.Context())
	if d := cmp.Diff(Cluster{"23.11.4", []Partition{{Name: "gpu", Default: true, Up: true, Nodes: 1, TimeLimit: "infinite", GPUs: []string{"gpu:4"}}}}, c); err != nil || d != "" {
		t.Error(err, d)
	}
	sinfo(`[ "$1" = --version ] && echo slurm 23.11.4 && exit; echo "Unable to contact slurm controller (head.lab)" >&2; exit 1`)
	if c, err = Ask(t.Context()); err == nil || strings.Contains(err.Error(), "head") || c.Version != "23.11.4" {
		t.Errorf("%+v, %v", c, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err = Ask(ended); err == nil {
		t.Error("no error")
	}
}
