package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/check"
	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/render"
	"github.com/gpudocs/gpudocs/internal/report"
)

type checkFlags struct {
	strict, json                    bool
	external, refresh, allowPrivate bool
	sarif                           string
}

func newCheck(a *app) *cobra.Command {
	f := &checkFlags{}
	c := &cobra.Command{
		Use:   "check [PATH...]",
		Short: "Check links, anchors, images, footnotes and translations",
		Long: `Check reads the site and tells, in one run, every link, anchor, image, footnote
and reference that leads nowhere, images that cannot be shown or have no text,
definitions that nothing uses, ids that stand twice, and pages that a language
lacks. With PATH, files or folders, only what is found in those is told.

With --external it also asks other servers: at most one request a second and two
at once for a host. Answers are kept for a week, bad ones for an hour.

Exit code 0 says that a reader runs into nothing, 1 that there are problems, with
--strict warnings too, 2 that the content is broken. Notices never count.

docs/check.md lists what is checked, and tells what the JSON document holds.`,
		Example: `  gpudocs check
  gpudocs check --strict content/pt/gpu
  gpudocs check --external
  gpudocs check --sarif findings.sarif --json > findings.json`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if !f.external && (f.refresh || f.allowPrivate) {
				return usage("add --external", "--refresh and --allow-private change how other servers are asked")
			}
			if err := sarifReplaceable(f.sarif); err != nil {
				return err
			}
			document := a.stdout
			if f.json {
				a.stdout = a.stderr // for annotations
			}
			return a.telling(&outletFlags{}, func() error {
				r, err := a.check(c.Context(), f, args)
				if r == nil {
					return err
				}
				return errors.Join(a.checked(f, r, document), err)
			})
		},
	}
	c.Flags().BoolVar(&f.strict, "strict", false, "warnings are errors too")
	c.Flags().BoolVar(&f.external, "external", false, "ask other servers for the addresses that pages name")
	c.Flags().BoolVar(&f.refresh, "refresh", false, "ask again what earlier runs have asked")
	c.Flags().BoolVar(&f.allowPrivate, "allow-private", false, "also ask this machine and private networks")
	c.Flags().BoolVar(&f.json, "json", false, "print one JSON document")
	c.Flags().StringVar(&f.sarif, "sarif", "", "also write the findings to this `file`, as SARIF 2.1.0")
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

// check finds what is wrong. The error says how the command ends; nil is returned
// beside it where nothing could be looked at.
func (a *app) check(ctx context.Context, f *checkFlags, args []string) (*checkReport, error) {
	fsys, err := a.openSite()
	if err != nil {
		return nil, err
	}
	site, diags := content.Load(fsys, content.Options{})
	if site == nil {
		a.print(diags)
		return nil, a.broken(diags, "nothing_checked")
	}
	chosen, err := a.chosen(args, site, diags)
	if err != nil {
		return nil, err
	}
	math, diagrams := newConverter(), newDrawer()
	busy := a.newBusy()
	unread, err := render.Faults(ctx, site, math, diagrams, false, a.counting(busy, "work_check"))
	busy.end()
	keep(math, diagrams) // of a run that was interrupted too
	if err != nil {
		return nil, err
	}
	diags = only(slices.Concat(diags, check.Site(site), unread, checkTheme(fsys, site)), chosen)
	brokenContent := diags.Count(diag.Error)
	r := &checkReport{Schema: 1, Generator: "gpudocs " + version(), Findings: diag.List{}}
	var pages []*content.Page
	for _, p := range site.Pages {
		if chosen(p.Source.Name) {
			pages = append(pages, p)
		}
	}
	r.Pages = len(pages)
	var ended error
	if f.external {
		found, asked, err := a.askServers(ctx, f, site, pages)
		diags, r.External, ended = append(diags, found...), &asked, err
	}
	r.Findings = append(r.Findings, check.Raise(diags, f.strict).Sorted()...)
	r.Errors, r.Warnings, r.Notices = r.Findings.Count(diag.Error), r.Findings.Count(diag.Warning), r.Findings.Count(diag.Notice)
	switch {
	case ended != nil:
		return r, ended
	case brokenContent > 0:
		return r, said(exitUsage)
	case r.Errors > 0:
		return r, said(exitFailed)
	}
	return r, nil
}

