package verify

import (
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/test/reporttest"
)

// TestSurvivesClockJumps: a wall clock that jumps by years neither times a block out nor makes
// its duration negative; the time of the run is that of the clock. Package session has a test
// that sets a real clock.
func TestSurvivesClockJumps(t *testing.T) {
	need(t, "bash", "python3")
	site := loadSite(t, map[string]string{"content/pt/a.md": "```bash {run name=a session=s timeout=1m}\nsleep 0.1\n```\n```bash {run name=b session=s timeout=1m}\nsleep 0.1\n```\n```pycon {run name=c timeout=1m}\n>>> 1\n1\n>>> import time; time.sleep(0.1)\n```\n"})
	begin := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	given := map[time.Time]bool{}
	clock := begin
	r := verify(t, site, noGPU, Options{Now: func() time.Time {
		if len(given)%2 == 0 {
			clock = clock.Add(40_000 * time.Hour)
		} else {
			clock = clock.Add(-80_000 * time.Hour)
		}
		given[clock] = true
		return clock
	}})
	for _, c := range r.Checks {
		if c.Outcome != report.Passed || c.DurationMS < 100 || c.DurationMS > 60_000 {
			t.Errorf("after %v ms: %s", c.DurationMS, reporttest.Text(c))
		}
		if !given[c.Ran] {
			t.Errorf("%s ran at %v, which the clock never showed", c.Name, c.Ran)
		}
	}
}
