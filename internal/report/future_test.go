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
	dated := func(ran time.Time) *Report {
		c := Check{ID: id(1), Kind: KindBash, Places: []Place{}, Outcome: Passed, Ran: ran}
		return &Report{Schema: Schema, Machine: Machine{Name: "m", GPU: GPU{Status: GPUNone}}, Checks: []Check{c}}
	}
	honest, wrong := at.Add(-time.Hour), at.AddDate(5, 0, 0)
	for ran, want := range map[time.Time]bool{honest: false, at.Add(23 * time.Hour): false, at.Add(25 * time.Hour): true, wrong: true} {
		d, warned := Ahead("results/m.json", dated(ran))
		if warned != want || warned && !strings.Contains(d.Message.String(), "m has results that are dated ahead, such as "+ran.Format(time.DateOnly)) {
			t.Errorf("%v: %v %v", ran, warned, d.Message)
		}
	}
	both := dated(honest)
	both.Checks = append(both.Checks, dated(wrong).Checks...)
	if got := both.Newest(); !got.Equal(honest) {
		t.Errorf("the newest result is of %v", got)
	}
	if got := dated(wrong).Newest(); !got.Equal(wrong) {
		t.Errorf("the only result is of %v", got)
	}
}
