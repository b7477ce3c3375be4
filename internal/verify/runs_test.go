package verify

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/verify/tools"
)

// checkLines lists the verdicts of a report: name, outcome, reason, answer and what decided.
func checkLines(checks []report.Check) []string {
	var out []string
	for _, c := range checks {
		s := c.Name + " " + string(c.Outcome)
		if q := c.Reason; q != nil {
			s += " " + q.Code
			if rest := restOf(*q); rest != "" {
				s += " (" + rest + ")"
			}
			if q.Need != "" {
				s += " (" + q.Need + ")"
			}
			if q.Verdict != nil {
				s += " " + q.Verdict.What + " " + q.Verdict.Answer + " " + q.Verdict.By
			}
		}
		if c.Found != "" {
			s += "; " + c.Found
		}
		out = append(out, s)
	}
	return out
}

// lines judges the gpu lines of a page on a machine.
func lines(t *testing.T, site *site.Site, m report.Machine) []string {
	t.Helper()
	plan, err := NewPlan(site, Filter{})
	if err != nil {
		t.Fatal(err)
	}
	r := newRun(plan, nil, Options{})
	r.machine = m
	var checks []report.Check
	for _, l := range plan.Lines {
		checks = append(checks, *r.gpuLine(l))
	}
	return checkLines(checks)
}

