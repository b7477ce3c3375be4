package sitecmd

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/workspace"
	"github.com/gpudocs/gpudocs/internal/render"
	"github.com/gpudocs/gpudocs/internal/render/page"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/check"
	"github.com/gpudocs/gpudocs/internal/site/history"
	"github.com/gpudocs/gpudocs/internal/site/load"
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
		Use:  "check [PATH...]",
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if !f.external && (f.refresh || f.allowPrivate) {
				return env.Usage(diag.Say("cli.refresh-without-external-hint"), diag.Say("cli.refresh-without-external"))
			}
			document := a.Stdout
			if f.json {
				a.Stdout = a.Stderr // for annotations
			}
			return a.WithOutputs(&env.OutputFlags{}, func() error {
				r, err := runCheck(c.Context(), a, f, args)
				if r == nil {
					return err
				}
				return errors.Join(printCheck(a, f, r, document), err)
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

	recognised []string // lines of [workspace.Recognised]
}

// runCheck checks the site. The error says how the command ends. The report is nil if nothing could
// be checked.
func runCheck(ctx context.Context, a *env.Env, f *checkFlags, args []string) (*checkReport, error) {
	fsys, err := workspace.OpenSite(a)
	if err != nil {
		return nil, err
	}
	math, diagrams := workspace.NewConverter(), workspace.NewDrawer()
	busy := a.NewBusy()
	undated := func() (history.Dates, error) { return history.Dates{}, nil }
	l, err := workspace.Load(ctx, a, fsys, workspace.InputsOf(fsys, load.Options{}), nil, render.Options{Math: math, Diagrams: diagrams, Progress: a.Counting(busy, "work_check")}, undated)
	busy.End()
	workspace.StoreDrawings(math, diagrams) // even if the run was interrupted
	if err != nil {
		return nil, err
	}
	s := l.Content
	if s == nil {
		a.Print(l.Diags)
		return nil, a.Broken(l.Diags, "nothing_checked")
	}
	diags := append(l.Findings(), checkTheme(fsys, s)...)
	if l.Render != nil {
		diags.Add(unpublishable(ctx, l)...)
	} else if unread, err := page.Faults(ctx, s, math, diagrams, false, nil); err == nil {
		diags.Add(unread...)
	}
	selected, err := selection(a, args, s, diags)
	if err != nil {
		return nil, err
	}
	diags = slices.DeleteFunc(diags, func(d diag.Diagnostic) bool { return !selected(d.File) })
	broken := diags.HasErrors()
	pages := slices.DeleteFunc(slices.Clone(s.Pages), func(p *site.Page) bool { return !selected(p.Source.Name) })
	r := &checkReport{Schema: 1, Generator: "gpudocs " + env.Version(), Pages: len(pages), recognised: workspace.Recognised(a.Text, s)}
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
		return r, env.ExitCode(env.ExitUsage)
	case r.Errors > 0:
		return r, env.ExitCode(env.ExitFailed)
	}
	return r, nil
}

// unpublishable returns the faults that show only when the files of a site are made: pages that its theme
// cannot show, and files beside the pages that cannot be read.
func unpublishable(ctx context.Context, l workspace.Loaded) diag.List {
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
func checkTheme(fsys fs.FS, site *site.Site) diag.List {
	t, diags := workspace.ThemeOf(fsys, site.Config)
	if diags.HasErrors() {
		return diags
	}
	return append(diags, theme.Check(t.Over(themes.Default()), languageCodes(site))...)
}

// askServers checks the addresses of other servers. It stores the answers, even if it is interrupted.
func askServers(ctx context.Context, a *env.Env, f *checkFlags, site *site.Site, pages []*site.Page) (diag.List, check.Counts, error) {
	asker := &check.Asker{UserAgent: "gpudocs/" + env.Version() + " (link check)", AllowPrivate: f.allowPrivate}
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

// printCheck writes the report of a check.
func printCheck(a *env.Env, f *checkFlags, r *checkReport, document io.Writer) error {
	if f.json {
		a.Outputs.AddDiagnostics(r.Findings)
		return env.WriteJSON(document, r)
	}
	a.Print(r.Findings)
	a.Println(a.Text.Get("checked", "pages", a.Text.Count("pages", r.Pages),
		"errors", a.Text.Count("errors", r.Errors), "warnings", a.Text.Count("warnings", r.Warnings), "notices", a.Text.Count("notices", r.Notices)))
	for _, line := range r.recognised {
		a.Println(line)
	}
	if x := r.External; x != nil {
		a.Println(a.Text.Get("asked", "addresses", a.Text.Count("addresses", x.Addresses), "cached", strconv.Itoa(x.Cached), "ignored", strconv.Itoa(x.Ignored)))
	}
	return nil
}

// selection returns which files the arguments select: paths relative to the current folder or to the site's,
// each with a page or a fault, and the files that these pages include.
func selection(a *env.Env, args []string, s *site.Site, diags diag.List) (func(file string) bool, error) {
	if len(args) == 0 {
		return func(string) bool { return true }, nil
	}
	paths, err := workspace.Below(a, args)
	if err != nil {
		return nil, err
	}
	var included []string
	for i, p := range paths {
		found := slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return workspace.Covers(p, d.File) })
		for _, page := range s.Pages {
			if workspace.Covers(p, page.Source.Name) {
				found = true
				included = append(included, page.Includes...)
			}
		}
		if !found {
			return nil, env.Usage(diag.Say("cli.path-without-page-hint"), diag.Say("cli.path-without-page", "path", args[i]))
		}
	}
	paths = append(paths, included...)
	return func(file string) bool {
		return slices.ContainsFunc(paths, func(p string) bool { return workspace.Covers(p, file) })
	}, nil
}
