package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/publish"
	"github.com/gpudocs/gpudocs/internal/render"
	"github.com/gpudocs/gpudocs/internal/report"
)

type buildFlags struct {
	output, baseURL string
	strict, verify  bool
	requireSigned   bool
	offline         bool
	machine         string
}

func newBuild(a *app) *cobra.Command {
	f := &buildFlags{}
	c := &cobra.Command{
		Use:   "build",
		Short: "Write the site to a folder",
		Long: `Build reads the site and the reports in results/ and writes the finished site.

The output folder is swapped in whole: a build that fails leaves the previous
output untouched, and so does one that --strict or --require-signed ends. Nothing of
the content is executed unless --verify asks for it.`,
		Example: `  gpudocs build
  gpudocs build --output /srv/www/docs --base-url https://example.org/docs/
  gpudocs build --strict           any warning or failed check is an error
  gpudocs build --require-signed   only reports that the site's signers signed
  gpudocs build --offline          a site to open without a server
  gpudocs build --verify           run the checks here first`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := needsVerify(c, f.verify); err != nil {
				return err
			}
			if f.verify && f.requireSigned {
				return usage("gpudocs verify --machine NAME --sign KEY makes a signed report; build then without --verify", "nobody signs the results of --verify, and --require-signed refuses them")
			}
			return a.telling(&outletFlags{}, func() error { return a.build(c.Context(), f) })
		},
	}
	c.Flags().StringVar(&f.output, "output", "", "the `folder` to write (default public/ of the site)")
	c.Flags().StringVar(&f.baseURL, "base-url", "", "the site's public `address`; overrides base_url of gpudocs.toml")
	c.Flags().BoolVar(&f.strict, "strict", false, "end with exit code 1 on any warning, stale or failed check")
	c.Flags().BoolVar(&f.requireSigned, "require-signed", false, "end with exit code 1 if a report is not signed by one of [trust] allowed_signers")
	c.Flags().BoolVar(&f.offline, "offline", false, "make a site that opens from its folder, without a server")
	c.Flags().BoolVar(&f.verify, "verify", false, "run the checks on this machine first and show their results")
	c.Flags().StringVar(&f.machine, "machine", localMachine, "`name` under which the results of --verify are shown")
	return c
}

func (a *app) build(ctx context.Context, f *buildFlags) error {
	began := time.Now()
	defer paceMemory()()
	if _, err := content.CheckBaseURL(f.baseURL); err != nil {
		return usage("write it as --base-url https://example.org/docs/", "%v", err)
	}
	fsys, err := a.openSite()
	if err != nil {
		return err
	}
	output, err := a.output(f.output)
	if err != nil {
		return err
	}
	var local *report.Report
	failed := false
	if f.verify {
		if local, failed, err = a.verifyLocal(ctx, fsys, f.machine); err != nil {
			return err
		}
		began = time.Now()
	}
	busy := a.newBusy()
	busy.with(a.w.Get("at_work", "what", a.w.Get("work_read")))
	math, diagrams, colours := newConverter(), newDrawer(), newHighlighter()
	defer keepColours(colours)
	dates := a.dates(ctx)
	l, err := a.load(ctx, fsys, inputsOf(fsys, content.Options{}), local, render.Options{BaseURL: f.baseURL, Once: true, Offline: f.offline, Highlighter: colours, Math: math, Diagrams: diagrams, Progress: a.counting(busy, "work_check")}, dates)
	busy.end()
	keep(math, diagrams) // of a build that was interrupted too
	if err != nil {
		return err
	}
	if l.render == nil {
		a.print(l.diags)
		return a.broken(l.diags, "nothing_written")
	}
	if f.requireSigned {
		if err := a.requireSigned(l); err != nil {
			return err
		}
	}
	if refused := unreadable(l.reports); f.strict && len(refused) > 0 {
		a.print(refused)
		return a.broken(refused, "nothing_written")
	}
	tally, problems := l.render.Tally()
	if findings := append(l.diags, problems...).Sorted(); f.strict && len(findings) > 0 {
		a.print(findings)
		return a.ending(exitFailed, "strict", []string{"findings", inEnglish().Count("findings", len(findings))}, []string{"findings", a.w.Count("findings", len(findings))})
	}
	busy = a.newBusy()
	defer busy.end()
	var faults *render.ThemeFaults
	var unreadable diag.Diagnostic
	var left *publish.LeftError
	if err := publish.Write(ctx, output, a.watched(busy, l.render)); errors.As(err, &faults) {
		a.print(append(l.diags, faults.List...).Sorted())
		return a.broken(faults.List, "nothing_written")
	} else if errors.As(err, &unreadable) {
		a.print(append(l.diags, unreadable).Sorted())
		return a.broken(diag.List{unreadable}, "nothing_written")
	} else if errors.As(err, &left) {
		busy.end()
		a.warn("the site is published, but %v", err)
	} else if err != nil {
		return unwritten(err)
	}
	busy.end()
	a.tell(a.w.Get("built", "pages", a.w.Count("pages", len(l.content.Pages)), "languages", codes(l.content),
		"time", time.Since(began).Round(time.Millisecond).String(), "output", output))
	a.tell(a.w.shown(tally))
	if l.undated != "" {
		a.tell(l.undated)
	}
	a.print(l.diags)
	if failed {
		return said(exitFailed)
	}
	return nil
}

// broken ends a command on content with errors; consequence names a text.
func (a *app) broken(l diag.List, consequence string) error {
	holes := func(w words) []string {
		return []string{"errors", w.Count("errors", l.Count(diag.Error)), "consequence", w.Get(consequence)}
	}
	return a.ending(exitUsage, "broken", holes(inEnglish()), holes(a.w))
}

// output returns the folder to write, refusing those that a site must not replace.
func (a *app) output(dir string) (string, error) {
	if dir == "" {
		dir = a.path("public")
	}
	site, err := filepath.Abs(a.site)
	if err != nil {
		return "", err
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if inside(abs, site) {
		return "", a.fault("output_site", "folder", dir)
	}
	for _, own := range []string{"content", "results", "themes", ".git", privateDir} {
		if inside(filepath.Join(site, own), abs) {
			return "", a.fault("output_own", "folder", dir, "own", own)
		}
	}
	if err := publish.Check(dir); err != nil {
		return "", unwritten(err)
	}
	return dir, nil
}

// unwritten ends a build whose output cannot be written. The old one, if any, is there.
func unwritten(err error) error {
	var pe *fs.PathError
	var le *os.LinkError
	switch {
	case errors.Is(err, publish.ErrForeign):
		return usage("empty it, or choose another --output", "%v", err)
	case errors.Is(err, publish.ErrMount):
		return usage("write to a folder in it, as --output /srv/www/docs where /srv/www is mounted", "%v", err)
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return endWith(exitBroken, err, "make room for a second site, which is written beside the old one before it takes its place; the old one is untouched")
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return usage("a site is written beside --output and then takes its place, so that the folder around it must be writable too; choose another --output", "%v", err)
	case errors.As(err, &pe), errors.As(err, &le):
		return usage("choose another --output", "%v", err)
	}
	return err
}

// inside tells whether path is dir or lies below it.
func inside(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// needsVerify refuses --machine where it would change nothing.
func needsVerify(c *cobra.Command, verify bool) error {
	if c.Flags().Changed("machine") && !verify {
		return usage("add --verify, or leave --machine out", "--machine names the results of --verify")
	}
	return nil
}
