package resolve

import (
	"net/url"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// addLink records a link. text is the address as written, which may differ from destination.
func (l *pageLinks) addLink(destination, text string, pos int, t site.Target, image bool) {
	start, end := site.Locate(l.page.Source, text, pos)
	l.links.All = append(l.links.All, site.Link{Destination: destination, Target: t, Start: start, End: end, Image: image})
}

// resolve finds the target of an address and records the link.
func (l *pageLinks) resolve(destination string, pos int, what string) site.Target {
	t := l.lookUp(destination, pos, what)
	l.addLink(destination, destination, pos, t, what != "page")
	if t.Asset != "" && what != "page" {
		l.checkImage(t.Asset, destination, pos)
	}
	return t
}

func (l *pageLinks) lookUp(destination string, pos int, what string) site.Target {
	if name, ok := strings.CutPrefix(destination, "attachment:"); ok && l.page.Notebook != nil {
		return l.attachment(name, destination, pos)
	}
	if l.obsidian() && strings.HasPrefix(strings.ToLower(destination), "obsidian:") {
		return l.obsidianAddress(destination, pos)
	}
	if l.dangerous(destination, pos, what) {
		return site.Target{Missing: true}
	}
	if site.IsExternal(destination) {
		l.checkExternal(destination, pos)
		return site.Target{External: destination}
	}
	t := site.Target{}
	file := destination
	if i := strings.IndexAny(destination, "?#"); i >= 0 {
		file, t.Suffix = destination[:i], destination[i:]
	}
	name, undecodable := url.PathUnescape(file)
	if undecodable == nil {
		file = name
	}
	missing, rule := diag.Say("links.no-page", "file", file), site.RuleLink
	switch what {
	case "image":
		missing, rule = diag.Say("links.no-image", "file", file), site.RuleImage
	case "file":
		missing, rule = diag.Say("page.no-file", "file", file), site.RuleImage
	}
	if file == "" {
		t.Page = l.page
	} else if !l.find(file, pos, &t) && !(what == "page" && l.findStatusPage(file, pos, &t)) && !(l.obsidian() && (l.findAttachment(file, pos, &t) || l.findNote(file, pos, &t))) {
		hint := l.missingHint(file, pos)
		if undecodable != nil {
			hint = diag.Say("links.address-percent")
		}
		l.missing(rule, destination, pos, missing, hint)
		return site.Target{Missing: true}
	}
	l.anchor(&t, destination, pos)
	return t
}

// find looks up a path: first as it is written, then as the address of a page.
func (l *pageLinks) find(file string, pos int, t *site.Target) bool {
	full := l.full(file, pos)
	stem := strings.TrimSuffix(full, "/")
	names := []string{full, stem + ".md", path.Join(stem, "index.md"), stem + ".markdown", stem + ".ipynb", path.Join(stem, "index.ipynb")}
	for _, name := range names {
		if _, ok := l.index.Files[name]; ok {
			t.Asset = name
			return true
		}
		if p := l.at(name); p != nil {
			t.Page = p
			t.OtherLanguage = p.Language != l.page.Language
			return true
		}
	}
	for _, name := range names { // only what this language lacks
		if p := l.otherLanguage(name); p != nil {
			t.Page = p
			return true
		}
	}
	return false
}

// full returns the path below content/. An absolute path is relative to it.
func (l *pageLinks) full(file string, pos int) string {
	file = norm.NFC.String(file)
	if strings.HasPrefix(file, "/") {
		return strings.TrimPrefix(path.Clean(file), "/")
	}
	slash := ""
	if strings.HasSuffix(file, "/") {
		slash = "/"
	}
	return path.Join(l.folderAt(pos), file) + slash
}

// folderAt returns the folder, below content/, that links at an offset are relative to.
func (l *pageLinks) folderAt(pos int) string {
	return norm.NFC.String(l.page.FolderAt(pos))
}

// otherLanguage finds a page that only another language has. It is published in this language too,
// with a notice.
func (l *pageLinks) otherLanguage(name string) *site.Page {
	code, rest, _ := strings.Cut(name, "/")
	if code != l.page.Language.Code {
		return nil
	}
	for _, other := range l.site.Languages {
		if p := l.at(other.Code + "/" + rest); p != nil {
			return p
		}
	}
	return nil
}

// anchor checks the fragment. An accented letter has two forms in Unicode, which browsers
// distinguish: ids have the composed form, and some keyboards write the other.
func (l *pageLinks) anchor(t *site.Target, destination string, pos int) {
	fragment := t.Fragment()
	if t.Page == nil || t.Page.HasAnchor(fragment) || l.obsidian() && l.anchorByText(t, fragment) {
		return
	}
	if composed := norm.NFC.String(fragment); t.Page.Anchors[composed] {
		before, _, _ := strings.Cut(t.Suffix, "#")
		t.Suffix = before + "#" + composed
		return
	}
	if l.reported[destination] {
		return
	}
	var hint diag.Text
	if l.suggest.More() {
		known, near := t.Page.AnchorIDs(), fragment
		if i := slices.IndexFunc(known, func(id string) bool { return strings.EqualFold(id, fragment) }); i >= 0 {
			near = known[i] // they differ only in case
		}
		hint = diag.Suggest(near, known, hint)
	}
	l.missing(site.RuleAnchor, destination, pos, diag.Say("links.no-heading-anchor", "name", t.Page.Source.Name, "fragment", fragment), hint)
}

// missing warns of a broken link, once for each target of a page.
func (l *pageLinks) missing(rule, target string, pos int, message, hint diag.Text) {
	if l.reported[target] {
		return
	}
	l.reported[target] = true
	l.warn(rule, target, pos, message, hint)
}

func (l *pageLinks) warn(rule, target string, pos int, message, hint diag.Text) {
	start, end := site.Locate(l.page.Source, target, pos)
	d := l.page.Source.Warning(start, end, message, hint)
	d.Rule = rule
	l.diags.Add(d)
}

// relative returns the path from a folder to a file, both below content/.
func relative(from, to string) string {
	a, b := strings.Split(path.Clean(from), "/"), strings.Split(to, "/")
	for len(a) > 0 && len(b) > 1 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	return strings.Repeat("../", len(a)) + strings.Join(b, "/")
}
