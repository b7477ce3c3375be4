package verify

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/machine/pyenv/pyenvtest"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/site"
)

// TestDryRun: the dry run predicts what the run does, on machines of each kind and with an
// earlier report or without, and runs nothing.
func TestDryRun(t *testing.T) {
	need(t, "bash", "python3")
	pyenvtest.Nothing(t)
	ran := filepath.Join(t.TempDir(), "ran")
	page := "```gpu {name=lab}\ngpus >= 1\ndriver >= 525.60.13\nruns cu124\nruns torch\n```\n" +
		"```bash {run name=b}\necho ran >>'" + ran + "'\n```\n" +
		"```bash {run name=first session=s}\ntrue\n```\n```bash {run name=needs session=s needs=\"gpus >= 3\"}\ntrue\n```\n```bash {run name=behind session=s}\ntrue\n```\n" +
		"```python {run name=gpu needs=\"gpus >= 1\"}\n1;\n```\n" +
		"```python {run name=cu124 needs=\"runs cu124\"}\n1;\n```\n" +
		"```python {run name=lost env=nowhere}\n1\n```\n```python {run name=old}\nx\n```\n"
	toml := "[env.nowhere]\npython = \"nowhere/python\"\n[languages.pt]\n"
	broken := report.GPU{Status: report.GPUBroken, Code: report.CodeMismatch}
	for _, c := range []struct {
		name, toml string
		gpu        report.GPU
	}{
		{"none", "", noGPU}, {"old", "", oldGPU}, {"broken", "", broken},
		{"old, a sandbox that is missing", "[verify]\nsandbox = \"bwrap\"\n", oldGPU},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.toml != "" {
				t.Setenv("PATH", without(t, "bwrap"))
			}
			site := loadSite(t, map[string]string{"gpudocs.toml": c.toml + toml, "content/pt/a.md": page})
			before := foreseen(t, site, c.gpu, nil)
			if _, err := os.Stat(ran); err == nil {
				t.Fatal("the dry run ran a block")
			}
			r, _ := rerun(t, site, c.gpu, nil, Options{Confine: site.Config.Verify})
			agree(t, before, r, nil)
			again := foreseen(t, site, c.gpu, r)
			now, executed := rerun(t, site, c.gpu, r, Options{Confine: site.Config.Verify})
			agree(t, again, now, executed)
			_ = os.Remove(ran)
		})
	}
}

