package verifycmd

import (
	"cmp"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/project"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/text/terminal"
	"github.com/gpudocs/gpudocs/internal/verify/judge"
	"github.com/gpudocs/gpudocs/internal/verify/tools"
)

// showPlan lists what would run, for people or for a program. It runs nothing, not even an interpreter for its version, so
// checks that passed before are only marked as kept if nothing has changed.
func (v *verification) showPlan() error {
	if v.outputs.JUnit != "" {
		return diag.Wrong(diag.Say("cli.plan-excludes-junit").WithHint(diag.Say("verify.leave-one-out-hint")))
	}
	c := v.site.Config
	kept := v.plan.MayKeep(v.reportForPlan(), judge.Limits{References: c.References, Drift: c.Verify.Drift})
	if v.outputs.JSON {
		v.outputs.Plan(v.plan, c.Verify, v.timeout, kept)
	} else {
		v.printPlan(kept)
	}
	return nil
}

func (v *verification) printPlan(kept map[report.ID]bool) {
	t, c, plan, most := v.Text, v.site.Config, v.plan, v.TextWidth(v.Stdout)
	line := func(indent int, format string, args ...any) {
		text := strings.Repeat(" ", indent) + fmt.Sprintf(format, args...)
		fmt.Fprintln(v.Stdout, terminal.Hang(text, most, indent+2))
	}
	line(0, "%s%s%s", t.Count("would_run", plan.Checks()),
		when(len(kept) > 0, t.Get("plan_kept", "n", strconv.Itoa(len(kept)))), t.Get("plan_end"))
	line(2, "%s", sandboxText(t, c.Verify))
	shown := map[string]bool{}
	for _, s := range plan.Sessions {
		if prepared := preparation(tools.OnThisMachine(s.Env, c.Env[s.Env])); prepared != "" && !shown[s.Env] {
			shown[s.Env] = true
			line(2, "%s", t.Get("report_environment", "name", s.Env, "sources", prepared))
		}
	}
	for _, l := range plan.Lines {
		before := when(kept[l.ID], t.Get("plan_before"))
		line(2, "%s  gpu  %s: %s%s", l.Block.Place(l.At).Text().In(t), l.Block.Name, l.String(), before)
	}
	for _, s := range plan.Sessions {
		line(2, "%s%s%s%s%s", s.Interpreter, when(s.Kernel != "", " "+s.Kernel), when(s.Env != "", t.Get("plan_env", "name", s.Env)),
			when(s.Name != "", t.Get("plan_session", "name", s.Name)), when(c.Verify.Sandbox != "" && s.Network, t.Get("plan_network")))
		for _, b := range s.Chosen() {
			line(4, "%s  %s  %s  %s%s%s", b.Place(b.Line).Text().In(t), b.Kind, b.CheckName(),
				t.Get("plan_timeout", "limit", cmp.Or(v.timeout, b.Timeout).String()),
				when(!b.Needs.IsZero(), t.Get("plan_needs", "need", b.Needs.String())), when(kept[b.ID], t.Get("plan_before")))
		}
	}
}

// preparation returns what an environment does before its sessions, in the words of gpudocs.toml: modules
// and setup are code that runs.
func preparation(e site.Environment) string {
	var keys []string
	for _, key := range [][2]string{
		{"modules", strings.Join(e.Modules, ", ")}, {"setup", strings.TrimSpace(e.Setup)}, {"container", e.Container},
	} {
		if key[1] != "" {
			keys = append(keys, key[0]+" = "+key[1])
		}
	}
	return strings.Join(keys, "; ")
}

// when returns the text if the condition holds, and otherwise nothing.
func when(holds bool, text string) string {
	if !holds {
		return ""
	}
	return text
}

// sandboxText returns in what sandbox and within which limits snippets run.
func sandboxText(t text.Catalog, v site.Verify) string {
	text := t.Get("held_none")
	if v.Sandbox != "" {
		text = t.Get("held_sandbox", "name", v.Sandbox)
	}
	memory := v.Memory.String()
	return text + when(memory != "", t.Get("held_memory", "size", memory)) +
		when(v.Processes > 0, t.Get("held_processes", "n", strconv.Itoa(v.Processes)))
}

// reportForPlan returns the report that a run would continue, nil if that is not known: a plan does
// not ask for the machine's name, and ignores errors.
func (v *verification) reportForPlan() *report.Report {
	machine := cmp.Or(v.machine, os.Getenv(project.MachineVariable))
	if !v.keeps() || report.CheckName(machine) != nil {
		return nil
	}
	previous, _ := project.Previous(v.reportFile(machine), machine)
	return previous.Report
}
