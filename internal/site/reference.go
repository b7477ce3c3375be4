package site

import (
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A Reference is what a value that pages capture should be on some machines.
type Reference struct {
	// Capture is the name of the value. Of is the name of a machine, or a pattern of the model of its
	// GPUs, in which * is any text.
	Capture, Of string
	Value       float64
	Unit        string
	// At is its place in gpudocs.toml, without a message.
	At diag.Diagnostic
}

// Fits reports whether it is for a machine: by name, or because all of its GPUs are of that model, as
// needs= compares them.
func (r Reference) Fits(m report.Machine) bool {
	return r.Of == m.Name || ask.MachineOf(m)[ask.GPU].Is(r.Of)
}

// References are those of a site.
type References []Reference

// For returns the reference of a value on a machine: that of its name, or else the one with the longest
// pattern. It is nil if there is none.
func (list References) For(capture string, m report.Machine) (found *Reference) {
	for i := range list {
		r := &list[i]
		if r.Capture == capture && r.Fits(m) && (found == nil || r.Of == m.Name || found.Of != m.Name && len(r.Of) > len(found.Of)) {
			found = r
		}
	}
	return found
}

// Drift is how values are compared with earlier ones of the same machine.
type Drift struct {
	// Tolerance is how much worse than their median a value may be, as a share of it. If it is zero,
	// values are not compared.
	Tolerance float64
	// Warn means that a value that has drifted is reported, and fails nothing.
	Warn bool
}

// ParseDrift parses "10%", "10% warn" or "off".
func ParseDrift(text string) (d Drift, ok bool) {
	if text == "off" {
		return d, true
	}
	percent, action, _ := strings.Cut(text, " ")
	number, isPercent := strings.CutSuffix(percent, "%")
	x, err := strconv.ParseFloat(number, 64)
	d = Drift{Tolerance: x / 100, Warn: action == "warn"}
	return d, err == nil && isPercent && x > 0 && x <= 100 && (action == "" || action == "warn" || action == "fail")
}
