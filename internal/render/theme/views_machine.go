package theme

import "github.com/gpudocs/gpudocs/internal/text"

// The types below are what templates get about the machine that a reader may choose.

// MachineOption is an entry of the list of machines to choose from.
type MachineOption struct {
	Name string
	// Label names the machine by its GPUs first: "4 × A100, a100".
	Label string
	// Local marks the machine that this build has just verified on.
	Local bool
	// GPU describes the machine's GPUs. Begins and Ends are set on the first and on the last of
	// the machines with the same GPUs.
	GPU          string
	Begins, Ends bool
}

// VerdictView is the result of a page on a machine.
type VerdictView struct {
	// Label names the machine by its GPUs first.
	Machine, Label string
	Local          bool
	// Status is that of the page on the machine, and Text a sentence about it: "RTX 2070, deepten: 12 passed, 3 need 2 GPUs".
	Status, Text string
	// Total counts the checks of the page. Blocks are those that did not pass, the worst
	// first, Folded those after them that a reader unfolds, and More the number of those that
	// are left out.
	Total          int
	Blocks, Folded []BlockLink
	More           int
	T              text.Catalog
}

// Rest returns the number of blocks that are not shown at first.
func (v VerdictView) Rest() int { return len(v.Folded) + v.More }

// BlockLink leads to the result of a block on a machine.
type BlockLink struct{ Name, URL, Status, StatusText string }

// RequirementView reports whether a machine meets the requirement of a block. Status is
// "passed" or "not-applicable", Text a sentence about it. Found is what the machine has: "gpus 1".
type RequirementView struct{ Machine, Status, Text, Found string }

// ExpectedOnView reports whether an expected output is the one for a machine.
type ExpectedOnView struct {
	Machine, Text string
	Fits          bool
}

// OutcomeView is the outcome of a block on a machine. Status is "none" if the machine has not run it.
type OutcomeView struct{ Machine, Label, Status, StatusText string }

// LiveOther is the value of a machine that the author has not named.
type LiveOther struct{ Machine, Label, Value, Title string }

// MyGPUView is the data of the templates "my-gpu", the field that :::my-gpu puts into a page, and "my-gpu-form", what
// the script my-gpu.js adds to pages.
type MyGPUView struct{ T text.Catalog }

// DeferredView is the data of the template "later": what a page needs to show the results of
// the deferred machines, which it does not include.
type DeferredView struct {
	// Results leads to the folder of the results as JSON. It is empty if the site does not
	// publish them.
	Results string
	// Number is 10,000.5 as the language writes it.
	Number string
	T      text.Catalog
}
