package servecmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/atomicfile"
	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/verifycmd"
	"github.com/gpudocs/gpudocs/internal/cli/workspace"
	"github.com/gpudocs/gpudocs/internal/render"
	"github.com/gpudocs/gpudocs/internal/render/diagram"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/render/tex"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/serve"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/config"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/verify"
)

type serveFlags struct {
	addr     string
	open     bool
	verify   bool
	allowRun bool
	machine  string
}

func NewServe(a *env.Env) *cobra.Command {
	f := &serveFlags{}
	c := &cobra.Command{
		Use:  "serve",
		Args: env.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := workspace.NeedsVerify(c, f.verify || f.allowRun); err != nil {
				return err
			}
			return runServe(c.Context(), a, f)
		},
	}
	c.Flags().StringVar(&f.addr, "addr", "127.0.0.1:1313", "")
	c.Flags().BoolVar(&f.open, "open", false, "")
	c.Flags().BoolVar(&f.verify, "verify", false, "")
	c.Flags().BoolVar(&f.allowRun, "allow-run", false, "")
	c.Flags().StringVar(&f.machine, "machine", workspace.LocalMachine, "")
	return c
}

// A previewer connects the loops of serve: one builds if a file changes, one verifies if the code of a check
// changes, and one makes formulas and diagrams.
type previewer struct {
	*env.Env
	fsys     *siteFolder
	flags    *serveFlags
	math     *tex.Converter
	diagrams *diagram.Drawer
	theme    theme.Cache
	reports  results.Cache
	dates    workspace.DatesFunc
	inputs   *inputCache
	// missed is set if a build could not read the changed files, lastFindings are the findings of the last
	// build, and recognised what it said of dialects. Only the build loop uses them.
	missed       bool
	lastFindings findings
	recognised   []string
	// changed has an element if there is a new site for the verify loop. formulas has the newest site for
	// the loop that makes them.
	changed  chan struct{}
	formulas chan loadedSite

	mu    sync.Mutex
	site  *site.Site     // the newest
	local *report.Report // of this machine, which pages show
	ran   *report.Report // of the checks that were run since the start, or nil
	// signers is the path of the file of signers.
	signers string
	// included are the files that pages include, in any folder of the site, and the bibliography.
	included []string
	// searched are the folders in which new files may be needed.
	searched []string
}

func runServe(ctx context.Context, a *env.Env, f *serveFlags) error {
	if _, err := workspace.OpenSite(a); err != nil {
		return err
	}
	shown := a.Site
	if abs, err := filepath.Abs(a.Site); err == nil {
		a.Site = abs // the working directory may be removed and created again
	}
	fsys, err := openSiteFolder(a.Site)
	if err != nil {
		return err
	}
	if _, err := fs.Stat(fsys, site.ConfigFile); err != nil {
		_, diags := load.Load(fsys, load.Options{})
		a.Print(diags)
		return a.Broken(diags, "nothing_serve")
	}
	if err := report.CheckName(f.machine); err != nil {
		return env.Usage(diag.Text{}, err)
	}
	listener, err := net.Listen("tcp", f.addr)
	if err != nil {
		hint := diag.Say("cli.address-hint")
		if errors.Is(err, syscall.EADDRINUSE) {
			hint = diag.Say("cli.address-in-use-hint")
		}
		return env.Usage(hint, err)
	}
	p := &previewer{Env: a, fsys: fsys, flags: f, inputs: newInputCache(fsys), dates: workspace.Dates(ctx, a, "HEAD"), changed: make(chan struct{}, 1), math: workspace.NewConverter(), diagrams: workspace.NewDrawer(), formulas: make(chan loadedSite, 1)}
	if config, _ := config.Read(fsys); config != nil {
		p.signers = config.AllowedSigners
	}
	options := serve.Options{Listener: listener, Build: p.build, Root: a.Site, Ignore: p.ignored, Folders: p.folders, Name: nameIn(f.addr), Tell: func(m diag.Text) { p.Around(func() { p.Warn(m) }) }, Log: a.Stderr}
	runs := &blockRuns{previewer: p}
	if f.allowRun {
		if err := onlyHere(listener.Addr()); err != nil {
			listener.Close()
			return err
		}
		options.Actions = runs
	}
	server := serve.New(options)
	runs.server = server
	var work sync.WaitGroup
	defer work.Wait()
	ctx, stop := context.WithCancel(ctx)
	defer stop() // the server may end by itself: the verify loop ends with it
	if f.verify || f.allowRun {
		// Its results will be replaced, so an unreadable report is moved aside.
		file := workspace.LocalReport(a, f.machine)
		if p.local, err = workspace.PreviousReport(file, f.machine); err != nil {
			a.Warn(err)
			if err := os.Rename(file, file+".unreadable"); err == nil {
				a.Warn(diag.Say("cli.output-kept-as", "file", file+".unreadable"))
			}
		}
	}
	if f.verify {
		work.Go(func() { p.verifyLoop(ctx, server) })
	}
	work.Go(func() { p.mathLoop(ctx, server) })
	address := "http://" + reachable(listener.Addr()) + "/"
	a.Println(a.Text.Get("serving", "site", shown, "address", address))
	if f.allowRun {
		a.Println(a.Text.Get("may_run"))
		fmt.Fprintf(a.Stdout, "  %s\n", strings.TrimSuffix(address, "/")+server.OpenPath())
	}
	if f.open {
		forget := openIn(a, address, server.OpenPath())
		defer forget()
	}
	return server.Serve(ctx)
}

