package content

import (
	"errors"
	"io/fs"
	"net/mail"
	"net/url"
	"path"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

// scheme is how an address of another place begins, RFC 3986, section 3.1.
var scheme = lazyregexp.New(`^[A-Za-z][A-Za-z0-9+.-]*:`)

// elsewhere tells whether an address is none of the site's files.
func elsewhere(destination string) bool {
	return strings.HasPrefix(destination, "//") || scheme.MatchString(destination)
}

// elsewhere checks what can be known of such an address without asking anyone.
func (l *pageLinks) elsewhere(destination string, pos int) {
	lower := strings.ToLower(destination)
	switch {
	case strings.HasPrefix(lower, "mailto:"):
		if fault := mailFault(destination[len("mailto:"):]); !fault.IsZero() {
			l.missing(RuleLink, destination, pos, fault, diag.Say("write it as mailto:name@example.org"))
		}
	case strings.HasPrefix(lower, "http:"), strings.HasPrefix(lower, "https:"), strings.HasPrefix(lower, "//"):
		u, err := url.Parse(destination)
		if err != nil || u.Host == "" {
			l.missing(RuleLink, destination, pos, diag.Say("%q is no address that a browser can read", destination), diag.Say("write it as https://example.org/path; a %% is written %%25"))
			return
		}
		l.ownAddress(u, destination, pos)
	}
}

// mailFault tells what is wrong with what follows mailto:, RFC 6068. An address may
// be left to the reader: mailto:?subject=x.
func mailFault(rest string) diag.Text {
	to, _, _ := strings.Cut(rest, "?")
	for one := range strings.SplitSeq(to, ",") {
		name, err := url.PathUnescape(one)
		if _, bad := mail.ParseAddress(name); err != nil || (bad != nil && to != "") {
			return diag.Say("%q is no mail address", one)
		}
	}
	return diag.Text{}
}

// ownAddress looks an absolute address below the site's base URL up as the file it
// stands for. Only what lies in a language's folder is ours for certain: another
// program may serve the rest.
func (l *pageLinks) ownAddress(u *url.URL, destination string, pos int) {
	base, err := url.Parse(l.site.Config.BaseURL)
	if err != nil || base.Host == "" || !strings.EqualFold(u.Host, base.Host) {
		return
	}
	below, ok := strings.CutPrefix(u.Path, strings.TrimSuffix(base.Path, "/")+"/")
	if code, _, _ := strings.Cut(below, "/"); !ok || !l.language(code) {
		return
	}
	t := Target{Suffix: "#" + u.EscapedFragment()}
	if !l.find("/"+below, pos, &t) && !l.made("/"+below, pos, &t) {
		l.missing(RuleLink, destination, pos, diag.Say("this site has no page %q", below), l.nearest("/"+below, pos))
		return
	}
	l.anchor(&t, destination, pos)
}

func (l *pageLinks) language(code string) bool {
	for _, known := range l.site.Languages {
		if known.Code == code {
			return true
		}
	}
	return false
}

// markdownImage wants a text for who cannot see the image.
func (l *pageLinks) markdownImage(n *ast.Image) {
	if l.page.mute[n] {
		l.alternative(string(n.Destination), n.Pos(), diag.Say(`write what it shows between the brackets; where it only adorns, write <img src="..." alt="">`))
	}
}

func (l *pageLinks) alternative(destination string, pos int, hint diag.Text) {
	l.warn(RuleAlt, destination, pos, diag.Say("this image has no text for those who cannot see it"), hint)
}

// decodable reads the head of an image.
func (l *pageLinks) decodable(asset, destination string, pos int) {
	l.images = append(l.images, asset)
	if _, err := l.site.ImageSize(asset); err != nil {
		if unread := (*fs.PathError)(nil); errors.As(err, &unread) {
			l.unread = append(l.unread, asset)
		}
		l.missing(RuleImage, destination, pos, diag.Say("the image %q cannot be shown: %v", path.Base(asset), err), diag.Say("export it again; its name must end in what it is"))
	}
}

// nearest tells what is wrong with a path: its case, a folder without a page, a
// way out of the site; else it looks for a file of that name elsewhere, then for a
// similar one in the same folder.
func (l *pageLinks) nearest(file string, pos int) diag.Text {
	want, here := l.full(file, pos), l.folderAt(pos)
	stem := strings.TrimSuffix(want, "/")
	if want == ".." || strings.HasPrefix(want, "../") {
		return diag.Say("it leads out of content/; only what is in there is published")
	}
	if p := l.site.pageThatWas(stem); p != nil {
		return diag.Say("the page that was there is %q now", relative(here, path.Join(p.Language.Code, p.Path)))
	}
	for _, name := range []string{stem, stem + ".md", stem + "/index.md", stem + ".markdown"} {
		if n, ok := l.index.byFold[strings.ToLower(name)]; ok && n != name {
			return diag.Say("did you mean %q? Servers tell upper from lower case", relative(here, n))
		}
	}
	if l.index.dirs[stem] {
		return diag.Say("this folder has no page of its own: write %q", relative(here, path.Join(stem, "index.md")))
	}
	if same := l.index.byBase[path.Base(want)]; len(same) > 0 {
		return diag.Say("there is %q", relative(here, same[0]))
	}
	if !l.suggest.More() {
		return diag.Text{}
	}
	if n := l.hints.file(want, l.index); n != "" && diag.Nearest(path.Base(want), []string{path.Base(n)}) != "" {
		return diag.Say("did you mean %q?", relative(here, n))
	}
	return diag.Text{}
}
