package sitecmd

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/verifycmd"
	"github.com/gpudocs/gpudocs/internal/cli/workspace"
	"github.com/gpudocs/gpudocs/internal/publish"
	"github.com/gpudocs/gpudocs/internal/publish/book"
	"github.com/gpudocs/gpudocs/internal/publish/editions"
	"github.com/gpudocs/gpudocs/internal/render"
	"github.com/gpudocs/gpudocs/internal/render/edition"
	"github.com/gpudocs/gpudocs/internal/render/highlight"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

type buildFlags struct {
	output, baseURL string
	notebooks       string
	strict, verify  bool
	requireSigned   bool
	offline         bool
	pdf             bool
	noSolutions     bool
	machine         string
	editions        []string
}

func NewBuild(a *env.Env) *cobra.Command {
	f := &buildFlags{}
	c := &cobra.Command{
		Use:  "build",
		Args: env.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := workspace.NeedsVerify(c, f.verify); err != nil {
				return err
			}
			if f.verify && f.requireSigned {
				return env.Usage(diag.Say("cli.verify-excludes-require-signed-hint"), diag.Say("cli.verify-excludes-require-signed"))
			}
			return a.WithOutputs(&env.OutputFlags{}, func() error { return runBuild(c.Context(), a, f) })
		},
	}
	c.Flags().StringVar(&f.output, "output", "", "")
	c.Flags().StringVar(&f.baseURL, "base-url", "", "")
	c.Flags().StringVar(&f.notebooks, "notebooks", "", "")
	c.Flags().BoolVar(&f.strict, "strict", false, "")
	c.Flags().BoolVar(&f.requireSigned, "require-signed", false, "")
	c.Flags().BoolVar(&f.offline, "offline", false, "")
	c.Flags().BoolVar(&f.pdf, "pdf", false, "")
	c.Flags().BoolVar(&f.noSolutions, "without-solutions", false, "")
	c.Flags().BoolVar(&f.verify, "verify", false, "")
	c.Flags().StringArrayVar(&f.editions, "edition", nil, "")
	c.Flags().StringVar(&f.machine, "machine", workspace.LocalMachine, "")
	return c
}

// garbagePercent is GOGC for a build, which is short: twice as much garbage as is in use saves a twentieth of the time of a small
// site for half as much memory again of a large one.
const garbagePercent = 200