// ignored reports whether builds do not read a path.
func (p *previewer) ignored(name string, dir bool) bool {
	p.mu.Lock()
	signers, included, searched := p.signers, p.included, p.searched
	p.mu.Unlock()
	if name == signers || dir && strings.HasPrefix(signers, name+"/") {
		return false
	}
	for _, f := range included {
		if name == f || dir && strings.HasPrefix(f, name+"/") {
			return false
		}
	}
	for _, f := range searched {
		if name == f || strings.HasPrefix(name, f+"/") && !sitefile.IsHidden(name[len(f):]) || dir && strings.HasPrefix(f, name+"/") {
			return false
		}
	}
	top, _, _ := strings.Cut(name, "/")
	switch top {
	case "content", workspace.ResultsDir, workspace.ThemesDir, site.ConfigFile:
		_, temporary := atomicfile.Target(path.Base(name))
		return temporary || dir && strings.HasPrefix(path.Base(name), ".")
	}
	return true
}

// folders returns the folders of the files that pages include or search.
func (p *previewer) folders() (list []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, f := range p.included {
		for dir := path.Dir(f); dir != "."; dir = path.Dir(dir) {
			list = append(list, dir)
		}
	}
	for _, f := range p.searched {
		for dir := f; dir != "."; dir = path.Dir(dir) {
			list = append(list, dir)
		}
	}
	slices.Sort(list) // a folder before what is in it
	return slices.Compact(list)
}

// build is called by the preview server.
func (p *previewer) build(ctx context.Context, changed []string) (serve.Snapshot, diag.List) {
	began := time.Now()
	p.mu.Lock()
	local := p.local
	p.mu.Unlock()
	moved, err := p.fsys.reopen()
	if err != nil {
		p.missed = true
		return nil, p.lost(err)
	}
	read := changed
	if moved || p.missed {
		read = nil // all files
	}
	p.missed = false
	l, err := workspace.Load(ctx, p.Env, p.fsys, p.inputs.after(read), local, render.Options{Math: p.math, Diagrams: p.diagrams, Theme: &p.theme, Reports: &p.reports, Lazy: true, Root: "/"}, p.dates)
	if ctx.Err() != nil {
		return nil, nil // the server ends
	}
	if err != nil {
		l.Diags.Add(diag.Diagnostic{Message: diag.Plain(err)})
	}
	if l.Content != nil { // even with errors: a missing file may be added
		p.mu.Lock()
		p.included, p.searched = l.Content.Included, l.Content.Searched
		p.mu.Unlock()
	}
	if faults := themeFaults(l); len(faults) > 0 {
		l.Render, l.Diags = nil, append(l.Diags, faults...)
	}
	if l.Render == nil {
		p.Around(func() {
			p.printNew(l.Diags)
			p.Println(p.Text.Get("last_good", "errors", p.Text.Count("errors", l.Diags.Count(diag.Error))))
		})
		return nil, l.Diags
	}
	what, undated := "built_serve", l.Undated
	args := []string{"pages", p.Text.Count("pages", len(l.Content.Pages)), "languages", workspace.Codes(l.Content), "time", time.Since(began).Round(time.Millisecond).String()}
	if len(changed) > 0 {
		undated = ""
		edited := slices.DeleteFunc(slices.Clone(changed), func(name string) bool { return name == workspace.PrivateDir })
		switch n := len(edited); n {
		case 0:
			what = "built_again_results"
		case 1:
			what, args = "built_again", append(args, "file", edited[0])
		default:
			what, args = "built_again_more", append(args, "file", edited[0], "n", strconv.Itoa(n-1))
		}
	}
	recognised := workspace.Recognised(p.Text, l.Content)
	p.Around(func() {
		p.printNew(l.Diags)
		p.Println(p.Text.Get(what, args...))
		if !slices.Equal(recognised, p.recognised) {
			p.recognised = recognised
			for _, line := range recognised {
				p.Println(line)
			}
		}
		if undated != "" {
			p.Println(undated)
		}
	})
	p.offer(l.Content)
	p.offerFormulas(loadedSite{l.Content, l.Diags})
	return newPreviewed(l), l.Diags
}

// A previewed site serves the files that pages request.
type previewed struct {
	*render.Site
	attached map[string]bool
}

func newPreviewed(l workspace.Loaded) previewed {
	p := previewed{l.Render, map[string]bool{}}
	for _, a := range l.Content.Assets {
		p.attached[a] = true
	}
	return p
}

// Attached reports whether a file lies beside the pages.
func (p previewed) Attached(name string) bool { return p.attached[name] }

