package results

import (
	"testing"
	"testing/fstest"

	"github.com/gpudocs/gpudocs/internal/report"
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
		return Source{Report: &report.Report{Machine: report.Machine{Name: machine}, Checks: []report.Check{
			{ID: id, Page: site.Pages[0].Key, Name: "x", Outcome: outcome, Places: []report.Place{{File: site.Pages[0].Source.Name}}},
		}}}
	}
	altered := source("altered", block.ID, report.Passed)
	altered.Signature.State = SignedOther
	local := source("z", block.ID, report.Skipped)
	local.Local = true
	elsewhere := source("elsewhere", "other", report.Failed)
	elsewhere.Report.Checks[0].Name = "y"
	for _, c := range []struct {
		name    string
		sources []Source
		want    map[string]string // by machine
		worst   string
	}{
		{"no machine has run it", []Source{elsewhere}, map[string]string{}, None},
		{"current code", []Source{source("a", block.ID, report.Passed), source("b", block.ID, report.Errored)}, map[string]string{"a": Passed, "b": Errored}, Errored},
		{"stale code", []Source{source("a", "other", report.Failed), source("b", block.ID, report.Passed)}, map[string]string{"a": Stale, "b": Passed}, Stale},
		{"an altered report", []Source{altered, source("b", block.ID, report.Failed)}, map[string]string{"altered": Altered, "b": Failed}, Altered},
		{"the local machine", []Source{source("a", block.ID, report.Passed), local}, map[string]string{"z": Skipped, "a": Passed}, Skipped},
	} {
		r := NewIndex(site, c.sources, nil, &Cache{})
		found := r.For(block)
		got := map[string]string{}
		for _, f := range found {
			got[f.Name] = f.Status
		}
		for name, status := range c.want {
			if got[name] != status {
				t.Errorf("%s: %s on %s, want %s", c.name, got[name], name, status)
			}
		}
		if len(got) != len(c.want) || Worst(found) != c.worst {
			t.Errorf("%s: %v, the worst %s, want %v and %s", c.name, got, Worst(found), c.want, c.worst)
		}
		onPage := r.PageStatus(site.Pages[0])[0]
		if onPage.Worst() != c.worst {
			t.Errorf("%s: PageStatus has %s", c.name, onPage.Worst())
		}
		for i, f := range found {
			if got := onPage.On(f.Machine); got.Status != f.Status || got.Place != i+1 {
				t.Errorf("%s: PageStatus has %+v for %s", c.name, got, f.Name)
			}
		}
		if c.sources[len(c.sources)-1].Local && found[0].Name != "z" {
			t.Errorf("%s: the local machine is not the first", c.name)
		}
	}
}
