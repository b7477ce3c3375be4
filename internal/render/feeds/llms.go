package feeds

import (
	"path"
	"strings"

	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/textout"
	"github.com/gpudocs/gpudocs/internal/site"
)

// llms.txt lists the pages of the site for programs, in the form of https://llmstxt.org/: a title, a summary, and
// links to pages in Markdown. Each language has one with all of its pages, to which that of the site links.
// llms-full.txt is the text of a language in one file.
const (
	llmsFile     = "llms.txt"
	llmsFullFile = "llms-full.txt"
)

// maxFull bounds the text of a language in one file, in bytes. The file links to the first maxOmitted of the
// other pages, which are all in the list of the language's pages.
const maxFull, maxOmitted = 2 << 20, 200

// PlanLLMs adds these files.
func (s *Site) PlanLLMs(publish func(name string, make func() ([]byte, error))) {
	for _, l := range s.Content.Languages {
		if s.Nav.Trees[l.Code] == nil {
			continue
		}
		publish(l.Code+"/"+llmsFile, func() ([]byte, error) { return s.llms(l), nil })
		full := func() ([]byte, error) { return s.llmsFull(l, l.Code+"/"), nil }
		first := l == s.Content.Languages[0]
		if first && s.Nav.AbsoluteLinks() {
			publish(llmsFullFile, full) // it is that of the site too
		} else if first {
			publish(llmsFullFile, func() ([]byte, error) { return s.llmsFull(l, ""), nil })
		}
		publish(l.Code+"/"+llmsFullFile, full)
	}
	if len(s.Content.Languages) > 0 {
		publish(llmsFile, func() ([]byte, error) { return s.llmsRoot(), nil })
		if s.Nav.Trees[s.Content.Languages[0].Code] == nil {
			publish(llmsFullFile, func() ([]byte, error) { return nil, nil })
		}
	}
}

// llmsHead returns the title, and the summary, which is the description of the language's home page.
func (s *Site) llmsHead(l *site.Language) string {
	head := "# " + textout.Escape(s.Nav.Title(l)) + "\n\n"
	if home := s.Nav.Trees[l.Code].Home(); home != nil && home.Description != "" {
		head += "> " + textout.Escape(home.Description) + "\n\n"
	}
	return head
}

// llmsRoot links to the files of the languages, and to the first pages of each.
func (s *Site) llmsRoot() []byte {
	var b strings.Builder
	b.WriteString(s.llmsHead(s.Content.Languages[0]))
	for _, l := range s.Content.Languages {
		tree := s.Nav.Trees[l.Code]
		if tree == nil {
			continue
		}
		t := s.Theme.Text(l.Code)
		b.WriteString("## " + textout.Escape(l.Name) + "\n\n")
		b.WriteString(item(llmsFile, s.Nav.Link("", l.Code+"/"+llmsFile), t.Get("llms_all")))
		b.WriteString(item(llmsFullFile, s.Nav.Link("", l.Code+"/"+llmsFullFile), t.Get("llms_full")))
		if tree.Top.Placed != nil {
			b.WriteString(s.llmsEntry(tree.Top, ""))
		}
		for _, e := range tree.Top.Children[:min(len(tree.Top.Children), nav.OpenBelow)] {
			if e.First() != nil {
				b.WriteString(s.llmsEntry(e, ""))
			}
		}
		b.WriteString("\n")
	}
	return []byte(strings.TrimRight(b.String(), "\n") + "\n")
}

// llms lists the pages of a language, with a section for each top folder.
func (s *Site) llms(l *site.Language) []byte {
	var b strings.Builder
	from := l.Code + "/"
	t, tree := s.Theme.Text(l.Code), s.Nav.Trees[l.Code]
	b.WriteString(s.llmsHead(l))
	b.WriteString(textout.Escape(t.Get("llms_note")) + "\n\n")
	b.WriteString("## " + textout.Escape(t.Get("menu")) + "\n\n")
	if tree.Top.Placed != nil {
		b.WriteString(s.llmsEntry(tree.Top, from))
	}
	for _, e := range tree.Top.Children {
		if len(e.Children) == 0 {
			b.WriteString(s.llmsEntry(e, from))
		}
	}
	for _, e := range tree.Top.Children {
		if len(e.Children) == 0 || e.First() == nil {
			continue
		}
		b.WriteString("\n## " + textout.Escape(e.Title()) + "\n\n")
		for _, below := range e.Pages() {
			b.WriteString(s.llmsEntry(below, from))
		}
	}
	b.WriteString("\n## Optional\n\n" + item(llmsFullFile, s.Nav.Link(from, from+llmsFullFile), t.Get("llms_full")))
	if s.published() {
		b.WriteString(item(path.Base(ResultsFile), s.Nav.Link(from, ResultsFile), t.Get("feed_results")))
	}
	return []byte(b.String())
}

// llmsEntry returns a line of a list. A folder without a page links to its first page.
func (s *Site) llmsEntry(e *nav.Entry, from string) string {
	p := e.First().Placed.Page
	var notes []string
	if other := e.First().Placed.Foreign(); other != "" {
		notes = append(notes, "("+other+")")
	}
	if p.Description != "" && e.Placed != nil {
		notes = append(notes, p.Description)
	}
	return item(e.Title(), s.Nav.Link(from, textout.File(p)), strings.Join(notes, " "))
}

// item returns a link of a list, with a note after a colon, as the form requires.
func item(text, address, note string) string {
	line := "- [" + textout.Escape(text) + "](" + textout.Destination(address) + ")"
	if note != "" {
		line += ": " + textout.Escape(note)
	}
	return line + "\n"
}

// llmsFull returns the text of a language's pages, in reading order. Pages without a translation are in the
// file of another language.
func (s *Site) llmsFull(l *site.Language, from string) []byte {
	if s.Nav.Trees[l.Code] == nil {
		return nil
	}
	var b strings.Builder
	b.WriteString(s.llmsHead(l))
	var omitted []*nav.Entry
	for _, e := range s.Nav.Trees[l.Code].Order {
		p := e.Placed.Page
		if e.Placed.Foreign() != "" {
			continue
		}
		if b.Len()+len(p.Source.Data) > maxFull {
			omitted = append(omitted, e)
			continue
		}
		b.WriteString("<!-- " + s.Nav.Link(from, e.Placed.URL()) + " -->\n\n")
		b.WriteString(s.exportText(p, from))
		b.WriteString("\n")
	}
	if len(omitted) > 0 {
		b.WriteString("---\n\n" + textout.Escape(s.Theme.Text(l.Code).Get("llms_left")) + "\n\n")
	}
	for _, e := range omitted[:min(len(omitted), maxOmitted)] {
		b.WriteString(s.llmsEntry(e, from))
	}
	if len(omitted) > maxOmitted {
		b.WriteString(item(llmsFile, s.Nav.Link(from, l.Code+"/"+llmsFile), s.Theme.Text(l.Code).Get("llms_all")))
	}
	return []byte(b.String())
}
