package verify

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/report"
)

// TestJobs: Jobs limits how many sessions run at once, the order of the report is the plan's,
// and Progress gets one event at a time.
func TestJobs(t *testing.T) {
	need(t, "bash")
	var page strings.Builder
	var want []string
	for i := range 12 {
		fmt.Fprintf(&page, "```bash {run session=s%d}\nsleep 0.0%d\n```\n```bash {run session=s%d}\necho %d\n```\n", i, 12-i, i, i)
		want = append(want, fmt.Sprintf("#%d passed", 2*i+1), fmt.Sprintf("#%d passed", 2*i+2))
	}
	site := loadSite(t, map[string]string{"content/pt/a.md": page.String()})
	for _, jobs := range []int{1, 4} {
		plan, err := NewPlan(site, Filter{})
		if err != nil {
			t.Fatal(err)
		}
		var busy atomic.Int32
		running, most, done := 0, 0, 0
		r, err := Run(t.Context(), plan, nil, Options{Machine: "m", Jobs: jobs, Probe: func(context.Context) report.GPU { return noGPU },
			Progress: func(e Event) {
				if !busy.CompareAndSwap(0, 1) {
					t.Error("two events at once")
				}
				if e.Started != nil {
					running++
				}
				if e.Ended != nil {
					running--
				}
				most = max(most, running)
				if e.Done < done {
					t.Errorf("%d done after %d", e.Done, done)
				}
				done = e.Done
				busy.Store(0)
			}})
		if err != nil {
			t.Fatal(err)
		}
		if most != jobs || done != 24 || running != 0 {
			t.Errorf("%d jobs: at most %d at once, %d done, %d still run", jobs, most, done, running)
		}
		if d := cmp.Diff(want, outcomes(r)); d != "" {
			t.Errorf("%d jobs (-want +got):\n%s", jobs, d)
		}
		if err := report.Write(filepath.Join(t.TempDir(), "m.json"), r); err != nil {
			t.Error(err)
		}
	}
}

// TestDefaultJobs: a machine with a GPU runs one session at a time, because it is unknown which
// of them use it.
func TestDefaultJobs(t *testing.T) {
	for _, c := range []struct {
		gpu              report.GPU
		jobs, cpus, want int
	}{
		{oldGPU, 0, 16, 1}, {oldGPU, 3, 16, 3}, {oldGPU, 1, 16, 1},
		{noGPU, 0, 1, 1}, {noGPU, 0, 2, 1}, {noGPU, 0, 6, 3}, {noGPU, 0, 64, maxJobs}, {noGPU, 8, 1, 8},
		{broken, 0, 6, 3},
	} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(c.cpus))
		r := &run{o: Options{Jobs: c.jobs}, machine: report.Machine{GPU: c.gpu}}
		if n := r.jobs(); n != c.want {
			t.Errorf("%s, --jobs %d, %d CPUs: %d, want %d", c.gpu.Status, c.jobs, c.cpus, n, c.want)
		}
	}
}

// TestGPUSessionsAreAlone: sessions that declare the GPU overlap with no other.
func TestGPUSessionsAreAlone(t *testing.T) {
	need(t, "bash")
	page := strings.Repeat("```bash {run}\nsleep 0.02 # $N\n```\n", 4) + strings.Repeat("```bash {run needs=\"gpus >= 1\"}\nsleep 0.02 # $N\n```\n", 4) +
		"```bash {run session=s}\ntrue\n```\n```bash {run session=s needs=\"driver >= 1\"}\nsleep 0.02\n```\n"
	for i := range 8 {
		page = strings.Replace(page, "$N", fmt.Sprint(i), 1)
	}
	plan, err := NewPlan(loadSite(t, map[string]string{"content/pt/a.md": page}), Filter{})
	if err != nil {
		t.Fatal(err)
	}
	var running []string
	alone := []string{"#5", "#6", "#7", "#8", "#9", "#10"}
	together := 0
	if _, err := Run(t.Context(), plan, nil, Options{Machine: "m", Jobs: 4, Probe: func(context.Context) report.GPU { return oldGPU }, Progress: func(e Event) {
		if e.Started != nil {
			running = append(running, e.Started.Name)
		}
		if e.Ended != nil {
			running = slices.DeleteFunc(running, func(s string) bool { return s == e.Ended.Name })
		}
		together = max(together, len(running))
		if len(running) > 1 && slices.ContainsFunc(running, func(s string) bool { return slices.Contains(alone, s) }) {
			t.Errorf("at once: %q", running)
		}
	}}); err != nil {
		t.Fatal(err)
	}
	if together < 2 {
		t.Error("nothing ran at once")
	}
}

// TestSoftwareIsNotTheGPU: sessions that only require software may run beside others.
func TestSoftwareIsNotTheGPU(t *testing.T) {
	site := loadSite(t, map[string]string{"content/pt/a.md": "```bash {run name=no needs=\"torch >= 1.12, python or not slurm\"}\ntrue # 1\n```\n" +
		"```bash {run name=yes needs=\"torch, gpus == 0\"}\ntrue # 2\n```\n```bash {run name=also needs=\"runs torch\"}\ntrue # 3\n```\n"})
	plan, err := NewPlan(site, Filter{})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{false, true, true} {
		if s := plan.Sessions[i]; s.usesGPU() != want {
			t.Errorf("%s is alone: %v", s.Blocks[0].Name, !want)
		}
	}
}
