// Package reading parses lines of gpu blocks about the sensors and links of GPUs, and finds their
// values in a report.
//
//	temperature < 85
//	ecc uncorrected == 0
//	nvlink up == all
//	pcie width == max
//
// A line is the name of a reading, a comparison, and a number, with or without the reading's unit, or
// a readingWord: max or all, which is the most that the GPU can have, none, on or off. It must hold on each
// GPU that has the reading.
package ask

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
)

// A kind is what is known of a reading.
type readingKind struct {
	// field is its key in [report.Unknown].
	field string
	// unit is the unit of its numbers, or empty.
	unit string
	// most is the readingWord for the most that the GPU can have, and mostField its key in
	// [report.Unknown]. Both may be empty.
	most, mostField string
	// words are words for the numbers from 0 on.
	words []string
	// read returns the value, and the most that the GPU can have. Each is nil if it is unknown.
	read func(*report.Readings) (value, most *float64)
}

// aloneReading is a read without a most.
func aloneReading[T int | uint64 | float64](value func(*report.Readings) *T) func(*report.Readings) (value, most *float64) {
	return func(r *report.Readings) (*float64, *float64) { return number(value(r)), nil }
}

// of is a read of two fields.
func of(fields func(*report.Readings) (value, most *int)) func(*report.Readings) (value, most *float64) {
	return func(r *report.Readings) (*float64, *float64) {
		value, most := fields(r)
		return number(value), number(most)
	}
}

// flag is a read of a field that is on or off.
func flagReading(field func(*report.Readings) *bool) func(*report.Readings) (value, most *float64) {
	return aloneReading(func(r *report.Readings) *int {
		on := field(r)
		if on == nil {
			return nil
		}
		n := 0
		if *on {
			n = 1
		}
		return &n
	})
}

func number[T int | uint64 | float64](p *T) *float64 {
	if p == nil {
		return nil
	}
	n := float64(*p)
	return &n
}

var onOff = []string{"off", "on"}

// readingKinds are the readings by their names. In the values of [report.Readings], 0 is a value.
var readingKinds = map[string]readingKind{
	"temperature":        {field: "temperature_c", unit: "°C", read: aloneReading(func(r *report.Readings) *int { return r.Temperature })},
	"power draw":         {field: "power.draw_w", unit: "W", read: aloneReading(func(r *report.Readings) *float64 { return r.Power.Draw })},
	"power limit":        {field: "power.limit_w", unit: "W", read: aloneReading(func(r *report.Readings) *float64 { return r.Power.Limit })},
	"clock sm":           {field: "clocks.sm_mhz", unit: "MHz", most: "max", mostField: "clocks.max_sm_mhz", read: of(func(r *report.Readings) (_, _ *int) { return r.Clocks.SM, r.Clocks.MaxSM })},
	"clock memory":       {field: "clocks.memory_mhz", unit: "MHz", most: "max", mostField: "clocks.max_memory_mhz", read: of(func(r *report.Readings) (_, _ *int) { return r.Clocks.Memory, r.Clocks.MaxMemory })},
	"throttle":           {field: "throttle", words: []string{"none"}, read: aloneReading(throttled)},
	"pcie gen":           {field: "pcie.generation", most: "max", mostField: "pcie.max_generation", read: of(func(r *report.Readings) (_, _ *int) { return r.PCIe.Generation, r.PCIe.MaxGeneration })},
	"pcie width":         {field: "pcie.width", most: "max", mostField: "pcie.max_width", read: of(func(r *report.Readings) (_, _ *int) { return r.PCIe.Width, r.PCIe.MaxWidth })},
	"ecc":                {field: "ecc.enabled", words: onOff, read: flagReading(func(r *report.Readings) *bool { return r.ECC.Enabled })},
	"ecc corrected":      {field: "ecc.corrected", read: aloneReading(func(r *report.Readings) *uint64 { return r.ECC.Corrected })},
	"ecc uncorrected":    {field: "ecc.uncorrected", read: aloneReading(func(r *report.Readings) *uint64 { return r.ECC.Uncorrected })},
	"rows uncorrectable": {field: "remapped_rows.uncorrectable", read: aloneReading(func(r *report.Readings) *int { return r.Rows.Uncorrectable })},
	"mig":                {field: "mig.enabled", words: onOff, read: flagReading(func(r *report.Readings) *bool { return r.MIG.Enabled })},
	"nvlink up":          {field: "nvlink.active", most: "all", mostField: "nvlink.links", read: of(func(r *report.Readings) (_, _ *int) { return r.NVLink.Active, r.NVLink.Links })},
	"persistence":        {field: "persistence", words: onOff, read: flagReading(func(r *report.Readings) *bool { return r.Persistence })},
}

