package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Merge merges two reports of one machine that both derive from base, which is nil if it
// is unknown. Of each check the newest outcome counts, and the other one becomes part of
// its history. A result that one side has removed since base is removed, unless the
// other side has a newer outcome. The description of the machine is that of the report
// with the newest result.
//
// A report describes GPUs, driver and sandbox once for all its results. If the two
// differ in that, only the results of the newer one are kept, as after a run on a
// machine that was changed. dropped is the number of results of the older one without a
// newer outcome.
//
// The order of a and b does not matter.
func Merge(base, a, b *Report) (merged *Report, dropped int, err error) {
	if a.Machine.Name != b.Machine.Name {
		return nil, 0, diag.Say("report.merge-machines-differ", "name", a.Machine.Name, "other", b.Machine.Name)
	}
	if base != nil && base.Machine.Name != a.Machine.Name {
		base = nil
	}
	switch {
	case same(a, b), base != nil && same(base, b):
		return a, 0, nil
	case base != nil && same(base, a):
		return b, 0, nil
	}
	newer, older := a, b
	if compareReports(a, b) < 0 {
		newer, older = b, a
	}
	inBase, inOlder, inNewer := base.ByID(), older.ByID(), newer.ByID()
	out := *newer
	out.Checks = []Check{}
	if len(newer.Machine.GPU.Devices) == 0 && newer.Machine.Had == nil {
		out.Machine.After(older)
	}
	if !newer.Machine.Same(older.Machine) {
		for _, c := range newer.Checks {
			if o := inOlder[c.ID]; o != nil {
				c.History = joinHistory(c.Ran, nil, &c, o)
				for i, p := range c.History {
					if p.Ran.Equal(o.Ran) && !p.Changed {
						c.History[i].Changed, c.History[i].SameCode = true, true
					}
				}
				delete(inOlder, c.ID)
			}
			out.Checks = append(out.Checks, c)
		}
		return &out, len(inOlder), nil
	}
	// removed reports whether the side without the check has removed it.
	removed := func(c *Check) bool { return inBase[c.ID] != nil && !(order(c.Ran, inBase[c.ID].Ran) > 0) }
	for i := range newer.Checks {
		c := &newer.Checks[i]
		if o := inOlder[c.ID]; o != nil {
			out.Checks = append(out.Checks, joinChecks(inBase[c.ID], c, o))
		} else if !removed(c) {
			out.Checks = append(out.Checks, *c)
		}
	}
	for i := range older.Checks {
		if c := &older.Checks[i]; inNewer[c.ID] == nil && !removed(c) {
			out.Checks = append(out.Checks, *c)
		}
	}
	out.Machine.Environments, out.Machine.Slurm = joinSoftware(base, newer, older)
	out.Machine.Answers = joinAnswers(newer, older)
	return &out, 0, nil
}

// compareReports orders two reports by their newest result. If the times are equal it
// compares the content, so that the order is always the same, even if a merged report is
// merged again.
func compareReports(a, b *Report) int {
	facts := func(r *Report) []byte {
		m := r.Machine
		m.Environments, m.Slurm, m.Answers = nil, nil, nil // those are joined
		return encoded([]any{m, r.Generator})
	}
	ids := func(r *Report) string {
		var list strings.Builder
		for _, c := range r.Checks {
			list.WriteString(string(c.ID) + " ")
		}
		return list.String()
	}
	return cmp.Or(order(a.Newest(), b.Newest()), bytes.Compare(facts(a), facts(b)), cmp.Compare(ids(a), ids(b)))
}

// joinChecks merges two outcomes of a check. base is its outcome in the report from which both
// derive, or nil.
func joinChecks(base, a, b *Check) Check {
	bare := func(c *Check) []byte {
		c2 := *c
		c2.History = nil
		return encoded(c2)
	}
	x, y := bare(a), bare(b)
	newer := order(a.Ran, b.Ran)
	if newer == 0 && base != nil { // the same outcome, but a moved block has another place
		switch z := bare(base); {
		case bytes.Equal(x, z):
			newer = -1
		case bytes.Equal(y, z):
			newer = 1
		}
	}
	if cmp.Or(newer, bytes.Compare(x, y)) < 0 {
		a, b = b, a
	}
	out := *a
	if !reflect.DeepEqual(a.History, b.History) || !a.Ran.Equal(b.Ran) {
		out.History = joinHistory(a.Ran, base, a, b)
	}
	return out
}

