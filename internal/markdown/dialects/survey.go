package dialects

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A Feature is a syntax that a file uses.
type Feature struct {
	// Dialect is the dialect that reads it: "obsidian", "d2l", "mkdocs". It is "import" for what
	// only gpudocs import can convert, and "gpudocs" for what needs no dialect.
	Dialect string `json:"dialect"`
	Name    string `json:"name"`
	Count   int    `json:"count"`
	// Cell and Line are its first place.
	Cell int `json:"cell,omitempty"`
	Line int `json:"line"`

	// Weak is set if other tools use the syntax too, so that it does not indicate a dialect.
	Weak bool `json:"weak,omitempty"`
}

// A Survey lists the features of a file.
type Survey struct {
	Features []Feature
	// Unknown are the places of syntax that gpudocs does not support.
	Unknown diag.List
}

// Dialects returns the dialects of the file. Weak features do not count.
func (s Survey) Dialects() (d markdown.Dialect) {
	for _, f := range s.Features {
		if one, ok := markdown.ParseDialect(f.Dialect); ok && !f.Weak {
			d |= one
		}
	}
	return d
}

// unsupported are forms of other tools that gpudocs does not support.
var unsupported = []struct {
	name    string
	zone    markdown.Zone
	pattern *lazyregexp.Regexp
}{
	{"a role of reStructuredText", markdown.InProse, lazyregexp.New("(?:^|\\s):[\\w-]+:`")},
	{"a shortcode of Hugo", markdown.InProse, lazyregexp.New(`\{\{[<%].*[%>]\}\}`)},
	{"a template of Jinja or Liquid", markdown.InProse, lazyregexp.New(`\{%-? .* -?%\}|\{\{ *[\w.|() ]+ *\}\}`)},
	{"a directive of reStructuredText", markdown.InProse, lazyregexp.New(`^\s*\.\. [\w-]+::`)},
	{"a component of MDX", markdown.InProse, lazyregexp.New(`^(?:import .* from ['"]|</?[A-Z]\w*(?:\s|/?>))`)},
	{"a table of contents mark", markdown.InProse, lazyregexp.New(`^\s*(?:\[TOC\]|\[\[_?TOC_?\]\])\s*$`)},
	{"a query of Obsidian's Dataview", markdown.InInfo, lazyregexp.New(`^dataview(?:js)?\b`)},
	{"an annotation of CriticMarkup", markdown.InProse, lazyregexp.New(`\{(?:\+\+|--|~~|==|>>).*(?:\+\+|--|~~|==|<<)\}`)},
}

// Text adds the features of a Markdown file. isCode reports whether the line at an offset is code
// without a fence. inFence is called for each line of code in a fence. Both may be nil.
func (s *Survey) Text(file *diag.File, isCode func(at int) bool, inFence func(Line)) {
	for l := range lines(string(file.Data), isCode) {
		if l.FenceAt > 0 && inFence != nil {
			inFence(l)
		}
		if strings.TrimSpace(l.Text) != "" {
			s.line(file, l)
		}
	}
}

// line adds the features of a line.
func (s *Survey) line(file *diag.File, l Line) {
	var known [][]int
	for _, f := range forms {
		for _, m := range f.in(l) {
			s.Add(file, Feature{Dialect: cmp.Or(f.dialect.String(), "gpudocs"), Name: f.Name, Weak: f.Weak}, l.At+m[0])
			known = append(known, m)
		}
	}
	for _, f := range unsupported {
		m := f.pattern.FindStringIndex(l.Text)
		if f.zone != l.zone || m == nil || slices.ContainsFunc(known, func(k []int) bool { return k[0] < m[1] && m[0] < k[1] }) {
			continue
		}
		s.Unknown.Add(file.Warning(l.At+m[0], l.At+m[1], diag.Say("import.not-understood", "name", f.name)))
		break
	}
}

// Add counts a feature at an offset of its file.
func (s *Survey) Add(file *diag.File, f Feature, at int) {
	i := slices.IndexFunc(s.Features, func(known Feature) bool { return known.Name == f.Name })
	if i < 0 {
		i = len(s.Features)
		f.Cell, f.Line = file.Cell(file.Line(at))
		s.Features = append(s.Features, f)
	}
	s.Features[i].Count++
}
