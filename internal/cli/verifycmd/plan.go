package verifycmd

import (
	"cmp"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/workspace"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/text/terminal"
	"github.com/gpudocs/gpudocs/internal/verify"
)

// showPlan lists what would run, for people or for a program.
func showPlan(a *env.Env, plan *verify.Plan, v site.Verify, f *verifyFlags) error {
	if f.outputs.JUnit != "" {
		return env.Usage(diag.Say("verify.leave-one-out-hint"), diag.Say("cli.plan-excludes-junit"))
	}
	if f.outputs.JSON {
		a.Outputs.Events.Plan(plan, v, f.timeout, plan.MayKeep(reportForPlan(a, f)))
		return nil
	}
	return printPlan(a, plan, v, f)
}

// printPlan lists what would run. It runs nothing, not even an interpreter for
// its version, so of what passed before it can say only that it may be kept.
func printPlan(a *env.Env, plan *verify.Plan, v site.Verify, f *verifyFlags) error {
	kept := plan.MayKeep(reportForPlan(a, f))
	t, most := a.Text, a.TextWidth(a.Stdout)
	line := func(indent int, format string, args ...any) {
		text := strings.Repeat(" ", indent) + fmt.Sprintf(format, args...)
		fmt.Fprintln(a.Stdout, terminal.Hang(text, most, indent+2))
	}
	head := t.Count("would_run", plan.Checks())
	if len(kept) > 0 {
		head += t.Get("plan_kept", "n", strconv.Itoa(len(kept)))
	}
	line(0, "%s%s", head, t.Get("plan_end"))
	line(2, "%s", sandboxText(t, v))
	for _, l := range plan.Lines {
		line(2, "%s  gpu  %s: %s%s", l.Block.Place(l.Line), l.Block.Name, l.Want(), before(t, kept[l.ID]))
	}
	for _, s := range plan.Sessions {
		line(2, "%s", whereOf(t, s, v))
		for _, b := range s.Chosen() {
			line(4, "%s  %s  %s  %s%s%s", b.Place(b.Line), b.Kind, b.Name, t.Get("plan_timeout", "limit", cmp.Or(f.timeout, b.Timeout).String()), needs(t, b), before(t, kept[b.ID]))
		}
	}
	return nil
}

// sandboxText returns in what sandbox and within which limits snippets run.
func sandboxText(t env.Catalog, v site.Verify) string {
	text := t.Get("held_none")
	if v.Sandbox != "" {
		text = t.Get("held_sandbox", "name", v.Sandbox)
	}
	if m := v.Memory.String(); m != "" {
		text += t.Get("held_memory", "size", m)
	}
	if v.Processes > 0 {
		text += t.Get("held_processes", "n", strconv.Itoa(v.Processes))
	}
	return text
}

// before marks a check that may be kept.
func before(t env.Catalog, passed bool) string {
	if passed {
		return t.Get("plan_before")
	}
	return ""
}

func whereOf(t env.Catalog, s *verify.Session, v site.Verify) string {
	where := s.Interpreter
	if s.Env != "" {
		where += t.Get("plan_env", "name", s.Env)
	}
	if s.Name != "" {
		where += t.Get("plan_session", "name", s.Name)
	}
	if v.Sandbox != "" && s.Network {
		where += t.Get("plan_network")
	}
	return where
}

func needs(t env.Catalog, b *site.Block) string {
	if b.Needs.IsZero() {
		return ""
	}
	return t.Get("plan_needs", "need", b.Needs.String())
}

// reportForPlan returns the report that a run would continue, nil if that is not known: a plan does
// not ask for the machine's name, and ignores errors.
func reportForPlan(a *env.Env, f *verifyFlags) *report.Report {
	machine := cmp.Or(f.machine, os.Getenv(workspace.MachineVariable))
	if !f.keeps() || report.CheckName(machine) != nil {
		return nil
	}
	previous, _ := workspace.PreviousReport(workspace.ReportFile(a, f.report, machine), machine)
	return previous
}
