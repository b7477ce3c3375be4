package markdown

import (
	"github.com/yuin/goldmark/parser"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A Span is a part of the source, from the offset Start up to Stop.
type Span struct{ Start, Stop int }

// A Fault is a mistake of the author.
type Fault struct {
	Span
	// Error is set if the page cannot be published because of it. Otherwise it is a warning.
	Error bool
	// Notice is set if it is no mistake, but worth knowing.
	Notice bool
	// Rule is the rule in docs/content/en/check.md, or empty.
	Rule          string
	Message, Hint diag.Text
	// Other is another place that is appended to the Message, or nil.
	Other *Span
}

var faultsKey = parser.NewContextKey()

// Report records a fault while a page is parsed.
func Report(pc parser.Context, f Fault) {
	faults, _ := pc.Get(faultsKey).([]Fault)
	pc.Set(faultsKey, append(faults, f))
}

// Warn records a warning without a rule.
func Warn(pc parser.Context, at Span, message, hint diag.Text) {
	Report(pc, Fault{Span: at, Message: message, Hint: hint})
}

var reportedKey = parser.NewContextKey()

// ReportOnce records the first fault of a page with a key.
func ReportOnce(pc parser.Context, key string, f Fault) {
	reported := pc.ComputeIfAbsent(reportedKey, func() any { return map[string]bool{} }).(map[string]bool)
	if !reported[key] {
		reported[key] = true
		Report(pc, f)
	}
}

// Faults returns the faults that were recorded for a page, in any order.
func Faults(pc parser.Context) []Fault {
	faults, _ := pc.Get(faultsKey).([]Fault)
	return faults
}
