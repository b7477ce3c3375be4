package report

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestPrune(t *testing.T) {
	at := func(day int) time.Time { return time.Date(2026, 1, day, 0, 0, 0, 0, time.UTC) }
	check := func(n int, name string, day int, past ...int) Check {
		c := Check{ID: id(n), Page: "p", Name: name, Ran: at(day)}
		for _, d := range past {
			c.History = append(c.History, Past{Ran: at(d)})
		}
		return c
	}
	r := &Report{Checks: []Check{
		check(1, "current", 20, 15, 5),
		check(2, "gone", 20),
		check(3, "edited", 20), // its code has changed, without another run
		check(4, "again", 10),  // with another run
		{ID: id(5), Page: "first", Name: "too", Ran: at(20)},
		check(6, "old", 2),
	}}
	// The check that ran again has a place on another page too, which comes first.
	held := Held{id(1): {{"p", "current"}}, id(5): {{"first", "too"}, {"p", "again"}}, id(6): {{"p", "old"}}, id(7): {{"p", "edited"}}}
	for _, c := range []struct {
		name string
		o    PruneOptions
		kept []ID
		gone map[ID]Why
		past int
	}{
		{"plain", PruneOptions{History: MaxHistory}, []ID{id(1), id(3), id(5), id(6)}, map[ID]Why{id(2): GoneBlock, id(4): Replaced}, 0},
		{"older", PruneOptions{History: MaxHistory, Before: at(8)}, []ID{id(1), id(3), id(5)}, map[ID]Why{id(2): GoneBlock, id(4): Replaced, id(6): TooOld}, 1},
		{"no history", PruneOptions{}, []ID{id(1), id(3), id(5), id(6)}, map[ID]Why{id(2): GoneBlock, id(4): Replaced}, 2},
		{"one earlier outcome", PruneOptions{History: 1}, []ID{id(1), id(3), id(5), id(6)}, map[ID]Why{id(2): GoneBlock, id(4): Replaced}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, p := Prune(r, held, c.o)
			var kept []ID
			for _, k := range out.Checks {
				kept = append(kept, k.ID)
			}
			gone := map[ID]Why{}
			for _, g := range p.Gone {
				gone[g.Check.ID] = g.Why
			}
			if d := cmp.Diff(c.kept, kept) + cmp.Diff(c.gone, gone); d != "" || p.Past != c.past {
				t.Errorf("%d earlier outcomes, want %d\n%s", p.Past, c.past, d)
			}
			if n := len(r.Checks[0].History); len(r.Checks) != 6 || n != 2 {
				t.Errorf("the report itself has changed: %d checks, %d earlier outcomes", len(r.Checks), n)
			}
		})
	}
}
