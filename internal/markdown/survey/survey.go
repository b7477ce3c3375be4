package survey

import (
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

// A form is the syntax of a feature.
type form struct {
	dialect, name string
	zone          zone
	pattern       *lazyregexp.Regexp
	weak          bool
}

func re(s string) *lazyregexp.Regexp { return lazyregexp.New(s) }

// forms are the features of the dialects.
//
// Obsidian: https://help.obsidian.md/obsidian-flavored-markdown.
// d2lbook: https://book.d2l.ai/user/markdown.html, https://book.d2l.ai/user/code.html.
// MkDocs: https://squidfunk.github.io/mkdocs-material/reference/,
// https://facelessuser.github.io/pymdown-extensions/, and FastAPI's own includes,
// https://github.com/tiangolo/markdown-include-variants.
var forms = []form{
	{"obsidian", "[[wiki link]]", prose, re(`(?:^|[^!\\])\[\[[^\[\]]+\]\]`), false},
	{"obsidian", "![[embed]]", prose, re(`!\[\[[^\[\]]+\]\]`), false},
	{"obsidian", "%%comment%%", prose, re(`%%[^%]*%%|^%%$`), false},
	{"obsidian", "==mark==", prose, re(`(?:^|[^=])==[^=\s](?:[^=]*[^=\s])?==(?:$|[^=])`), true},
	{"obsidian", "^block-id", prose, re(`(?:^|\s)\^[A-Za-z0-9-]+$`), true},
	{"obsidian", "#tag", prose, re(`(?:^\s*|[^\s{]\s+)#[\p{L}_/][\p{L}\p{N}_/-]*`), true},
	{"obsidian", "folded callout", prose, re(`^\s*>+ ?\[![\w-]+\][+-]`), true},
	{"d2l", ":label:", prose, re(":label:`"), false},
	{"d2l", ":numref:", prose, re(":numref:`"), false},
	{"d2l", ":eqref:", prose, re(":eqref:`"), false},
	{"d2l", ":eqlabel:", prose, re(":eqlabel:`"), false},
	{"d2l", ":cite:", prose, re(":cite[a-z]?:`"), false},
	{"d2l", ":ref:", prose, re(":ref:`"), false},
	{"d2l", ":begin_tab:", prose, re(":begin_tab:`"), false},
	{"d2l", "image size", prose, re("^:(?:width|height):`"), false},
	{"d2l", ":bibliography:", prose, re("^:bibliography:`"), false},
	{"d2l", ".input fence", info, re(`\{\s*\.\w[^}]*\.input\b`), false},
	{"d2l", "toc fence", info, re(`^(?:\.toc|eval_rst|toc)\b`), false},
	{"d2l", "#@tab", code, re(`^\s*(?:#|//|--)\s*@tab\b`), false},
	{"d2l", "#@save", code, re(`#\s*@save\b`), true},
	{"mkdocs", "!!! block", prose, re(`^\s*!!! ?[\w-]+`), false},
	{"mkdocs", "??? block", prose, re(`^\s*\?\?\?\+? ?[\w-]+`), false},
	{"mkdocs", "/// block", prose, re(`^\s*/{3,} ?[\w-]+`), false},
	{"mkdocs", "=== tab", prose, re(`^\s*===[+!]? ?["']`), false},
	{"mkdocs", "{* file *}", prose, re(`^\s*\{\*\s*\S+.*\*\}`), false},
	{"mkdocs", "{! file !}", prose, re(`\{!\s*\S+.*!\}`), false},
	{"mkdocs", "--8<-- snippet", prose, re(`^\s*-+8<-+`), false},
	{"mkdocs", "--8<-- snippet", code, re(`^\s*-+8<-+\s+["']`), false},
	{"mkdocs", "linenums", info, re(`\blinenums=`), true},
	{"mkdocs", "{: attributes }", prose, re(`\{:[^{}]*\}`), true},
	{"mkdocs", ":icon:", prose, re(`:(?:material|fontawesome|octicons|simple)-[\w-]+:`), true},
	{"mkdocs", "++keys++", prose, re(`\+\+[a-z0-9-]+(?:\+[a-z0-9-]+)*\+\+`), true},
	{"gpudocs", "GitHub alert", prose, re(`^\s*>+ ?\[![\w-]+\]\s*$`), false},
	{"gpudocs", ":::container", prose, re(`^\s*:{3,} ?[\w-]+`), false},
}

// unsupported are forms of other tools that gpudocs does not support.
var unsupported = []form{
	{"", "a directive of MyST", info, re(`^\{[\w:-]+\}`), false},
	{"", "a cell of Quarto or R Markdown", info, re(`^\{(?:python|r|julia|bash)\b(?:[ ,][^.}]*)?\}`), false},
	{"", "a role of MyST or reStructuredText", prose, re("(?:^|\\s)(?:\\{[\\w:-]+\\}|:[\\w-]+:)`"), false},
	{"", "a shortcode of Hugo", prose, re(`\{\{[<%].*[%>]\}\}`), false},
	{"", "a template of Jinja or Liquid", prose, re(`\{%-? .* -?%\}|\{\{ *[\w.|() ]+ *\}\}`), false},
	{"", "a directive of reStructuredText", prose, re(`^\s*\.\. [\w-]+::`), false},
	{"", "a component of MDX", prose, re(`^(?:import .* from ['"]|</?[A-Z]\w*(?:\s|/?>))`), false},
	{"", "a table of contents mark", prose, re(`^\s*(?:\[TOC\]|\[\[_?TOC_?\]\])\s*$`), false},
	{"", "a query of Obsidian's Dataview", info, re(`^dataview(?:js)?\b`), false},
	{"", "an annotation of CriticMarkup", prose, re(`\{(?:\+\+|--|~~|==|>>).*(?:\+\+|--|~~|==|<<)\}`), false},
}

// known matches roles that are supported.
var known = re("(?:^|\\s)(?:\\{live\\}|:(?:label|numref|eqref|eqlabel|cite[a-z]?|ref|begin_tab|end_tab|width|height|bibliography):)`")

// Text adds the features of a Markdown file. isCode reports whether the line at an offset is code
// without a fence. inFence is called for each line of code in a fence. Both may be nil.
func (s *Survey) Text(file *diag.File, isCode func(at int) bool, inFence func(Line)) {
	for l := range lines(string(file.Data), isCode) {
		if l.FenceAt > 0 && inFence != nil {
			inFence(l)
		}
		s.line(file, l)
	}
}

// line adds the features of a line.
func (s *Survey) line(file *diag.File, l Line) {
	if strings.TrimSpace(l.Text) == "" {
		return
	}
	for _, f := range forms {
		if f.zone != l.zone {
			continue
		}
		for _, m := range f.pattern.FindAllStringIndex(l.Text, -1) {
			s.Add(file, Feature{Dialect: f.dialect, Name: f.name, Weak: f.weak}, l.At+m[0])
		}
	}
	for _, f := range unsupported {
		m := f.pattern.FindStringIndex(l.Text)
		if f.zone != l.zone || m == nil || known.MatchString(l.Text[m[0]:m[1]]) {
			continue
		}
		s.Unknown.Add(file.Warning(l.At+m[0], l.At+m[1], diag.Say("import.not-understood", "name", f.name), diag.Say("import.not-understood-hint")))
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
