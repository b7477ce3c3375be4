package sitecmd

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/atomicfile"
	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/workspace"
	"github.com/gpudocs/gpudocs/internal/render/page"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/check"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/themes"
)

type checkFlags struct {
	strict, json                    bool
	external, refresh, allowPrivate bool
	sarif                           string
}

func NewCheck(a *env.Env) *cobra.Command {
	f := &checkFlags{}
	c := &cobra.Command{
		Use:     "check [PATH...]",
		Short:   "help.check.short",
		Long:    "help.check.long",
		Example: "help.check.example",
		Args:    cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if !f.external && (f.refresh || f.allowPrivate) {
				return env.Usage(diag.Say("cli.refresh-without-external-hint"), diag.Say("cli.refresh-without-external"))
			}
			isSARIF := func(begin []byte) bool { return bytes.Contains(begin, []byte("sarif")) }
			if err := env.Replaceable("--sarif", f.sarif, "SARIF", isSARIF); err != nil {
				return err
			}
			document := a.Stdout
			if f.json {
				a.Stdout = a.Stderr // for annotations
			}
			return a.WithOutputs(&env.OutputFlags{}, func() error {
				r, err := runCheck(a, c.Context(), f, args)
				if r == nil {
					return err
				}
				return errors.Join(printCheck(a, f, r, document), err)
			})
		},
	}
	c.Flags().BoolVar(&f.strict, "strict", false, "help.check.--strict")
	c.Flags().BoolVar(&f.external, "external", false, "help.check.--external")
	c.Flags().BoolVar(&f.refresh, "refresh", false, "help.check.--refresh")
	c.Flags().BoolVar(&f.allowPrivate, "allow-private", false, "help.check.--allow-private")
	c.Flags().BoolVar(&f.json, "json", false, "help.check.--json")
	c.Flags().StringVar(&f.sarif, "sarif", "", "help.check.--sarif")
	return c
}

// A checkReport is the document of check --json; docs/check.md describes it.
type checkReport struct {
	Schema    int          `json:"schema"`
	Generator string       `json:"generator"`
	Pages     int          `json:"pages"`
	Errors    int          `json:"errors"`
	Warnings  int          `json:"warnings"`
	Notices   int          `json:"notices"`
	External  *check.Asked `json:"external,omitempty"`
	Findings  diag.List    `json:"findings"`
}

// runCheck checks the site. The error says how the command ends. The report is nil if nothing could
// be checked.
func runCheck(a *env.Env, ctx context.Context, f *checkFlags, args []string) (*checkReport, error) {
	fsys, err := workspace.OpenSite(a)
	if err != nil {
		return nil, err
	}
	s, diags := load.Load(fsys, load.Options{})
	if s == nil {
		a.Print(diags)
		return nil, a.Broken(diags, "nothing_checked")
	}
	chosen, err := chosen(a, args, s, diags)
	if err != nil {
		return nil, err
	}
	math, diagrams := workspace.NewConverter(), workspace.NewDrawer()
	busy := a.NewBusy()
	unread, err := page.Faults(ctx, s, math, diagrams, false, a.Counting(busy, "work_check"))
	busy.End()
	workspace.StoreDrawings(math, diagrams) // even if the run was interrupted
	if err != nil {
		return nil, err
	}
	diags = only(slices.Concat(diags, check.Site(s), unread, checkTheme(fsys, s)), chosen)
	brokenContent := diags.Count(diag.Error)
	r := &checkReport{Schema: 1, Generator: "gpudocs " + env.Version(), Findings: diag.List{}}
	var pages []*site.Page
	for _, p := range s.Pages {
		if chosen(p.Source.Name) {
			pages = append(pages, p)
		}
	}
	r.Pages = len(pages)
	var ended error
	if f.external {
		found, asked, err := askServers(a, ctx, f, s, pages)
		diags, r.External, ended = append(diags, found...), &asked, err
	}
	r.Findings = append(r.Findings, check.Raise(diags, f.strict).Sorted()...)
	r.Errors, r.Warnings, r.Notices = r.Findings.Count(diag.Error), r.Findings.Count(diag.Warning), r.Findings.Count(diag.Notice)
	switch {
	case ended != nil:
		return r, ended
	case brokenContent > 0:
		return r, env.ExitCode(env.ExitUsage)
	case r.Errors > 0:
		return r, env.ExitCode(env.ExitFailed)
	}
	return r, nil
}

