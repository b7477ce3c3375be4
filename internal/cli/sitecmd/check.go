package sitecmd

import (
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/exit"
	"github.com/gpudocs/gpudocs/internal/cli/outputs"
	"github.com/gpudocs/gpudocs/internal/project"
	"github.com/gpudocs/gpudocs/internal/render"
	"github.com/gpudocs/gpudocs/internal/render/page"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/check"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/themes"
)

type checkFlags struct {
	strict, json                    bool
	external, refresh, allowPrivate bool
}

func NewCheck(a *env.Env) *cobra.Command {
	f := &checkFlags{}
	c := &cobra.Command{
		Use: "check [PATH...]",
		RunE: func(c *cobra.Command, args []string) error {
			if !f.external && (f.refresh || f.allowPrivate) {
				return diag.Wrong(diag.Say("cli.refresh-without-external"))
			}
			document := a.Stdout
			if f.json {
				a.Stdout = a.Stderr // for annotations
			}
			out := &outputs.Outputs{}
			return out.Around(a, func() error {
				r, err := runCheck(c.Context(), a, f, args)
				switch {
				case r == nil:
					return err
				case f.json:
					out.AddDiagnostics(r.Findings)
					return errors.Join(env.WriteJSON(document, r), err)
				}
				r.print(a)
				return err
			})
		},
	}
	c.Flags().BoolVar(&f.strict, "strict", false, "")
	c.Flags().BoolVar(&f.external, "external", false, "")
	c.Flags().BoolVar(&f.refresh, "refresh", false, "")
	c.Flags().BoolVar(&f.allowPrivate, "allow-private", false, "")
	c.Flags().BoolVar(&f.json, "json", false, "")
	return c
}

// A checkReport is the document of check --json; docs/content/en/check.md describes it.
type checkReport struct {
	Schema    int           `json:"schema"`
	Generator string        `json:"generator"`
	Pages     int           `json:"pages"`
	Errors    int           `json:"errors"`
	Warnings  int           `json:"warnings"`
	Notices   int           `json:"notices"`
	External  *check.Counts `json:"external,omitempty"`
	Findings  diag.List     `json:"findings"`

	recognised []diag.Text // lines of [project.Recognised]
}

// runCheck checks the site. The error says how the command ends. The report is nil if nothing could
// be checked.
func runCheck(ctx context.Context, a *env.Env, f *checkFlags, args []string) (*checkReport, error) {
	p, err := a.Open()
	if err != nil {
		return nil, err
	}
	math, diagrams := project.NewConverter(), project.NewDrawer()
	busy := a.NewBusy()
	l, err := p.Load(ctx, p.Inputs(), render.Options{Math: math, Diagrams: diagrams, Progress: a.Counting(busy, "work_check")})
	busy.End()
	project.StoreDrawings(math, diagrams) // even if the run was interrupted
	if err != nil {
		return nil, err
	}
	s := l.Content
	if s == nil {
		a.Print(l.Diags)
		return nil, exit.Content(l.Diags, "nothing_checked")
	}
	diags := append(l.Findings(), checkTheme(p, s)...)
	if l.Render != nil {
		diags.Add(unpublishable(ctx, l)...)
	} else if unread, err := page.Faults(ctx, s, math, diagrams, false, nil); err == nil {
		diags.Add(unread...)
	}
	selected, err := selection(p, args, s, diags)
	if err != nil {
		return nil, err
	}
	diags = slices.DeleteFunc(diags, func(d diag.Diagnostic) bool { return !selected(d.File) })
	broken := diags.HasErrors()
	pages := slices.DeleteFunc(slices.Clone(s.Pages), func(p *site.Page) bool { return !selected(p.Source.Name) })
	r := &checkReport{Schema: 1, Generator: project.Generator(), Pages: len(pages), recognised: project.Recognised(s)}
	if f.external {
		var found diag.List
		var counts check.Counts
		found, counts, err = askServers(ctx, a, f, s, pages)
		diags, r.External = append(diags, found...), &counts
	}
	r.Findings = append(diag.List{}, check.Raise(diags, f.strict).Sorted()...) // not null in JSON
	r.Errors, r.Warnings, r.Notices = r.Findings.Count(diag.Error), r.Findings.Count(diag.Warning), r.Findings.Count(diag.Notice)
	switch {
	case err != nil:
		return r, err
	case broken:
		return r, exit.Code(exit.Usage)
	case r.Errors > 0:
		return r, exit.Code(exit.Failed)
	}
	return r, nil
}

