package page

import (
	"bytes"
	"slices"
	"strings"
)

// Most tags of a page are <span class="k"> of its code, which never change, and a tokenizer that knows
// all of HTML would take most of the time of a build for them. touched finds the tags that may change
// in the plain HTML that renderers write; from anything else on, it leaves the rest to the tokenizer.

// A cutting is HTML in two parts: the tags that may change, joined, and the text between them.
type cutting struct {
	body []byte
	// tags are the ranges of the body between pairs of cuts.
	tags []byte
	cuts []int
	// next is the index of the next cut, copied the length of the body that is written, and read the
	// length of the current tags that is read.
	next, copied, read int
}

// between writes the text before the next piece of the tags, which has a length in bytes.
func (c *cutting) between(out *strings.Builder, length int) {
	if c.next < len(c.cuts) && c.read == 0 {
		out.Write(c.body[c.copied:c.cuts[c.next]])
		c.copied = c.cuts[c.next+1]
	}
	c.read += length
	if c.next < len(c.cuts) && c.read == c.cuts[c.next+1]-c.cuts[c.next] {
		c.next, c.read = c.next+2, 0
	}
}

// rest writes the text after the last piece. An incomplete tag, for which the tokenizer has no token,
// is left out.
func (c *cutting) rest(out *strings.Builder) {
	end := len(c.body)
	if c.next < len(c.cuts) {
		end = max(c.copied, c.cuts[c.next])
	}
	out.Write(c.body[c.copied:end])
}

func touched(body []byte) *cutting {
	c := &cutting{body: body}
	take := func(from, to int) {
		c.cuts = append(c.cuts, from, to)
		c.tags = append(c.tags, body[from:to]...)
	}
	for at := 0; ; {
		i := bytes.IndexByte(body[at:], '<')
		if i < 0 {
			return c
		}
		at += i
		length, boring, ok := plainTag(body[at:])
		if !ok {
			take(at, len(body))
			return c
		}
		if !boring {
			take(at, at+length)
		}
		at += length
	}
}

// plainTag parses a tag as renderers write it: <name key="value">, </name> or <name/>. It reports
// false for others, and for elements with text that tokenizers treat differently. A tag is boring if
// it never changes.
func plainTag(b []byte) (length int, boring, ok bool) {
	i := 1
	closing := len(b) > 1 && b[1] == '/'
	if closing {
		i++
	}
	start := i
	for i < len(b) && isName(b[i]) {
		i++
	}
	if name := b[start:i]; len(name) == 0 || !isLetter(name[0]) || isRawText(name) {
		return 0, false, false
	} else if boring = !(len(name) == 2 && name[0]|0x20 == 'h'); closing {
		return i + 1, boring, i < len(b) && b[i] == '>'
	}
	for i < len(b) && b[i] == ' ' {
		i++
		key := i
		for i < len(b) && isName(b[i]) {
			i++
		}
		if i == key {
			return 0, false, false
		}
		name := b[key:i]
		if i+1 >= len(b) || b[i] != '=' {
			boring = boring && !refers(name)
			continue // hidden, open
		}
		if b[i+1] != '"' {
			return 0, false, false
		}
		i += 2
		end := bytes.IndexByte(b[i:], '"')
		if end < 0 {
			return 0, false, false
		}
		boring = boring && !refers(name) && !leads(b[i:i+end])
		i += end + 1
	}
	if i < len(b) && b[i] == '/' {
		i++
	}
	return i + 1, boring, i < len(b) && b[i] == '>'
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isName(c byte) bool {
	return isLetter(c) || '0' <= c && c <= '9' || c == '-' || c == '_' || c == ':' || c == '.'
}

// rawTextElements are the elements whose content has no tags: only their end tag ends it.
var rawTextElements = []string{"iframe", "noembed", "noframes", "noscript", "plaintext", "script", "style", "textarea", "title", "xmp"}

func isRawText(name []byte) bool {
	if len(name) > 4 || len(name) == len("xmp") {
		return slices.ContainsFunc(rawTextElements, func(s string) bool { return len(s) == len(name) && strings.EqualFold(s, string(name)) })
	}
	return false
}

// refers reports whether an attribute may hold ids, or the name of a group of buttons.
func refers(key []byte) bool {
	switch len(key) {
	case len("id"), len("for"), len("name"), len("headers"):
		return strings.EqualFold(string(key), "name") || isReferring(key)
	}
	return len(key) > len("aria-") && key[0]|0x20 == 'a' && key[4] == '-' && isReferring(key)
}

func isReferring(key []byte) bool {
	return slices.ContainsFunc(referring, func(s string) bool { return len(s) == len(key) && strings.EqualFold(s, string(key)) })
}

// leads reports whether a value may lead to an id: "#x", "url(#x)", or either with entities.
func leads(value []byte) bool {
	if bytes.IndexByte(value, '&') >= 0 {
		return true
	}
	for at := 0; ; at++ {
		i := bytes.IndexByte(value[at:], '#')
		if i < 0 {
			return false
		}
		if at += i; at == 0 || value[at-1] == '(' {
			return true
		}
	}
}
