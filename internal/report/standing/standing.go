// Package standing says what a check is on a machine, and counts checks by that. All that shows or counts results does so by
// [Of] and [CountOf]: no other package judges what an outcome means.
package standing

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
)

// A Standing is what a check is on a machine. Of several, such as those of the lines of a block, the machines of a check or its
// languages, the greatest is that of all: a pass outranks what does not apply, and any failure a pass.
type Standing int

// The standings, from the weakest to the strongest.
const (
	// None: the machine has no result of it.
	None Standing = iota
	// NotApplicable: the machine lacks what it needs.
	NotApplicable
	// Answered: a line of a gpu block asks and demands nothing, and the answer is known.
	Answered
	// Skipped: it was not reached for any other reason: an earlier one failed, its job did not start.
	Skipped
	Passed
	// Stale: its code has changed since.
	Stale
	Errored
	Failed
	// Altered: nothing in the report counts, because its signature does not match.
	Altered
)

// words are the names of the standings in files, keys of texts and CSS classes. Those of outcomes are theirs.
var words = [...]string{"none", "not-applicable", "answered", "skipped", "passed", "stale", "error", "failed", "altered"}

func (s Standing) String() string { return words[s] }

// Named returns the standing of a word, [None] if there is none.
func Named(word string) Standing { return Standing(max(0, slices.Index(words[:], word))) }

// All are all standings in their order.
func All() (list []Standing) {
	for i := range words {
		list = append(list, Standing(i))
	}
	return list
}

// Bad reports whether it is a failure or an error.
func (s Standing) Bad() bool { return s == Failed || s == Errored }

// Trouble reports whether an author must look at it.
func (s Standing) Trouble() bool { return s > Passed }

// A State is a standing with its marks.
type State struct {
	Standing
	// Asks is set for a line that asks. Answer is "yes" or "no" if its answer is known, and empty for several answers.
	Asks   bool
	Answer string
	// Unsteady is set if it passed, and not at its first try. Proven is set if it passed, of several states if one did.
	Unsteady, Proven bool
	// Lost is set if the same code passed before, and the machine has lost what it needs since: its GPUs, a program, an environment.
	Lost bool
}

// Means returns the standing, or the answer to a line that asks.
func (s State) Means() string { return cmp.Or(s.Answer, s.Standing.String()) }

// Word is [State.Means] for people: what is lost has a word of its own.
func (s State) Word() string {
	if s.Lost {
		return "lost"
	}
	return s.Means()
}

// Label is [State.Word] where there is room for one word only: "unsteady" is one too.
func (s State) Label() string {
	if s.Unsteady {
		return "unsteady"
	}
	return s.Word()
}

// Broken reports whether it fails, or what it needs is lost.
func (s State) Broken() bool { return s.Bad() || s.Lost }

// Counts reports whether the check counts: a line that asks does not without its answer.
func (s State) Counts() bool { return !s.Asks || s.Standing > NotApplicable }

// With returns the state of two together. What is lost outranks a pass, as a failure does.
func (s State) With(o State) State {
	if rank := func(s State) int { return 2*int(s.Standing) + one(s.Lost)*(2*int(Stale)+1) }; rank(o) > rank(s) {
		s, o = o, s
	}
	s.Asks, s.Proven = s.Asks || o.Asks, s.Proven || o.Proven
	if s.Standing == o.Standing {
		s.Answer, s.Unsteady = "", s.Unsteady || o.Unsteady
	}
	return s
}

// Of returns the state of a check by its report alone: that does not know whether the code has changed since, or whether the report
// is altered.
func Of(c *report.Check) State {
	s := of(c, c.Outcome, c.Reason)
	s.Unsteady, s.Lost = c.Unsteady(), s.Standing == NotApplicable && lost(c, c.Reason, c.History)
	return s
}

// At returns the state of an earlier outcome of a check, by its place in the history. Of a measurement or reading that was skipped the
// history does not have the detail of the reason, so it stays skipped.
func At(c *report.Check, i int) State {
	p := c.History[i]
	why := &report.Reason{Code: p.Code}
	s := of(c, p.Outcome, why)
	s.Unsteady, s.Lost = p.Unsteady, s.Standing == NotApplicable && lost(c, why, c.History[i+1:])
	return s
}

// lost reports whether a check that is skipped for a reason passed with the same code before, and the machine has lost what it needs. What
// the run was told, such as to use no sandbox, and what others use at the time, such as a GPU's memory, is not lost; nor is what a check
// must not have: then the machine has gained something.
func lost(c *report.Check, why *report.Reason, before []report.Past) bool {
	if c.Asks || why == nil || strings.ContainsAny(why.Need, "<!") || strings.HasPrefix(why.Need, "not ") {
		return false
	}
	code, behind := why.Code, why.Why
	if code == report.ReasonSessionSkip {
		code, behind = why.Why, "" // why the block before it was skipped
	}
	had := []string{report.ReasonNeeds, report.ReasonSoftware, report.ReasonNoGPU, report.ReasonNoInterpreter, report.ReasonEnvironment}
	if !slices.Contains(had, code) && (code != report.ReasonMeasure || behind != report.WhyNotSupported && behind != report.WhyNoLibrary) {
		return false
	}
	for _, p := range before {
		switch {
		case p.Changed && !p.SameCode:
			return false
		case p.Outcome == report.Passed:
			return true
		}
	}
	return false
}

// of judges an outcome. A report stores the answer to a line that asks as passed or failed.
func of(c *report.Check, outcome report.Outcome, why *report.Reason) State {
	s := State{Asks: c.Asks}
	switch {
	case outcome == report.Skipped && why != nil && lacks(why):
		s.Standing = NotApplicable
	case s.Asks && outcome == report.Passed:
		s.Standing, s.Answer = Answered, "yes"
	case s.Asks && outcome == report.Failed:
		s.Standing, s.Answer = Answered, "no"
	default:
		s.Standing = Named(string(outcome))
		s.Proven = s.Standing == Passed
	}
	return s
}

// lacks reports whether a reason is what a machine lacks: hardware, software or a sandbox. A check that was not reached because an
// earlier one failed, or whose job Slurm did not start, lacks nothing.
func lacks(r *report.Reason) bool {
	if r.Code == report.ReasonMeasure {
		return slices.Contains([]string{report.WhyNotSupported, report.WhyNoMemory, report.WhyNoLibrary}, r.Why)
	}
	return slices.Contains([]string{report.ReasonNeeds, report.ReasonSoftware, report.ReasonNoGPU, report.ReasonSessionSkip,
		report.ReasonNoInterpreter, report.ReasonEnvironment, report.ReasonNoSandbox}, r.Code)
}
