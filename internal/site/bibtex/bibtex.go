// Package bibtex reads bibliographies in the format of BibTeX, as far as a list
// of references needs them: entries with their fields as plain text, @string
// abbreviations, and names.
//
// It never fails: what cannot be read is a [Fault], and reading continues with the
// next entry. We use no library, because existing ones end the program at an unknown
// abbreviation, or keep the parser's state in a global variable, and none reports
// the position of an entry.
package bibtex

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// An Entry is one work.
type Entry struct {
	// Type is in lower case: "article".
	Type string
	Key  string
	// Fields are the values in LaTeX, by name in lower case. [Entry.Text] returns plain text.
	Fields map[string]string
	// Start and End are the offsets of the key.
	Start, End int
}

// Text returns a field as plain text, or "".
func (e *Entry) Text(field string) string { return Plain(e.Fields[field]) }

// doiForm matches what authors write before a DOI.
var doiForm = regexp.MustCompile(`(?i)^(?:https?://(?:dx\.)?doi\.org/|doi:\s*)`)

// Address returns the address of the work, or "": its DOI, its address, or that at arXiv.
func (e *Entry) Address() string {
	doi := doiForm.ReplaceAllString(e.Text("doi"), "")
	switch url := e.Text("url"); {
	case doi != "":
		return "https://doi.org/" + doi
	case strings.HasPrefix(url, "https://") || strings.HasPrefix(url, "http://"):
		return url
	case e.Text("eprint") != "" && strings.EqualFold(cmp.Or(e.Text("archiveprefix"), e.Text("eprinttype"), "arxiv"), "arxiv"):
		return "https://arxiv.org/abs/" + e.Text("eprint")
	}
	return ""
}

// A Fault is a part of a file that could not be read.
type Fault struct {
	Start, End int
	Message    diag.Text
}

// Parse reads a file.
func Parse(data []byte) ([]*Entry, []Fault) {
	p := parser{data: data, strings: map[string]string{}}
	for i, month := range months {
		p.strings[month] = fmt.Sprint(i + 1)
	}
	for {
		i := bytes.IndexByte(p.data[p.at:], '@') // other text is a comment
		if i < 0 {
			return p.entries, p.faults
		}
		p.at += i
		p.entry()
	}
}

var months = []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}

type parser struct {
	data    []byte
	at      int
	strings map[string]string
	entries []*Entry
	faults  []Fault
}

func (p *parser) fault(start int, message diag.Text) {
	p.faults = append(p.faults, Fault{start, max(p.at, start+1), message})
}

func (p *parser) blanks() {
	for p.at < len(p.data) && (p.data[p.at] <= ' ' || p.data[p.at] == '%') {
		if p.data[p.at] == '%' {
			if i := bytes.IndexByte(p.data[p.at:], '\n'); i >= 0 {
				p.at += i
			} else {
				p.at = len(p.data) - 1
			}
		}
		p.at++
	}
}

func (p *parser) take(c byte) bool {
	p.blanks()
	if p.at < len(p.data) && p.data[p.at] == c {
		p.at++
		return true
	}
	return false
}

// word reads a name or a key.
func (p *parser) word() string {
	p.blanks()
	start := p.at
	for p.at < len(p.data) && p.data[p.at] > ' ' && bytes.IndexByte([]byte(`,={}()#"%@`), p.data[p.at]) < 0 {
		p.at++
	}
	return string(p.data[start:p.at])
}

