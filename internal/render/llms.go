package render

import (
	"path"
	"strings"

	"github.com/gpudocs/gpudocs/internal/content"
)

// llms.txt tells programs what the site has, in the form of https://llmstxt.org/: a title, a
// summary, lists of links to pages in Markdown. Each language has its own, of all its pages;
// the one of the site leads to those. llms-full.txt is the text of a language in one file.
const (
	llmsFile     = "llms.txt"
	llmsFullFile = "llms-full.txt"
)

// maxFull bounds the text of a language in one file, in bytes: beyond, it is more than
// programs take in at once. The pages left over are named with links, the first of them: all are in
// the list of the language's pages.
const maxFull, maxLeft = 2 << 20, 200

func (s *Site) planLLMs() {
	for _, l := range s.content.Languages {
		if s.nav[l.Code] == nil {
			continue
		}
		s.publish(l.Code+"/"+llmsFile, func(s *Site) ([]byte, error) { return s.llms(l), nil })
		full := func(s *Site) ([]byte, error) { return s.llmsFull(l, l.Code+"/"), nil }
		first := l == s.content.Languages[0]
		if first && s.everywhere() {
			full = func(s *Site) ([]byte, error) { return s.firstFull(), nil } // it is that of the site too
			s.publish(llmsFullFile, full)
		} else if first {
			s.publish(llmsFullFile, func(s *Site) ([]byte, error) { return s.llmsFull(l, ""), nil })
		}
		s.publish(l.Code+"/"+llmsFullFile, full)
	}
	if len(s.content.Languages) > 0 {
		s.publish(llmsFile, func(s *Site) ([]byte, error) { return s.llmsRoot(), nil })
		if s.nav[s.content.Languages[0].Code] == nil {
			s.publish(llmsFullFile, func(*Site) ([]byte, error) { return nil, nil })
		}
	}
}

// llmsHead is the title and the summary, which is that of the language's first page.
func (s *Site) llmsHead(l *content.Language) string {
	head := "# " + escaped(s.title(l)) + "\n\n"
	if home := s.nav[l.Code].home(); home != nil && home.Description != "" {
		head += "> " + escaped(home.Description) + "\n\n"
	}
	return head
}

// title is the site's, or that of the language's first page where it has none.
func (s *Site) title(l *content.Language) string {
	if home := s.nav[l.Code].home(); s.content.Config.Title == "" && home != nil {
		return home.Title
	}
	if s.content.Config.Title == "" {
		return l.Name
	}
	return s.content.Config.Title
}

// home is the first page of the tree's language, or nil.
func (t *tree) home() *content.Page {
	if t == nil || t.top.placed == nil {
		return nil
	}
	return t.top.placed.page
}

// llmsRoot leads to the files of the languages, and to the first pages of each.
func (s *Site) llmsRoot() []byte {
	var b strings.Builder
	b.WriteString(s.llmsHead(s.content.Languages[0]))
	for _, l := range s.content.Languages {
		nav := s.nav[l.Code]
		if nav == nil {
			continue
		}
		t := s.strings[l.Code]
		b.WriteString("## " + escaped(l.Name) + "\n\n")
		b.WriteString("- [" + llmsFile + "](" + destination(s.link("", l.Code+"/"+llmsFile)) + "): " + escaped(t.Get("llms_all")) + "\n")
		b.WriteString("- [" + llmsFullFile + "](" + destination(s.link("", l.Code+"/"+llmsFullFile)) + "): " + escaped(t.Get("llms_full")) + "\n")
		if nav.top.placed != nil {
			b.WriteString(s.llmsEntry(nav.top, ""))
		}
		for _, e := range nav.top.children[:min(len(nav.top.children), openBelow)] {
			b.WriteString(s.llmsEntry(e, ""))
		}
		b.WriteString("\n")
	}
	return []byte(strings.TrimRight(b.String(), "\n") + "\n")
}

