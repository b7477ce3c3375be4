package project

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/render"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/check"
	"github.com/gpudocs/gpudocs/internal/site/history"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/themes"
)

// Loaded is a site with its reports, ready to render.
type Loaded struct {
	Content *site.Site
	Render  *render.Site
	Reports []Report
	Diags   diag.List
	// Undated is a message about pages without a date of change, and why. It is empty if git knows all dates. It is
	// no fault of the content, so --strict ignores it.
	Undated diag.Text
}

// Inputs are what a build reads. All but Content and Reports may be nil.
type Inputs struct {
	Content func() (*site.Site, diag.List)
	Reports func(*site.Config) ([]Report, diag.List)
	// Public returns the site as it is published. If it is nil, that is the whole site.
	Public func(*site.Site) *site.Site
	// Local is the report of this machine.
	Local *report.Report
	Dates Dates
}

// Dates waits for the dates of git's history and returns them.
type Dates func() (history.Dates, error)

// Inputs returns the inputs that read the whole site.
func (p *Project) Inputs() Inputs {
	return Inputs{
		Content: func() (*site.Site, diag.List) { return load.Load(p.FS, load.Options{}) },
		Reports: p.readReports,
	}
}

// DatesOf starts to read the history up to a commit, so that it is read while the content is read. serve calls it once,
// because a commit changes no page.
func (p *Project) DatesOf(ctx context.Context, commit string) Dates {
	var d history.Dates
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		d, err = history.Read(ctx, p.Dir, "content", commit)
	}()
	return func() (history.Dates, error) {
		<-done
		return d, err
	}
}

// Load reads everything that a build needs. Render is nil if the site is unusable, or its theme or the list of its
// signers has errors. The error is for everything else.
func (p *Project) Load(ctx context.Context, in Inputs, r render.Options) (Loaded, error) {
	s, diags := in.Content()
	var config *site.Config
	if s != nil {
		config = s.Config
	}
	reports, found := in.Reports(config)
	diags = append(diags, found...)
	for _, d := range Unreadable(reports) {
		d.Severity = diag.Warning
		diags.Add(d)
	}
	if s != nil {
		diags.Add(s.WithoutFirstPage()...)
	}
	out := Loaded{Content: s, Reports: reports, Diags: diags.Sorted()}
	unusable := func(d diag.Diagnostic) bool { return d.Severity == diag.Error && d.File == config.AllowedSigners }
	if s == nil || s.Unusable || slices.ContainsFunc(found, unusable) {
		return out, nil
	}
	out.Diags.Add(unknownReferences(config.References, reports, in.Local)...)
	siteTheme, found := p.Theme(config)
	out.Diags.Add(found...)
	if found.HasErrors() {
		return out, nil
	}
	if in.Dates != nil {
		dated, err := in.Dates()
		r.Changed, out.Undated = dated.Changed, undated(s, dated, err)
	}
	r.BaseURL = cmp.Or(r.BaseURL, config.BaseURL)
	r.Generator, r.Local = Generator(), LocalMachine
	r.Params, r.Style = siteTheme.Params, siteTheme.Style
	r.Unreadable = unreadMachines(reports, in.Local)
	public := s
	if in.Public != nil {
		if public = in.Public(s); public == nil { // gpudocs.toml cannot be read any more
			return out, nil
		}
	}
	rendered, more, err := render.New(ctx, public, sources(reports, in.Local, config), siteTheme.Over(themes.Default()), r)
	if ctx.Err() != nil {
		return out, ctx.Err()
	}
	if faults, ok := errors.AsType[*theme.Faults](err); ok {
		out.Diags = append(out.Diags, faults.List...).Sorted()
		return out, nil
	}
	if err != nil {
		return out, err
	}
	out.Render, out.Diags = rendered, append(out.Diags, more...).Sorted()
	return out, nil
}

// Findings returns all that is wrong with the site: the diagnostics of Load, doubtful results, and what takes
// too long to find at each build. check reports it, and build --strict refuses it.
func (l Loaded) Findings() diag.List {
	list := slices.Concat(l.Diags, check.Site(l.Content))
	if l.Render != nil {
		_, problems := l.Render.Tally()
		list.Add(problems...)
	}
	return list.Sorted()
}

