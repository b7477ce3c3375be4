package markdown

import (
	"github.com/yuin/goldmark/parser"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A Span is a part of the source, from the offset Start to before Stop.
type Span struct{ Start, Stop int }

// A Fault is what an author got wrong.
type Fault struct {
	Span
	// Error is set if the page cannot be published so; else it is a warning.
	Error bool
	// Rule names the kind of fault for tools, and may be empty; see docs/check.md.
	Rule          string
	Message, Hint diag.Text
	// Other is set if the place of something else is to follow the Message.
	Other *Span
}

var faultsKey = parser.NewContextKey()

// Report notes a fault while a page is parsed.
func Report(pc parser.Context, f Fault) {
	faults, _ := pc.Get(faultsKey).([]Fault)
	pc.Set(faultsKey, append(faults, f))
}

// Faults are those that were noted in the context of one page, in any order.
func Faults(pc parser.Context) []Fault {
	faults, _ := pc.Get(faultsKey).([]Fault)
	return faults
}
