// Package translate tells whether a translation still says what its source says.
//
// # Sections
//
// A page is cut at its headings, of any level: a section is a heading with the text
// up to the next one, under the heading's anchor. What stands before the first
// heading, with the title and the description of the front matter, is the section
// [Top]. A section has a hash of its text, which a [Digest] makes of what the text
// says and not of how it is laid out:
//
//   - Prose: line ends, blanks at the ends of lines, runs of blanks, indentation, empty
//     lines, where a paragraph is wrapped, the width of a table's and a heading's rules,
//     and the Unicode form (NFC) do not count. Every word and mark does.
//   - Code: line ends and blanks at the ends of lines do not count; everything else does,
//     empty lines and indentation too.
//
// # Stamps
//
// A [Stamp] is what a translation keeps in its front matter: the language of its source,
// and the hash that each section of it had when the translation was made or looked
// through. [Compare] holds it against the sections as they are now. A translation
// without a stamp is unknown, never current.
//
// The hash is a contract: another rule would make every translation look outdated.
package translate

import (
	"bytes"
	"crypto/sha256"
	"encoding/base32"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Top is the anchor of what stands before the first heading. No heading has it.
const Top = "(top)"

// A Section is one of a page as it is now.
type Section struct {
	// Anchor is the heading's id, or [Top]; Title its text, empty for Top.
	Anchor, Title string
	// Line is that of the heading in the page's text, counted from 1. What the page
	// includes is a part of that: see diag.File.NameLine.
	Line int
	// Given tells that the author wrote the id himself.
	Given bool
	Hash  string
}

// A Stamp is what a translation says of its source.
type Stamp struct {
	// From is the code of the source's language.
	From string
	// Sections are in the order of the source.
	Sections []Mark
}

// IsZero tells whether there is no stamp.
func (s Stamp) IsZero() bool { return len(s.Sections) == 0 }

// A Mark is the hash that a section of the source had.
type Mark struct{ Anchor, Hash string }

// NewStamp makes the stamp of a translation that is up to date with its source.
func NewStamp(from string, sections []Section) Stamp {
	s := Stamp{From: from}
	for _, now := range sections {
		s.Sections = append(s.Sections, Mark{now.Anchor, now.Hash})
	}
	return s
}

// Changes are what a source has that its stamp does not know.
type Changes struct {
	// Changed and Added are sections of the source, in its order; Removed are the
	// anchors of those that it has no more, in the order of the stamp.
	Changed, Added []Section
	Removed        []string
}

// Any tells whether there are changes.
func (c Changes) Any() bool { return len(c.Changed)+len(c.Added)+len(c.Removed) > 0 }

// Compare holds a stamp against the source as it is now. A heading with another
// anchor is another section.
func Compare(s Stamp, now []Section) Changes {
	was := map[string]string{}
	for _, m := range s.Sections {
		was[m.Anchor] = m.Hash
	}
	var c Changes
	held := map[string]bool{}
	for _, n := range now {
		held[n.Anchor] = true
		switch h, known := was[n.Anchor]; {
		case !known:
			c.Added = append(c.Added, n)
		case h != n.Hash:
			c.Changed = append(c.Changed, n)
		}
	}
	for _, m := range s.Sections {
		if !held[m.Anchor] {
			c.Removed = append(c.Removed, m.Anchor)
		}
	}
	return c
}

// A Digest makes the hash of one section, of its lines in order. Its zero value begins
// one.
type Digest struct {
	said []byte // what is hashed
	open bool   // a line of prose that the next may continue
}

// Prose adds a line. continued tells that it goes on with the paragraph of the line
// before it; then text is without the marks of lists and quotes.
func (d *Digest) Prose(text []byte, continued bool) {
	before := len(d.said)
	if d.open {
		separator := byte('\n')
		if continued {
			separator = ' '
		}
		d.said = append(d.said, separator)
	}
	from := len(d.said)
	d.said = appendWords(d.said, norm.NFC.Bytes(text))
	if len(d.said) == from {
		d.said = d.said[:before]
		return
	}
	if words := d.said[from:]; !continued && isRule(words) {
		d.said = d.said[:from+len(shortRule(words))]
	}
	d.open = true
}

// appendWords adds the words of a text with a blank between each two.
func appendWords(said, text []byte) []byte {
	from := len(said)
	for i := 0; i < len(text); {
		begin, blank := i, 0
		for i < len(text) && blank == 0 {
			if c := text[i]; c > ' ' && c < utf8.RuneSelf {
				i++
			} else if r, size := utf8.DecodeRune(text[i:]); unicode.IsSpace(r) {
				blank = size
			} else {
				i += size
			}
		}
		if i > begin {
			if len(said) > from {
				said = append(said, ' ')
			}
			said = append(said, text[begin:i]...)
		}
		i += blank
	}
	return said
}

// isRule tells whether a line only draws: the rule below a heading or a table's head.
func isRule(words []byte) bool {
	draws := false
	for _, c := range words {
		switch c {
		case '-', '=':
			draws = true
		case ':', '|', ' ':
		default:
			return false
		}
	}
	return draws
}

// shortRule makes each run of a rule one mark, in place, and drops the blanks.
func shortRule(words []byte) []byte {
	short, last := words[:0], byte(0)
	for _, c := range words {
		if c != ' ' && (c != last || c != '-' && c != '=') {
			short = append(short, c)
		}
		last = c
	}
	return short
}

// Code adds a line of a code block.
func (d *Digest) Code(text []byte) {
	d.end()
	d.said = append(d.said, 0) // no line of prose begins so
	d.said = append(d.said, bytes.TrimRight(text, " \t\r\n")...)
	d.said = append(d.said, '\n')
}

func (d *Digest) end() {
	if d.open {
		d.said = append(d.said, '\n')
		d.open = false
	}
}

// HashLength is the number of characters of a hash: 50 bits, for it guards against
// oversight, not against malice, and shall be short in a front matter.
const HashLength = 10

const hashLetters = "abcdefghijklmnopqrstuvwxyz234567"

var hashForm = base32.NewEncoding(hashLetters)

// IsHash tells whether a text has the form of a hash.
func IsHash(s string) bool { return len(s) == HashLength && strings.Trim(s, hashLetters) == "" }

// Sum ends the section and returns its hash: lower case letters and 2 to 7. The digest
// begins another then.
func (d *Digest) Sum() string {
	d.end()
	sum := sha256.Sum256(d.said)
	d.said = d.said[:0]
	var text [16]byte
	hashForm.Encode(text[:], sum[:10])
	return string(text[:HashLength])
}
