package main

import (
	"cmp"
	"fmt"
	"os"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/verify"
)

// printPlan lists what would run. It runs nothing, not even an interpreter for
// its version, so of what passed before it can say only that it may be kept.
func (a *app) printPlan(plan *verify.Plan, v content.Verify, f *verifyFlags) error {
	kept := plan.MayKeep(a.reportForPlan(f))
	fmt.Fprintf(a.stdout, "%s would run", count(plan.Checks(), "check", "checks"))
	if len(kept) > 0 {
		fmt.Fprintf(a.stdout, ", %d of them only if the machine or its software has changed since they passed", len(kept))
	}
	fmt.Fprintln(a.stdout, "; nothing was run")
	fmt.Fprintln(a.stdout, "  "+held(v))
	for _, l := range plan.Lines {
		fmt.Fprintf(a.stdout, "  %s  gpu  %s: %s%s\n", l.Block.Place(l.Line), l.Block.Name, l.Want(), before(kept[l.ID]))
	}
	for _, s := range plan.Sessions {
		fmt.Fprintf(a.stdout, "  %s\n", whereOf(s, v))
		for _, b := range s.Chosen() {
			fmt.Fprintf(a.stdout, "    %s  %s  %s  timeout %s%s%s\n", b.Place(b.Line), b.Kind, b.Name, cmp.Or(f.timeout, b.Timeout), needs(b), before(kept[b.ID]))
		}
	}
	return nil
}

// before marks what may be kept.
func before(passed bool) string {
	if passed {
		return "  (passed before)"
	}
	return ""
}

func whereOf(s *verify.Session, v content.Verify) string {
	where := s.Interpreter
	if s.Env != "" {
		where += " in environment " + s.Env
	}
	if s.Name != "" {
		where += ", session " + s.Name
	}
	if v.Sandbox != "" && s.Network {
		where += ", with network"
	}
	return where
}

func needs(b *content.Block) string {
	if b.Needs.IsZero() {
		return ""
	}
	return "  needs " + b.Needs.String()
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