// Unsigned returns what is wrong with the reports that are not signed by one of the site's signers.
func (l Loaded) Unsigned() (refused diag.List, err error) {
	if l.Content.Config.AllowedSigners == "" {
		return nil, diag.Wrong(diag.Say("report.require-signed-without-signers"))
	}
	refused = Unreadable(l.Reports)
	for _, r := range l.Reports {
		if r.Fault == nil && !r.signed() {
			refused.Add(r.Verdict.Diagnostic(diag.Error, r.Name))
		}
	}
	return refused.Sorted(), nil
}

// undated returns a message about the pages without a date from git.
func undated(s *site.Site, d history.Dates, err error) diag.Text {
	if err != nil {
		return diag.Say("cli.undated_all", "why", err)
	}
	cut := 0
	for _, p := range s.Pages {
		if d.Cut[p.Source.Name] && p.Updated.IsZero() {
			cut++
		}
	}
	if cut == 0 {
		return diag.Text{}
	}
	return diag.Say("cli.undated_some", "pages", diag.Say("cli.pages", "n", cut))
}

// unknownReferences warns of references for machines or GPUs that no report has.
func unknownReferences(list site.References, reports []Report, local *report.Report) (diags diag.List) {
	for _, r := range list {
		known := local != nil && r.Fits(local.Machine)
		for _, of := range reports {
			known = known || of.Fault != nil || r.Fits(of.Machine)
		}
		if !known {
			d := r.At
			d.Severity, d.Message = diag.Warning, diag.Say("links.reference-machine-unknown", "of", r.Of)
			d.Hint = diag.Say("links.reference-machine-unknown-hint")
			diags.Add(d)
		}
	}
	return diags
}

// unreadMachines returns the machines whose reports cannot be read, except for one that has a local report.
func unreadMachines(reports []Report, local *report.Report) (names []string) {
	for _, r := range reports {
		machine := report.File{Name: r.Name}.Machine()
		if r.Fault != nil && report.CheckOldName(machine) == nil && (local == nil || local.Machine.Name != machine) {
			names = append(names, machine)
		}
	}
	return names
}

// sources returns the committed reports and the local one, which replaces a committed report of
// the same machine.
func sources(reports []Report, local *report.Report, config *site.Config) (out []results.Source) {
	for _, r := range reports {
		if r.Fault == nil && (local == nil || r.Machine.Name != local.Machine.Name) {
			out = append(out, r.Source(config))
		}
	}
	if local != nil {
		out = append(out, Report{Report: local, Local: true}.Source(config))
	}
	return out
}

// Theme reads the site's theme, with the site's own parameters.
func (p *Project) Theme(config *site.Config) (*theme.Theme, diag.List) {
	t, diags := theme.Open(p.FS, config.Theme, themes.Default(), Version())
	diags.Add(t.Override(p.FS, config.Params)...)
	return t, diags
}

// Recognised returns a line for each dialect that was recognised, and one for each configuration of another
// tool that leaves out pages.
func Recognised(s *site.Site) (lines []diag.Text) {
	for _, name := range markdown.DialectNames() {
		d, _ := markdown.ParseDialect(name)
		pages, by := 0, map[string]int{}
		for _, p := range s.Pages {
			if p.RecognisedBy != "" && p.Dialects.Has(d) {
				pages++
				by[p.RecognisedBy]++
			}
		}
		if pages == 0 {
			continue
		}
		signs := slices.SortedFunc(maps.Keys(by), func(a, b string) int { return cmp.Or(by[b]-by[a], strings.Compare(a, b)) })
		if len(signs) > 3 {
			signs = append(signs[:3], "...")
		}
		number := diag.Say("cli.pages", "n", pages)
		lines = append(lines, diag.Say("cli.recognised", "dialect", name, "pages", number, "signs", strings.Join(signs, ", ")))
	}
	for _, c := range s.Courses {
		if c.LeftOut > 0 {
			lines = append(lines, diag.Say("cli.left_out", "pages", diag.Say("cli.pages", "n", c.LeftOut), "file", c.File))
		}
	}
	return lines
}

// Codes lists the languages of a site with their number of pages: "pt 12, es 9".
func Codes(s *site.Site) string {
	var parts []string
	for _, l := range s.Languages {
		n := 0
		for _, p := range s.Pages {
			if p.Language == l {
				n++
			}
		}
		parts = append(parts, fmt.Sprintf("%s %d", l.Code, n))
	}
	return strings.Join(parts, ", ")
}
