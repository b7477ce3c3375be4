package resolve

import (
	"net/url"
	"strings"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/obsidian"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// obsidian reports whether the page is in Obsidian's dialect.
func (l *pageLinks) obsidian() bool { return l.page.Dialects.Has(markdown.Obsidian) }

func (l *pageLinks) wikiLink(n *obsidian.WikiLink) site.Target {
	t := l.wikiTarget(n)
	l.links.All = append(l.links.All, site.Link{Destination: n.NotePath.String(), Target: t, Start: n.Start + 2, End: n.Stop - 2})
	return t
}

func (l *pageLinks) wikiTarget(n *obsidian.WikiLink) site.Target {
	if t, ok := l.findNote(n.File, n.Start); ok {
		l.subpath(&t, n.NotePath, n.Start)
		return t
	}
	if t, ok := l.findAttachment(n.File, n.Start); ok {
		if s := n.Subpath(); s != "" {
			t.Suffix = "#" + s
		}
		return t
	}
	hint := l.index.vault.notes.Suggest(n.File, l.index.vault.files.Suggest(n.File, diag.Say("links.link-removed-hint")))
	l.missing(site.RuleLink, n.File, n.Start, diag.Say("links.note-missing", "file", n.File).WithHint(hint))
	return site.Target{Missing: true}
}

// embed finds an image as Obsidian does: relative to the page, by its path, or by its name anywhere
// in the site.
func (l *pageLinks) embed(n *markdown.Embed) site.Target {
	t := l.embedded(n)
	l.addLink(n.NotePath.String(), n.File, n.Start, t, t.Page == nil)
	if t.Asset != "" {
		l.checkImage(t.Asset, n.File, n.Start)
	}
	return t
}

func (l *pageLinks) embedded(n *markdown.Embed) site.Target {
	if l.obsidian() {
		return l.embedNote(n)
	}
	if t, ok := l.findAttachment(n.File, n.Start); ok {
		return t
	}
	l.missing(site.RuleImage, n.File, n.Start, diag.Say("links.image-missing", "file", n.File).WithHint(l.missingHint(n.File, n.Start)))
	return site.Target{Missing: true}
}

// embedNote resolves what Obsidian embeds: a note, or a file of another type.
func (l *pageLinks) embedNote(n *markdown.Embed) site.Target {
	medium := markdown.MediumOf(n.File)
	if medium == markdown.NoteMedium {
		if t, ok := l.findNote(n.File, n.Start); ok {
			l.subpath(&t, n.NotePath, n.Start)
			return t
		}
	}
	if n.File != "" {
		if t, ok := l.findAttachment(n.File, n.Start); ok {
			if n.Fragment != "" && medium != markdown.ImageMedium {
				t.Suffix = "#" + n.Fragment
			}
			return t
		}
	}
	missing, rule, names := diag.Say("page.file-missing", "file", n.File), site.RuleLink, l.index.vault.files
	switch medium {
	case markdown.NoteMedium:
		missing, names = diag.Say("links.note-missing", "file", n.File), l.index.vault.notes
	case markdown.ImageMedium:
		missing, rule = diag.Say("links.image-missing", "file", n.File), site.RuleImage
	}
	l.missing(rule, n.File, n.Start, missing.WithHint(names.Suggest(n.File, diag.Text{})))
	return site.Target{Missing: true}
}

// obsidianAddress resolves an address of Obsidian's scheme, obsidian://open?file=x,
// https://help.obsidian.md/uri, which only opens on the author's computer.
func (l *pageLinks) obsidianAddress(destination string, pos int) site.Target {
	u, err := url.Parse(destination)
	if err == nil && u.Query().Get("file") != "" {
		file, fragment, _ := strings.Cut(u.Query().Get("file"), "#")
		if t, ok := l.findNote(file, pos); ok {
			anchorByText(&t, fragment)
			return t
		}
	}
	l.missing("", destination, pos, diag.Say("links.obsidian-link"))
	return site.Target{External: destination}
}

// findNote finds the page that a wiki link names.
func (l *pageLinks) findNote(file string, pos int) (t site.Target, ok bool) {
	if file == "" {
		return site.Target{Page: l.page}, true
	}
	if strings.HasPrefix(file, "./") || strings.HasPrefix(file, "../") {
		t, ok = l.find(file, pos)
		return t, ok && t.Page != nil
	}
	files := l.filesNamed(file, true)
	if len(files) == 0 {
		return t, false
	}
	p := l.at(l.choose(file, files, pos))
	if translation := l.site.Page(p.Key, l.page.Language.Code); translation != nil {
		p = l.dependOn(translation)
	}
	return site.Target{Page: p}, true
}

// findAttachment finds a file that is not a page.
func (l *pageLinks) findAttachment(file string, pos int) (t site.Target, ok bool) {
	if t, ok = l.find(file, pos); ok && t.Asset != "" {
		return t, true
	}
	files := l.filesNamed(file, false)
	if len(files) == 0 {
		return site.Target{}, false
	}
	return site.Target{Asset: l.choose(file, files, pos)}, true
}

// choose returns the nearest of the files, and warns if a name is ambiguous.
func (l *pageLinks) choose(file string, files []string, pos int) string {
	if len(files) > 1 && !strings.Contains(strings.Trim(file, "/"), "/") {
		l.missing("", file, pos, diag.Say("links.note-ambiguous", "file", file, "name", files[0], "other", files[1],
			"path", l.obsidianPath(files[0])))
	}
	return files[0]
}

// subpath resolves a heading or a block of the page.
func (l *pageLinks) subpath(t *site.Target, p markdown.NotePath, pos int) {
	if p.Subpath() == "" {
		return
	}
	if p.Block != "" {
		if t.Suffix = "#^" + p.Block; !t.Page.Anchors["^"+p.Block] {
			l.missing(site.RuleAnchor, "^"+p.Block, pos, diag.Say("links.block-missing", "name", t.Page.Source.Name, "block", p.Block).
				WithHint(l.suggest.Suggest("^"+p.Block, t.Page.BlockIDs, diag.Text{})))
		}
		return
	}
	if id := t.Page.HeadingID(p.Headings); id != "" {
		t.Suffix = "#" + id
		return
	}
	last := p.Headings[len(p.Headings)-1]
	if t.Suffix = "#" + last; !t.Page.HasAnchor(last) {
		var texts site.KnownNames
		if l.suggest.More() {
			if _, known := l.headings[t.Page]; !known {
				l.headings[t.Page] = t.Page.HeadingTexts()
			}
			texts = l.headings[t.Page]
		}
		l.missing(site.RuleAnchor, strings.Join(p.Headings, "#"), pos,
			diag.Say("links.heading-missing", "name", t.Page.Source.Name, "subpath", p.Subpath()).WithHint(texts.Suggest(last, diag.Text{})))
	}
}

// anchorByText sets the fragment of a target, if it is the text of a heading, to the heading's id.
func anchorByText(t *site.Target, fragment string) bool {
	if t.Page == nil || fragment == "" || t.Page.Anchors[fragment] {
		return false
	}
	id := t.Page.HeadingID(strings.Split(fragment, "#"))
	if id == "" {
		return false
	}
	before, _, _ := strings.Cut(t.Suffix, "#")
	t.Suffix = before + "#" + id
	return true
}
