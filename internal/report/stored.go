package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A storedReport is a report as its file has it. Everything that a run changes although it found the same, such as times, is in one
// line for the run, so that reports of each night can be compared and kept in Git. A check's results are those of its ID in the
// runs, the newest first: its own, and its history.
type storedReport struct {
	Schema    int           `json:"schema"`
	Generator string        `json:"generator"`
	Machine   Machine       `json:"machine"`
	Checks    []storedCheck `json:"checks"`
	Runs      []storedRun   `json:"runs"`
}

// A storedCheck is a [Check] without what the runs say: nothing may be in its own fields, which hide those of the same name.
type storedCheck struct {
	Check
	Ran        *struct{} `json:"ran,omitempty"`
	DurationMS *struct{} `json:"duration_ms,omitempty"`
	History    *struct{} `json:"history,omitempty"`
}

// A storedRun is the checks that took part in a run of verify, in the order in which they began.
type storedRun struct {
	At      time.Time      `json:"at"`
	Results []storedResult `json:"results"`
}

// A storedResult is a [Past] of a check. AfterMS is when it began, from the start of the run. Without an outcome it passed.
type storedResult struct {
	ID         ID        `json:"id"`
	AfterMS    float64   `json:"after_ms,omitempty"`
	DurationMS float64   `json:"duration_ms"`
	BuildMS    float64   `json:"build_ms,omitempty"`
	Outcome    Outcome   `json:"outcome,omitempty"`
	Code       string    `json:"code,omitempty"`
	Unsteady   bool      `json:"unsteady,omitempty"`
	Captures   []Capture `json:"captures,omitempty"`
	Changed    bool      `json:"changed,omitempty"`
	SameCode   bool      `json:"same_code,omitempty"`
}

const (
	// maxRun bounds the time from the start of a run to a result, so that AfterMS, a float64, has nanoseconds.
	maxRun = 7 * 24 * time.Hour
	// runGap is the pause that ends a run, where a report does not say when its runs began.
	runGap = 15 * time.Minute
)

// store returns the form of a report for its file.
func store(r *Report) *storedReport {
	s := &storedReport{
		Schema:    r.Schema,
		Generator: r.Generator,
		Machine:   r.Machine,
		Checks:    make([]storedCheck, len(r.Checks)),
		Runs:      []storedRun{},
	}
	type event struct {
		id ID
		// turn is how often the clock was set back between results of the check, which stay in their order.
		turn int
		Past
	}
	var all []event
	for i, c := range r.Checks {
		s.Checks[i].Check = c
		if b := c.Build; b != nil {
			build := *b
			build.DurationMS, s.Checks[i].Build = 0, &build
		}
		e := event{id: c.ID}
		for _, p := range slices.Backward(append([]Past{c.Past()}, c.History...)) {
			if after := p.Ran.Sub(p.Run); after < 0 || after > maxRun {
				p.Run = time.Time{}
			}
			if !e.Ran.IsZero() && cmp.Or(p.began().Compare(e.began()), p.Ran.Compare(e.Ran)) < 0 {
				e.turn++
			}
			e.Past = p
			all = append(all, e)
		}
	}
	slices.SortStableFunc(all, func(a, b event) int {
		return cmp.Or(cmp.Compare(a.turn, b.turn), a.began().Compare(b.began()), a.Ran.Compare(b.Ran))
	})
	var run *storedRun
	var of, end time.Time // the start of the run, zero where that is not known, and its end so far
	in := map[ID]bool{}
	for _, e := range all {
		if run == nil || in[e.id] || !e.Run.Equal(of) || e.Run.IsZero() &&
			(e.Ran.Before(run.At) || e.Ran.Sub(run.At) > maxRun || e.Ran.Sub(end) > runGap) {
			s.Runs = append(s.Runs, storedRun{At: e.began()})
			run, of, end = &s.Runs[len(s.Runs)-1], e.Run, e.Ran
			clear(in)
		}
		in[e.id] = true
		if at := e.Ran.Add(time.Duration(e.DurationMS * 1e6)); at.After(end) {
			end = at
		}
		result := storedResult{e.id, float64(e.Ran.Sub(run.At)) / 1e6, e.DurationMS, e.BuildMS, e.Outcome, e.Code, e.Unsteady, e.Captures,
			e.Changed, e.SameCode}
		if result.Outcome == Passed {
			result.Outcome = ""
		}
		run.Results = append(run.Results, result)
	}
	slices.Reverse(s.Runs)
	return s
}

// began returns when the run began, or the check if that is not known.
func (p Past) began() time.Time {
	if p.Run.IsZero() {
		return p.Ran
	}
	return p.Run
}

