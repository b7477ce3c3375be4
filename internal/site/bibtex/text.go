package bibtex

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// accents maps LaTeX's accents to Unicode's combining marks.
var accents = map[string]string{
	"`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", `"`: "\u0308", "=": "\u0304", ".": "\u0307",
	"c": "\u0327", "v": "\u030c", "u": "\u0306", "H": "\u030b", "k": "\u0328", "r": "\u030a", "b": "\u0331", "d": "\u0323",
}

// letters maps commands to letters.
var letters = map[string]string{
	"o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å", "AA": "Å", "i": "i", "j": "j",
	"textendash": "–", "textemdash": "—", "textquoteright": "’", "textquoteleft": "‘", "ldots": "…", "dots": "…", "copyright": "©",
	"textregistered": "®", "texttrademark": "™", "alpha": "α", "beta": "β", "gamma": "γ", "mu": "μ", "infty": "∞", "times": "×",
}

var typeset = strings.NewReplacer("---", "—", "--", "–", "``", "“", "''", "”")

// Plain converts LaTeX to plain text: accents become letters, commands and braces are removed.
func Plain(s string) string {
	p := plainer{s: s}
	for p.at < len(p.s) {
		p.next()
	}
	text := typeset.Replace(p.b.String())
	return norm.NFC.String(strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) && r != '\u00a0' }), " "))
}

type plainer struct {
	s  string
	at int
	b  strings.Builder
}

func (p *plainer) next() {
	switch c := p.s[p.at]; c {
	case '{', '}', '$':
		p.at++
	case '~':
		p.b.WriteString("\u00a0")
		p.at++
	case '\\':
		p.at++
		p.command()
	default:
		r, n := utf8.DecodeRuneInString(p.s[p.at:])
		if !unicode.IsControl(r) || unicode.IsSpace(r) {
			p.b.WriteRune(r)
		}
		p.at += n
	}
}

// command reads the text after a backslash.
func (p *plainer) command() {
	rest := p.s[p.at:]
	n := strings.IndexFunc(rest, func(r rune) bool { return r > 'z' || !unicode.IsLetter(r) })
	switch {
	case rest == "":
		return
	case n < 0:
		n = len(rest)
	case n == 0:
		_, n = utf8.DecodeRuneInString(rest)
	}
	name := rest[:n]
	p.at += n
	if mark, ok := accents[name]; ok {
		if base := p.base(); base != "" {
			p.b.WriteString(base + mark)
			return
		}
	}
	switch letter, ok := letters[name]; {
	case ok:
		p.b.WriteString(letter)
		p.at += len(p.s[p.at:]) - len(strings.TrimLeft(p.s[p.at:], " "))
	case name[0] > 'z' || !unicode.IsLetter(rune(name[0])): // \& \% \_ \$ \{
		if strings.ContainsAny(name, `&%_$#{} `) {
			p.b.WriteString(name)
		}
	}
}

// base reads the letter below an accent: a, {a}, {\i}.
func (p *plainer) base() string {
	rest := strings.TrimLeft(p.s[p.at:], " {")
	rest = strings.TrimPrefix(rest, `\`)
	r, n := utf8.DecodeRuneInString(rest)
	if !unicode.IsLetter(r) {
		return ""
	}
	p.at = len(p.s) - len(rest) + n
	return string(r)
}

// A Name is that of a person, or of an institution, which has only a Last.
type Name struct{ First, Last string }

// Names returns the names in a field such as author. others is set if it ends with "and others".
func Names(field string) (names []Name, others bool) {
	for _, part := range split(field, " and ") {
		part = strings.TrimSpace(part)
		switch {
		case part == "":
		case part == "others":
			others = true
		default:
			names = append(names, name(part))
		}
	}
	return names, others
}

// split splits a text at a separator outside of braces.
func split(s, separator string) (parts []string) {
	s = strings.Join(strings.Fields(s), " ")
	depth, from := 0, 0
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '{':
			depth++
		case s[i] == '}':
			depth--
		case depth == 0 && len(s)-i >= len(separator) && strings.EqualFold(s[i:i+len(separator)], separator):
			parts = append(parts, s[from:i])
			from = i + len(separator)
			i = from - 1
		}
	}
	return append(parts, s[from:])
}

// name reads "Last, First", "Last, Jr, First", "First von Last" and "{Institution}".
func name(s string) Name {
	if parts := split(s, ","); len(parts) > 1 {
		return Name{First: Plain(parts[len(parts)-1]), Last: Plain(strings.Join(parts[:len(parts)-1], ","))}
	}
	words := split(s, " ")
	last := len(words) - 1
	for i := 1; i < last; i++ { // lower case begins the last name
		if first, _ := utf8.DecodeRuneInString(Plain(words[i])); unicode.IsLower(first) {
			last = i
			break
		}
	}
	return Name{First: Plain(strings.Join(words[:last], " ")), Last: Plain(strings.Join(words[last:], " "))}
}