// unpublishable returns the faults that show only when the files of a site are made: pages that its theme
// cannot show, and files beside the pages that cannot be read.
func unpublishable(ctx context.Context, l project.Loaded) diag.List {
	left := &leftOut{content: l.Content}
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for _, p := range l.Content.Pages {
		g.Go(func() error {
			if _, _, err := l.Render.File(p.URL + "index.html"); ctx.Err() == nil && err != nil {
				left.add(p.URL+"index.html", err)
			}
			return nil
		})
	}
	_ = g.Wait() // no function above returns an error
	for _, a := range l.Content.Assets {
		file := path.Join(sitefile.ContentFolder, a)
		if f, err := l.Content.FS.Open(file); err != nil {
			left.add(a, diag.Unreadable(file, err))
		} else {
			f.Close()
		}
	}
	return left.faults
}

// checkTheme returns the faults of the site's theme that are found without rendering a page.
func checkTheme(p *project.Project, site *site.Site) diag.List {
	t, diags := p.Theme(site.Config)
	if diags.HasErrors() {
		return diags
	}
	return append(diags, theme.Check(t.Over(themes.Default()), languageCodes(site))...)
}

// askServers checks the addresses of other servers. It stores the answers, even if it is interrupted.
func askServers(ctx context.Context, a *env.Env, f *checkFlags, site *site.Site, pages []*site.Page) (diag.List, check.Counts, error) {
	asker := &check.Asker{UserAgent: "gpudocs/" + project.Version() + " (link check)", AllowPrivate: f.allowPrivate}
	if dir, err := os.UserCacheDir(); err == nil {
		asker.Cache = check.OpenCache(filepath.Join(dir, "gpudocs", "links.json"), f.refresh)
	}
	busy := a.NewBusy() // at one request a second and host this takes minutes
	asker.Progress = a.Counting(busy, "work_ask")
	found, counts, err := check.External(ctx, site, pages, site.Config.Ignore, asker)
	busy.End()
	if e := asker.Cache.Save(); e != nil {
		a.Warn(diag.Say("cli.external-answers-not-kept", "why", e))
	}
	return found, counts, err
}

// print writes the report for people.
func (r *checkReport) print(a *env.Env) {
	t := a.Text
	a.Print(r.Findings)
	a.Println(t.Get("checked", "pages", t.Count("pages", r.Pages), "errors", t.Count("errors", r.Errors),
		"warnings", t.Count("warnings", r.Warnings), "notices", t.Count("notices", r.Notices)))
	for _, line := range r.recognised {
		a.Say(line)
	}
	if x := r.External; x != nil {
		addresses := t.Count("addresses", x.Addresses)
		a.Println(t.Get("asked", "addresses", addresses, "cached", strconv.Itoa(x.Cached), "ignored", strconv.Itoa(x.Ignored)))
	}
}

// selection returns which files the arguments select: paths relative to the current folder or to the site's,
// each with a page or a fault, and the files that these pages include.
func selection(p *project.Project, args []string, s *site.Site, diags diag.List) (func(file string) bool, error) {
	if len(args) == 0 {
		return func(string) bool { return true }, nil
	}
	paths, err := p.Below(args)
	if err != nil {
		return nil, err
	}
	var included []string
	for i, chosen := range paths {
		found := slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return project.Covers(chosen, d.File) })
		for _, page := range s.Pages {
			if project.Covers(chosen, page.Source.Name) {
				found = true
				included = append(included, page.Includes...)
			}
		}
		if !found {
			return nil, diag.Wrong(diag.Say("cli.path-without-page", "path", args[i]))
		}
	}
	paths = append(paths, included...)
	return func(file string) bool {
		return slices.ContainsFunc(paths, func(p string) bool { return project.Covers(p, file) })
	}, nil
}
