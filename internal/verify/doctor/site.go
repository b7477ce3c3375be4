package doctor

import (
	"context"

	"github.com/gpudocs/gpudocs/internal/machine/environment"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/verify"
	"github.com/gpudocs/gpudocs/internal/verify/tools"
)

// A loadedSite is the content of the site's folder; nil outside of one.
type loadedSite struct {
	*site.Site
	faults []Fault
}

// loadSite reads the site's content, drafts too, as verify does.
func loadSite(o Options) *loadedSite {
	if o.Site == nil {
		return nil
	}
	site, diags := load.Load(o.Site, load.Options{Drafts: true, Editing: true})
	s := &loadedSite{Site: site, faults: []Fault{}}
	for _, d := range diags.Sorted() {
		if d.Severity == diag.Error {
			s.faults = append(s.faults, Fault{report.Place{File: d.File, Cell: d.Cell, Line: d.Line}, d.Message})
		}
	}
	return s
}

// environments returns the environments that the site configures.
func (s *loadedSite) environments() map[string]environment.Spec {
	specs := map[string]environment.Spec{}
	if s == nil || s.Site == nil || s.Config == nil {
		return specs
	}
	for name, e := range s.Config.Env {
		specs[name] = tools.SpecOf(name, e)
	}
	return specs
}

// dryRun adds what verify would do with the site.
func (s *loadedSite) dryRun(ctx context.Context, o Options, probe func(context.Context) report.GPU, hasBLAS func() bool) *Forecast {
	if s == nil {
		return nil
	}
	out := &Forecast{Report: o.ReportName, Checks: []Check{}, Faults: s.faults}
	if s.Site == nil || s.Unusable {
		return out
	}
	out.Pages = len(s.Pages)
	plan, err := verify.NewPlan(s.Site, verify.Filter{})
	if err != nil {
		out.Faults = append(out.Faults, Fault{Message: diag.Plain(err)})
		return out
	}
	checks, err := verify.DryRun(ctx, plan, o.Previous, verify.Options{
		Machine: o.Machine, Generator: o.Generator, Root: o.Root, Confine: s.Config.Verify,
		References: s.Config.References, Env: s.Config.Env, Packages: s.Config.Packages, Probe: probe, HasBLAS: hasBLAS, Keep: true,
	})
	if err != nil { // ctx has ended
		return out
	}
	number := map[string]*int{
		verify.WouldRun: &out.Run, verify.WouldAnswer: &out.Answered, verify.WouldKeep: &out.Keep, verify.WouldSkip: &out.Skip,
		verify.WouldFail: &out.Fail,
	}
	for _, c := range checks {
		out.Checks = append(out.Checks, Check{c.Name, c.Kind, c.Place, c.Decision, c.Reason, c.Build})
		*number[c.Decision]++
	}
	return out
}
