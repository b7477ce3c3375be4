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

// settle makes the files, reads them as a site, and takes back what does not say
// there what is meant, until all does.
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

// rewritePages makes the new files of all pages that have an edit.
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

// ErrChanged is the error of an update whose page is not what was run any more.
var ErrChanged = text.Say("verify.page-changed")

// sameBody tells whether a page on the disk is the one that was read, which has
// no byte order mark and its front matter blanked.
func sameBody(read, disk []byte) bool {
	disk = bytes.TrimPrefix(disk, []byte("\ufeff"))
	if len(read) != len(disk) {
		return false
	}
	// Of the front matter it counts how many lines it has.
	body := len(read) - len(bytes.TrimLeft(read, " \r\n"))
	return bytes.Equal(read[body:], disk[body:]) && bytes.Count(read[:body], []byte("\n")) == bytes.Count(disk[:body], []byte("\n"))
}

// odd are the blocks whose update would not say what is meant.
func (u *updater) mismatched() []*site.Block {
	var out []*site.Block
	for _, p := range u.site.Pages {
		next := u.page(p)
		for i, b := range p.Blocks {
			v, edited := u.edits[b]
			switch {
			case !edited && (next == nil || !asIntended(b, next.Blocks[i], b.Code, texts(b))):
				// Another block of the page has spilled over.
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

// breaking are the blocks whose update breaks a page that it does not touch: those
// that do not capture any more what they did, or, if there are none, all.
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

// page finds a page in the site as it will be, nil if it has other blocks there.
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

// alike tells whether a block became what it was to become.
func asIntended(old, next *site.Block, code string, expects []string) bool {
	same := func(a, b string) bool { return strings.TrimRight(a, "\n") == strings.TrimRight(b, "\n") }
	return old.Kind == next.Kind && old.Name == next.Name && same(next.Code, code) &&
		slices.EqualFunc(texts(next), expects, same) && slices.Equal(does(old), does(next))
}

// passes tells whether a new block passes with the output of the run.
func (u *updater) passes(old, next *site.Block) bool {
	c := *u.checks[u.edits[old].cause.ID]
	u.rejudge(&c, next)
	return c.Outcome == report.Passed
}

// judgeAgain judges the outcome of a run by what a block expects now. It did run:
// only what is expected of it is another.
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

// Report is the report of the run for the site as it will be: every check under
// its new ID, and those that were updated judged by their new expectation.
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
	for _, c := range u.report.Checks { // of code that had changed before
		if _, now := next[c.ID]; !known[c.ID] && !now {
			out.Checks = append(out.Checks, c)
		}
	}
	return &out, nil
}

// moved are the checks by their new IDs, and the old IDs of all that the site
// holds. Where two expectations have become one, the check of this run counts.
func (u *Update) checksByNewID() (next map[report.ID]report.Check, known map[report.ID]bool) {
	next, known = map[report.ID]report.Check{}, map[report.ID]bool{}
	checks := byID(u.report)
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

// forNext is a check for its block as it will be; ok is false where nothing is
// known of that.
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

// compared tells whether the outcome is what a comparison of the output says: of code
// that was skipped, or failed in another way, a new expectation says nothing.
func compared(c *report.Check) bool {
	return c.Outcome == report.Passed || c.Reason != nil && c.Reason.Code == report.ReasonMismatch
}

func byID(r *report.Report) map[report.ID]*report.Check {
	checks := map[report.ID]*report.Check{}
	for i := range r.Checks {
		checks[r.Checks[i].ID] = &r.Checks[i]
	}
	return checks
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