// TestOldPython: Python 3.6, as RHEL 8 has it, cannot run the program that runs blocks. Bash blocks may call it.
func TestOldPython(t *testing.T) {
	need(t, "bash", "python3")
	pyenvtest.Nothing(t)
	python, dir := pyenvtest.Python(t), t.TempDir()
	script := "#!/bin/sh\n'" + python + "' \"$@\" | sed -E 's/3\\.[0-9]+\\.[0-9]+/3.6.15/g'\n"
	if err := os.WriteFile(filepath.Join(dir, "python3"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	site := loadSite(t, map[string]string{"content/pt/a.md": "```python {run}\n1;\n```\n```pycon {run}\n>>> 1\n1\n```\n```python {run needs=\"gpus >= 9\"}\n1;\n```\n" +
		"```bash {run}\npython3 --version\n```\n"})
	before := foreseen(t, site, noGPU, nil)
	r, _ := rerun(t, site, noGPU, nil, Options{})
	agree(t, before, r, nil)
	for i, want := range []string{"python >= 3.8", "python >= 3.8", "gpus >= 9", ""} {
		c := r.Checks[i]
		if want == "" && c.Outcome != report.Passed || want != "" && (c.Outcome != report.Skipped || c.Reason.Need != want) {
			t.Errorf("%s: %s %+v, want a need of %q", c.Name, c.Outcome, c.Reason, want)
		}
	}
}

func foreseen(t *testing.T, site *site.Site, gpu report.GPU, previous *report.Report) []DryRunCheck {
	t.Helper()
	plan, err := NewPlan(site, Filter{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := DryRun(t.Context(), plan, previous, Options{Machine: "m", Generator: "test", Keep: true, Env: site.Config.Env, Confine: site.Config.Verify,
		Probe: func(context.Context) report.GPU { return gpu }})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// agree compares a dry run with the report; executed are the names of the checks that ran, if
// others were kept.
func agree(t *testing.T, forecast []DryRunCheck, r *report.Report, executed []string) {
	t.Helper()
	if len(forecast) != len(r.Checks) {
		t.Fatalf("the dry run has %d checks, the report %d", len(forecast), len(r.Checks))
	}
	for i, f := range forecast {
		c := r.Checks[i]
		if f.ID != c.ID || f.Name != c.Name || f.Kind != c.Kind || f.Place != c.Places[0] {
			t.Errorf("dry run %+v, report %+v", f, c)
		}
		kept := executed != nil && !slices.Contains(executed, c.Name)
		want := WouldRun
		switch {
		case kept:
			want = WouldKeep
		case standing.Of(&c).Standing == standing.Answered:
			want = WouldAnswer
		case c.Outcome == report.Skipped:
			want = WouldSkip
		case c.Kind == report.KindGPU && c.Outcome != report.Passed:
			want = WouldFail
		}
		reason := c.Reason
		if want == WouldRun || want == WouldKeep {
			reason = nil
		}
		if d := cmp.Diff(reason, f.Reason); f.Decision != want || d != "" {
			t.Errorf("%s: decision %s, %s: want %s\n%s", c.Name, f.Decision, c.Outcome, want, d)
		}
	}
}

// without returns a PATH of links to all programs except one.
func without(t *testing.T, program string) string {
	t.Helper()
	dir := t.TempDir()
	for _, from := range filepath.SplitList(os.Getenv("PATH")) {
		entries, _ := os.ReadDir(from)
		for _, e := range entries {
			if e.Name() != program {
				_ = os.Symlink(filepath.Join(from, e.Name()), filepath.Join(dir, e.Name())) // the first one of a name is used
			}
		}
	}
	return dir
}

// TestDryRunInterrupted: an interrupted probe gives no decisions.
func TestDryRunInterrupted(t *testing.T) {
	site := loadSite(t, map[string]string{"content/pt/a.md": "```bash {run}\ntrue\n```\n"})
	plan, err := NewPlan(site, Filter{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if f, err := DryRun(ctx, plan, nil, Options{Probe: func(context.Context) report.GPU { return noGPU }}); err == nil {
		t.Errorf("got %v", f)
	}
}

// TestDryRunWithoutBLAS: a matrix multiplication that needs cuBLAS is foreseen as it is judged without one.
func TestDryRunWithoutBLAS(t *testing.T) {
	site := loadSite(t, map[string]string{"content/pt/a.md": "```gpu {name=lab}\nmatmul\nmatmul dtype=fp16\n```\n"})
	plan, err := NewPlan(site, Filter{})
	if err != nil {
		t.Fatal(err)
	}
	one, gpu := 1, oldGPU
	gpu.Counts = &report.Counts{CUDA: &one}
	for _, hasBLAS := range []bool{true, false} {
		foreseen, err := DryRun(t.Context(), plan, nil, Options{Machine: "m", Generator: "test",
			Probe: func(context.Context) report.GPU { return gpu }, HasBLAS: func() bool { return hasBLAS }})
		if err != nil || len(foreseen) != 2 || foreseen[0].Decision != WouldRun {
			t.Fatal(foreseen, err)
		}
		want, wantReason := WouldRun, (*report.Reason)(nil)
		if !hasBLAS {
			want, wantReason = WouldSkip, &report.Reason{Code: report.ReasonMeasure, Why: report.WhyNoLibrary, Said: "cuBLAS"}
		}
		if f := foreseen[1]; f.Decision != want || cmp.Diff(f.Reason, wantReason) != "" {
			t.Errorf("cuBLAS %v: %s %+v", hasBLAS, f.Decision, f.Reason)
		}
	}
}