// joinHistory returns the outcomes of a check before a time: those of both sides and of
// their histories, except for those that one side has removed since base.
func joinHistory(before time.Time, base, a, b *Check) []Past {
	times := func(c *Check) map[time.Time]bool {
		m := map[time.Time]bool{c.Ran.UTC(): true}
		for _, p := range c.History {
			m[p.Ran.UTC()] = true
		}
		return m
	}
	inA, inB, inBase := times(a), times(b), map[time.Time]bool{}
	if base != nil {
		inBase = times(base)
	}
	all := map[time.Time]Past{}
	for _, p := range slices.Concat(a.History, b.History, []Past{a.Past(), b.Past()}) {
		t := p.Ran.UTC()
		removed := inBase[t] && !(inA[t] && inB[t])
		other, twice := all[t]
		if t.Before(before) && !removed && (!twice || bytes.Compare(encoded(p), encoded(other)) > 0) {
			all[t] = p
		}
	}
	list := slices.SortedFunc(maps.Values(all), func(a, b Past) int { return b.Ran.Compare(a.Ran) })
	return list[:min(len(list), MaxHistory)]
}

// Past returns the outcome of a check for its history.
func (c *Check) Past() Past {
	p := Past{Run: c.Run, Ran: c.Ran, Outcome: c.Outcome, DurationMS: c.DurationMS, Unsteady: c.Unsteady()}
	if c.Build != nil {
		p.BuildMS = c.Build.DurationMS
	}
	for _, v := range c.Captures {
		p.Captures = append(p.Captures, Capture{Name: v.Name, Value: v.Value, Unit: v.Unit})
	}
	if c.Reason != nil {
		p.Code = c.Reason.Code
	}
	return p
}

// joinSoftware merges the environments and Slurm of two reports. A run queries only what
// it needs, so each may have some that the other lacks.
func joinSoftware(base, newer, older *Report) ([]Environment, *Slurm) {
	tie := newer.Newest().Equal(older.Newest())
	list := slices.Clone(newer.Machine.Environments)
	find := func(r *Report, name string) int {
		return slices.IndexFunc(r.Machine.Environments, func(e Environment) bool { return e.Name == name })
	}
	// removed reports whether the side without the environment has removed it.
	removed := func(e Environment) bool {
		if base == nil {
			return false
		}
		i := find(base, e.Name)
		return i >= 0 && reflect.DeepEqual(base.Machine.Environments[i], e)
	}
	list = slices.DeleteFunc(list, func(e Environment) bool { return find(older, e.Name) < 0 && removed(e) })
	for _, e := range older.Machine.Environments {
		switch i := slices.IndexFunc(list, func(n Environment) bool { return n.Name == e.Name }); {
		case i >= 0:
			if tie && bytes.Compare(encoded(e), encoded(list[i])) > 0 {
				list[i] = e
			}
		case !removed(e):
			list = append(list, e)
		}
	}
	slices.SortStableFunc(list, func(a, b Environment) int { return cmp.Compare(a.Name, b.Name) })
	slurm := newer.Machine.Slurm
	if o := older.Machine.Slurm; o != nil && (slurm == nil || tie && bytes.Compare(encoded(o), encoded(slurm)) > 0) {
		slurm = o
	}
	return list, slurm
}

// joinAnswers merges the answers of two reports. Of two at the same time the order of their bytes
// decides, so that it does not matter which report comes first.
func joinAnswers(newer, older *Report) []Answer {
	tie := newer.Newest().Equal(older.Newest())
	all := map[[2]string]Answer{}
	for _, a := range slices.Concat(older.Machine.Answers, newer.Machine.Answers) {
		if b, is := all[a.Key()]; !is || !tie || bytes.Compare(encoded(a), encoded(b)) > 0 {
			all[a.Key()] = a
		}
	}
	return SortedAnswers(all)
}

// SortedAnswers returns answers in the order of a report, without those that do not fit.
func SortedAnswers(all map[[2]string]Answer) []Answer {
	list := slices.SortedFunc(maps.Values(all), func(a, b Answer) int { return cmp.Or(cmp.Compare(a.Env, b.Env), cmp.Compare(a.Ask, b.Ask)) })
	return list[:min(len(list), MaxAnswers)]
}

// same reports whether two reports are equal.
func same(a, b *Report) bool { return bytes.Equal(encoded(a), encoded(b)) }

// encoded returns the form in which parts of reports are compared.
func encoded(v any) []byte {
	data, _ := json.Marshal(v) // a report that was parsed can be encoded
	return data
}
