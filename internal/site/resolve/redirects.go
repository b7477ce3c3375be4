package resolve

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A claim is the owner of a file. Paths are in lower case, because some servers and systems ignore
// case.
type claim struct {
	what string
	file bool // other addresses cannot lie below it
}

// resolveRedirects finds the pages that replace old addresses. An old address that is already in
// use is not published, because it would hide the page there.
func (x *index) resolveRedirects(s *site.Site) (diags diag.List) {
	if !slices.ContainsFunc(s.Pages, func(p *site.Page) bool { return len(p.Redirects) > 0 }) {
		return nil // finding all claims takes as long as the rest of the index
	}
	claims := publishedFiles(s)
	take := func(r site.Redirect, what string) (other string) {
		file := strings.ToLower(r.File())
		if c, taken := claims[file]; taken {
			return c.what
		}
		for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
			if c := claims[dir]; c.file {
				return c.what
			}
		}
		claims.add(file, what)
		x.redirects = append(x.redirects, redirect{r.From, s.PageIndex[r.Page], r.Language})
		x.pageByRedirect[r.From] = s.PageIndex[r.Page]
		return ""
	}
	for _, p := range s.Pages {
		for _, o := range p.Redirects {
			if o.Text == "" {
				continue
			}
			place := fmt.Sprintf("%s (%s)", p.Source.Name, p.Source.NameLine(p.Source.Line(o.Start)))
			if other := take(site.Redirect{From: o.Address, Page: p, Language: p.Language}, place); other == p.Source.Name {
				diags.Add(p.Source.Error(o.Start, o.End, diag.Say("links.redirect-to-itself", "address", o.Address)))
			} else if other != "" {
				diags.Add(p.Source.Error(o.Start, o.End, diag.Say("links.redirect-taken", "address", o.Address, "other", other)))
			}
		}
	}
	for _, p := range s.Pages { // addresses that authors name come first
		for _, o := range p.Redirects {
			if o.Text == "" {
				take(site.Redirect{From: o.Address, Page: p, Language: p.Language}, p.Source.Name)
			}
		}
	}
	for _, p := range s.Pages { // the page was also published in languages that lack it
		if len(p.Redirects) == 0 || s.Source(p.Key) != p {
			continue
		}
		for _, l := range s.Languages {
			if s.Page(p.Key, l.Code) != nil {
				continue
			}
			for _, o := range p.Redirects {
				if below, ok := strings.CutPrefix(o.Address, p.Language.Code+"/"); ok && below != "" {
					take(site.Redirect{From: l.Code + "/" + below, Page: p, Language: l}, "")
				}
			}
		}
	}
	return diags
}

// claims are the owners of files and folders, by path in lower case.
type claims map[string]claim

// add claims a file and the folders above it.
func (c claims) add(file, what string) {
	file = strings.ToLower(norm.NFC.String(file))
	c[file] = claim{what, true}
	for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
		if _, taken := c[dir]; !taken {
			c[dir] = claim{what: "the folder of " + what}
		}
	}
}

// publishedFiles returns the files that pages and assets are published as.
func publishedFiles(s *site.Site) claims {
	all := claims{}
	for _, a := range s.Assets {
		all.add(a, path.Join(sitefile.ContentFolder, a))
	}
	for _, p := range s.Pages {
		all.add(p.URL+"index.html", p.Source.Name)
		if s.Source(p.Key) != p {
			continue
		}
		for _, l := range s.Languages {
			if s.Page(p.Key, l.Code) == nil {
				all.add(l.Code+strings.TrimPrefix(p.URL, p.Language.Code)+"index.html", p.Source.Name+", which "+l.Code+" shows,")
			}
		}
	}
	return all
}