// report returns the report of a file.
func (s *storedReport) report() (*Report, error) {
	r := &Report{Schema: s.Schema, Generator: s.Generator, Machine: s.Machine, Checks: make([]Check, len(s.Checks))}
	checks, last := map[ID]*Check{}, map[ID]int{} // last is the run that had the check last, counted from 1
	for i, c := range s.Checks {
		switch {
		case checks[c.ID] != nil:
			return nil, diag.Say("report.invalid-check-twice", "id", c.ID)
		case c.Build != nil && c.Build.DurationMS != 0:
			return nil, diag.Say("report.json-field-unknown", "field", `"duration_ms"`, "schema", Schema)
		}
		r.Checks[i] = c.Check
		checks[c.ID] = &r.Checks[i]
	}
	for i, run := range s.Runs {
		fault := func(key string, arguments ...any) error {
			return diag.Say("report.invalid-run", "n", i+1, "why", diag.Say(key, arguments...))
		}
		switch {
		case run.At.IsZero():
			return nil, fault("report.invalid-no-time")
		case len(run.Results) == 0:
			return nil, fault("report.invalid-run-empty")
		}
		for _, e := range run.Results {
			c, ran := checks[e.ID], run.At.Add(time.Duration(math.Round(e.AfterMS*1e6)))
			switch {
			case c == nil:
				return nil, fault("report.invalid-run-check", "id", e.ID)
			case last[e.ID] == i+1:
				return nil, fault("report.invalid-check-twice", "id", e.ID)
			case !(e.AfterMS >= 0 && e.AfterMS <= float64(maxRun.Milliseconds())) || ran.Year() > 9999:
				return nil, fault("report.invalid-run-time", "ms", e.AfterMS)
			}
			p := Past{Run: run.At, Ran: ran, Outcome: cmp.Or(e.Outcome, Passed), Code: e.Code,
				DurationMS: e.DurationMS, BuildMS: e.BuildMS, Unsteady: e.Unsteady, Captures: e.Captures, Changed: e.Changed, SameCode: e.SameCode}
			if last[e.ID] > 0 {
				c.History = append(c.History, p)
			} else if c.Run, c.Ran, c.DurationMS = p.Run, p.Ran, p.DurationMS; c.Build != nil {
				c.Build.DurationMS = p.BuildMS
			}
			if last[e.ID] == 0 && !reflect.DeepEqual(p, c.Past()) {
				return nil, fault("report.invalid-run-differs", "id", e.ID)
			}
			last[e.ID] = i + 1
		}
	}
	return r, nil
}

// Encode returns the bytes of a report's file.
func Encode(r *Report) ([]byte, error) {
	var compact bytes.Buffer
	e := json.NewEncoder(&compact)
	e.SetEscapeHTML(false)
	if err := e.Encode(store(r)); err != nil {
		return nil, err
	}
	data := layout(compact.Bytes())
	if _, err := Parse(r.Machine.Name+".json", data); err != nil {
		return nil, fmt.Errorf("gpudocs made a report that it would not read: %w", err)
	}
	return data, nil
}

// layout breaks the compact JSON of a report into lines, so that each value that may differ after the next run is in one: an object
// or list without an object in it is one line, and so is a run, what a GPU did, or all that a check captured. That follows the
// output, or the value that a gpu line found, in the line of these.
func layout(data []byte) []byte {
	var out bytes.Buffer
	at := 0
	text := func() { // copies a string or another scalar
		end := at + stringEnd(data[at:])
		out.Write(data[at:end])
		at = end
	}
	var value func(depth int, key string, flat bool)
	value = func(depth int, key string, flat bool) {
		opened := data[at]
		if opened != '{' && opened != '[' {
			text()
			return
		}
		flat = flat || key == "captures" || key == "tasks" || !hasObject(data[at:])
		out.WriteByte(opened)
		for at++; data[at] != '}' && data[at] != ']'; {
			first, name := data[at] != ',', key
			if !first {
				out.WriteByte(',')
				at++
			}
			if opened == '{' {
				name = string(data[at+1 : at+stringEnd(data[at:])-1])
			}
			switch {
			case !flat && (first || name != "captures" || opened == '['):
				out.WriteString("\n" + strings.Repeat("  ", depth+1))
			case !first:
				out.WriteByte(' ')
			}
			if opened == '{' {
				text()
				out.WriteString(": ")
				at++
			}
			value(depth+1, name, flat || opened == '[' && (key == "runs" || key == "gpus"))
		}
		if !flat {
			out.WriteString("\n" + strings.Repeat("  ", depth))
		}
		out.WriteByte(data[at])
		at++
	}
	value(0, "", false)
	out.WriteByte('\n')
	return out.Bytes()
}

// stringEnd returns the length of the string, or of another scalar, with which compact JSON begins.
func stringEnd(data []byte) int {
	if data[0] != '"' {
		return bytes.IndexAny(data, ",:]}\n")
	}
	for i := 1; ; i++ {
		switch data[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
}

// hasObject reports whether the object or list with which compact JSON begins has an object in it.
func hasObject(data []byte) bool {
	for i, depth := 1, 1; depth > 0; i++ {
		switch data[i] {
		case '{':
			return true
		case '[':
			depth++
		case ']', '}':
			depth--
		case '"':
			i += stringEnd(data[i:]) - 1
		}
	}
	return false
}
