package results

import (
	"testing"
	"testing/fstest"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/site/load"
)

// TestFor checks the results of a block and their statuses, in all functions that return them.
func TestFor(t *testing.T) {
	t.Parallel()
	site, diags := load.Load(fstest.MapFS{
		"gpudocs.toml":        {Data: []byte("[languages.pt]\nname = \"Português\"\n")},
		"content/pt/index.md": {Data: []byte("# A\n```bash {run name=x}\ntrue\n```\n")},
	}, load.Options{})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	block := site.Pages[0].Blocks[0]
	source := func(machine string, id report.ID, outcome report.Outcome) Source {
		var why *report.Reason
		if outcome == report.Skipped {
			why = &report.Reason{Code: report.ReasonNeeds, Need: "gpus >= 1"}
		}
		return Source{Report: &report.Report{Machine: report.Machine{Name: machine}, Checks: []report.Check{
			{ID: id, Reason: why, Page: site.Pages[0].Key, Name: "x", Outcome: outcome, Places: []report.Place{{File: site.Pages[0].Source.Name}}},
		}}}
	}
	altered := source("altered", block.ID, report.Passed)
	altered.Signature.State = SignedOther
	local := source("z", block.ID, report.Skipped)
	local.Local = true
	unreached := source("u", block.ID, report.Skipped)
	unreached.Report.Checks[0].Reason.Code = report.ReasonNotReached
	elsewhere := source("elsewhere", "other", report.Failed)
	elsewhere.Report.Checks[0].Name = "y"
	for _, c := range []struct {
		name    string
		sources []Source
		want    map[string]standing.Standing // by machine
		overall standing.Standing
	}{
		{"no machine has run it", []Source{elsewhere}, map[string]standing.Standing{}, standing.None},
		{"current code", []Source{source("a", block.ID, report.Passed), source("b", block.ID, report.Errored)}, map[string]standing.Standing{"a": standing.Passed, "b": standing.Errored}, standing.Errored},
		{"stale code", []Source{source("a", "other", report.Failed), source("b", block.ID, report.Passed)}, map[string]standing.Standing{"a": standing.Stale, "b": standing.Passed}, standing.Stale},
		{"an altered report", []Source{altered, source("b", block.ID, report.Failed)}, map[string]standing.Standing{"altered": standing.Altered, "b": standing.Failed}, standing.Altered},
		{"the local machine", []Source{source("a", block.ID, report.Passed), local}, map[string]standing.Standing{"z": standing.NotApplicable, "a": standing.Passed}, standing.Passed},
		{"a machine that lacks what it needs, and a failure", []Source{source("a", block.ID, report.Failed), source("b", block.ID, report.Skipped)}, map[string]standing.Standing{"a": standing.Failed, "b": standing.NotApplicable}, standing.Failed},
		{"only machines that lack what it needs", []Source{source("a", block.ID, report.Skipped), elsewhere}, map[string]standing.Standing{"a": standing.NotApplicable}, standing.NotApplicable},
		{"not reached on one, not applicable to the other", []Source{source("a", block.ID, report.Skipped), unreached}, map[string]standing.Standing{"a": standing.NotApplicable, "u": standing.Skipped}, standing.Skipped},
		{"not reached on one, passed on the other", []Source{source("a", block.ID, report.Passed), unreached}, map[string]standing.Standing{"a": standing.Passed, "u": standing.Skipped}, standing.Passed},
	} {
		r := NewIndex(site, c.sources, nil, &Cache{})
		found := r.For(block)
		got := map[string]standing.Standing{}
		for _, f := range found {
			got[f.Name] = f.Standing
		}
		for name, status := range c.want {
			if got[name] != status {
				t.Errorf("%s: %s on %s, want %s", c.name, got[name], name, status)
			}
		}
		if len(got) != len(c.want) || Overall(found) != c.overall {
			t.Errorf("%s: %v, in all %s, want %v and %s", c.name, got, Overall(found), c.want, c.overall)
		}
		onPage := r.PageStatus(site.Pages[0])[0]
		if got := onPage.strongest(0).Standing; got != c.overall {
			t.Errorf("%s: PageStatus has %s", c.name, got)
		}
		for i, f := range found {
			if got := onPage.On(f.Machine); got.Standing != f.Standing || got.Place != i+1 {
				t.Errorf("%s: PageStatus has %+v for %s", c.name, got, f.Name)
			}
		}
		if c.sources[len(c.sources)-1].Local && found[0].Name != "z" {
			t.Errorf("%s: the local machine is not the first", c.name)
		}
	}
}
