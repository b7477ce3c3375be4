package judge

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/report/compat"
	"github.com/gpudocs/gpudocs/internal/report/match"
	"github.com/gpudocs/gpudocs/internal/site"
)

// Limits are what captured and measured values are held against: bounds of the page, relative to the
// site's references for the machine, and the values of earlier runs.
type Limits struct {
	Machine    report.Machine
	References site.References
	Drift      site.Drift
}

// Values adds references and drift to the values of a check. It fails a check that passed if one of them
// is out of its bound or has drifted. b is the check's block, or nil for a line of a gpu block.
func (l Limits) Values(b *site.Block, c *report.Check) {
	var captured []placed
	if b != nil && b.Session != nil && len(c.Captures) > 0 {
		captured = capturesOf(b, Choose(b, compat.Facts(l.Machine, b.Session.Env)))
	}
	for i := range c.Captures {
		v := &c.Captures[i]
		v.Reference = l.Reference(c, *v)
		of := placed{}
		if k := slices.IndexFunc(captured, func(p placed) bool { return p.Name == v.Name }); k >= 0 {
			of = captured[k]
		}
		limits, bounded := ask.ParseBound(v.Bound)
		x, err := strconv.ParseFloat(v.Value, 64)
		for _, value := range append(strings.Fields(v.Earlier), v.Value) {
			x, _ := strconv.ParseFloat(value, 64)
			if !bounded || limits.Relative && v.Reference <= 0 || limits.Holds(x, v.Reference) {
				continue
			}
			need := join(v.Bound, v.Unit)
			if limits.Relative {
				need = v.Bound + " (" + join(ask.FormatNumber(v.Reference), v.Unit) + ")"
			}
			fail(c, report.Capture{Name: v.Name, Value: value, Unit: v.Unit}, report.ReasonBound, need, of.at)
			break
		}
		if v.Drift = nil; l.Drift.Tolerance == 0 || err != nil || x-x != 0 || of.Text {
			continue
		}
		better := ask.Better(v.Unit)
		if bounded && better == 0 {
			better = limits.Better()
		}
		v.Drift = l.drift(c, *v, x, better)
		if v.Drift.Drifted && !l.Drift.Warn {
			fail(c, *v, report.ReasonDrift, join(ask.FormatNumber(v.Drift.Median), v.Unit), of.at)
		}
	}
}

// Current reports whether the values of an earlier result need not be found again: nothing compares
// them with the past, and their references are the same.
func (l Limits) Current(c *report.Check) bool {
	return !slices.ContainsFunc(c.Captures, func(v report.Capture) bool {
		_, err := strconv.ParseFloat(v.Value, 64)
		return err == nil && (l.Drift.Tolerance > 0 || v.Reference != l.Reference(c, v))
	})
}

// Reference returns the reference of a value in its unit, or 0. That of a combination, whose values are in
// the name of its check, comes first.
func (l Limits) Reference(c *report.Check, v report.Capture) float64 {
	r := l.References.For(v.Name, l.Machine)
	if i := strings.IndexByte(c.Name, '['); i >= 0 {
		r = cmp.Or(l.References.For(v.Name+c.Name[i:], l.Machine), r)
	}
	if r == nil {
		return 0
	}
	factor, _ := ask.Factor(r.Unit, v.Unit) // 0 for a unit that does not fit, which load reports
	return r.Value * factor
}

// fail fails a check that passed. That a value is out of its bound counts more than that one has drifted,
// which may be noise.
func fail(c *report.Check, v report.Capture, code, need string, at *report.Place) {
	if c.Outcome == report.Passed || c.DriftedOnly() && code == report.ReasonBound {
		c.Outcome = report.Failed
		c.Reason = &report.Reason{Code: code, Need: need, Found: join(v.Value, v.Unit), Value: v.Name, Place: at}
	}
}

// A placed is a capture of a block, and its place on the page.
type placed struct {
	match.Captured
	at *report.Place
}

// capturesOf returns the captures of a block, by the expectations that apply.
func capturesOf(b *site.Block, want Expected) (list []placed) {
	for _, e := range []*site.Expect{want.Stdout, want.Stderr} {
		if e != nil {
			for _, c := range e.Parsed.Captures() {
				list = append(list, placed{c, expectPlace(e, e.Line+c.Line)})
			}
		}
	}
	if b.Kind != site.Pycon {
		return list
	}
	for i := range b.Examples {
		e := &b.Examples[i]
		for _, c := range e.Captures() {
			list = append(list, placed{c, Place(b, b.LineOf(e.Line+len(e.Shown)+c.Line))})
		}
	}
	return list
}

func join(value, unit string) string {
	if unit == "" {
		return value
	}
	return value + " " + unit
}

// A value is judged by at least leastValues earlier ones. Noise is allowed for with noiseFactor
// standard deviations: of normal noise one value in 10,000 is further away on one side, and with the few values of a history
// one in 1,000. docs/content/en/verify.md has false alarms and misses.
const leastValues, noiseFactor = 5, 4

// toDeviation is the standard deviation of normal noise with a median absolute deviation of 1.
const toDeviation = 1.4826

// drift compares a value with the earlier ones of the check on the machine as it is now. better is 1 if
// more is better, -1 if less is, and 0 if neither may change. The spread of the values is the median of
// their distances from the median, so a few slow runs in the history change neither.
func (l Limits) drift(c *report.Check, v report.Capture, x float64, better int) *report.Drift {
	var earlier []float64
	skipped := false
	for _, p := range c.History {
		if p.Changed {
			break
		}
		for _, old := range p.Captures {
			if y, err := strconv.ParseFloat(old.Value, 64); err != nil || y-y != 0 || old.Name != v.Name || old.Unit != v.Unit {
				continue
			} else if p.Ran.After(c.Ran) { // by a clock that was wrong
				skipped = true
			} else {
				earlier = append(earlier, y)
			}
		}
	}
	d := &report.Drift{N: len(earlier)}
	if d.N < leastValues {
		d.Why = report.DriftFew
		if skipped {
			d.Why = report.DriftDates
		}
		return d
	}
	d.Median = median(earlier)
	size := math.Abs(d.Median)
	for i, y := range earlier {
		earlier[i] = math.Abs(y - d.Median)
	}
	d.Allowed = max(l.Drift.Tolerance, noiseFactor*toDeviation*median(earlier)/size)
	if size == 0 || d.Allowed-d.Allowed != 0 {
		d.Allowed, d.Why = 0, report.DriftZero
		return d
	}
	worse := (d.Median - x) / size * float64(better)
	if better == 0 {
		worse = math.Abs(d.Median-x) / size
	}
	d.Drifted = worse > d.Allowed*(1+1e-9)
	return d
}

func median(list []float64) float64 {
	list = slices.Sorted(slices.Values(list))
	n := len(list)
	return list[(n-1)/2]/2 + list[n/2]/2 // halves: no sum overflows
}
