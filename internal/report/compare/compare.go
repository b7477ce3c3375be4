// Package compare finds the differences between two reports: of two machines, or
// of one machine at two dates.
//
// Checks are paired by their ID, which depends on the code and its expected output. The remaining
// ones are paired by page and name, as a block whose code was edited in between. Checks without
// a pair are in one report only.
package compare

import (
	"cmp"
	"reflect"
	"slices"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/report/standing"
)

// A Kind is how a check differs. A check has one: the most important.
type Kind string

// The kinds, in the order in which they are listed.
const (
	Regression Kind = "regression" // passed, and now failed, an error or lost
	Mend       Kind = "mend"       // failed, an error or lost, and now passed
	Outcome    Kind = "outcome"    // any other outcome: skipped and now passed
	Output     Kind = "output"     // the same outcome with another output, value or reason
	Duration   Kind = "duration"   // the same, in a much longer or shorter time
	OnlyA      Kind = "only-a"     // in the first report only
	OnlyB      Kind = "only-b"     // in the second only
)

// Kinds are all kinds in their order.
var Kinds = []Kind{Regression, Mend, Outcome, Output, Duration, OnlyA, OnlyB}

// Measured rates differ if one is RateRatio times the other. Less is noise, such as clocks
// that change with the temperature.
const RateRatio = 1.05

// Durations differ if one is Ratio times the other and Least milliseconds longer. Less is
// noise, such as disk caches and the CPU's clock.
const (
	Ratio = 2
	Least = 500
)

// A Change is a check that differs.
type Change struct {
	Kind Kind   `json:"kind"`
	Page string `json:"page"`
	Name string `json:"name"`
	// Edited means that the code or the expectation differs too.
	Edited bool `json:"edited,omitempty"`
	// A and B are the two results. OnlyA and OnlyB have one of them.
	A *report.Check `json:"a,omitempty"`
	B *report.Check `json:"b,omitempty"`
}

// A Result are all differences.
type Result struct {
	Facts   []Fact   `json:"facts"`
	Changes []Change `json:"changes"`
	// Same counts the checks that do not differ.
	Same int `json:"same"`
}

// Outcomes reports whether the outcome of a check in both reports differs.
func (r Result) Outcomes() bool {
	return slices.ContainsFunc(r.Changes, func(c Change) bool {
		return c.Kind == Regression || c.Kind == Mend || c.Kind == Outcome
	})
}

// Of returns the changes of one kind.
func (r Result) Of(k Kind) []Change {
	return r.only(func(c Change) bool { return c.Kind == k })
}

func (r Result) only(wanted func(Change) bool) []Change {
	return slices.DeleteFunc(slices.Clone(r.Changes), func(c Change) bool { return !wanted(c) })
}

// NewFailures returns the checks that fail, are an error or are lost now and were none of these in the first report.
func (r Result) NewFailures() []Change {
	broken := func(c *report.Check) bool { return c != nil && standing.Of(c).Broken() }
	return r.only(func(c Change) bool { return broken(c.B) && !broken(c.A) })
}

// Lost returns the regressions of checks that are lost; see [standing.State].
func (r Result) Lost() []Change {
	return r.only(func(c Change) bool { return c.Kind == Regression && standing.Of(c.B).Lost })
}

// News returns the result without what differs between any two runs: outputs and durations of
// checks with the same outcome. Measurements stay, and checks that have drifted or become unsteady.
func (r Result) News() Result {
	r.Changes = r.only(func(c Change) bool {
		return c.Kind != Duration && (c.Kind != Output || c.B.Measurement != nil || c.B.Drifted() && !c.A.Drifted() ||
			c.B.Unsteady() && !c.A.Unsteady())
	})
	return r
}

// Reports compares two reports.
func Reports(a, b *report.Report) Result {
	out := Result{Facts: facts(a, b), Changes: []Change{}}
	for _, p := range pairs(a.Checks, b.Checks) {
		if c, differs := change(p); differs {
			out.Changes = append(out.Changes, c)
		} else {
			out.Same++
		}
	}
	rank := func(c Change) (n int) {
		if n = 2 * slices.Index(Kinds, c.Kind); c.Kind == Regression && !standing.Of(c.B).Lost {
			n++ // what is lost comes first
		}
		return n
	}
	slices.SortStableFunc(out.Changes, func(x, y Change) int { return cmp.Compare(rank(x), rank(y)) })
	return out
}

