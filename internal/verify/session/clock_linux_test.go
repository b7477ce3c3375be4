package session

import (
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// The system's clock is set forth and back while a block runs: neither its time limit nor its
// duration is affected. For a machine without other users.
func TestSurvivesClockJump(t *testing.T) {
	if os.Getenv("GPUDOCS_TEST_CLOCK") == "" {
		t.Skip("sets the system's clock: say GPUDOCS_TEST_CLOCK=yes where that does no harm")
	}
	began := time.Now()
	jump := func(d time.Duration) {
		now := unix.NsecToTimeval(began.Add(time.Since(began) + d).UnixNano())
		if err := unix.Settimeofday(&now); err != nil {
			t.Error(err)
		}
	}
	defer jump(0)
	o := options(t, Bash)
	o.Bounds = NewBounds(Limits{Memory: 1 << 30, Processes: 100})
	defer o.Bounds.Close()
	s := start(t, o)
	for _, d := range []time.Duration{24 * time.Hour, -24 * time.Hour} {
		time.AfterFunc(500*time.Millisecond, func() { jump(d) })
		r := run(t, s, Step{Code: "date +%Y-%m-%d; sleep 2; date +%Y-%m-%d", Timeout: time.Hour})
		if r.Status != Finished || r.Duration < 2*time.Second || r.Duration > time.Minute {
			t.Errorf("%v: %v after %v", d, r.Status, r.Duration)
		}
		t.Logf("the clock showed %q", r.Stdout.Text)
		jump(0)
	}
}
