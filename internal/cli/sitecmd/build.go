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
	"github.com/gpudocs/gpudocs/internal/cli/exit"
	"github.com/gpudocs/gpudocs/internal/cli/outputs"
	"github.com/gpudocs/gpudocs/internal/cli/verifycmd"
	"github.com/gpudocs/gpudocs/internal/cli/words"
	"github.com/gpudocs/gpudocs/internal/project"
	"github.com/gpudocs/gpudocs/internal/publish"
	"github.com/gpudocs/gpudocs/internal/publish/book"
	"github.com/gpudocs/gpudocs/internal/publish/editions"
	"github.com/gpudocs/gpudocs/internal/render"
	"github.com/gpudocs/gpudocs/internal/render/edition"
	"github.com/gpudocs/gpudocs/internal/render/highlight"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/site/picture"
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
		Use: "build",
		RunE: func(c *cobra.Command, _ []string) error {
			if err := verifycmd.NeedsVerify(c, f.verify); err != nil {
				return err
			}
			if f.verify && f.requireSigned {
				return diag.Wrong(diag.Say("cli.verify-excludes-require-signed"))
			}
			out := &outputs.Outputs{}
			return out.Around(a, func() error { return runBuild(c.Context(), a, f, out) })
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
	c.Flags().StringVar(&f.machine, "machine", project.LocalMachine, "")
	return c
}

// A builder builds a site once.
type builder struct {
	*env.Env
	*buildFlags
	project *project.Project
	loaded  project.Loaded
	files   publish.Files // those of the site, or of all editions
	links   edition.List
	left    leftOut
	images  *picture.Scaler
}

// garbagePercent is GOGC for a build, which is short: twice as much garbage as is in use saves a tenth of its time. From manyPages
// on it would take more memory than Hugo, so the usual percentage counts again.
const (
	garbagePercent = 200
	manyPages      = 1000
)

func runBuild(ctx context.Context, a *env.Env, f *buildFlags, out *outputs.Outputs) error {
	usual := debug.SetGCPercent(garbagePercent)
	defer debug.SetGCPercent(usual)
	if os.Getenv("GOGC") != "" {
		debug.SetGCPercent(usual)
	}
	if _, err := site.CheckBaseURL(f.baseURL); err != nil {
		return diag.Wrong(diag.Plain(err).WithHint(diag.Say("cli.base-url-hint")))
	}
	p, err := a.Open()
	if err != nil {
		return err
	}
	b := &builder{Env: a, buildFlags: f, project: p, images: project.NewScaler()}
	defer project.StoreImages(b.images) // even if the build is interrupted
	if err := b.checkFolders(); err != nil {
		return err
	}
	var local verifycmd.LocalRun
	if f.verify {
		local, err = verifycmd.Local(ctx, a, p, f.machine)
		if local.Run != nil {
			out.Add(local.Run)
		}
		if err != nil {
			return err
		}
	}
	began := time.Now()
	closeEditions, err := b.load(ctx, local.Report)
	defer closeEditions()
	if err != nil {
		return err
	}
	if b.loaded.Render == nil {
		a.Print(b.loaded.Diags)
		return exit.Content(b.loaded.Diags, "nothing_written")
	}
	if len(b.loaded.Content.Pages) >= manyPages {
		debug.SetGCPercent(usual)
	}
	if err := b.refuse(); err != nil {
		return err
	}
	if err := b.addBooks(ctx); err != nil {
		return err
	}
	tally, _ := b.loaded.Render.Tally()
	if err := b.write(ctx); err != nil {
		return err
	}
	b.tell(time.Since(began), tally)
	if f.notebooks != "" {
		if err := b.writeNotebooks(); err != nil {
			return err
		}
	}
	a.Print(b.loaded.Diags)
	switch {
	case b.loaded.Diags.HasErrors():
		return exit.Incomplete(b.loaded.Diags, "written", b.left.names())
	case local.Failed:
		return exit.Code(exit.Failed)
	}
	return nil
}

// load reads the site and its editions, and plans what is written. closeEditions is never nil.
func (b *builder) load(ctx context.Context, local *report.Report) (closeEditions func(), err error) {
	busy := b.NewBusy()
	defer busy.End()
	busy.Set(b.Text.Get("at_work", "what", b.Text.Get("work_read")))
	math, diagrams := project.NewConverter(), project.NewDrawer()
	defer project.StoreDrawings(math, diagrams) // even if the build is interrupted
	public := load.Publication{WithoutSolutions: b.noSolutions, Time: buildTime()}
	in := b.project.Inputs()
	in.Public, in.Local, in.Dates = public.Of, local, b.project.DatesOf(ctx, "HEAD")
	options := render.Options{
		BaseURL:     b.baseURL,
		Offline:     b.offline,
		Highlighter: new(highlight.Highlighter),
		Math:        math,
		Diagrams:    diagrams,
		Images:      b.images,
		Progress:    b.Counting(busy, "work_check"),
		Editions:    &edition.Origin{List: &b.links},
	}
	l, err := b.project.Load(ctx, in, options)
	b.loaded, b.files = l, l.Render
	b.left = leftOut{content: l.Content, strict: b.strict}
	if err != nil || l.Render == nil {
		return func() {}, err
	}
	all, err := withFlags(l.Content.Config.Editions, b.editions)
	if err != nil || len(all) == 0 {
		return func() {}, err
	}
	o := editionOptions(ctx, b.project, &b.links, public.OfEditions(l.Content), options)
	o.Label = l.Content.Config.Edition
	others, faults := editions.New(ctx, l.Render, all, o)
	b.files, b.loaded.Diags = others, append(l.Diags, faults...).Sorted()
	return others.Close, ctx.Err()
}