// throttled counts the reasons for low clocks, except that there is nothing to do.
func throttled(r *report.Readings) *int {
	if r.Throttle == nil {
		return nil
	}
	n := len(r.Throttle)
	if slices.Contains(r.Throttle, "gpu-idle") {
		n--
	}
	return &n
}

// Readings returns the names of all readings, sorted.
func Readings() []string { return slices.Sorted(maps.Keys(readingKinds)) }

// A Reading is what a line asks for.
type Reading struct {
	// Name is one of [Readings]. Op is the comparison, and Bound the author's text for the value to
	// compare with, without a unit.
	Name, Op, Bound string
}

// String returns the line in a normal form. It is part of the check's ID.
func (s Reading) String() string { return s.Name + " " + s.Op + " " + s.Bound }

// CheckName returns the name of the reading as a part of a check's name: "ecc-uncorrected".
func (s Reading) CheckName() string { return strings.ReplaceAll(s.Name, " ", "-") }

// A ReadingValue is a reading of one GPU.
type ReadingValue struct {
	// Text is the value with its unit, and behind a slash the most that the GPU can have: "12/18".
	Text     string
	n, limit float64
}

// Of returns the reading of a GPU, or why it is unknown: one of the Why codes of package report.
func (s Reading) Of(r *report.Readings) (v ReadingValue, why string) {
	if r == nil {
		return v, report.WhySource
	}
	k := readingKinds[s.Name]
	n, most := k.read(r)
	switch {
	case n == nil:
		return v, whyUnknown(r, k.field)
	case most == nil && s.Bound == k.most:
		return v, whyUnknown(r, k.mostField)
	case strings.HasPrefix(k.field, "pcie.") && !r.PCIe.UnderLoad && (most == nil || *n < *most):
		return v, whyUnknown(r, "pcie.under_load") // an idle bus is slow
	}
	v.n, v.Text = *n, readingText(*n)
	if most != nil {
		v.Text += "/" + readingText(*most)
	}
	v.Text = strings.TrimSpace(v.Text + " " + k.unit)
	if *n < float64(len(k.words)) {
		v.Text = k.words[int(*n)]
	}
	if s.Bound == k.most {
		v.limit = *most
	} else {
		v.limit, _ = k.value(s.Bound)
	}
	return v, ""
}

func readingText(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// value returns the number that a text stands for.
func (k readingKind) value(text string) (n float64, ok bool) {
	if i := slices.Index(k.words, text); i >= 0 {
		return float64(i), true
	}
	n, err := strconv.ParseFloat(text, 64)
	return n, err == nil && n >= 0 && n < 1e12
}

// forms gives examples of what a reading can be compared with: "8 °C", "8, max", "off, on".
func (k readingKind) forms() string {
	list := slices.Clone(k.words)
	if len(list) < 2 { // not on and off
		list = append([]string{strings.TrimSpace("8 " + k.unit)}, list...)
	}
	if k.most != "" {
		list = append(list, k.most)
	}
	return strings.Join(list, ", ")
}

// unknown returns why a field is null.
func whyUnknown(r *report.Readings, field string) string {
	for _, u := range r.Unknown {
		if u.Field == field {
			return u.Why
		}
	}
	return report.WhyNotSupported
}

// Holds reports whether a value meets the comparison.
func (s Reading) Holds(v ReadingValue) bool { return Holds(s.Op, cmp.Compare(v.n, v.limit)) }

// Worse reports whether v decides rather than w: if only w meets the comparison, or if both or none
// do and v is closer to not meeting it.
func (s Reading) Worse(v, w ReadingValue) bool {
	if s.Holds(v) != s.Holds(w) {
		return s.Holds(w)
	}
	if s.Op[0] == '<' {
		return v.n > w.n
	}
	return v.n < w.n
}
