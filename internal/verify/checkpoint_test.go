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

// TestCheckpoint: while one block still runs, a report of those before it is
// written, with what an earlier report holds; a failure to write one ends
// nothing, and after the run none is written any more.
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
		t.Errorf("the checkpoint held %q; %v", last, err)
	}
	if got := strings.Join(outcomes(r), ", "); got != "a passed, b passed, c passed" {
		t.Errorf("the report holds %s", got)
	}
}
