package report

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// dayOf returns the day of 2026 on which an invented check ran.
func dayOf(n int) time.Time { return time.Date(2026, 1, n, 0, 0, 0, 0, time.UTC) }

func ran(n, day int, outcome Outcome, past ...int) Check {
	c := Check{ID: id(n), Kind: KindBash, Page: "p", Name: fmt.Sprintf("#%d", n), Places: []Place{{File: "content/p.md", Line: n + 1}}, Outcome: outcome, Ran: dayOf(day), DurationMS: 1}
	if outcome != Passed {
		c.Reason = &Reason{Code: ReasonExit, Exit: new(1)}
	}
	for _, d := range past {
		c.History = append(c.History, Past{Ran: dayOf(d), Outcome: Passed, DurationMS: 1})
	}
	return c
}

func reportOf(driver string, checks ...Check) *Report {
	return &Report{Schema: Schema, Generator: "gpudocs test", Machine: Machine{Name: "lab", GPU: GPU{Status: GPUOk, Driver: driver}}, Checks: append([]Check{}, checks...)}
}

func TestMerge(t *testing.T) {
	moved := ran(1, 10, Passed)
	moved.Places = []Place{{File: "content/p.md", Line: 1}} // which sorts before the line where it was
	rate := ran(2, 12, Passed, 5)
	rate.Captures, rate.Figures = []Capture{{Name: "rate", Value: "9"}}, []Figure{{PNG: []byte("x")}}
	slower := ran(2, 11, Passed, 5)
	slower.Captures = []Capture{{Name: "rate", Value: "8"}}
	both := ran(2, 12, Passed)
	both.Captures, both.Figures = rate.Captures, rate.Figures
	both.History = []Past{{Ran: dayOf(11), Outcome: Passed, DurationMS: 1, Captures: slower.Captures}, {Ran: dayOf(5), Outcome: Passed, DurationMS: 1}}
	failed := ran(1, 12, Failed)
	failed.History = []Past{{Ran: dayOf(11), Outcome: Passed, DurationMS: 1}, {Ran: dayOf(10), Outcome: Passed, DurationMS: 1}}
	afterFailure := ran(1, 13, Passed)
	afterFailure.History = []Past{{Ran: dayOf(12), Outcome: Failed, Code: ReasonExit, DurationMS: 1}}
	boxed := reportOf("550", ran(1, 11, Passed), ran(2, 11, Passed))
	boxed.Machine.Sandbox = SandboxBwrap
	ofOther := ran(1, 12, Passed, 11)
	ofOther.History[0].Changed, ofOther.History[0].SameCode = true, true
	ofOther9 := ran(1, 12, Passed, 11, 9)
	ofOther9.History[0].Changed, ofOther9.History[0].SameCode = true, true
	for _, tt := range []struct {
		name             string
		base, a, b, want *Report
		dropped          int
	}{
		{
			"each side has run something", nil,
			reportOf("550", ran(1, 10, Passed), ran(2, 12, Passed)), reportOf("550", ran(1, 10, Passed), ran(3, 11, Passed)),
			reportOf("550", ran(1, 10, Passed), ran(2, 12, Passed), ran(3, 11, Passed)), 0,
		},
		{
			"the newest outcome counts, and the other is history", reportOf("550", ran(1, 10, Passed)),
			reportOf("550", ran(1, 12, Failed, 10)), reportOf("550", ran(1, 11, Passed, 10)),
			reportOf("550", failed), 0,
		},
		{
			"a failure that was mended", nil,
			reportOf("550", ran(1, 13, Passed)), reportOf("550", ran(1, 12, Failed)),
			reportOf("550", afterFailure), 0,
		},
		{
			"captures and figures go with their outcome", nil,
			reportOf("550", rate), reportOf("550", slower), reportOf("550", both), 0,
		},
		{
			"what one side took out is gone", reportOf("550", ran(1, 10, Passed), ran(2, 10, Passed)),
			reportOf("550", ran(1, 10, Passed)), reportOf("550", ran(1, 11, Passed, 10), ran(2, 10, Passed)),
			reportOf("550", ran(1, 11, Passed, 10)), 0,
		},
		{
			"unless the other has run it since", reportOf("550", ran(1, 10, Passed), ran(2, 10, Passed)),
			reportOf("550", ran(1, 12, Passed, 10)), reportOf("550", ran(1, 10, Passed), ran(2, 11, Passed, 10)),
			reportOf("550", ran(1, 12, Passed, 10), ran(2, 11, Passed, 10)), 0,
		},
		{
			"without a base nothing was taken out", nil,
			reportOf("550", ran(1, 10, Passed)), reportOf("550", ran(1, 11, Passed, 10), ran(2, 10, Passed)),
			reportOf("550", ran(1, 11, Passed, 10), ran(2, 10, Passed)), 0,
		},
		{
			"earlier outcomes that one side took out are gone", reportOf("550", ran(1, 10, Passed, 9, 8)),
			reportOf("550", ran(1, 10, Passed, 9)), reportOf("550", ran(1, 11, Passed, 10, 9, 8)),
			reportOf("550", ran(1, 11, Passed, 10, 9)), 0,
		},
		{
			"a block that has moved", reportOf("550", ran(1, 10, Passed), ran(2, 10, Passed)),
			reportOf("550", moved, ran(2, 10, Passed)), reportOf("550", ran(1, 10, Passed), ran(2, 11, Passed, 10)),
			reportOf("550", moved, ran(2, 11, Passed, 10)), 0,
		},
		{
			"results of another driver are history only", nil,
			reportOf("580", ran(1, 12, Passed)), reportOf("550", ran(1, 11, Passed, 9), ran(2, 11, Passed)),
			reportOf("580", ofOther9), 1,
		},
		{
			"and so are those of another sandbox", nil,
			reportOf("550", ran(1, 12, Passed)), boxed,
			reportOf("550", ofOther), 1,
		},
		{
			"one side is the base", reportOf("550", ran(1, 10, Passed)),
			reportOf("550", ran(1, 10, Passed)), reportOf("550"),
			reportOf("550"), 0,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, sides := range [][2]*Report{{tt.a, tt.b}, {tt.b, tt.a}} {
				got, dropped, err := Merge(tt.base, sides[0], sides[1])
				if err != nil || dropped != tt.dropped {
					t.Fatalf("%v, %d dropped", err, dropped)
				}
				if d := cmp.Diff(tt.want, got); d != "" {
					t.Errorf("(-want +got)\n%s", d)
				}
			}
		})
	}
	other := reportOf("550")
	other.Machine.Name = "other"
	if r, _, err := Merge(nil, reportOf("550"), other); err == nil {
		t.Errorf("merging reports of two machines gives %+v", r)
	}
	full := ran(1, 30, Passed)
	for i := range MaxHistory {
		full.History = append(full.History, Past{Ran: dayOf(29 - i), Outcome: Passed})
	}
	r, _, err := Merge(nil, reportOf("550", full), reportOf("550", ran(1, 1, Failed, 0)))
	if err != nil || !cmp.Equal(r.Checks[0].History, full.History) {
		t.Errorf("%v: the history is %+v", err, r.Checks[0].History)
	}
}