func runBuild(ctx context.Context, a *env.Env, f *buildFlags) error {
	began := time.Now()
	if os.Getenv("GOGC") == "" {
		defer debug.SetGCPercent(debug.SetGCPercent(garbagePercent))
	}
	if _, err := site.CheckBaseURL(f.baseURL); err != nil {
		return env.Usage(diag.Say("cli.base-url-hint"), err)
	}
	fsys, err := workspace.OpenSite(a)
	if err != nil {
		return err
	}
	output, err := outputFolder(a, f.output)
	if err == nil && f.notebooks != "" {
		_, err = freeFolder(a, f.notebooks, output)
	}
	if err != nil {
		return err
	}
	var local *report.Report
	failed := false
	if f.verify {
		if local, failed, err = verifycmd.VerifyLocal(ctx, a, fsys, f.machine); err != nil {
			return err
		}
		began = time.Now()
	}
	busy := a.NewBusy()
	busy.Set(a.Text.Get("at_work", "what", a.Text.Get("work_read")))
	math, diagrams, images := workspace.NewConverter(), workspace.NewDrawer(), workspace.NewScaler()
	defer workspace.StoreImages(images) // even if the build is interrupted
	dates := workspace.Dates(ctx, a, "HEAD")
	public := load.Publication{WithoutSolutions: f.noSolutions, Time: buildTime()}
	links := &edition.List{}
	options := render.Options{
		BaseURL:     f.baseURL,
		Offline:     f.offline,
		Highlighter: new(highlight.Highlighter),
		Math:        math,
		Diagrams:    diagrams,
		Images:      images,
		Progress:    a.Counting(busy, "work_check"),
		Editions:    &edition.Origin{List: links},
	}
	l, err := workspace.Load(ctx, a, fsys, workspace.PublicInputs(fsys, public), local, options, dates)
	var files publish.Files = l.Render
	if err == nil && l.Render != nil {
		var all []site.Edition
		if all, err = withFlags(l.Content.Config.Editions, f.editions); err == nil && len(all) > 0 {
			o := editionOptions(ctx, a, links, public.OfEditions(l.Content), options)
			o.Label = l.Content.Config.Edition
			others, faults := editions.New(ctx, l.Render, all, o)
			defer others.Close()
			files, l.Diags, err = others, append(l.Diags, faults...).Sorted(), ctx.Err()
		}
	}
	busy.End()
	workspace.StoreDrawings(math, diagrams) // even if the build was interrupted
	if err != nil {
		return err
	}
	if l.Render == nil {
		a.Print(l.Diags)
		return a.Broken(l.Diags, "nothing_written")
	}
	if f.requireSigned {
		if err := workspace.RequireSigned(a, l); err != nil {
			return err
		}
	}
	if f.strict {
		if findings := slices.DeleteFunc(l.Findings(), func(d diag.Diagnostic) bool { return d.Severity == diag.Notice }); len(findings) > 0 {
			for i, d := range findings {
				if slices.ContainsFunc(workspace.Unreadable(l.Reports), func(u diag.Diagnostic) bool { return u.File == d.File }) {
					findings[i].Severity = diag.Error
				}
			}
			a.Print(findings)
			if findings.HasErrors() {
				return a.Broken(findings, "nothing_written")
			}
			return env.EndWith(env.ExitFailed, diag.Say("cli.fault-strict", "findings", diag.Say("cli.findings", "n", len(findings))), diag.Text{})
		}
	}
	if err := addBooks(ctx, a, &l, f, output); err != nil {
		return err
	}
	tally, _ := l.Render.Tally()
	busy = a.NewBusy()
	defer busy.End()
	left := &leftOut{content: l.Content, strict: f.strict}
	if err = left.tryTheme(l.Render); err == nil {
		err = publish.Write(ctx, output, files, publish.Options{Progress: a.Counting(busy, "work_write"), LeaveOut: left.add})
	}
	if faults := faultsOf(err); faults != nil {
		a.Print(append(l.Diags, faults...).Sorted())
		return a.Broken(faults, "nothing_written")
	}
	l.Diags = append(l.Diags, left.faults...).Sorted()
	if left, ok := errors.AsType[*publish.LeftError](err); ok {
		busy.End()
		a.Warn(diag.Say("cli.output-published-but", "why", left))
	} else if err != nil {
		return unwritten(err)
	}
	busy.End()
	a.Println(a.Text.Get("built", "pages", a.Text.Count("pages", len(l.Content.Pages)), "languages", workspace.Codes(l.Content),
		"time", time.Since(began).Round(time.Millisecond).String(), "output", output))
	if len(links.Editions) > 1 {
		var names []string
		for _, e := range links.Editions[1:] {
			names = append(names, e.Name)
		}
		a.Println(a.Text.Get("built_editions", "editions", strings.Join(names, ", ")))
	}
	for _, line := range workspace.Recognised(a.Text, l.Content) {
		a.Println(line)
	}
	a.Println(a.Text.Get("results", "tally", a.Text.TallyText(tally), "without", a.Text.Count("without_result", tally.NotRun())))
	if l.Undated != "" {
		a.Println(l.Undated)
	}
	if f.notebooks != "" {
		if err := writeNotebooks(a, &l, f.notebooks); err != nil {
			return err
		}
	}
	a.Print(l.Diags)
	switch {
	case l.Diags.HasErrors():
		return a.Incomplete(l.Diags, "written", left.names())
	case failed:
		return env.ExitCode(env.ExitFailed)
	}
	return nil
}

// addBooks adds PDFs to the site, if the flags or gpudocs.toml ask for them.
func addBooks(ctx context.Context, a *env.Env, l *workspace.Loaded, f *buildFlags, output string) error {
	if !f.pdf && !l.Content.Config.PDF {
		return nil
	}
	busy := a.NewBusy()
	defer busy.End()
	faults, err := book.Add(ctx, l.Render, book.Options{Output: output, Generator: "gpudocs " + env.Version(), Date: sourceDate(),
		Progress: a.Counting(busy, "work_books")})
	if l.Diags = append(l.Diags, faults...).Sorted(); err == nil && f.strict && faults.HasErrors() {
		busy.End()
		a.Print(l.Diags)
		return a.Broken(faults, "nothing_written")
	}
	return err
}

// buildTime returns the time of the build: that of SOURCE_DATE_EPOCH, which makes a build again as it was, or now.
func buildTime() time.Time {
	if t := sourceDate(); !t.IsZero() {
		return t
	}
	return time.Now()
}

