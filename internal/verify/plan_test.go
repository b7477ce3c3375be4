package verify

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestLongest: the maximum time of a run grows with the time limits of what it runs.
func TestLongest(t *testing.T) {
	t.Parallel()
	many := &strings.Builder{}
	for i := range 40 {
		fmt.Fprintf(many, "```bash {run timeout=24h}\necho %d\n```\n", i)
	}
	for _, c := range []struct {
		name, page string
		o          Options
		want       time.Duration
	}{
		{"nothing", "text\n", Options{}, startTime},
		{"a block with the default limit", "```bash {run}\ntrue\n```\n", Options{}, startTime + blockTime + time.Minute},
		{"a block with its own", "```bash {run timeout=5h}\ntrue\n```\n", Options{}, startTime + blockTime + 5*time.Hour},
		{"--timeout", "```bash {run timeout=5h}\ntrue\n```\n", Options{Timeout: time.Second}, startTime + blockTime + time.Second},
		{"two in a session", "```bash {run session=s}\ntrue\n```\n```bash {run session=s}\nfalse\n```\n", Options{}, startTime + 2*(blockTime+time.Minute)},
		{"a line that measures", "```gpu {name=g}\nmatmul\n```\n", Options{}, startTime + blockTime + measureTime},
		{"a job script", "```bash {run=sbatch}\n#!/bin/bash\n#SBATCH -n 1\n#SBATCH -o o\ntrue\n```\n", Options{QueueWait: 2 * time.Hour}, startTime + blockTime + time.Minute + jobTime + 2*time.Hour},
		{"no more than a month", many.String(), Options{}, maxTime},
	} {
		plan, err := NewPlan(loadSite(t, map[string]string{"content/pt/a.md": c.page}), Filter{})
		if err != nil {
			t.Fatal(err)
		}
		if got := plan.Longest(c.o); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
