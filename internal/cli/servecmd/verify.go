package servecmd

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"

	"github.com/gpudocs/gpudocs/internal/cli/verifycmd"
	"github.com/gpudocs/gpudocs/internal/project"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/serve"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/verify"
)

// latest is what the loops share.
type latest struct {
	mu    sync.Mutex
	site  *site.Site     // the newest
	local *report.Report // of this machine, which pages show
	ran   *report.Report // of the checks that were run since the start, or nil
	// changed has an element if there is a new site for the verify loop.
	changed chan struct{}
}

// offer passes the newest site to the verify loop.
func (l *latest) offer(site *site.Site) {
	l.mu.Lock()
	l.site = site
	l.mu.Unlock()
	select {
	case l.changed <- struct{}{}:
	default: // the loop has not started on the last one, and will take this one
	}
}

func (l *latest) content() *site.Site {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.site
}

func (l *latest) report() *report.Report {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.local
}

// readLocal reads the report of an earlier start. Its results will be replaced, so an unreadable report is moved aside.
func (p *previewer) readLocal() {
	file := p.reader.LocalFile(p.flags.machine)
	previous, err := project.Previous(file, p.flags.machine)
	p.latest.local = previous.Report
	if err == nil {
		return
	}
	p.Warn(err)
	if err := os.Rename(file, file+".unreadable"); err == nil {
		p.Warn(diag.Say("cli.output-kept-as", "file", file+".unreadable"))
	}
}

// verifyLoop runs, for each new site, the checks that have no result yet. The first round runs
// everything: until then, pages show the report of an earlier start.
func (p *previewer) verifyLoop(ctx context.Context, server *serve.Server) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-p.latest.changed:
			if p.verifyNew(ctx) && ctx.Err() == nil {
				server.Rebuild(project.PrivateDir)
			}
		}
	}
}

// verifyNew runs what this start has not run yet of the newest site, and reports whether there
// are results. If an edit makes the rest outdated, they are those of the finished checks.
func (p *previewer) verifyNew(ctx context.Context) bool {
	if site, plan := p.planNew(); plan == nil || site == nil {
		return false
	}
	release, err := p.waitLock(ctx, func() {})
	switch {
	case err == nil:
		defer release()
	case ctx.Err() != nil:
		return false
	default: // the results can still be shown
		p.Warn(diag.Say("cli.verify-unlocked", "why", err))
	}
	site, plan := p.planNew() // it may have been a long wait
	if plan == nil {
		return false
	}
	r, err := p.run(ctx, site, plan, nil)
	if err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, serve.ErrEdited) {
		p.Warn(diag.Say("cli.verify-failed", "why", err))
	}
	if r != nil {
		p.take(r)
	}
	return r != nil
}

// planNew plans what has no result yet of the newest site. The plan is nil if that is nothing.
func (p *previewer) planNew() (*site.Site, *verify.Plan) {
	site := p.latest.content()
	plan, err := verify.NewPlan(site, verify.Filter{Known: verify.Known(p.known())})
	if err != nil || plan.Checks() == 0 {
		return site, nil
	}
	return site, plan
}

// known returns the report that a run continues: with --verify, the one of this start.
func (p *previewer) known() *report.Report {
	if !p.flags.verify {
		return p.latest.report()
	}
	p.latest.mu.Lock()
	defer p.latest.mu.Unlock()
	return p.latest.ran
}

// waitLock waits until no other program writes the report of this machine.
func (p *previewer) waitLock(ctx context.Context, waits func()) (release func(), err error) {
	return p.reader.WaitLock(ctx, p.flags.machine, func(why diag.Text) {
		waits()
		p.Around(func() { p.Say(why) })
	})
}

// run runs a plan until it ends, or until the newest site no longer contains its code: a fixed typo need not wait
// for a block that hangs because of it. Then the error is [serve.ErrEdited].
func (p *previewer) run(ctx context.Context, site *site.Site, plan *verify.Plan, progress func(verify.Event)) (*report.Report, error) {
	ctx, stop := context.WithCancelCause(ctx)
	var watch sync.WaitGroup
	defer watch.Wait()
	defer stop(nil)
	watch.Go(func() {
		ticker := time.NewTicker(200 * time.Millisecond)
		defer ticker.Stop()
		for seen := site; ; {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			if now := p.latest.content(); now != seen {
				if seen = now; plan.Outdated(now) {
					stop(serve.ErrEdited)
				}
			}
		}
	})
	o := verify.Options{Machine: p.flags.machine, Progress: progress}
	r, err := verifycmd.RunPlan(ctx, p.Env, p.reader.Project, site, plan, p.known(), o)
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return r, err
}

// take stores the report of a run, which the next build shows.
func (p *previewer) take(r *report.Report) {
	p.latest.mu.Lock()
	p.latest.local, p.latest.ran = r, r
	p.latest.mu.Unlock()
	if err := p.reader.WriteLocal(r); err != nil {
		// The pages still show the results; only the next start lacks them.
		p.Warn(diag.Say("cli.results-not-kept", "why", err))
	}
}
