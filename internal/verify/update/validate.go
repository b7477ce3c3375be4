package update

import (
	"bytes"
	"io/fs"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/compat"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/verify/judge"
)

// validate rewrites the pages, loads them as a site, and refuses the updates that did
// not have the intended effect there, until all the others have.
func (u *Update) validate() error {
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
func (u *Update) rewritePages() error {
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
func (u *Update) mismatched() []*site.Block {
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
func (u *Update) breaking() []*site.Block {
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

// asIntended reports whether a block has the intended code and expectations.
func asIntended(old, next *site.Block, code string, expects []string) bool {
	same := func(a, b string) bool { return strings.TrimRight(a, "\n") == strings.TrimRight(b, "\n") }
	return old.Kind == next.Kind && old.Name == next.Name && same(next.Code, code) &&
		slices.EqualFunc(texts(next), expects, same) && slices.Equal(steps(old), steps(next))
}

// passes reports whether an updated block passes with the output of the run.
func (u *Update) passes(old, next *site.Block) bool {
	c := *u.checks[u.edits[old].cause.ID]
	judge.Again(next, &c, compat.Facts(u.report.Machine, next.Session.Env), u.examples[c.ID])
	return c.Outcome == report.Passed
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

// page returns the updated version of a page, or nil if it has other blocks.
func (u *Update) page(p *site.Page) *site.Page {
	if u.next == nil || u.broken[p.Source.Name] {
		return nil
	}
	for _, n := range u.next.Pages {
		if n.Source.Name == p.Source.Name && len(n.Blocks) == len(p.Blocks) && len(n.Runs()) == len(p.Runs()) {
			return n
		}
	}
	return nil
}