// checkTheme tells what is wrong in the site's theme, as far as making no page can tell.
func checkTheme(fsys fs.FS, site *content.Site) diag.List {
	t, diags := themeOf(fsys, site.Config)
	if diags.HasErrors() {
		return diags
	}
	var codes []string
	for _, l := range site.Languages {
		codes = append(codes, l.Code)
	}
	return append(diags, render.CheckTheme(layered(t), codes)...)
}

// askServers keeps the answers, those of a run that was interrupted too.
func (a *app) askServers(ctx context.Context, f *checkFlags, site *content.Site, pages []*content.Page) (diag.List, check.Asked, error) {
	asker := &check.Asker{UserAgent: "gpudocs/" + version() + " (link check)", AllowPrivate: f.allowPrivate}
	if dir, err := os.UserCacheDir(); err == nil {
		asker.Cache = check.OpenCache(filepath.Join(dir, "gpudocs", "links.json"), f.refresh)
	}
	busy := a.newBusy() // at one request a second and host this takes minutes
	asker.Progress = a.counting(busy, "work_ask")
	found, asked, err := check.External(ctx, site, pages, site.Config.Ignore, asker)
	busy.end()
	if e := asker.Cache.Save(); e != nil {
		a.warn("the answers could not be kept: %v", e)
	}
	return found, asked, err
}

// checked tells what was found.
func (a *app) checked(f *checkFlags, r *checkReport, document io.Writer) error {
	if f.sarif != "" {
		data, err := check.SARIF(r.Findings, belowRoot(a.site), version())
		if err == nil {
			err = report.WriteFile(f.sarif, data)
		}
		if err != nil {
			return fmt.Errorf("--sarif %s could not be written: %w", f.sarif, err)
		}
	}
	if f.json {
		a.outlets.found(r.Findings)
		e := json.NewEncoder(document)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		if err := e.Encode(r); err != nil && !errors.Is(err, syscall.EPIPE) {
			return err
		}
		return nil
	}
	a.print(r.Findings)
	a.tell(a.w.Get("checked", "pages", a.w.Count("pages", r.Pages),
		"errors", a.w.Count("errors", r.Errors), "warnings", a.w.Count("warnings", r.Warnings), "notices", a.w.Count("notices", r.Notices)))
	if x := r.External; x != nil {
		a.tell(a.w.Get("asked", "addresses", a.w.Count("addresses", x.Addresses), "cached", strconv.Itoa(x.Cached), "ignored", strconv.Itoa(x.Ignored)))
	}
	return nil
}

// chosen returns which files the arguments name: paths from here, or below the
// site's folder. Each must hold a page, or a fault.
func (a *app) chosen(args []string, s *content.Site, diags diag.List) (func(file string) bool, error) {
	if len(args) == 0 {
		return func(string) bool { return true }, nil
	}
	var names []string
	for _, arg := range args {
		name, ok := a.inSite(arg)
		if !ok || !holds(name, s, diags) {
			return nil, usage("name a page, or a folder of pages", "there is no page of the site in %s", arg)
		}
		names = append(names, name)
		for _, p := range s.Pages {
			if covers(name, p.Source.Name) { // what it includes is a part of it
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
func (a *app) inSite(arg string) (string, bool) {
	for _, candidate := range []string{arg, a.path(arg)} {
		if _, err := os.Stat(candidate); err != nil {
			continue
		}
		site, err1 := filepath.Abs(a.site)
		abs, err2 := filepath.Abs(candidate)
		if rel, err := filepath.Rel(site, abs); errors.Join(err1, err2, err) == nil && inside(site, abs) {
			return filepath.ToSlash(rel), true
		}
	}
	return "", false
}

func holds(name string, s *content.Site, diags diag.List) bool {
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

// sarifReplaceable tells whether a file can be written and, where it is there, is
// SARIF already: a slip must cost neither a report nor a page.
func sarifReplaceable(file string) error {
	if file == "" {
		return nil
	}
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return usage("name another file", "--sarif %s: %v", file, err)
	case !info.Mode().IsRegular():
		return usage("name a plain file", "--sarif %s is something else than a plain file", file)
	case info.Size() > 0:
		if data, err := os.ReadFile(file); err != nil || !bytes.Contains(data[:min(len(data), 4<<10)], []byte("sarif")) {
			return usage("name another file", "--sarif %s would replace a file that is no SARIF", file)
		}
	}
	if err := report.Writable(file); err != nil {
		return fmt.Errorf("nothing was checked, for --sarif could not be written: %w", err)
	}
	return nil
}