// sourceDate returns the time of SOURCE_DATE_EPOCH, or zero if it is not set,
// https://reproducible-builds.org/specs/source-date-epoch/.
func sourceDate() time.Time {
	if seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64); err == nil {
		return time.Unix(seconds, 0)
	}
	return time.Time{}
}

// A leftOut collects the files that a site is published without, and why.
type leftOut struct {
	content *site.Site
	strict  bool // nothing may be left out
	mu      sync.Mutex
	files   []string
	faults  diag.List
}

// faultsOf returns the diagnostics that an error is made of, or nil.
func faultsOf(err error) diag.List {
	if faults, ok := errors.AsType[*theme.Faults](err); ok {
		return faults.List
	} else if d, ok := errors.AsType[diag.Diagnostic](err); ok {
		return diag.List{d}
	}
	return nil
}

// tryTheme returns the theme's faults if it can show no page at all.
func (l *leftOut) tryTheme(s *render.Site) (err error) {
	for _, p := range l.content.Pages {
		if _, _, err = s.File(p.URL + "index.html"); !errors.Is(err, theme.ErrFault) {
			return nil // build comes to other errors again
		}
	}
	return err
}

// add reports whether the site is published without a file: a page that the theme cannot show, or a file
// beside the pages that cannot be read.
func (l *leftOut) add(name string, err error) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	faults := faultsOf(err)
	if faults == nil || l.strict {
		return false
	}
	shown := faults[0].File
	if shown == site.ConfigFile || strings.HasPrefix(shown, "--edition") { // of another edition
		shown = name
	}
	if errors.Is(err, theme.ErrFault) {
		_, below, _ := strings.Cut(name, "/")
		i := slices.IndexFunc(l.content.Pages, func(p *site.Page) bool {
			return strings.TrimPrefix(p.URL, p.Language.Code+"/")+"index.html" == below
		})
		if i < 0 {
			return false // the theme cannot do without it
		}
		shown = l.content.Pages[i].File.Name
	}
	l.files, l.faults = append(l.files, shown), append(l.faults, faults...)
	return true
}

// names returns the files of the site's folder that are left out, sorted.
func (l *leftOut) names() []string {
	files := slices.Concat(l.files, slices.Collect(maps.Keys(l.content.LeftOut)))
	slices.Sort(files)
	return slices.Compact(files)
}

// outputFolder returns the folder to write. Folders that a site must not replace are an error.
func outputFolder(a *env.Env, dir string) (string, error) {
	if dir == "" {
		dir = a.Path("public")
	}
	site, err := filepath.Abs(a.Site)
	if err != nil {
		return "", err
	}
	abs, err := freeFolder(a, dir)
	switch {
	case err != nil:
		return "", err
	case workspace.Inside(abs, site):
		return "", env.Usage(diag.Say("cli.fault-output-hint"), diag.Say("cli.fault-output-site", "folder", dir))
	}
	if err := publish.Check(dir); err != nil {
		return "", unwritten(err)
	}
	return dir, nil
}

// freeFolder returns the path of a folder, or an error if it is in one that the site is made from, or in another that is taken.
func freeFolder(a *env.Env, dir string, taken ...string) (string, error) {
	abs, err := filepath.Abs(dir)
	for _, name := range []string{"content", "results", "themes", ".git", workspace.PrivateDir} {
		taken = append(taken, a.Path(name))
	}
	for _, part := range taken {
		if in, err := filepath.Abs(part); err == nil && workspace.Inside(in, abs) {
			return "", env.Usage(diag.Say("cli.fault-output-hint"), diag.Say("cli.fault-output-own", "folder", dir, "own", filepath.Base(part)))
		}
	}
	return abs, err
}

// unwritten adds a hint to the error of a build whose output cannot be written.
func unwritten(err error) error {
	_, isPath := errors.AsType[*fs.PathError](err)
	_, isLink := errors.AsType[*os.LinkError](err)
	switch {
	case errors.Is(err, publish.ErrForeign):
		return env.Usage(diag.Say("cli.output-empty-hint"), err)
	case errors.Is(err, publish.ErrMount):
		return env.Usage(diag.Say("cli.output-mount-point-hint"), err)
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return env.EndWith(env.ExitBroken, err, diag.Say("cli.output-disk-full-hint"))
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return env.Usage(diag.Say("cli.output-parent-not-writable-hint"), err)
	case isPath || isLink:
		return env.Usage(diag.Say("cli.output-hint"), err)
	}
	return err
}
