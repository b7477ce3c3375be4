package servecmd

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/project"
	"github.com/gpudocs/gpudocs/internal/render"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/serve"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// build is called by the preview server.
func (p *previewer) build(ctx context.Context, changed []string) (serve.Snapshot, diag.List) {
	began := time.Now()
	in, err := p.reader.After(changed)
	if err != nil {
		return nil, p.keepLast(gone(err))
	}
	in.Local, in.Dates = p.latest.report(), p.dates
	l, err := p.reader.Load(ctx, in, p.options)
	if ctx.Err() != nil {
		return nil, nil // the server ends
	}
	if err != nil {
		l.Diags.Add(diag.Diagnostic{Message: diag.Plain(err)})
	}
	if faults := themeFaults(l); len(faults) > 0 {
		l.Render, l.Diags = nil, append(l.Diags, faults...)
	}
	if l.Render == nil {
		return nil, p.keepLast(l.Diags)
	}
	p.Around(func() { p.tell(l, changed, time.Since(began)) })
	p.latest.offer(l.Content)
	p.offerFormulas(loadedSite{l.Content, l.Diags})
	return newPreviewed(l), l.Diags
}

// gone returns the diagnostic of a folder that cannot be opened.
func gone(err error) diag.List {
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
		err = pe.Err
	}
	message := diag.Say("cli.site-folder-gone", "why", err)
	return diag.List{{File: site.ConfigFile, Message: message, Hint: diag.Say("cli.site-folder-gone-hint")}}
}

// keepLast prints why the last good site stays.
func (p *previewer) keepLast(diags diag.List) diag.List {
	p.Around(func() {
		p.printNew(diags)
		p.Println(p.Text.Get("last_good", "errors", p.Text.Count("errors", diags.Count(diag.Error))))
	})
	return diags
}

// themeFaults renders one page to find faults of the theme that appear only then. So the last good pages stay, and
// the faults are shown over them.
func themeFaults(l project.Loaded) diag.List {
	if l.Render == nil || len(l.Content.Pages) == 0 {
		return nil
	}
	_, _, err := l.Render.File(l.Content.Pages[0].URL + "index.html")
	if faults := (*theme.Faults)(nil); errors.As(err, &faults) {
		return faults.List
	}
	return nil // the page shows other errors
}

// told is what the last build printed. Only the build loop uses it.
type told struct {
	findings   map[string]int // the diagnostics by their text and source line: an edit above them changes their line numbers
	recognised []diag.Text
}

// tell prints what was built, and what of it is new.
func (p *previewer) tell(l project.Loaded, changed []string, took time.Duration) {
	what := "built_serve"
	args := []string{"pages", p.Text.Count("pages", len(l.Content.Pages)), "languages", project.Codes(l.Content),
		"time", took.Round(time.Millisecond).String()}
	if len(changed) > 0 {
		edited := slices.DeleteFunc(slices.Clone(changed), func(name string) bool { return name == project.PrivateDir })
		switch n := len(edited); n {
		case 0:
			what = "built_again_results"
		case 1:
			what, args = "built_again", append(args, "file", edited[0])
		default:
			what, args = "built_again_more", append(args, "file", edited[0], "n", strconv.Itoa(n-1))
		}
	}
	p.printNew(l.Diags)
	p.Println(p.Text.Get(what, args...))
	recognised := project.Recognised(l.Content)
	if !slices.EqualFunc(recognised, p.told.recognised, diag.Text.Equal) {
		p.told.recognised = recognised
		for _, line := range recognised {
			p.Say(line)
		}
	}
	if len(changed) == 0 && !l.Undated.IsZero() {
		p.Say(l.Undated)
	}
}

// printNew prints the diagnostics that the build before did not have, and counts the rest, so that
// an author sees what an edit has changed. Errors are printed each time.
func (p *previewer) printNew(l diag.List) {
	before, now := p.told.findings, map[string]int{}
	var fresh diag.List
	known := map[diag.Severity]int{}
	for _, d := range l {
		key := strings.Join([]string{d.File, d.Message.String(), d.Source}, "\n")
		if now[key]++; d.Severity != diag.Error && now[key] <= before[key] {
			known[d.Severity]++
		} else {
			fresh.Add(d)
		}
	}
	p.told.findings = now
	p.PrintNow(fresh)
	var parts []string
	if n := known[diag.Warning]; n > 0 {
		parts = append(parts, p.Text.Count("warnings", n))
	}
	if n := known[diag.Notice]; n > 0 {
		parts = append(parts, p.Text.Count("notices", n))
	}
	if len(parts) > 0 {
		p.Println(p.Text.Get("as_before", "what", strings.Join(parts, ", ")))
	}
}

// A previewed site serves the files that pages request.
type previewed struct {
	*render.Site
	attached map[string]bool
}

func newPreviewed(l project.Loaded) previewed {
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
