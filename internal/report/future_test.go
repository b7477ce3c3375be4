package report

import (
	"strings"
	"testing"
	"time"
)

// TestFuture: a result that is dated more than a day ahead is a warning, and does not hide an honest one.
func TestFuture(t *testing.T) { // not parallel, because it sets the clock
	at := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	now = func() time.Time { return at }
	defer func() { now = time.Now }()
	dated := func(outcome Outcome, ran time.Time, past ...time.Time) *Report {
		c := Check{ID: id(1), Kind: KindBash, Places: []Place{}, Outcome: outcome, Ran: ran}
		if outcome != Passed {
			c.Reason = &Reason{Code: ReasonException}
		}
		for _, p := range past {
			c.History = append(c.History, Past{Ran: p, Outcome: Passed})
		}
		return &Report{Schema: Schema, Machine: Machine{Name: "m", GPU: GPU{Status: GPUNone}}, Checks: []Check{c}}
	}
	honest, wrong := at.Add(-time.Hour), at.AddDate(5, 0, 0)
	for ran, want := range map[time.Time]bool{honest: false, at.Add(23 * time.Hour): false, at.Add(25 * time.Hour): true, wrong: true} {
		d, warned := Ahead("results/m.json", dated(Passed, ran))
		if warned != want || warned && !strings.Contains(d.Message.String(), "m has results that are dated ahead, such as "+ran.Format(time.DateOnly)) {
			t.Errorf("%v: %v %v", ran, warned, d.Message)
		}
	}
	both := dated(Passed, honest)
	both.Checks = append(both.Checks, dated(Passed, wrong).Checks...)
	if got := both.Newest(); !got.Equal(honest) {
		t.Errorf("the newest result is of %v", got)
	}
	if got := dated(Passed, wrong).Newest(); !got.Equal(wrong) {
		t.Errorf("the only result is of %v", got)
	}
	a, b := dated(Failed, honest, honest.AddDate(0, 0, -1)), dated(Passed, wrong, honest.AddDate(0, 0, -1))
	for _, sides := range [][2]*Report{{a, b}, {b, a}} {
		for _, base := range []*Report{nil, dated(Passed, honest.AddDate(0, 0, -1))} {
			merged, _, err := Merge(base, sides[0], sides[1])
			if err != nil {
				t.Fatal(err)
			}
			if c := merged.Checks[0]; c.Outcome != Failed || !c.Ran.Equal(honest) || len(c.History) != 1 {
				t.Errorf("merged: %+v", c)
			}
		}
	}
}
