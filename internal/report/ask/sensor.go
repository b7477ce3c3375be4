package ask

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
)

// A sensor is how a reading is read. In the values of [report.Readings], 0 is a value.
type sensor struct {
	// value returns the value, and most the most that the GPU can have; nil is unknown. most may be nil.
	value, most func(*report.Readings) *float64
	// mostWord is the word for the most, and mostField its key in [report.Unknown]. words are those for the numbers from 0 on.
	mostWord, mostField string
	words               []string
}

// reading returns the entry of a reading, whose value is in a field of [report.Readings].
func reading(name Fact, unit, field string, s sensor) Entry {
	forms := s.forms(unit)
	return Entry{Fact: name, Kind: OfNumber, Source: FromSensors, Unit: unit, Field: "machine.gpu.devices.readings." + field, sensor: s,
		Example: string(name) + " == " + forms[len(forms)-1]}
}

// mode is a sensor of what is on or off.
func mode(field func(*report.Readings) *bool) sensor {
	return sensor{words: []string{"off", "on"}, value: func(r *report.Readings) *float64 {
		on := field(r)
		if on == nil {
			return nil
		}
		n := float64(slices.Index([]bool{false, true}, *on))
		return &n
	}}
}

func one[T int | uint64 | float64](field func(*report.Readings) *T) func(*report.Readings) *float64 {
	return func(r *report.Readings) *float64 {
		p := field(r)
		if p == nil {
			return nil
		}
		n := float64(*p)
		return &n
	}
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

// number returns the number that a text stands for.
func (s sensor) number(text string) (n float64, ok bool) {
	if i := slices.Index(s.words, text); i >= 0 {
		return float64(i), true
	}
	n, err := strconv.ParseFloat(text, 64)
	return n, err == nil && n >= 0 && n < 1e12
}

// forms gives examples of what a reading can be compared with: "8 °C", "8, max", "off, on".
func (s sensor) forms(unit string) []string {
	list := slices.Clone(s.words)
	if len(list) < 2 { // not on and off
		list = append([]string{strings.TrimSpace("8 " + unit)}, list...)
	}
	if s.mostWord != "" {
		list = append(list, s.mostWord)
	}
	return list
}

// A value is a reading of one GPU.
type value struct {
	text     string // with its unit, and behind a slash the most that the GPU can have: "12/18"
	n, limit float64
}

// of returns the reading of a GPU that a line compares, or why it is unknown: one of the Why codes of package report.
func (c *comparison) of(r *report.Readings) (v value, why string) {
	if r == nil {
		return v, report.WhySource
	}
	e := c.fact.Entry()
	field, s := strings.TrimPrefix(e.Field, "machine.gpu.devices.readings."), e.sensor
	unknown := func(field string) (value, string) {
		for _, u := range r.Unknown {
			if u.Field == field {
				return v, u.Why
			}
		}
		return v, report.WhyNotSupported
	}
	n, most := s.value(r), (*float64)(nil)
	if s.most != nil {
		most = s.most(r)
	}
	bound := c.value.text
	switch {
	case n == nil:
		return unknown(field)
	case most == nil && bound == s.mostWord:
		return unknown(s.mostField)
	case strings.HasPrefix(field, "pcie.") && !r.PCIe.UnderLoad && (most == nil || *n < *most):
		return unknown("pcie.under_load") // an idle bus is slow
	}
	v.n, v.text = *n, e.text(n, most)
	if bound == s.mostWord {
		v.limit = *most
	} else {
		v.limit, _ = s.number(bound)
	}
	return v, ""
}

// text returns a reading with its unit, and behind a slash the most that the GPU can have, as far as they are known.
func (e *Entry) text(n, most *float64) string {
	number := func(n *float64) string { return strconv.FormatFloat(*n, 'f', -1, 64) }
	text := ""
	switch {
	case n == nil && most == nil:
		return ""
	case n == nil:
		text = e.sensor.mostWord + " " + number(most)
	case *n < float64(len(e.sensor.words)):
		return e.sensor.words[int(*n)]
	case most == nil:
		text = number(n)
	default:
		text = number(n) + "/" + number(most)
	}
	return strings.TrimSpace(text + " " + e.Unit)
}

// ReadingOf returns the reading of a GPU as results show it, "1155/1410 MHz", or "max 1410 MHz" if only the most is known. It is "" if
// nothing is known, or the fact is no reading.
func (e *Entry) ReadingOf(r *report.Readings) string {
	s, most := e.sensor, (*float64)(nil)
	if s.value == nil {
		return ""
	}
	if s.most != nil {
		most = s.most(r)
	}
	return e.text(s.value(r), most)
}

// meets reports whether a reading meets the comparison.
func (c *comparison) meets(v value) bool { return holds(c.op, cmp.Compare(v.n, v.limit)) }

// worse reports whether v decides rather than w: if only w meets the comparison, or if both or none
// do and v is closer to not meeting it.
func (c *comparison) worse(v, w value) bool {
	if c.meets(v) != c.meets(w) {
		return c.meets(w)
	}
	if c.op[0] == '<' {
		return v.n > w.n
	}
	return v.n < w.n
}

// judgeReadings judges a line such as "temperature < 85". GPUs without the sensor or link are left out. If no GPU has it, or a
// reading is unknown for another reason, the answer is unknown.
func (c *comparison) judgeReadings(devices []report.Device) Verdict {
	v := Verdict{Need: c.source, Fact: c.fact}
	worst, at, differs := value{}, -1, false
	for i, d := range devices {
		one, why := c.of(d.Readings)
		switch {
		case why == report.WhyNotSupported:
		case why != "":
			v.Why = cmp.Or(v.Why, why)
		default:
			differs = differs || at >= 0 && one != worst
			if at < 0 || c.worse(one, worst) {
				worst, at = one, i
			}
		}
	}
	if at >= 0 {
		v.Found = worst.text
	}
	if differs {
		v.Found += " (GPU " + strconv.Itoa(at) + ")"
	}
	switch {
	case at >= 0 && !c.meets(worst):
		v.Answer, v.Why = No, ""
	case at < 0 || v.Why != "":
		v.Answer, v.Why = Unknown, cmp.Or(v.Why, report.WhyNotSupported)
	default:
		v.Answer = Yes
	}
	return v
}
