package outputs

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/exit"
	"github.com/gpudocs/gpudocs/internal/project"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/verify"
)

// eventsVersion is the version of the format, described in docs/content/en/report.md. New types and fields do not
// change it; a change that breaks readers does.
const eventsVersion = 1

// An eventStream writes events as JSON, one object on a line. A nil *eventStream writes nothing.
type eventStream struct {
	mu sync.Mutex
	w  io.Writer
}

type (
	startEvent struct {
		Type      string          `json:"type"` // "start"
		Version   int             `json:"version"`
		Generator string          `json:"generator"`
		Machine   *report.Machine `json:"machine,omitempty"`
		Plan      bool            `json:"plan,omitempty"`
		Total     int             `json:"total"`
	}
	runEvent struct {
		Type string    `json:"type"` // "run"
		Page string    `json:"page"`
		Name string    `json:"name"`
		Kind site.Kind `json:"kind"`
		File string    `json:"file"`
		Cell int       `json:"cell,omitempty"` // of a notebook
		Line int       `json:"line"`
	}
	planEvent struct {
		runEvent                 // "plan"
		ID             report.ID `json:"id"`
		Interpreter    string    `json:"interpreter,omitempty"`
		Env            string    `json:"env,omitempty"`
		Kernel         string    `json:"kernel,omitempty"`
		Session        string    `json:"session,omitempty"`
		TimeoutSeconds float64   `json:"timeout_s,omitempty"`
		Needs          string    `json:"needs,omitempty"`
		Measures       string    `json:"measures,omitempty"` // by a line of a gpu block
		Sandbox        string    `json:"sandbox,omitempty"`
		Network        bool      `json:"network,omitempty"` // in a sandbox
		// PassedBefore is set if the check runs only if the machine or its software has changed.
		PassedBefore bool `json:"passed_before,omitempty"`
	}
	countEvent struct {
		Type  string `json:"type"` // "kept" or "dropped"
		Count int    `json:"count"`
	}
	checkEvent struct {
		Type  string `json:"type"` // "check"
		Done  int    `json:"done"`
		Total int    `json:"total"`
		// Means is the outcome, "not-applicable", or the answer "yes" or "no".
		Means string `json:"means"`
		// Lost is set for what is not applicable because the machine has lost what it needs.
		Lost  bool          `json:"lost,omitempty"`
		Check *report.Check `json:"check"`
	}
	diagnosticEvent struct {
		Type string `json:"type"` // "diagnostic"
		diag.Diagnostic
	}
	endEvent struct {
		Type string `json:"type"` // "end"
		Exit int    `json:"exit"`
		standing.JSON
		Report  string `json:"report,omitempty"`
		JUnit   string `json:"junit,omitempty"`
		Message string `json:"message,omitempty"`
		Hint    string `json:"hint,omitempty"`
	}
)

// Event writes an event of a run.
func (o *Outputs) Event(v verify.Event) {
	e := o.events
	if v.Machine != nil {
		e.write(startEvent{"start", eventsVersion, project.Generator(), v.Machine, false, v.Total})
	}
	if v.Dropped > 0 {
		e.write(countEvent{"dropped", v.Dropped})
	}
	if v.Kept > 0 {
		e.write(countEvent{"kept", v.Kept})
	}
	if b := v.Started; b != nil {
		e.write(blockEvent("run", b))
	}
	if v.Finished != nil {
		s := standing.Of(v.Finished)
		e.write(checkEvent{"check", v.Done, v.Total, s.Means(), s.Lost, v.Finished})
	}
}

func blockEvent(kind string, b *site.Block) runEvent {
	return runEvent{kind, b.Page.Key, b.CheckName(), b.Kind, b.File, b.Cell, b.Line}
}

// Plan writes what would run.
func (o *Outputs) Plan(p *verify.Plan, v site.Verify, limit time.Duration, kept map[report.ID]bool) {
	e := o.events
	e.write(startEvent{"start", eventsVersion, project.Generator(), nil, true, p.Steps()})
	for _, l := range p.Lines {
		at := blockEvent("plan", l.Block)
		at.Line, at.Name = l.At, l.Name
		p := planEvent{runEvent: at, ID: l.ID, PassedBefore: kept[l.ID]}
		if l.Measures() != nil {
			p.Measures = l.String()
		} else {
			p.Needs = l.String()
		}
		e.write(p)
	}
	for _, s := range p.Sessions {
		for _, b := range s.Chosen() {
			timeout := b.Timeout
			if limit > 0 {
				timeout = limit
			}
			e.write(planEvent{
				runEvent:       blockEvent("plan", b),
				ID:             b.ID,
				Interpreter:    s.Interpreter,
				Env:            s.Env,
				Kernel:         s.Kernel,
				Session:        s.Name,
				TimeoutSeconds: timeout.Seconds(),
				Needs:          b.Needs.String(),
				Sandbox:        v.Sandbox,
				Network:        v.Sandbox != "" && s.Network,
				PassedBefore:   kept[b.ID],
			})
		}
	}
}

// end writes the last event.
func (e *eventStream) end(o *Outputs, how *exit.End) {
	var n standing.Count
	for _, r := range o.runs {
		n = n.Plus(standing.Report(r))
	}
	last := endEvent{Type: "end", Exit: how.Code, JSON: n.JSON(), Hint: how.Hint().String()}
	if len(o.runs) > 0 {
		last.Report, last.JUnit = o.ReportFile, o.JUnit
	}
	if how.Cause != nil {
		last.Message = how.Cause.Error()
	}
	e.write(last)
}

func (e *eventStream) write(v any) {
	if e == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	line, err := env.JSONLine(v)
	if err != nil {
		line = fmt.Appendf(nil, "{\"type\":\"fault\",\"message\":%q}\n", err)
	}
	_, _ = e.w.Write(line) // the run continues if the reader is gone
}
