package content

import (
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"golang.org/x/text/unicode/norm"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/unseen"
)

// Old addresses are a key of their own, as in Jekyll,
// https://github.com/jekyll/jekyll-redirect-from, and not aliases, as in Hugo: those of
// Obsidian are names, and nothing tells the name "CPU/GPU" or "driver" from an address.

// A Redirect is an address at which a page stood once.
type Redirect struct {
	// From is the old address below the site's base: "pt/gpu/antigo/", or
	// "pt/antigo.html".
	From string
	// Page stands in its place, at the address that it has in the language.
	Page     *Page
	Language *Language
}

// File is the file that is published under the old address.
func (r Redirect) File() string {
	if strings.HasSuffix(r.From, "/") {
		return r.From + "index.html"
	}
	return r.From
}

// An oldAddress is one as the front matter has it: where it stands, and what it means.
type oldAddress struct {
	text       string
	start, end int
	address    string
}

var redirectHint = diag.Say(`write redirect_from: [old-name, ../old/name, /pt/old/name]: from the page's folder, or with a / from the site's root`)

// redirects reads a list of addresses; one alone needs no brackets.
func (r *frontMatterReader) redirects(n ast.Node) {
	list := []ast.Node{n}
	if s, ok := n.(*ast.SequenceNode); ok {
		list = s.Values
	}
	for _, n := range list {
		var text string
		if !r.text(n, &text) || text == "" {
			continue
		}
		t := n.GetToken()
		begin := r.file.Offset(t.Position.Line+1, t.Position.Column)
		r.fm.redirects = append(r.fm.redirects, oldAddress{text: text, start: begin, end: begin + len(strings.TrimSpace(t.Value))})
	}
}

// oldAddresses finds what the old addresses mean, from the folder of the page's file.
func (p *pageParser) oldAddresses(fm frontMatter) {
	folder := p.page.Language.Code + "/" + urlPath(path.Dir(p.page.Path))
	for _, o := range fm.redirects {
		var fault diag.Text
		if o.address, fault = addressBelow(folder, o.text); !fault.IsZero() {
			p.diags.Add(p.file.Error(o.start, o.end, fault, redirectHint))
			continue
		}
		p.page.redirects = append(p.page.redirects, o)
	}
}

// oldSegment is a part of an address that can be a file's name on every system, and is
// none of what gpudocs makes or leaves out.
var oldSegment = lazyregexp.New(`^[^._<>:"|?*\\/\x00-\x1f\x7f][^<>:"|?*\\/\x00-\x1f\x7f]*$`)

// addressBelow is the address below the site's base that a text means in a folder. One
// that names a page's file is the address that this file had.
func addressBelow(folder, text string) (address string, fault diag.Text) {
	plain, err := url.PathUnescape(text)
	if err != nil || elsewhere(text) || strings.ContainsAny(text, "?#") || !utf8.ValidString(plain) {
		return "", diag.Say("%q is no address of this site", text)
	}
	plain = norm.NFC.String(plain)
	if !strings.HasPrefix(plain, "/") {
		plain = folder + "/" + plain
	}
	plain = strings.ReplaceAll(path.Clean(strings.TrimPrefix(plain, "/")), " ", "-")
	for _, name := range []string{"index.html", "index.htm"} {
		if dir, base := path.Split(plain); base == name {
			plain = path.Clean(dir)
		}
	}
	if isPage(plain) {
		plain = strings.TrimSuffix(plain, path.Ext(plain))
		if dir, base := path.Split(plain); base == "index" {
			plain = path.Clean(dir)
		}
	}
	if plain == "." || plain == "/" || strings.HasPrefix(plain, "..") {
		return "", diag.Say("%q leads to the site's root, or out of it", text)
	}
	for part := range strings.SplitSeq(plain, "/") {
		if !oldSegment.MatchString(part) || len(unseen.In(part, true)) > 0 || strings.HasSuffix(part, ".") || len(part) > 200 {
			return "", diag.Say("%q cannot be published: %q is no name of a file", text, part)
		}
	}
	if e := strings.ToLower(path.Ext(plain)); e == ".html" || e == ".htm" {
		return plain, diag.Text{}
	}
	return plain + "/", diag.Text{}
}

// A claim is who has an address, in lower case, for servers and systems differ in
// whether they tell upper from lower case.
type claim struct {
	what string
	file bool // other addresses cannot lie below it
}

// resolveRedirects finds the pages that stand in the place of old addresses. An address
// that something else has is not published: the page would be gone.
func (s *Site) resolveRedirects() (diags diag.List) {
	if !slices.ContainsFunc(s.Pages, func(p *Page) bool { return len(p.redirects) > 0 }) {
		return nil // who claims what takes as long as all the rest of the index
	}
	claims := s.claims()
	take := func(r Redirect, what string) (other string) {
		file := strings.ToLower(r.File())
		if c, taken := claims[file]; taken {
			return c.what
		}
		for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
			if c := claims[dir]; c.file {
				return c.what
			}
		}
		claims[file] = claim{what, true}
		for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
			if _, taken := claims[dir]; !taken {
				claims[dir] = claim{what: what}
			}
		}
		s.Redirects = append(s.Redirects, r)
		return ""
	}
	for _, p := range s.Pages {
		for _, o := range p.redirects {
			if other := take(Redirect{o.address, p, p.Language}, fmt.Sprintf("%s (%s)", p.Source.Name, p.Source.NameLine(p.Source.Line(o.start)))); other == p.Source.Name {
				diags.Add(p.Source.Error(o.start, o.end, diag.Say("/%s is the address that this page has", o.address), diag.Say("redirect_from names those that it had before")))
			} else if other != "" {
				diags.Add(p.Source.Error(o.start, o.end, diag.Say("/%s is taken: %s has this address", o.address, other), diag.Say("let one of the two have it")))
			}
		}
	}
	for _, p := range s.Pages { // a page that another language shows for want of its own was there too
		if len(p.redirects) == 0 || s.Source(p.Key) != p {
			continue
		}
		for _, l := range s.Languages {
			if s.Page(p.Key, l.Code) != nil {
				continue
			}
			for _, o := range p.redirects {
				if below, ok := strings.CutPrefix(o.address, p.Language.Code+"/"); ok && below != "" {
					take(Redirect{l.Code + "/" + below, p, l}, "")
				}
			}
		}
	}
	return diags
}

// claims are the files that pages and other files of the content are published as, and
// the folders that they are in.
func (s *Site) claims() map[string]claim {
	claims := map[string]claim{}
	add := func(file, what string) {
		file = strings.ToLower(norm.NFC.String(file))
		claims[file] = claim{what, true}
		for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
			if _, taken := claims[dir]; !taken {
				claims[dir] = claim{what: "the folder of " + what}
			}
		}
	}
	for _, a := range s.Assets {
		add(a, path.Join(root, a))
	}
	for _, p := range s.Pages {
		add(p.URL+"index.html", p.Source.Name)
		if s.Source(p.Key) != p {
			continue
		}
		for _, l := range s.Languages {
			if s.Page(p.Key, l.Code) == nil {
				add(l.Code+strings.TrimPrefix(p.URL, p.Language.Code)+"index.html", p.Source.Name+", which "+l.Code+" shows,")
			}
		}
	}
	return claims
}

// pageThatWas is the page that stands in the place of an old one, by the file or the address
// of that, or nil.
func (s *Site) pageThatWas(name string) *Page {
	address, fault := addressBelow("", "/"+name)
	if !fault.IsZero() {
		return nil
	}
	if i, ok := s.index.was[address]; ok {
		return s.Redirects[i].Page
	}
	return nil
}
