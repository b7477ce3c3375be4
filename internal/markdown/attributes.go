package markdown

import (
	"bytes"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
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

// Move moves the items by an offset.
func (a *Attributes) Move(by int) {
	for i := range a.Items {
		a.Items[i].Start += by
		a.Items[i].Stop += by
	}
}

// itemForm matches an id or a class, or a name that may have a value with or without quotation marks.
var itemForm = lazyregexp.New("^(?:([#.])([^ \t\r\n{}\"'`<>=]+)|([^#. \t\r\n{}\"'`<>=][^ \t\r\n{}\"'`<>=]*)" +
	"(=(?:([^ \t\r\n{}\"'`<>]+)|\"((?:\\\\(?s:.)|[^\"\\\\\n])*)\"|'((?:\\\\(?s:.)|[^'\\\\\n])*)'))?)")

// escaped matches a character in quotation marks that a backslash makes literal.
var escaped = lazyregexp.New(`(?s)\\(.)`)

// ParseAttributes reads the attributes whose opening brace is at an offset of a line. It returns
// false if the text does not have their form.
func ParseAttributes(line []byte, at int) (a Attributes, ok bool) {
	if at >= len(line) || line[at] != '{' {
		return Attributes{}, false
	}
	rest := bytes.TrimPrefix(line[at+1:], []byte(":"))
	for first := true; ; first = false {
		item := bytes.TrimLeft(rest, " \t")
		start := len(line) - len(item)
		if bytes.HasPrefix(item, []byte("}")) {
			a.Span = Span{at, start + 1}
			return a, true
		}
		m := itemForm.FindSubmatch(item)
		if m == nil || !first && len(item) == len(rest) { // no blank before it
			return Attributes{}, false
		}
		switch string(m[1]) {
		case "#":
			a.ID = string(m[2])
		case ".":
			a.Classes = append(a.Classes, string(m[2]))
		default:
			value := string(m[5]) + escaped.ReplaceAllString(string(m[6])+string(m[7]), "$1")
			a.Items = append(a.Items, Attribute{Span{start, start + len(m[0])}, string(m[3]), value, m[4] != nil})
		}
		rest = item[len(m[0]):]
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
