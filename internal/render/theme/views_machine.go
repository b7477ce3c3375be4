package theme

import "github.com/gpudocs/gpudocs/internal/text"

// What templates see of the machine that a reader may choose.

// PickView is a machine in the list of those to choose from.
type PickView struct {
	Name string
	// Local marks the machine that this build has just verified on.
	Local bool
	// GPU sums its GPUs up; Begins and Ends are set on the first and the last of those with
	// the same.
	GPU          string
	Begins, Ends bool
}

// VerdictView says how a page fares on a machine.
type VerdictView struct {
	Machine string
	Local   bool
	// Status is that of the sentence Text: "failed", "2 of 9 checks fail on deepten".
	Status, Text string
	// Total counts the checks of the page; Blocks are those that did not pass, the worst
	// first, Folded those behind them that a reader unfolds, and More how many of them are
	// left out.
	Total          int
	Blocks, Folded []BlockLink
	More           int
	T              text.Catalog
}

// Rest counts those that are not seen at first.
func (v VerdictView) Rest() int { return len(v.Folded) + v.More }

// BlockLink leads to how a block fared on a machine.
type BlockLink struct{ Name, URL, Status, StatusText string }

// RequirementView says whether a machine meets the requirement of a block. Status is
// "passed" or "skipped", Text says it, Found is what of it the machine has: "gpus 1".
type RequirementView struct{ Machine, Status, Text, Found string }

// MeantView says whether an expected output is for a machine.
type MeantView struct {
	Machine, Text string
	Fits          bool
}

// FaresView says how a machine fared with a block; Status is "none" where it has not run it.
type FaresView struct{ Machine, Status, StatusText string }

// LiveOther is the value of a machine that the author has not named.
type LiveOther struct{ Machine, Value, Title string }

// LaterView is the data of the template "later": what a page needs to show the results of
// machines that it has no room for.
type LaterView struct {
	// Results leads to the folder of the results as JSON. It is empty if the site does not
	// publish them.
	Results string
	T       text.Catalog
}
