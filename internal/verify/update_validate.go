package verify

import (
	"bytes"
	"io/fs"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/compat"
	"github.com/gpudocs/gpudocs/internal/report/match"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// validate rewrites the pages, loads them as a site, and refuses the updates that did
// not have the intended effect there, until all the others have.
func (u *updater) validate() error {
	for {
		if err := u.rewritePages(); err != nil {
			return err
		}
		odd, why := u.mismatched(), diag.Say("verify.update-output-unwritable")
		if len(odd) == 0 {
			odd, why = u.breaking(), diag.Say("verify.update-changes-other-page")
		}
		if len(odd) == 0 {
			break
		}
		for _, b := range odd {
			u.refuse(b, why, false)
		}
		for t, v := range u.edits {
			if slices.Contains(odd, v.cause) {
				delete(u.edits, t)
			}
		}
	}
	for _, v := range u.edits {
		u.revised[v.cause.ID] = true
	}
	for t := range u.edits {
		u.revised[t.ID] = true
	}
	return nil
}

// rewritePages makes the new content of all pages with an edit.
func (u *updater) rewritePages() error {
	u.Pages, u.next, u.broken = nil, u.site, nil
	next := overlay{u.site.FS, map[string][]byte{}}
	for _, p := range u.site.Pages {
		var edits []replacement
		for _, b := range p.Blocks {
			edits = append(edits, u.edits[b].edits...)
		}
		if len(edits) == 0 {
			continue
		}
		name := p.Source.Name
		old, err := fs.ReadFile(u.fsys, name)
		if err != nil {
			return err
		}
		if !sameBody(p.File.Data, old) {
			return text.Say("verify.page-changed", "file", name)
		}
		rewritten := rewrite(old, edits)
		u.Pages = append(u.Pages, PageUpdate{name, old, rewritten})
		next.files[name] = rewritten
	}
	if len(u.Pages) > 0 {
		var diags diag.List
		u.next, diags = load.Load(next, load.Options{Drafts: true})
		u.broken = map[string]bool{}
		for _, d := range diags {
			u.broken[d.File] = u.broken[d.File] || d.Severity == diag.Error
		}
	}
	return nil
}

// ErrChanged is the error of an update if a page has changed since the run.
var ErrChanged = text.Say("verify.page-changed")

// sameBody reports whether a page on the disk is the one that was loaded, which has no
// byte order mark and a blanked front matter.
func sameBody(read, disk []byte) bool {
	disk = bytes.TrimPrefix(disk, []byte("\ufeff"))
	if len(read) != len(disk) {
		return false
	}
	// Of the front matter only the number of lines counts.
	body := len(read) - len(bytes.TrimLeft(read, " \r\n"))
	return bytes.Equal(read[body:], disk[body:]) && bytes.Count(read[:body], []byte("\n")) == bytes.Count(disk[:body], []byte("\n"))
}

// mismatched returns the blocks whose update does not have the intended effect.
func (u *updater) mismatched() []*site.Block {
	var out []*site.Block
	for _, p := range u.site.Pages {
		next := u.page(p)
		for i, b := range p.Blocks {
			v, edited := u.edits[b]
			switch {
			case !edited && (next == nil || !asIntended(b, next.Blocks[i], b.Code, texts(b))):
				// The update of another block of the page has affected this one.
				for _, o := range p.Blocks {
					if v, ok := u.edits[o]; ok {
						out = append(out, v.cause)
					}
				}
			case edited && (next == nil || !asIntended(b, next.Blocks[i], v.code, v.expects) || !u.passes(b, next.Blocks[i])):
				out = append(out, v.cause)
			}
		}
	}
	return out
}

// breaking returns the blocks whose update breaks a page that it does not change: those
// that no longer capture the same values or, if there are none, all.
func (u *updater) breaking() []*site.Block {
	edited := map[string]bool{}
	for b := range u.edits {
		edited[b.Page.Source.Name] = true
	}
	elsewhere := false
	for name, broken := range u.broken {
		elsewhere = elsewhere || broken && !edited[name]
	}
	if !elsewhere {
		return nil
	}
	var losing, all []*site.Block
	for _, p := range u.site.Pages {
		for i, b := range p.Blocks {
			v, ok := u.edits[b]
			if !ok {
				continue
			}
			all = append(all, v.cause)
			if !slices.Equal(b.Captures, u.page(p).Blocks[i].Captures) {
				losing = append(losing, v.cause)
			}
		}
	}
	if len(losing) > 0 {
		return losing
	}
	return all
}

// page returns the updated version of a page, or nil if it has other blocks.
func (u *Update) page(p *site.Page) *site.Page {
	if u.next == nil || u.broken[p.Source.Name] {
		return nil
	}
	for _, n := range u.next.Pages {
		if n.Source.Name == p.Source.Name && len(n.Blocks) == len(p.Blocks) {
			return n
		}
	}
	return nil
}

func texts(b *site.Block) (out []string) {
	for _, e := range b.Expects {
		out = append(out, e.Text)
	}
	return out
}

// asIntended reports whether a block has the intended code and expectations.
func asIntended(old, next *site.Block, code string, expects []string) bool {
	same := func(a, b string) bool { return strings.TrimRight(a, "\n") == strings.TrimRight(b, "\n") }
	return old.Kind == next.Kind && old.Name == next.Name && same(next.Code, code) &&
		slices.EqualFunc(texts(next), expects, same) && slices.Equal(steps(old), steps(next))
}

// passes reports whether an updated block passes with the output of the run.
func (u *updater) passes(old, next *site.Block) bool {
	c := *u.checks[u.edits[old].cause.ID]
	u.rejudge(&c, next)
	return c.Outcome == report.Passed
}

// rejudge judges the result of a run by the new expectations of a block.
func (u *Update) rejudge(c *report.Check, b *site.Block) {
	printed := u.examples[c.ID]
	c.Outcome, c.Reason, c.Diff, c.Captures = report.Passed, nil, nil, nil
	if b.Kind == site.Pycon {
		c.Exit = nil
	} else {
		want := expect(b, compat.Facts(u.report.Machine, b.Session.Env))
		compare(b, c, want.stdout, c.Stdout)
		compare(b, c, want.stderr, c.Stderr)
		return
	}
	examples, _ := match.Examples(b.Code)
	for i := range examples {
		e := &examples[i]
		switch {
		case !runsExample(e):
		case i >= len(printed) || !meets(e, printed[i]):
			c.Outcome, c.Reason = report.Failed, &report.Reason{Code: report.ReasonMismatch, Place: place(b, b.LineOf(e.Line))}
			return
		case printed[i].Exception == "":
			c.Captures = capture(c.Captures, e.Judge(printed[i].Output).Captures)
		}
	}
}

// Report returns the report of the run for the updated site: every check has its new
// ID, and updated checks are judged by their new expectation.
func (u *Update) Report() (*report.Report, error) {
	plan, err := NewPlan(u.next, Filter{})
	if err != nil {
		return nil, err
	}
	next, known := u.checksByNewID()
	out := *u.report
	out.Checks = []report.Check{}
	for _, id := range plan.order {
		if c, ok := next[id]; ok {
			c.ID, c.Page, c.Name, c.Places = id, plan.names[id][0], plan.names[id][1], plan.places[id]
			out.Checks = append(out.Checks, c)
		}
	}
	for _, c := range u.report.Checks { // results of code that had changed before
		if _, now := next[c.ID]; !known[c.ID] && !now {
			out.Checks = append(out.Checks, c)
		}
	}
	return &out, nil
}

// checksByNewID returns the checks by their new IDs, and the old IDs of all checks of
// the site. If two expectations have become the same, the check of this run counts.
func (u *Update) checksByNewID() (next map[report.ID]report.Check, known map[report.ID]bool) {
	next, known = map[report.ID]report.Check{}, map[report.ID]bool{}
	checks := u.report.ByID()
	for _, fresh := range []bool{true, false} {
		for _, p := range u.site.Pages {
			now := u.page(p)
			for i, b := range p.Blocks {
				for _, l := range b.GPULines {
					known[l.ID] = true
					if c := checks[l.ID]; c != nil {
						next[l.ID] = *c
					}
				}
				known[b.ID] = true
				id := now.Blocks[i].ID
				_, there := next[id]
				if c := checks[b.ID]; c != nil && !there && u.chosen[b.ID] == fresh {
					if c, ok := u.forNextSite(*c, b, now.Blocks[i]); ok {
						next[id] = c
					}
				}
			}
		}
	}
	return next, known
}

// forNextSite returns a check for the updated version of its block; ok is false if its
// outcome is not known.
func (u *Update) forNextSite(c report.Check, old, next *site.Block) (_ report.Check, ok bool) {
	if r := c.Reason; r != nil && r.Place != nil && r.Place.File == old.File {
		moved, at := *r, *r.Place
		at.Line += next.Line - old.Line
		moved.Place = &at
		c.Reason = &moved
	}
	if old.Kind == site.Pycon && old.Code != next.Code {
		_, ok := u.examples[c.ID]
		u.rejudge(&c, next)
		return c, ok
	}
	if !slices.Equal(texts(old), texts(next)) && compared(&c) {
		u.rejudge(&c, next)
	}
	return c, true
}

// compared reports whether the outcome comes from a comparison of the output. A new
// expectation does not affect code that was skipped or failed in another way.
func compared(c *report.Check) bool {
	return c.Outcome == report.Passed || c.Reason != nil && c.Reason.Code == report.ReasonMismatch
}

// An overlay is a site's folder with some files replaced.
type overlay struct {
	fs.FS
	files map[string][]byte
}

// ReadFile implements [fs.ReadFileFS].
func (o overlay) ReadFile(name string) ([]byte, error) {
	if data, ok := o.files[name]; ok {
		return slices.Clone(data), nil
	}
	return fs.ReadFile(o.FS, name)
}
