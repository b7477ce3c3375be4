package markdown

import (
	"bytes"
	"strings"
)

// Attributes are written in braces after what they belong to:
//
//	{#id .class key=value key="some value" word}
//
// The colon that Python-Markdown puts after the opening brace is accepted.
type Attributes struct {
	// Span is the whole text with its braces. Its offsets and those of the items are relative to
	// the text that was read.
	Span
	// ID is the last id, Classes are all classes.
	ID      string
	Classes []string
	// Items are the words and values.
	Items []Attribute
}

// An Attribute is a word, or a key with a value.
type Attribute struct {
	Span
	Name, Value string
	HasValue    bool
}

// Get returns the value of a key, or the empty text.
func (a Attributes) Get(name string) string {
	for _, i := range a.Items {
		if i.Name == name {
			return i.Value
		}
	}
	return ""
}

// ParseAttributes reads the attributes whose opening brace is at an offset of a line. It returns
// false if the text does not have their form.
func ParseAttributes(line []byte, at int) (Attributes, bool) {
	r := braceReader{line: line, at: at}
	if at >= len(line) || line[at] != '{' {
		return Attributes{}, false
	}
	r.at++
	if r.next() == ':' {
		r.at++
	}
	for {
		blank := r.skipBlanks()
		switch c := r.next(); {
		case c == '}':
			r.at++
			r.out.Span = Span{at, r.at}
			return r.out, true
		case c == 0 || (!blank && r.items > 0):
			return Attributes{}, false
		}
		if !r.item() {
			return Attributes{}, false
		}
		r.items++
	}
}

// TrailingAttributes cuts the attributes off the end of a line: "Title {#id}".
func TrailingAttributes(line []byte) (rest []byte, a Attributes) {
	end := len(bytes.TrimRight(line, " \t\r\n"))
	for open := end; ; {
		open = bytes.LastIndexByte(line[:open], '{')
		if open < 0 {
			return line, Attributes{}
		}
		if a, ok := ParseAttributes(line[:end], open); ok && a.Stop == end && (open == 0 || line[open-1] != '\\') {
			return line[:open], a
		}
	}
}

type braceReader struct {
	line  []byte
	at    int
	items int
	out   Attributes
}

// next returns the next character, or 0 at the end.
func (r *braceReader) next() byte {
	if r.at < len(r.line) {
		return r.line[r.at]
	}
	return 0
}

func (r *braceReader) skipBlanks() bool {
	start := r.at
	for r.next() == ' ' || r.next() == '\t' {
		r.at++
	}
	return r.at > start || r.items == 0
}

// word reads up to a blank, a brace, a quote or one of the stops.
func (r *braceReader) word(stops string) string {
	start := r.at
	for r.at < len(r.line) && !strings.ContainsRune(" \t\r\n{}\"'`<>"+stops, rune(r.line[r.at])) {
		r.at++
	}
	return string(r.line[start:r.at])
}

func (r *braceReader) item() bool {
	start := r.at
	switch r.next() {
	case '#', '.':
		mark := r.next()
		r.at++
		name := r.word("=")
		if mark == '#' {
			r.out.ID = name
		} else {
			r.out.Classes = append(r.out.Classes, name)
		}
		return name != ""
	}
	i := Attribute{Name: r.word("=")}
	if i.Name == "" {
		return false
	}
	if r.next() == '=' {
		r.at++
		var ok bool
		if i.Value, ok = r.value(); !ok {
			return false
		}
		i.HasValue = true
	}
	i.Span = Span{start, r.at}
	r.out.Items = append(r.out.Items, i)
	return true
}

// value reads a word, or text in quotes. A backslash makes the next character literal.
func (r *braceReader) value() (string, bool) {
	quote := r.next()
	if quote != '"' && quote != '\'' {
		v := r.word("")
		return v, v != ""
	}
	var b strings.Builder
	for r.at++; r.at < len(r.line); r.at++ {
		switch c := r.line[r.at]; {
		case c == quote:
			r.at++
			return b.String(), true
		case c == '\n':
			return "", false
		case c == '\\' && r.at+1 < len(r.line):
			r.at++
			b.WriteByte(r.line[r.at])
		default:
			b.WriteByte(c)
		}
	}
	return "", false
}