// checkTheme returns the faults of the site's theme that show without rendering a page.
func checkTheme(fsys fs.FS, site *site.Site) diag.List {
	t, diags := workspace.ThemeOf(fsys, site.Config)
	if diags.HasErrors() {
		return diags
	}
	var codes []string
	for _, l := range site.Languages {
		codes = append(codes, l.Code)
	}
	return append(diags, theme.Check(t.Over(themes.Default()), codes)...)
}

// askServers checks the addresses of other servers. It stores the answers, even if it is interrupted.
func askServers(a *env.Env, ctx context.Context, f *checkFlags, site *site.Site, pages []*site.Page) (diag.List, check.Asked, error) {
	asker := &check.Asker{UserAgent: "gpudocs/" + env.Version() + " (link check)", AllowPrivate: f.allowPrivate}
	if dir, err := os.UserCacheDir(); err == nil {
		asker.Cache = check.OpenCache(filepath.Join(dir, "gpudocs", "links.json"), f.refresh)
	}
	busy := a.NewBusy() // at one request a second and host this takes minutes
	asker.Progress = a.Counting(busy, "work_ask")
	found, asked, err := check.External(ctx, site, pages, site.Config.Ignore, asker)
	busy.End()
	if e := asker.Cache.Save(); e != nil {
		a.Warn(diag.Say("cli.external-answers-not-kept", "why", e))
	}
	return found, asked, err
}

// printCheck writes the report of a check.
func printCheck(a *env.Env, f *checkFlags, r *checkReport, document io.Writer) error {
	if f.sarif != "" {
		data, err := check.SARIF(r.Findings, env.BelowRoot(a.Site), env.Version())
		if err == nil {
			err = atomicfile.Write(f.sarif, data, 0o644)
		}
		if err != nil {
			return diag.Say("cli.sarif-write-failed", "file", f.sarif, "why", err)
		}
	}
	if f.json {
		a.Outputs.AddDiagnostics(r.Findings)
		return env.WriteJSON(document, r)
	}
	a.Print(r.Findings)
	a.Println(a.Text.Get("checked", "pages", a.Text.Count("pages", r.Pages),
		"errors", a.Text.Count("errors", r.Errors), "warnings", a.Text.Count("warnings", r.Warnings), "notices", a.Text.Count("notices", r.Notices)))
	if x := r.External; x != nil {
		a.Println(a.Text.Get("asked", "addresses", a.Text.Count("addresses", x.Addresses), "cached", strconv.Itoa(x.Cached), "ignored", strconv.Itoa(x.Ignored)))
	}
	return nil
}

// chosen returns which files the arguments name: paths relative to the current folder, or to the
// site's. Each must have a page, or a fault.
func chosen(a *env.Env, args []string, s *site.Site, diags diag.List) (func(file string) bool, error) {
	if len(args) == 0 {
		return func(string) bool { return true }, nil
	}
	var names []string
	for _, arg := range args {
		name, ok := inSite(a, arg)
		if !ok || !holds(name, s, diags) {
			return nil, env.Usage(diag.Say("cli.path-without-page-hint"), diag.Say("cli.path-without-page", "path", arg))
		}
		names = append(names, name)
		for _, p := range s.Pages {
			if covers(name, p.Source.Name) { // with the files that it includes
				names = append(names, p.Includes...)
			}
		}
	}
	return func(file string) bool {
		for _, n := range names {
			if covers(n, file) {
				return true
			}
		}
		return false
	}, nil
}

// inSite returns the slash path below the site's folder.
func inSite(a *env.Env, arg string) (string, bool) {
	for _, candidate := range []string{arg, a.Path(arg)} {
		if _, err := os.Stat(candidate); err != nil {
			continue
		}
		site, err1 := filepath.Abs(a.Site)
		abs, err2 := filepath.Abs(candidate)
		if rel, err := filepath.Rel(site, abs); errors.Join(err1, err2, err) == nil && workspace.Inside(site, abs) {
			return filepath.ToSlash(rel), true
		}
	}
	return "", false
}

func holds(name string, s *site.Site, diags diag.List) bool {
	for _, p := range s.Pages {
		if covers(name, p.Source.Name) {
			return true
		}
	}
	for _, d := range diags {
		if covers(name, d.File) {
			return true
		}
	}
	return false
}

func covers(name, file string) bool {
	return name == "." || file == name || strings.HasPrefix(file, name+"/")
}

func only(l diag.List, chosen func(string) bool) (out diag.List) {
	for _, d := range l {
		if chosen(d.File) {
			out = append(out, d)
		}
	}
	return out
}
