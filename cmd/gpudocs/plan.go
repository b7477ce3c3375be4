package main

import (
	"cmp"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/terminal"
	"github.com/gpudocs/gpudocs/internal/verify"
)

// printPlan lists what would run. It runs nothing, not even an interpreter for
// its version, so of what passed before it can say only that it may be kept.
func (a *app) printPlan(plan *verify.Plan, v content.Verify, f *verifyFlags) error {
	kept := plan.MayKeep(a.reportForPlan(f))
	w, most := a.w, a.textWidth(a.stdout)
	line := func(indent int, format string, args ...any) {
		text := strings.Repeat(" ", indent) + fmt.Sprintf(format, args...)
		fmt.Fprintln(a.stdout, terminal.Hang(text, most, indent+2))
	}
	head := w.Count("would_run", plan.Checks())
	if len(kept) > 0 {
		head += w.Get("plan_kept", "n", strconv.Itoa(len(kept)))
	}
	line(0, "%s%s", head, w.Get("plan_end"))
	line(2, "%s", w.held(v))
	for _, l := range plan.Lines {
		line(2, "%s  gpu  %s: %s%s", l.Block.Place(l.Line), l.Block.Name, l.Want(), w.before(kept[l.ID]))
	}
	for _, s := range plan.Sessions {
		line(2, "%s", w.whereOf(s, v))
		for _, b := range s.Chosen() {
			line(4, "%s  %s  %s  %s%s%s", b.Place(b.Line), b.Kind, b.Name, w.Get("plan_timeout", "limit", cmp.Or(f.timeout, b.Timeout).String()), w.needs(b), w.before(kept[b.ID]))
		}
	}
	return nil
}

// before marks what may be kept.
func (w words) before(passed bool) string {
	if passed {
		return w.Get("plan_before")
	}
	return ""
}

func (w words) whereOf(s *verify.Session, v content.Verify) string {
	where := s.Interpreter
	if s.Env != "" {
		where += w.Get("plan_env", "name", s.Env)
	}
	if s.Name != "" {
		where += w.Get("plan_session", "name", s.Name)
	}
	if v.Sandbox != "" && s.Network {
		where += w.Get("plan_network")
	}
	return where
}

func (w words) needs(b *content.Block) string {
	if b.Needs.IsZero() {
		return ""
	}
	return w.Get("plan_needs", "need", b.Needs.String())
}

// reportForPlan is the report that a run would continue, nil where that is not
// known: a plan asks for no machine's name, and leaves faults to the run.
func (a *app) reportForPlan(f *verifyFlags) *report.Report {
	machine := cmp.Or(f.machine, os.Getenv(machineVariable))
	if !f.keeps() || report.CheckName(machine) != nil {
		return nil
	}
	previous, _ := previousReport(a.reportFile(f, machine), machine)
	return previous
}