func TestMergeSoftware(t *testing.T) {
	env := func(name, python string) Environment { return Environment{Name: name, Interpreter: python} }
	with := func(day int, s *Slurm, list ...Environment) *Report {
		r := reportOf("550", ran(1, day, Passed))
		r.Machine.Environments, r.Machine.Slurm = list, s
		return r
	}
	base := with(1, nil, env("gone", "3.9"), env("old", "3.9"))
	a := with(3, nil, env("", "3.12"), env("old", "3.9"), env("torch", "3.12"))
	b := with(2, &Slurm{Version: "23"}, env("", "3.11"), env("gone", "3.9"), env("jax", "3.11"))
	a.Machine.Answers = []Answer{{Ask: `has("a")`, Has: true}, {Env: "torch", Ask: "nvcc"}}
	b.Machine.Answers = []Answer{{Ask: `has("a")`}, {Ask: `has("b")`, Has: true}}
	for _, sides := range [][2]*Report{{a, b}, {b, a}} {
		got, _, err := Merge(base, sides[0], sides[1])
		if err != nil {
			t.Fatal(err)
		}
		want := with(3, &Slurm{Version: "23"}, env("", "3.12"), env("jax", "3.11"), env("torch", "3.12")).Machine
		want.Answers = []Answer{{Ask: `has("a")`, Has: true}, {Ask: `has("b")`, Has: true}, {Env: "torch", Ask: "nvcc"}}
		if d := cmp.Diff(want, got.Machine); d != "" {
			t.Errorf("(-want +got)\n%s", d)
		}
	}
}