// pairs pairs the checks of two reports, in the order of the second. One side of a pair may
// be nil.
func pairs(a, b []report.Check) [][2]*report.Check {
	byID := map[report.ID]int{}
	byPlace := map[[2]string][]int{}
	here := map[report.ID]bool{}
	for i := range b {
		here[b[i].ID] = true
	}
	for i := range a {
		byID[a[i].ID] = i
		if !here[a[i].ID] {
			at := [2]string{a[i].Page, a[i].Name}
			byPlace[at] = append(byPlace[at], i)
		}
	}
	used := make([]bool, len(a))
	var out [][2]*report.Check
	for i := range b {
		at := [2]string{b[i].Page, b[i].Name}
		j, ok := byID[b[i].ID]
		if rest := byPlace[at]; !ok && len(rest) > 0 {
			j, ok = rest[0], true
			byPlace[at] = rest[1:]
		}
		if !ok {
			out = append(out, [2]*report.Check{nil, &b[i]})
			continue
		}
		used[j] = true
		out = append(out, [2]*report.Check{&a[j], &b[i]})
	}
	for i := range a {
		if !used[i] {
			out = append(out, [2]*report.Check{&a[i], nil})
		}
	}
	return out
}

// change returns how the checks of a pair differ. differs is false if they do not.
func change(p [2]*report.Check) (c Change, differs bool) {
	a, b := p[0], p[1]
	named := cmp.Or(b, a)
	c = Change{Page: named.Page, Name: named.Name, A: a, B: b}
	switch {
	case a == nil:
		c.Kind = OnlyB
		return c, true
	case b == nil:
		c.Kind = OnlyA
		return c, true
	}
	c.Edited = a.ID != b.ID
	switch {
	case a.Outcome != b.Outcome:
		c.Kind = Turn(standing.Of(a), standing.Of(b))
	case !reflect.DeepEqual(comparable(a), comparable(b)), !sameMeasurement(a.Measurement, b.Measurement):
		c.Kind = Output
	case a.Measurement == nil && (slower(a.DurationMS, b.DurationMS) || slower(b.DurationMS, a.DurationMS)):
		c.Kind = Duration
	}
	return c, c.Kind != ""
}

// Turn returns the kind of a change between two states of a check.
func Turn(was, now standing.State) Kind {
	switch {
	case was.Standing == standing.Passed && now.Broken():
		return Regression
	case was.Broken() && now.Standing == standing.Passed:
		return Mend
	}
	return Outcome
}

// comparable returns what is compared of a check: not the date, the duration and the line, and not how many earlier values a drift
// was judged by. Of figures only the number counts, because the bytes depend on the version of a library.
func comparable(c *report.Check) any {
	out := struct {
		found          string
		exit           *int
		stdout, stderr report.Stream
		captures       []report.Capture
		figures        int
		reason         report.Reason
		build          report.Build
		marks          [2]bool
	}{found: c.Found, exit: c.Exit, captures: slices.Clone(c.Captures), figures: len(c.Figures), marks: [2]bool{c.Drifted(), c.Unsteady()},
		stdout: of(c.Stdout), stderr: of(c.Stderr), reason: of(c.Reason), build: of(c.Build)}
	for i := range out.captures {
		out.captures[i].Drift = nil
	}
	out.reason.Place = nil
	out.build.DurationMS, out.build.Tool, out.build.Cached = 0, "", false
	if l, _ := ask.ParseLine(c.Want); c.Measurement != nil || l.Reads() { // no two rates or temperatures are the same
		out.found, out.captures, out.reason.Found = "", nil, ""
	}
	return out
}

// of returns what a pointer points to, or the zero value.
func of[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// slower reports whether b took much longer than a, in milliseconds.
func slower(a, b float64) bool { return b >= Ratio*a && b-a >= Least }
