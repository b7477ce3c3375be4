package content

import (
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

// Where lines= leaves lines of a file out, empty ones stand in their place when the code
// runs. Between statements they mean nothing; in a text, a here-document or a line that
// goes on they would run something else than the page shows.

// gap refuses a block whose left-out lines would count.
func (r *blockReader) gap(a fenceAttributes, b *Block) {
	if b.origin == nil || b.Kind != Bash && b.Kind != Python || strings.HasPrefix(b.Code, "%%") {
		return
	}
	follow := (&pythonText{}).line
	if b.Kind == Bash {
		follow = (&bashText{}).line
	}
	for i, line := range codeLinesOf(b.Code) {
		within := follow(line)
		if within.IsZero() || i+1 >= len(b.origin.lines) || b.origin.lines[i+1] == b.origin.lines[i]+1 {
			continue
		}
		at := a.by["file"]
		for _, name := range []string{"region", "lines"} {
			if a.has(name) {
				at = a.by[name]
			}
		}
		a.fault(at, diag.Say("line %d of %s is left out within %s, where an empty line in its place would change what runs", b.origin.lines[i]+1, b.CodeFile, within),
			diag.Say("take all of its lines, or none"))
		return
	}
}

// pythonText follows the texts of Python line by line.
type pythonText struct{ quote string }

// line says what a line leaves open, or nothing.
func (p *pythonText) line(s string) diag.Text {
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			if i++; i == len(s) {
				return diag.Say("a line that goes on")
			}
		case p.quote != "":
			if strings.HasPrefix(s[i:], p.quote) {
				i += len(p.quote) - 1
				p.quote = ""
			}
		case s[i] == '#':
			i = len(s)
		case s[i] == '"' || s[i] == '\'':
			p.quote = s[i : i+1]
			if triple := strings.Repeat(p.quote, 3); strings.HasPrefix(s[i:], triple) {
				p.quote = triple
				i += 2
			}
		}
	}
	if len(p.quote) < 3 { // an open one is no Python
		p.quote = ""
		return diag.Text{}
	}
	return diag.Say("a text")
}

// bashText follows quotes and here-documents of a shell.
type bashText struct {
	quote    byte // ' or ", and $ for $'
	pending  []hereDocument
	openDocs []hereDocument
}

type hereDocument struct {
	word string
	tabs bool
}

var hereForm = lazyregexp.New(`^<<(-?)[ \t]*(?:'([^']+)'|"([^"]+)"|\\?([A-Za-z_][\w.-]*))`)

// line says what a line leaves open, or nothing.
func (b *bashText) line(s string) diag.Text {
	if len(b.openDocs) > 0 {
		doc := b.openDocs[0]
		if doc.tabs {
			s = strings.TrimLeft(s, "\t")
		}
		if s == doc.word {
			b.openDocs = b.openDocs[1:]
		}
		return b.open()
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && b.quote != '\'':
			if i++; i == len(s) {
				return diag.Say("a line that goes on")
			}
		case b.quote != 0:
			if c == b.quote || c == '\'' && b.quote == '$' {
				b.quote = 0
			}
		case c == '#' && (i == 0 || strings.IndexByte(" \t;&|(", s[i-1]) >= 0):
			i = len(s)
		case c == '\'' && i > 0 && s[i-1] == '$':
			b.quote = '$'
		case c == '\'' || c == '"':
			b.quote = c
		case strings.HasPrefix(s[i:], "<<<"):
			i += 2
		case c == '<':
			if m := hereForm.FindStringSubmatch(s[i:]); m != nil && !strings.Contains(s[:i], "((") { // else it is a shift
				b.pending = append(b.pending, hereDocument{m[2] + m[3] + m[4], m[1] != ""})
				i += len(m[0]) - 1
			}
		}
	}
	if b.quote == 0 {
		b.openDocs, b.pending = slices.Clone(b.pending), nil
	}
	return b.open()
}

func (b *bashText) open() diag.Text {
	switch {
	case b.quote != 0:
		return diag.Say("a text in quotes")
	case len(b.openDocs) > 0:
		return diag.Say("the here-document %s", b.openDocs[0].word)
	}
	return diag.Text{}
}