// anyReport returns a random report of few checks and few times, so that two of them often have
// the same.
func anyReport(r *rand.Rand) *Report {
	out := reportOf([]string{"550", "550", "550", "580"}[r.IntN(4)])
	out.Generator = []string{"gpudocs 1", "gpudocs 2"}[r.IntN(2)]
	for _, n := range r.Perm(5)[:r.IntN(6)] {
		c := ran(n, 20+r.IntN(4), []Outcome{Passed, Failed, Skipped}[r.IntN(3)])
		c.DurationMS = float64(r.IntN(2))
		for day := 19; day > 0; day-- {
			if r.IntN(4) == 0 {
				c.History = append(c.History, Past{Ran: dayOf(day), Outcome: Passed, DurationMS: float64(r.IntN(2))})
			}
		}
		out.Checks = append(out.Checks, c)
	}
	for _, name := range []string{"", "jax", "torch"} {
		if r.IntN(2) == 0 {
			out.Machine.Environments = append(out.Machine.Environments, Environment{Name: name, Interpreter: fmt.Sprint("Python 3.", 8+r.IntN(3))})
		}
	}
	if r.IntN(2) == 0 {
		out.Machine.Slurm = &Slurm{Version: fmt.Sprint(20 + r.IntN(3))}
	}
	return out
}

// TestMergeProperties checks the properties that make it safe to repeat merges, in any order.
func TestMergeProperties(t *testing.T) {
	t.Parallel()
	merge := func(base, a, b *Report) []byte {
		before := [3][]byte{encoded(base), encoded(a), encoded(b)}
		r, _, err := Merge(base, a, b)
		if err != nil {
			t.Fatal(err)
		}
		if after := [3][]byte{encoded(base), encoded(a), encoded(b)}; !slices.EqualFunc(before[:], after[:], bytes.Equal) {
			t.Fatal("Merge has changed its input")
		}
		data, err := Encode(r)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	text := func(r *Report) []byte {
		data, err := Encode(r)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	seeds := uint64(150)
	if os.Getenv("GPUDOCS_LONG") != "" {
		seeds = 5000
	}
	for seed := range seeds {
		random := rand.New(rand.NewPCG(seed, 18))
		base, a, b := anyReport(random), anyReport(random), anyReport(random)
		if seed%2 == 0 {
			base = nil
		}
		equal := func(law string, want, got []byte) {
			if d := cmp.Diff(string(want), string(got)); d != "" {
				t.Fatalf("seed %d: %s (-want +got)\n%s", seed, law, d)
			}
		}
		equal("merge(a, b) is merge(b, a)", merge(base, a, b), merge(base, b, a))
		equal("merge(a, a) is a", text(a), merge(base, a, a))
		if base != nil {
			equal("what one side alone has changed counts", text(b), merge(base, base, b))
		}
		m, _, err := Merge(nil, a, b)
		if err != nil {
			t.Fatal(err)
		}
		for _, side := range []*Report{a, b} {
			equal("what was merged is merged again", text(m), merge(nil, m, side))
		}
		// Each result is that of one side, complete and unmixed.
		for _, c := range m.Checks {
			whole := func(o Check) bool { o.History = c.History; return cmp.Equal(o, c) }
			if !slices.ContainsFunc(slices.Concat(a.Checks, b.Checks), whole) {
				t.Fatalf("seed %d: no side has the result %+v", seed, c)
			}
		}
		// The newest outcome of each check is in the result, if the machine of its side counts.
		for _, side := range []*Report{a, b} {
			for _, c := range side.Checks {
				i := slices.IndexFunc(m.Checks, func(o Check) bool { return o.ID == c.ID })
				if i < 0 && a.Machine.GPU.Same(b.Machine.GPU) || i >= 0 && m.Machine.GPU.Same(side.Machine.GPU) && m.Checks[i].Ran.Before(c.Ran) {
					t.Fatalf("seed %d: the outcome of %s of %s is lost", seed, c.ID, c.Ran)
				}
			}
		}
	}
}

// TestMergedReportIsRead: a merged report keeps the limits of reports.
func TestMergedReportIsRead(t *testing.T) {
	many := func(from int) *Report {
		r := reportOf("550")
		for i := range MaxChecks/2 + 1 {
			r.Checks = append(r.Checks, ran(from+i, 1, Passed))
		}
		return r
	}
	r, _, err := Merge(nil, many(0), many(MaxChecks))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Encode(r); err == nil || !strings.Contains(err.Error(), "checks") {
		t.Errorf("%d checks: %v", len(r.Checks), err)
	}
}
