package blocks

import (
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// If lines= leaves out lines of a file, empty lines replace them when the code runs. Between
// statements they mean nothing. Within a string, a here-document or a continued line they would
// change what runs, and the page would not show it.

// checkGaps refuses a block in which the empty lines for left-out ones would change what runs.
func (r *Reader) checkGaps(a fenceAttributes, b *site.Block) {
	if b.Origin == nil || b.Kind != site.Bash && b.Kind != site.Python || strings.HasPrefix(b.Code, "%%") {
		return
	}
	follow := (&pythonText{}).line
	if b.Kind == site.Bash {
		follow = (&bashText{}).line
	}
	for i, line := range site.CodeLines(b.Code) {
		within := follow(line)
		if within.IsZero() || i+1 >= len(b.Origin.Lines) || b.Origin.Lines[i+1] == b.Origin.Lines[i]+1 {
			continue
		}
		at := a.by["file"]
		for _, name := range []string{"region", "lines"} {
			if a.has(name) {
				at = a.by[name]
			}
		}
		a.fault(at, diag.Say("blocks.include-splits-statement", "line", b.Origin.Lines[i]+1, "code_file", b.CodeFile, "within", within))
		return
	}
}

// pythonText follows Python's string literals line by line.
type pythonText struct{ quote string }

// line describes what is still open at the end of a line, if anything.
func (p *pythonText) line(s string) diag.Text {
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			if i++; i == len(s) {
				return diag.Say("blocks.within-continued-line")
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
	return diag.Say("diag.kind-text")
}

// bashText follows a shell's quotes and here-documents line by line.
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

// line describes what is still open at the end of a line, if anything.
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
				return diag.Say("blocks.within-continued-line")
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
		return diag.Say("blocks.within-quoted-text")
	case len(b.openDocs) > 0:
		return diag.Say("blocks.within-here-document", "word", b.openDocs[0].word)
	}
	return diag.Text{}
}