func (p *parser) entry() {
	start := p.at
	p.at++ // the @
	kind := strings.ToLower(p.word())
	end := byte('}')
	switch {
	case p.take('{'):
	case p.take('('):
		end = ')'
	default:
		return // an address in a comment: ana@example.org
	}
	switch kind {
	case "comment", "preamble":
		p.at--
		p.balanced()
		return
	case "string":
		p.fields(end, func(name, value string) { p.strings[name] = value })
		return
	}
	e := &Entry{Type: kind, Fields: map[string]string{}}
	e.Key = p.word()
	e.Start, e.End = p.at-len(e.Key), p.at
	if e.Key == "" {
		p.fault(start, diag.Say("page.bibtex-key-missing"))
		return
	}
	if !p.take(',') && !p.take(end) {
		p.fault(e.Start, diag.Say("page.bibtex-comma-missing", "key", e.Key))
		return
	}
	p.fields(end, func(name, value string) {
		if _, twice := e.Fields[name]; !twice {
			e.Fields[name] = value
		}
	})
	p.entries = append(p.entries, e)
}

// fields reads name = value, ... up to the closing bracket.
func (p *parser) fields(end byte, set func(name, value string)) {
	if p.at > 0 && p.data[p.at-1] == end {
		return
	}
	for {
		for p.take(',') {
		}
		if p.take(end) {
			return
		}
		start := p.at
		name := strings.ToLower(p.word())
		if name == "" || !p.take('=') {
			p.fault(start, diag.Say("page.bibtex-field-missing"))
			return
		}
		value, ok := p.value()
		if !ok {
			p.fault(start, diag.Say("page.bibtex-value-not-closed", "name", name))
			return
		}
		set(name, value)
	}
}

// value reads {text} # "text" # abbreviation # 2015.
func (p *parser) value() (string, bool) {
	var b strings.Builder
	for {
		p.blanks()
		if p.at == len(p.data) {
			return "", false
		}
		var s string
		var ok bool
		switch p.data[p.at] {
		case '{':
			s, ok = p.balanced()
		case '"':
			s, ok = p.quoted()
		default:
			s, ok = p.abbreviation()
		}
		b.WriteString(s)
		if !ok || b.Len() > maxValue {
			return "", false
		}
		if !p.take('#') {
			return b.String(), true
		}
	}
}

// abbreviation reads the name of a @string and returns its text, or a number.
func (p *parser) abbreviation() (string, bool) {
	w := p.word()
	if text, ok := p.strings[strings.ToLower(w)]; ok {
		return text, true
	}
	if first, _ := utf8.DecodeRuneInString(w); w != "" && !unicode.IsDigit(first) {
		p.fault(p.at-len(w), diag.Say("page.bibtex-string-unknown", "string", w))
	}
	return w, w != ""
}

// maxValue bounds a value, because abbreviations of abbreviations grow fast.
const maxValue = 64 << 10

// inside reports whether a value that began at start can continue. If an @ begins a line, it is the
// next entry, and a brace is missing.
func (p *parser) inside(start int) bool {
	return p.at < len(p.data) && p.at-start <= maxValue && (p.data[p.at] != '@' || p.data[p.at-1] != '\n')
}

// balanced reads {text}, which may contain braces, and returns it without the outer ones.
func (p *parser) balanced() (string, bool) {
	start, depth := p.at, 0
	for ; p.inside(start); p.at++ {
		switch p.data[p.at] {
		case '\\':
			p.at++
		case '{', '(':
			if p.data[p.at] == p.data[start] {
				depth++
			}
		case '}', ')':
			if p.data[p.at] == closing(p.data[start]) {
				depth--
			}
		}
		if depth == 0 {
			p.at++
			return string(p.data[start+1 : min(p.at, len(p.data))-1]), true
		}
	}
	p.at = min(p.at, len(p.data))
	return "", false
}

func closing(open byte) byte {
	if open == '(' {
		return ')'
	}
	return '}'
}

// quoted reads "text". A quote in braces is part of the text.
func (p *parser) quoted() (string, bool) {
	start, depth := p.at, 0
	for p.at++; p.inside(start); p.at++ {
		switch c := p.data[p.at]; {
		case c == '\\':
			p.at++
		case c == '{':
			depth++
		case c == '}':
			depth--
		case c == '"' && depth <= 0:
			p.at++
			return string(p.data[start+1 : p.at-1]), true
		}
	}
	p.at = min(p.at, len(p.data))
	return "", false
}
