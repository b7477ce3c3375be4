package content

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gpudocs/gpudocs/internal/diag"
)

// An attribute is one item between the braces of an info string.
type attribute struct {
	// name is the key; a class has the name "." and an id the name "#".
	name  string
	value string
	// hasValue tells key="" from key.
	hasValue bool
	// start and end are offsets in the info string; valueStart is that of the
	// value's first byte, behind a quote.
	start, end, valueStart int
}

// An info is what stands behind an opening fence.
type info struct {
	language   string
	attributes []attribute
	// errs are faults of the form, with offsets in the info string.
	errs []infoError
}

type infoError struct {
	start, end    int
	message, hint diag.Text
}

// parseInfo reads an info string: the first word is the language, attributes
// stand in braces behind it. What stands outside of the braces belongs to
// other tools and is not looked at, but for their key="value" pairs that
// gpudocs knows as well (hl_lines, linenums, title).
//
//	bash {run name=gpus needs="gpus >= 1"}
//	{.python .input}            the first class is the language
//	python hl_lines="2-3"
func parseInfo(s string) info {
	var in info
	open := strings.IndexByte(s, '{')
	words := s
	if open >= 0 {
		words = s[:open]
	}
	if w := strings.Fields(words); len(w) > 0 {
		rest := strings.Index(words, w[0])
		if !strings.Contains(w[0], "=") { // hl_lines="4" alone says nothing of the language
			in.language = w[0]
			rest += len(w[0])
		}
		for _, a := range parseAttributes(words, rest, len(words)).attributes {
			if a.hasValue && (a.name == "hl_lines" || a.name == "linenums" || a.name == "title") {
				in.attributes = append(in.attributes, a)
			}
		}
	}
	if open < 0 {
		return in
	}
	closing := strings.LastIndexByte(s, '}')
	if closing < open {
		in.errs = append(in.errs, infoError{open, len(s), diag.Say("the { of the attributes is not closed"), diag.Say("end them with }")})
		closing = len(s)
	}
	braced := parseAttributes(s, open+1, closing)
	in.errs = append(in.errs, braced.errs...)
	for _, a := range braced.attributes {
		if a.name == "." && in.language == "" {
			in.language = a.value
			continue
		}
		in.attributes = append(in.attributes, a)
	}
	return in
}

// parseAttributes reads items separated by blanks from s[at:end]:
//
//	word   key=value   key="value with blanks"   key='value'   .class   #id
//
// Within quotes a backslash makes the next character literal.
func parseAttributes(s string, at, end int) info {
	p := attributeParser{s: s[:end], at: at}
	for p.skipBlanks() {
		p.item()
	}
	return p.out
}

type attributeParser struct {
	s   string
	at  int
	out info
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

// word takes everything up to a blank, an equals sign or a comma.
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
	a := attribute{start: p.at}
	switch c := p.s[p.at]; c {
	case '.', '#':
		p.at++
		a.name, a.valueStart = string(c), p.at
		a.value = p.word(",")
	case '=', '"', '\'':
		start := p.at
		p.at++
		p.word("")
		p.fault(start, diag.Say("an attribute cannot begin with %s", string(c)), diag.Say(`write attributes as key=value or key="some value"`))
		return
	default:
		a.name = p.word("=,")
	}
	if p.at < len(p.s) && p.s[p.at] == '=' {
		p.at++
		a.hasValue = true
		a.value, a.valueStart = p.value()
	}
	a.end = p.at
	p.out.attributes = append(p.out.attributes, a)
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
	p.fault(open, diag.Say("the quote is not closed"), diag.Say("end the value with the same quote; a quote within it is written \\%s", string(quote)))
	return b.String(), start
}

func (p *attributeParser) fault(start int, message, hint diag.Text) {
	p.out.errs = append(p.out.errs, infoError{start, max(p.at, start+1), message, hint})
}