// File also finds a theme's file at its address of an earlier build, because a page may request its style after
// the site has changed.
func (p previewed) File(name string) ([]byte, bool, error) {
	data, ok, err := p.Site.File(name)
	if now, moved := p.Site.Asset(name); !ok && moved {
		return p.Site.File(now)
	}
	return data, ok, err
}

// lost reports that the site's folder is gone.
func (p *previewer) lost(err error) diag.List {
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
		err = pe.Err
	}
	diags := diag.List{{File: site.ConfigFile, Message: diag.Say("cli.site-folder-gone", "why", err), Hint: diag.Say("cli.site-folder-gone-hint")}}
	p.Around(func() {
		p.printNew(diags)
		p.Println(p.Text.Get("last_good", "errors", p.Text.Count("errors", 1)))
	})
	return diags
}

// themeFaults renders one page to find faults of the theme that appear only then. So the last good pages stay, and
// the faults are shown over them.
func themeFaults(l workspace.Loaded) diag.List {
	if l.Render == nil || len(l.Content.Pages) == 0 {
		return nil
	}
	_, _, err := l.Render.File(l.Content.Pages[0].URL + "index.html")
	if faults := (*theme.Faults)(nil); errors.As(err, &faults) {
		return faults.List
	}
	return nil // the page shows other errors
}

// offer passes the newest site to the verify loop.
func (p *previewer) offer(site *site.Site) {
	p.mu.Lock()
	p.site, p.signers = site, site.Config.AllowedSigners
	p.mu.Unlock()
	select {
	case p.changed <- struct{}{}:
	default: // the loop has not started on the last one, and will take this one
	}
}

func (p *previewer) newest() *site.Site {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.site
}

// verifyLoop runs, for each new site, the checks that have no result yet. The first round runs
// everything: until then, pages show the report of an earlier start.
func (p *previewer) verifyLoop(ctx context.Context, server *serve.Server) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-p.changed:
			if p.verifyNew(ctx) && ctx.Err() == nil {
				server.Rebuild(workspace.PrivateDir)
			}
		}
	}
}

// verifyNew runs what this start has not run yet of the newest site, and reports whether there
// are results. If an edit makes the rest outdated, they are those of the finished checks.
func (p *previewer) verifyNew(ctx context.Context) bool {
	plan, err := verify.NewPlan(p.newest(), verify.Filter{Known: verify.Known(p.known())})
	if err != nil || plan.Checks() == 0 {
		return false
	}
	release, err := workspace.WaitLock(ctx, p.Env, p.flags.machine, func() {})
	switch {
	case err == nil:
		defer release()
	case ctx.Err() != nil:
		return false
	default: // the results can still be shown
		p.Warn(diag.Say("cli.verify-unlocked", "why", err))
	}
	site, ran := p.newest(), p.known() // it may have been a long wait
	if plan, err = verify.NewPlan(site, verify.Filter{Known: verify.Known(ran)}); err != nil || plan.Checks() == 0 {
		return false
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var watch sync.WaitGroup
	defer watch.Wait()
	ended := make(chan struct{})
	defer close(ended)
	watch.Go(func() { p.stopIfOutdated(plan, ended, stop) })

	r, err := verifycmd.RunPlan(ctx, p.Env, site, plan, ran, verify.Options{Machine: p.flags.machine})
	if err != nil && !errors.Is(err, context.Canceled) {
		p.Warn(diag.Say("cli.verify-failed", "why", err))
	}
	if r != nil {
		p.take(r)
	}
	return r != nil
}

// known returns the report that a run continues: with --verify, the one of this start.
func (p *previewer) known() *report.Report {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.flags.verify {
		return p.ran
	}
	return p.local
}

// take stores the report of a run, which the next build shows.
func (p *previewer) take(r *report.Report) {
	p.mu.Lock()
	p.local, p.ran = r, r
	p.mu.Unlock()
	if err := workspace.WriteLocal(p.Env, r); err != nil {
		// The pages still show the results; only the next start lacks them.
		p.Warn(diag.Say("cli.results-not-kept", "why", err))
	}
}

// stopIfOutdated ends a run if the newest site no longer contains its code, so that a fixed typo need not wait
// for a block that hangs because of it.
func (p *previewer) stopIfOutdated(plan *verify.Plan, ended <-chan struct{}, stop func()) {
	ticker := time.NewTicker(200 * time.Millisecond)
	defer ticker.Stop()
	for seen := p.newest(); ; {
		select {
		case <-ended:
			return
		case <-ticker.C:
		}
		if site := p.newest(); site != seen {
			if seen = site; plan.Outdated(site) {
				stop()
				return
			}
		}
	}
}

// nameIn returns the host of an address if it is a name, else "".
func nameIn(addr string) string {
	host, _, _ := net.SplitHostPort(addr)
	if _, err := netip.ParseAddr(host); err == nil {
		return ""
	}
	return host
}

// reachable returns the address to open for a listener's: a server on all addresses of the
// machine is reached as localhost.
func reachable(a net.Addr) string {
	if tcp, ok := a.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return net.JoinHostPort("localhost", strconv.Itoa(tcp.Port))
	}
	return a.String()
}
