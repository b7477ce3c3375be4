package verify

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gpudocs/gpudocs/internal/report"
)

// TestCheckpoint: while one block still runs, a report of the blocks before it is written, with
// the results of an earlier report. A failure to write it does not end the run, and after the
// run none is written.
func TestCheckpoint(t *testing.T) {
	need(t, "bash")
	gate := filepath.Join(t.TempDir(), "gate")
	t.Setenv("GATE", gate)
	site := loadSite(t, map[string]string{"content/pt/a.md": "```bash {run name=a}\ntrue\n```\n```bash {run name=b timeout=10m}\nuntil [ -e \"$GATE\" ]; do sleep 0.05; done\n```\n" +
		"```bash {run name=c}\necho $RANDOM\n```\n"})
	plan, err := NewPlan(site, Filter{})
	if err != nil {
		t.Fatal(err)
	}
	var last []string
	var over atomic.Bool
	r, err := Run(t.Context(), plan, nil, Options{Machine: "m", Jobs: 1, Probe: func(context.Context) report.GPU { return noGPU },
		Checkpoint: func(r *report.Report) error {
			if over.Load() {
				t.Error("a checkpoint after the end")
			}
			last = outcomes(r)
			if err := report.Write(filepath.Join(t.TempDir(), "m.json"), r); err != nil {
				t.Error(err)
			}
			return errors.Join(os.WriteFile(gate, nil, 0o644), errors.New("disk full"))
		}})
	over.Store(true)
	if err != nil || !slices.Equal(last, []string{"a passed"}) {
		t.Errorf("the checkpoint holds %q; %v", last, err)
	}
	if got := strings.Join(outcomes(r), ", "); got != "a passed, b passed, c passed" {
		t.Errorf("the report holds %s", got)
	}
}