func TestRunsLines(t *testing.T) {
	site := loadSite(t, map[string]string{"content/pt/index.md": "```gpu {name=lab}\nruns cu112\nruns cu118\nruns   cu124 # new\nruns cu140\nruns torch\n```\n```gpu {name=venv env=venv}\nruns torch\nruns jax\n```\n"})
	empty := oldGPU
	empty.Devices = nil
	unsupported := report.GPU{Status: report.GPUNone, Code: report.CodeUnsupported}
	m := func(g report.GPU) report.Machine {
		return report.Machine{GPU: g, Environments: []report.Environment{
			{Name: "venv", Frameworks: []report.Framework{{Name: "torch", Version: "1.13.1+cu117", CUDA: "11.7"}}},
		}}
	}
	every := func(why string) []string {
		var all []string
		for _, n := range []string{"lab.cu112", "lab.cu118", "lab.cu124", "lab.cu140", "lab.torch", "venv.torch", "venv.jax"} {
			all = append(all, n+" "+why)
		}
		return all
	}
	const torch = "torch 1.13.1+cu117"
	for _, c := range []struct {
		name string
		gpu  report.GPU
		want []string
	}{
		{"old driver", oldGPU, []string{
			"lab.cu112 passed; driver 460.91.03, CUDA 11.2",
			"lab.cu118 passed; driver 460.91.03, CUDA 11.2",
			"lab.cu124 failed requirement (runs cu124) cu124 no driver; driver 460.91.03, CUDA 11.2",
			"lab.cu140 skipped needs-unmet (runs cu140) cu140 unknown toolkit; driver 460.91.03, CUDA 11.2",
			"lab.torch skipped needs-unmet (runs torch) torch unknown not-asked; driver 460.91.03, CUDA 11.2",
			"venv.torch passed; " + torch + ", driver 460.91.03, CUDA 11.2",
			"venv.jax failed requirement (runs jax) jax no not-installed; driver 460.91.03, CUDA 11.2",
		}},
		{"no driver", noGPU, []string{"lab.cu112 skipped no-gpu (no-library)", "lab.cu118 skipped no-gpu (no-library)", "lab.cu124 skipped no-gpu (no-library)",
			"lab.cu140 skipped no-gpu (no-library)", "lab.torch skipped no-gpu (no-library)",
			"venv.torch skipped no-gpu (no-library); " + torch, "venv.jax skipped no-gpu (no-library)"}},
		{"no GPU", empty, nil},
		{"cannot be queried", unsupported, nil},
		{"broken", broken, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := lines(t, site, m(c.gpu))
			switch c.name {
			case "no GPU":
				c.want = every("skipped no-gpu (no-device); driver 460.91.03, CUDA 11.2")
				c.want[5] = "venv.torch skipped no-gpu (no-device); " + torch + ", driver 460.91.03, CUDA 11.2"
			case "cannot be queried":
				c.want = every("skipped no-gpu (unsupported)")
				c.want[5] += "; " + torch
			case "broken":
				c.want = every("error gpu-broken (version-mismatch)")
				c.want[5] += "; " + torch
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

// TestRunsNeeds: needs= and when= judge software in the environment of their session.
func TestRunsNeeds(t *testing.T) {
	need(t, "bash")
	page := "```bash {run name=old needs=\"runs cu112\"}\ntrue\n```\n" +
		"```bash {run name=new session=s needs=\"gpus >= 1 and runs cu124\"}\ntrue\n```\n```bash {run name=behind session=s}\ntrue\n```\n" +
		"```bash {run name=without needs=\"not runs cu112\"}\ntrue\n```\n" +
		"```bash {run name=nobody needs=\"not runs cu140\"}\ntrue\n```\n" +
		"```bash {run name=when}\necho old\n```\n```text {expect when=\"runs cu124\"}\nnew\n```\n```text {expect when=\"not runs cu124\"}\nold\n```\n"
	r := verify(t, loadSite(t, map[string]string{"content/pt/index.md": page}), oldGPU, Options{})
	want := []string{
		"old passed",
		"new skipped needs-unmet (runs cu124) cu124 no driver",
		"behind skipped session-skipped (needs-unmet: new) (runs cu124)",
		"without skipped needs-unmet (not runs cu112)",
		"nobody skipped needs-unmet (not runs cu140) cu140 unknown toolkit",
		"when passed",
	}
	if d := cmp.Diff(want, checkLines(r.Checks)); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if v := r.Checks[1].Reason.Verdict; v.NeedDriver != "550.54.14" || v.NeedMinor != "525.60.13" || r.Checks[1].Reason.Found != "driver 460.91.03, CUDA 11.2" {
		t.Errorf("%+v, found %q", v, r.Checks[1].Reason.Found)
	}
	r = verify(t, loadSite(t, map[string]string{"content/pt/index.md": page}), noGPU, Options{})
	if v := r.Checks[1].Reason.Verdict; v != nil { // gpus >= 1 decided
		t.Errorf("%+v", v)
	}
	if v := r.Checks[0].Reason.Verdict; v == nil || v.By != report.ByNoDriver {
		t.Errorf("%+v", v)
	}
}

// TestRunsInEnvironment: the blocks of a session are judged by what the environment of the
// session holds.
func TestRunsInEnvironment(t *testing.T) {
	page := "```bash {run name=own needs=\"runs torch\"}\ntrue\n```\n```bash {run name=venv env=venv needs=\"runs torch\"}\ntrue\n```\n"
	plan, err := NewPlan(loadSite(t, map[string]string{"content/pt/index.md": page}), Filter{})
	if err != nil {
		t.Fatal(err)
	}
	r := newRun(plan, nil, Options{Probe: func(context.Context) report.GPU { return oldGPU }})
	r.confinement = &confinement{}
	r.machine = report.Machine{GPU: oldGPU, Environments: []report.Environment{
		{Frameworks: []report.Framework{{Name: "torch", Version: "2.6.0+cu124", CUDA: "12.4"}}},
		{Name: "venv", Frameworks: []report.Framework{{Name: "torch", Version: "2.6.0+cpu", CPUOnly: true}}},
	}}
	var got []report.Check
	for _, s := range plan.Sessions {
		x := &runner{run: r, redactor: &redactor{}, tool: &tools.Tool{}}
		b := s.Chosen()[0]
		c := r.newCheck(b.ID, b.Kind)
		if !x.skip(b, c) {
			t.Errorf("%s would run", b.Name)
		}
		got = append(got, *c)
	}
	want := []string{"own skipped needs-unmet (runs torch) torch no driver", "venv skipped needs-unmet (runs torch) torch no cpu-only"}
	if d := cmp.Diff(want, checkLines(got)); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// TestSameVerdicts: a check is not kept if other software is installed now.
func TestSameVerdicts(t *testing.T) {
	page := "```bash {run name=needs needs=\"runs torch\"}\ntrue\n```\n" +
		"```bash {run name=when}\ntrue\n```\n```text {expect when=\"runs torch\"}\na\n```\n```text {expect}\nb\n```\n```bash {run name=plain}\ntrue\n```\n"
	blocks := loadSite(t, map[string]string{"content/pt/index.md": page}).Pages[0].Blocks
	with := func(version, cuda string) report.Machine {
		return report.Machine{GPU: oldGPU, Environments: []report.Environment{{Frameworks: []report.Framework{{Name: "torch", Version: version, CUDA: cuda}}}}}
	}
	runs, newer, other := with("1.13.1+cu117", "11.7"), with("2.6.0+cu124", "12.4"), with("1.12.1+cu116", "11.6")
	for i, same := range []bool{false, false, true} {
		if !sameVerdicts(blocks[i], runs, runs) || sameVerdicts(blocks[i], runs, newer) != same {
			t.Errorf("%s: kept with another torch should be %v", blocks[i].Name, same)
		}
		if sameVerdicts(blocks[i], runs, other) != same { // which runs too
			t.Errorf("%s: kept with another torch that runs should be %v", blocks[i].Name, same)
		}
	}
}
