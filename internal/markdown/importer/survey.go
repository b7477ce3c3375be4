package importer

import (
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/notebook"
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

// A zone is a part of a text in which forms are searched.
type zone int

const (
	prose zone = iota // outside of code and code spans
	info              // after an opening fence
	code              // in a fence
)

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

// Look lists the features of a file. A file that cannot be read has none.
func Look(name string, data []byte) Survey {
	s := &surveyor{}
	if IsNotebook(name) {
		nb, _ := notebook.Read(name, data)
		if nb == nil {
			return Survey{}
		}
		s.file = nb.Markdown(name)
		s.text(s.file.Data, nil, linesOf(s.file.Data))
		s.result.Features = slices.DeleteFunc(s.result.Features, func(f Feature) bool { return f.Dialect == "import" })
		cells := Feature{Dialect: "import", Name: "code cell", Line: 1}
		for _, c := range nb.Cells {
			if c.Kind == notebook.Code {
				cells.Count++
			}
		}
		s.result.Features = append(s.result.Features, cells)
		return s.result
	}
	s.file = diag.NewFile(name, data)
	cells, lines := flatCells(data)
	for _, c := range cells {
		s.add(form{dialect: "import", name: "In [n]: cell"}, lines[c.prompt].start)
	}
	s.text(data, cells, lines)
	return s.result
}

// prompts are what gpudocs import converts in fences of these languages.
var prompts = []struct {
	name      string
	languages []string
	pattern   *lazyregexp.Regexp
}{
	{">>> session", pythons, re(`^\s*>>> `)},
	{"$ prompt", shells, re(`^\s*\$ \S`)},
	{"#SBATCH script", jobLanguages, jobForm},
}

type surveyor struct {
	file   *diag.File
	result Survey
}

// text records the features of all lines. Those of flattened cells are code.
func (s *surveyor) text(data []byte, cells []flatCell, lines []line) {
	var f fenceState
	front := frontEnd(data)
	language, seen := "", map[string]bool{} // of the current fence
	for i, l := range lines {
		t := string(data[l.start:l.stop])
		if front > 0 && l.start <= front {
			continue
		}
		for len(cells) > 0 && i >= max(cells[0].code.end, cells[0].text.end) {
			cells = cells[1:]
		}
		if len(cells) > 0 && i >= cells[0].prompt {
			s.line(t, l.start, code)
			continue
		}
		before := f.mark
		switch inside := f.inside(t); {
		case inside && before == "":
			words := strings.TrimLeft(t, " \t>-*+`~")
			language, seen = languageOf(words), map[string]bool{}
			s.line(words, l.start+len(t)-len(words), info)
		case inside:
			s.line(t, l.start, code)
			for _, p := range prompts {
				if p.pattern.MatchString(t) && slices.Contains(p.languages, language) && !seen[p.name] {
					seen[p.name] = true // once for each fence
					s.add(form{dialect: "import", name: p.name}, l.start)
				}
			}
		default:
			s.line(uncoded(t), l.start, prose)
		}
	}
}

func (s *surveyor) line(t string, at int, z zone) {
	if strings.TrimSpace(t) == "" {
		return
	}
	for _, f := range forms {
		if f.zone != z {
			continue
		}
		for _, m := range f.pattern.FindAllStringIndex(t, -1) {
			s.add(f, at+m[0])
		}
	}
	for _, f := range unsupported {
		m := f.pattern.FindStringIndex(t)
		if f.zone != z || m == nil || known.MatchString(t[m[0]:m[1]]) {
			continue
		}
		s.result.Unknown.Add(s.file.Warning(at+m[0], at+m[1], diag.Say("import.not-understood", "name", f.name), diag.Say("import.not-understood-hint")))
		break
	}
}

func (s *surveyor) add(f form, at int) {
	i := slices.IndexFunc(s.result.Features, func(known Feature) bool { return known.Name == f.name })
	if i < 0 {
		i = len(s.result.Features)
		cell, line := s.file.Cell(s.file.Line(at))
		s.result.Features = append(s.result.Features, Feature{Dialect: f.dialect, Name: f.name, Cell: cell, Line: line, Weak: f.weak})
	}
	s.result.Features[i].Count++
}

// uncoded returns a line with its code spans blanked, except those of roles: :label:`x`.
func uncoded(t string) string {
	if !strings.Contains(t, "`") {
		return t
	}
	b := []byte(t)
	for at := 0; at < len(b); {
		if b[at] != '`' {
			at++
			continue
		}
		run := at
		for run < len(b) && b[run] == '`' {
			run++
		}
		mark := t[at:run]
		end := strings.Index(t[run:], mark)
		if end < 0 {
			at = run
			continue
		}
		end += run
		for i := run; i < end; i++ {
			b[i] = ' '
		}
		if at == 0 || b[at-1] != ':' && b[at-1] != '}' {
			for i := at; i < run; i++ {
				b[i], b[end+i-at] = ' ', ' '
			}
		}
		at = end + len(mark)
	}
	return string(b)
}
