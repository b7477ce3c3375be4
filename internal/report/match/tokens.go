package match

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A token is a piece of an expected line.
type token struct {
	kind tokenKind
	// text is the text of a word, a number with a tolerance, or a unit.
	text string
	// near is the tolerance of a number.
	near tolerance
}

type tokenKind uint8

const (
	word      tokenKind = iota // the text
	anyText                    // as few characters as what follows allows, or none
	anyChar                    // one character
	nonBlanks                  // as many characters as what follows allows, or none
	nonBlank                   // one character
	number
	integer
	nearNumber // a number within the tolerance of the text
	opening    // the next capture begins
	closing    // it ends
	unit       // blanks and then the text, with no letter, digit or slash after it
)

// A tokenizer splits the text of a line into tokens.
type tokenizer struct {
	*parser
	glob     bool
	tokens   []token
	captures []capture
	literal  strings.Builder
}

func (t *tokenizer) read(text string) {
	at := captureSyntax.FindAllStringSubmatchIndex(text, -1)
	for i := 0; i < len(text); {
		for len(at) > 0 && at[0][0] < i {
			at = at[1:]
		}
		switch c := text[i]; {
		case len(at) > 0 && at[0][0] == i:
			if c := t.capture(text, at[0]); c != nil {
				t.addCapture(*c)
			} else {
				t.literal.WriteString(text[i:at[0][1]])
			}
			i = at[0][1]
		case strings.HasPrefix(text[i:], "...") && !t.o.literalDots:
			t.add(token{kind: anyText})
			i += 3
		case t.glob && c == '*':
			t.add(token{kind: anyText})
			i++
		case t.glob && c == '?':
			t.add(token{kind: anyChar})
			i++
		case t.glob && c == '\\' && i+1 < len(text) && strings.IndexByte(`*?\`, text[i+1]) >= 0:
			t.literal.WriteByte(text[i+1])
			i += 2
		default:
			t.literal.WriteByte(c)
			i++
		}
	}
	t.flush()
}

func (t *tokenizer) add(more ...token) {
	t.flush()
	for _, k := range more {
		if last := len(t.tokens) - 1; k.kind == anyText && last >= 0 && t.tokens[last].kind == anyText {
			continue
		}
		t.tokens = append(t.tokens, k)
	}
}

// flush ends a literal piece. With tolerances its numbers become tokens.
func (t *tokenizer) flush() {
	text, end := t.literal.String(), 0
	t.literal.Reset()
	if t.o.tolerates() {
		for _, at := range numbers(text) {
			near, ok := t.o.tolerance(text[at[0]:at[1]])
			if !ok {
				continue
			}
			t.word(text[end:at[0]])
			t.tokens = append(t.tokens, token{kind: nearNumber, text: text[at[0]:at[1]], near: near})
			end = at[1]
		}
	}
	t.word(text[end:])
}

func (t *tokenizer) word(text string) {
	if text != "" {
		t.tokens = append(t.tokens, token{kind: word, text: text})
	}
}

// addCapture adds the tokens of a capture.
func (t *tokenizer) addCapture(c capture) {
	t.captures = append(t.captures, c)
	t.add(token{kind: opening})
	switch c.kind {
	case "number":
		t.add(token{kind: number})
	case "int":
		t.add(token{kind: integer})
	case "word":
		t.add(token{kind: nonBlank}, token{kind: nonBlanks})
	case "text":
		t.add(token{kind: anyChar}, token{kind: anyText})
	}
	t.add(token{kind: closing})
	if c.unit != "" {
		t.add(token{kind: unit, text: c.unit})
	}
}

// matcher returns the simplest matcher for the tokens.
func (t *tokenizer) matcher() matcher {
	simple := true
	for _, k := range t.tokens {
		simple = simple && (k.kind == word || k.kind == anyText)
	}
	switch {
	case len(t.tokens) == 0:
		return literal("")
	case len(t.tokens) == 1 && t.tokens[0].kind == word:
		return literal(t.tokens[0].text)
	case simple:
		return newPieces(t.tokens)
	}
	return tokens{t.tokens, t.captures}
}

// ends calls try for each offset of the line at which a token that begins at an offset can
// end, the best first, until try returns true. next is 1 if the next token begins there, and
// 0 if the token continues.
func (k *token) ends(s string, at int, try func(next int, end int) bool) {
	switch k.kind {
	case word:
		if strings.HasPrefix(s[at:], k.text) {
			try(1, at+len(k.text))
		}
	case anyText:
		if !try(1, at) && at < len(s) {
			try(0, at+runeAt(s, at))
		}
	case anyChar:
		if at < len(s) {
			try(1, at+runeAt(s, at))
		}
	case nonBlank:
		if at < len(s) && !blankAt(s, at) {
			try(1, at+runeAt(s, at))
		}
	case nonBlanks:
		if at == len(s) || blankAt(s, at) || !try(0, at+runeAt(s, at)) {
			try(1, at)
		}
	case integer:
		if n := scanInteger(s[at:]); n > 0 {
			try(1, at+n)
		}
	case number:
		// The point of "5." may end a sentence or belong to the number.
		if n := scanNumber(s, at); n > 0 && !try(1, at+n) && pointAt(s, at, n) {
			try(1, at+n+1)
		}
	case nearNumber:
		k.nearEnds(s, at, try)
	case opening, closing:
		try(1, at)
	case unit:
		rest := strings.TrimLeft(s[at:], " \t")
		if end := len(s) - len(rest) + len(k.text); strings.HasPrefix(rest, k.text) && unitEnds(s[end:]) {
			try(1, end)
		}
	}
}

// nearEnds does the same for a number with a tolerance. The expected text comes first.
func (k *token) nearEnds(s string, at int, try func(next int, end int) bool) {
	if strings.HasPrefix(s[at:], k.text) && try(1, at+len(k.text)) {
		return
	}
	if !numberBegins(s, at) {
		return
	}
	n := scanNumber(s, at)
	if n == 0 || !k.near.accepts(s[at:at+n]) {
		return
	}
	pointed := strings.HasSuffix(k.text, ".") && strings.HasPrefix(s[at+n:], ".")
	if !try(1, at+n) && (pointed || pointAt(s, at, n) && strings.Contains(k.text, ".")) {
		try(1, at+n+1)
	}
}

func runeAt(s string, at int) int {
	_, size := utf8.DecodeRuneInString(s[at:])
	return size
}

func blankAt(s string, at int) bool {
	r, _ := utf8.DecodeRuneInString(s[at:])
	return unicode.IsSpace(r)
}

// unitEnds reports whether a unit may end before the rest of a line: "GB" may not in "GB/s".
func unitEnds(rest string) bool {
	r, _ := utf8.DecodeRuneInString(rest)
	return rest == "" || r != '/' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
}