// llms lists the pages of a language, a section for each folder at its top.
func (s *Site) llms(l *content.Language) []byte {
	var b strings.Builder
	from := l.Code + "/"
	t, nav := s.strings[l.Code], s.nav[l.Code]
	b.WriteString(s.llmsHead(l))
	b.WriteString(escaped(t.Get("llms_note")) + "\n\n")
	b.WriteString("## " + escaped(t.Get("menu")) + "\n\n")
	if nav.top.placed != nil {
		b.WriteString(s.llmsEntry(nav.top, from))
	}
	for _, e := range nav.top.children {
		if len(e.children) == 0 {
			b.WriteString(s.llmsEntry(e, from))
		}
	}
	for _, e := range nav.top.children {
		if len(e.children) == 0 {
			continue
		}
		b.WriteString("\n## " + escaped(e.title()) + "\n\n")
		for _, below := range e.pages() {
			b.WriteString(s.llmsEntry(below, from))
		}
	}
	b.WriteString("\n## Optional\n\n- [" + llmsFullFile + "](" + destination(s.link(from, from+llmsFullFile)) + "): " + escaped(t.Get("llms_full")) + "\n")
	if s.files[feedFile] != nil {
		b.WriteString("- [" + path.Base(feedFile) + "](" + destination(s.link(from, feedFile)) + "): " + escaped(t.Get("feed_results")) + "\n")
	}
	return []byte(b.String())
}

// llmsEntry is a line of a list. A folder without a page is its first page.
func (s *Site) llmsEntry(e *entry, from string) string {
	p := e.first().placed.page
	line := "- [" + escaped(e.title()) + "](" + destination(s.link(from, twinFile(p))) + ")"
	var notes []string // behind a colon, or programs would not read them
	if other := e.first().placed.foreign(); other != "" {
		notes = append(notes, "("+other+")")
	}
	if p.Description != "" && e.placed != nil {
		notes = append(notes, escaped(p.Description))
	}
	if len(notes) > 0 {
		line += ": " + strings.Join(notes, " ")
	}
	return line + "\n"
}

// several tells whether there is more than one page.
func (e *entry) several() bool {
	n := 0
	var count func(e *entry)
	count = func(e *entry) {
		if e.placed != nil {
			n++
		}
		for _, c := range e.children {
			if n < 2 {
				count(c)
			}
		}
	}
	count(e)
	return n > 1
}

// pages are those at and below an entry, in reading order.
func (e *entry) pages() (list []*entry) {
	if e.placed != nil {
		list = append(list, e)
	}
	for _, c := range e.children {
		list = append(list, c.pages()...)
	}
	return list
}

// llmsFull is the text of a language's pages, in reading order. What it lacks a translation of
// is in the file of another.
func (s *Site) llmsFull(l *content.Language, from string) []byte {
	if s.nav[l.Code] == nil {
		return nil
	}
	var b strings.Builder
	b.WriteString(s.llmsHead(l))
	var left []*entry
	for _, e := range s.nav[l.Code].order {
		p := e.placed.page
		if e.placed.foreign() != "" {
			continue
		}
		if b.Len()+len(p.Source.Data) > maxFull {
			left = append(left, e)
			continue
		}
		b.WriteString("<!-- " + s.link(from, e.placed.url()) + " -->\n\n")
		b.WriteString(s.textOf(p, from))
		b.WriteString("\n")
	}
	if len(left) > 0 {
		b.WriteString("---\n\n" + escaped(s.strings[l.Code].Get("llms_left")) + "\n\n")
	}
	for _, e := range left[:min(len(left), maxLeft)] {
		b.WriteString(s.llmsEntry(e, from))
	}
	if len(left) > maxLeft {
		b.WriteString("- [" + llmsFile + "](" + destination(s.link(from, l.Code+"/"+llmsFile)) + "): " + escaped(s.strings[l.Code].Get("llms_all")) + "\n")
	}
	return []byte(b.String())
}
