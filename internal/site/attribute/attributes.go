package attribute

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// An Attribute is one item between the braces of an info string.
type Attribute struct {
	// Name is the key; a class has the name "." and an id the name "#".
	Name  string
	Value string
	// HasValue distinguishes key="" from key.
	HasValue bool
	// Start and End are offsets in the info string. ValueStart is the offset of the value's first
	// byte, after an opening quote.
	Start, End, ValueStart int
}

// An Info is what follows the mark that opens a fence.
type Info struct {
	Language   string
	Attributes []Attribute
	// Outside is what stands after the language and before the braces. It belongs to other tools.
	Outside []Attribute
	// Faults are syntax errors, with offsets in the info string.
	Faults []Fault
}

// A Fault is a syntax error in an info string, with its offsets.
type Fault struct {
	Start, End int
	Message    diag.Text
}

// ParseInfo parses an info string: the first word is the language, followed by attributes in
// braces. Text outside of the braces belongs to other tools and is ignored, except for key="value"
// pairs that gpudocs also supports (hl_lines, linenums, title).
//
//	bash {run name=gpus needs="gpus >= 1"}
//	{.python .input}            the first class is the language
//	python hl_lines="2-3"
func ParseInfo(s string) Info {
	var in Info
	open := strings.IndexByte(s, '{')
	words := s
	if open >= 0 {
		words = s[:open]
	}
	if w := strings.Fields(words); len(w) > 0 {
		rest := strings.Index(words, w[0])
		if !strings.Contains(w[0], "=") { // hl_lines="4" alone names no language
			in.Language = w[0]
			rest += len(w[0])
		}
		in.Outside = parseAttributes(words, rest, len(words)).Attributes
		for _, a := range in.Outside {
			if a.HasValue && (a.Name == "hl_lines" || a.Name == "linenums" || a.Name == "title") {
				in.Attributes = append(in.Attributes, a)
			}
		}
	}
	if open < 0 {
		return in
	}
	closing := strings.LastIndexByte(s, '}')
	if closing < open {
		in.Faults = append(in.Faults, Fault{open, len(s), diag.Say("blocks.attributes-not-closed")})
		closing = len(s)
	}
	braced := parseAttributes(s, open+1, closing)
	in.Faults = append(in.Faults, braced.Faults...)
	for _, a := range braced.Attributes {
		if a.Name == "." && in.Language == "" {
			in.Language = a.Value
			continue
		}
		in.Attributes = append(in.Attributes, a)
	}
	return in
}

// parseAttributes reads items separated by blanks from s[at:end]:
//
//	word   key=value   key="value with blanks"   key='value'   .class   #id
//
// Within quotes a backslash makes the next character literal.
func parseAttributes(s string, at, end int) Info {
	p := attributeParser{s: s[:end], at: at}
	for p.skipBlanks() {
		p.item()
	}
	return p.out
}

type attributeParser struct {
	s   string
	at  int
	out Info
}

func (p *attributeParser) skipBlanks() bool {
	for p.at < len(p.s) {
		r, n := utf8.DecodeRuneInString(p.s[p.at:])
		if !unicode.IsSpace(r) && r != ',' {
			return true
		}
		p.at += n
	}
	return false
}

// word reads up to the next blank or one of the characters in stop.
func (p *attributeParser) word(stop string) string {
	rest := p.s[p.at:]
	n := strings.IndexFunc(rest, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(stop, r) })
	if n < 0 {
		n = len(rest)
	}
	p.at += n
	return rest[:n]
}

func (p *attributeParser) item() {
	a := Attribute{Start: p.at}
	switch c := p.s[p.at]; c {
	case '.', '#':
		p.at++
		a.Name, a.ValueStart = string(c), p.at
		a.Value = p.word(",")
	case '=', '"', '\'':
		start := p.at
		p.at++
		p.word("")
		p.fault(start, diag.Say("blocks.attribute-start-invalid", "name", string(c)))
		return
	default:
		a.Name = p.word("=,")
	}
	if p.at < len(p.s) && p.s[p.at] == '=' {
		p.at++
		a.HasValue = true
		a.Value, a.ValueStart = p.value()
	}
	a.End = p.at
	p.out.Attributes = append(p.out.Attributes, a)
}

func (p *attributeParser) value() (value string, start int) {
	if p.at >= len(p.s) || (p.s[p.at] != '"' && p.s[p.at] != '\'') {
		start = p.at
		return p.word(","), start
	}
	quote := p.s[p.at]
	open := p.at
	p.at++
	start = p.at
	var b strings.Builder
	for p.at < len(p.s) {
		c := p.s[p.at]
		p.at++
		switch {
		case c == quote:
			return b.String(), start
		case c == '\\' && p.at < len(p.s):
			b.WriteByte(p.s[p.at])
			p.at++
		default:
			b.WriteByte(c)
		}
	}
	p.fault(open, diag.Say("blocks.quote-not-closed", "quote", string(quote)))
	return b.String(), start
}

func (p *attributeParser) fault(start int, message diag.Text) {
	p.out.Faults = append(p.out.Faults, Fault{start, max(p.at, start+1), message})
}
