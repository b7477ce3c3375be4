package resolve

import (
	"net/url"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/gpudocs/gpudocs/internal/markdown"
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
	file, suffix := destination, ""
	if i := strings.IndexAny(destination, "?#"); i >= 0 {
		file, suffix = destination[:i], destination[i:]
	}
	name, undecodable := url.PathUnescape(file)
	if undecodable == nil {
		file = name
	}
	if t, ok := l.mystTarget(file, suffix, pos); ok {
		return t
	}
	t, ok := l.target(file, pos, what)
	if !ok && l.isLeftOut(file, pos) {
		return site.Target{Missing: true}
	}
	if !ok {
		hint := l.missingHint(file, pos)
		if undecodable != nil {
			hint = diag.Say("links.address-percent-hint")
		}
		missing, rule := diag.Say("links.page-missing", "file", file), site.RuleLink
		switch what {
		case "image":
			missing, rule = diag.Say("links.image-missing", "file", file), site.RuleImage
		case "file":
			missing, rule = diag.Say("page.file-missing", "file", file), site.RuleImage
		}
		l.missing(rule, destination, pos, missing.WithHint(hint))
		return site.Target{Missing: true}
	}
	t.Suffix = suffix
	l.checkAnchor(&t, destination, pos)
	return t
}

// target finds the target of a path.
func (l *pageLinks) target(file string, pos int, what string) (t site.Target, ok bool) {
	if file == "" {
		return site.Target{Page: l.page}, true
	}
	if t, ok = l.find(file, pos); !ok && what == "page" {
		t, ok = l.findGenerated(file, pos)
	}
	if !ok {
		t, ok = l.findFromRoot(file, pos)
	}
	if !ok && l.obsidian() {
		if t, ok = l.findAttachment(file, pos); !ok {
			t, ok = l.findNote(file, pos)
		}
	}
	return t, ok
}

// checkAnchor checks the fragment of a target. An accented letter has two forms in Unicode, which browsers
// distinguish: ids have the composed form, and some keyboards write the other.
func (l *pageLinks) checkAnchor(t *site.Target, destination string, pos int) {
	fragment := t.Fragment()
	if t.Page == nil || t.Page.HasAnchor(fragment) || l.obsidian() && anchorByText(t, fragment) {
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
	if term, is := strings.CutPrefix(fragment, markdown.TermID("")); is && t.Page == l.page && l.page.Dialects.Has(markdown.MyST) {
		l.missing(site.RuleAnchor, destination, pos, diag.Say("links.term-unknown", "term", strings.ReplaceAll(term, "-", " ")))
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
	l.missing(site.RuleAnchor, destination, pos, diag.Say("links.heading-or-anchor-missing", "name", t.Page.Source.Name,
		"fragment", fragment).WithHint(hint))
}