// refuse refuses to write a site that breaks the rules of --require-signed and --strict.
func (b *builder) refuse() error {
	if b.requireSigned {
		refused, err := b.loaded.Unsigned()
		if err != nil {
			return err
		}
		if len(refused) > 0 {
			b.Print(refused)
			return exit.With(exit.Failed, diag.Say("cli.fault-refused", "reports", diag.Say("cli.refused", "n", len(refused))))
		}
	}
	if !b.strict {
		return nil
	}
	findings := slices.DeleteFunc(b.loaded.Findings(), func(d diag.Diagnostic) bool { return d.Severity == diag.Notice })
	if len(findings) == 0 {
		return nil
	}
	unreadable := project.Unreadable(b.loaded.Reports)
	for i, d := range findings {
		if slices.ContainsFunc(unreadable, func(u diag.Diagnostic) bool { return u.File == d.File }) {
			findings[i].Severity = diag.Error
		}
	}
	b.Print(findings)
	if findings.HasErrors() {
		return exit.Content(findings, "nothing_written")
	}
	return exit.With(exit.Failed, diag.Say("cli.fault-strict", "findings", diag.Say("cli.findings", "n", len(findings))))
}

// addBooks adds PDFs to the site, if the flags or gpudocs.toml ask for them.
func (b *builder) addBooks(ctx context.Context) error {
	l := &b.loaded
	if !b.pdf && !l.Content.Config.PDF {
		return nil
	}
	busy := b.NewBusy()
	defer busy.End()
	faults, err := book.Add(ctx, l.Render, book.PrintOptions{
		Output:    b.output,
		Generator: project.Generator(),
		Date:      sourceDate(),
		Progress:  b.Counting(busy, "work_books"),
	})
	if l.Diags = append(l.Diags, faults...).Sorted(); err == nil && b.strict && faults.HasErrors() {
		busy.End()
		b.Print(l.Diags)
		return exit.Content(faults, "nothing_written")
	}
	return err
}

// write writes the files. Those that are left out are among the diagnostics.
func (b *builder) write(ctx context.Context) error {
	busy := b.NewBusy()
	defer busy.End()
	err := b.left.tryTheme(b.loaded.Render)
	if err == nil {
		err = publish.Write(ctx, b.output, b.files, publish.Options{
			Progress: b.Counting(busy, "work_write"),
			LeaveOut: b.left.add,
		})
	}
	busy.End()
	if faults := faultsOf(err); faults != nil {
		b.Print(append(b.loaded.Diags, faults...).Sorted())
		return exit.Content(faults, "nothing_written")
	}
	b.loaded.Diags = append(b.loaded.Diags, b.left.faults...).Sorted()
	if left, ok := errors.AsType[*publish.LeftError](err); ok {
		b.Warn(diag.Say("cli.output-published-but", "why", left))
		return nil
	}
	return unwritten(err)
}

// tell says what was built.
func (b *builder) tell(took time.Duration, tally standing.Count) {
	t, content := b.Text, b.loaded.Content
	b.Println(t.Get("built", "pages", t.Count("pages", len(content.Pages)), "languages", project.Codes(content),
		"time", took.Round(time.Millisecond).String(), "output", b.output))
	if len(b.links.Editions) > 1 {
		var names []string
		for _, e := range b.links.Editions[1:] {
			names = append(names, e.Name)
		}
		b.Println(t.Get("built_editions", "editions", strings.Join(names, ", ")))
	}
	for _, line := range project.Recognised(content) {
		b.Say(line)
	}
	b.Println(t.Get("results", "tally", words.Tally(t, tally), "without", t.Count("without_result", tally.NotRun())))
	if !b.loaded.Undated.IsZero() {
		b.Say(b.loaded.Undated)
	}
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

// checkFolders finds the folder to write. Folders that a site must not replace are an error.
func (b *builder) checkFolders() error {
	if b.output == "" {
		b.output = b.project.Path("public")
	}
	site, err := filepath.Abs(b.project.Dir)
	if err != nil {
		return err
	}
	abs, err := b.free(b.output)
	if err != nil {
		return err
	}
	if project.Inside(abs, site) {
		return diag.Wrong(diag.Say("cli.fault-output-site", "folder", b.output).WithHint(diag.Say("cli.fault-output-hint")))
	}
	if err := publish.Check(b.output); err != nil {
		return unwritten(err)
	}
	if b.notebooks != "" {
		_, err = b.free(b.notebooks, b.output)
	}
	return err
}

// free returns the path of a folder, or an error if it is in one that the site is made from, or in another that is taken.
func (b *builder) free(dir string, taken ...string) (string, error) {
	abs, err := filepath.Abs(dir)
	for _, name := range []string{"content", project.ResultsDir, project.ThemesDir, ".git", project.PrivateDir} {
		taken = append(taken, b.project.Path(name))
	}
	for _, part := range taken {
		if in, err := filepath.Abs(part); err == nil && project.Inside(in, abs) {
			message := diag.Say("cli.fault-output-own", "folder", dir, "own", filepath.Base(part))
			return "", diag.Wrong(message.WithHint(diag.Say("cli.fault-output-hint")))
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
		return diag.Wrong(diag.Plain(err).WithHint(diag.Say("cli.output-empty-hint")))
	case errors.Is(err, publish.ErrMount):
		return diag.Wrong(diag.Plain(err).WithHint(diag.Say("cli.output-mount-point-hint")))
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return exit.With(exit.Broken, diag.Plain(err).WithHint(diag.Say("cli.output-disk-full-hint")))
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return diag.Wrong(diag.Plain(err).WithHint(diag.Say("cli.output-parent-not-writable-hint")))
	case isPath || isLink:
		return diag.Wrong(diag.Plain(err).WithHint(diag.Say("cli.output-hint")))
	}
	return err
}
