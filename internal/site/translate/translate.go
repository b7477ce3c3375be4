// Package translate determines whether a translation is up to date with its source.
//
// # Sections
//
// A page is split at its headings, of any level: a section is a heading with the text up to the
// next one, identified by the heading's anchor. The text before the first heading, with the title
// and the description of the front matter, is the section [Top]. A [Digest] computes a section's
// hash, which does not depend on the layout of the text:
//
//   - Prose: line ends, blanks at the ends of lines, runs of blanks, indentation, empty
//     lines, where a paragraph is wrapped, the width of a table's and a heading's rules,
//     and the Unicode form (NFC) do not count. Every word and mark does.
//   - Code: line ends and blanks at the ends of lines do not count; everything else does,
//     empty lines and indentation too.
//
// # Stamps
//
// A [Stamp] in the front matter of a translation holds the language of its source, and the hash of
// each section when the translation was made or reviewed. [Compare] compares it with the current
// sections. A translation without a stamp is unknown, never current.
//
// The hash is a contract: with another rule every translation would appear outdated.
package translate

import (
	"bytes"
	"crypto/sha256"
	"encoding/base32"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Top is the anchor of the text before the first heading. No heading has it.
const Top = "(top)"

// A Section is a section of a page in its current state.
type Section struct {
	// Anchor is the heading's id, or [Top]; Title its text, empty for Top.
	Anchor, Title string
	// Line is the line of the heading in the page's text, counted from 1. The text contains the
	// files that the page includes: see diag.File.NameLine.
	Line int
	// Given is set if the author gave the id.
	Given bool
	Hash  string
}

// A Stamp describes the version of the source that was translated.
type Stamp struct {
	// From is the code of the source's language.
	From string
	// Sections are in the order of the source.
	Sections []Mark
}

// IsZero reports whether there is no stamp.
func (s Stamp) IsZero() bool { return len(s.Sections) == 0 }

// A Mark is the hash that a section of the source had.
type Mark struct{ Anchor, Hash string }

// NewStamp returns the stamp of a translation that is up to date with its source.
func NewStamp(from string, sections []Section) Stamp {
	s := Stamp{From: from}
	for _, now := range sections {
		s.Sections = append(s.Sections, Mark{now.Anchor, now.Hash})
	}
	return s
}

// Changes are the differences between a source and its stamp.
type Changes struct {
	// Changed and Added are sections of the source, in its order. Removed are the anchors of
	// sections that no longer exist, in the order of the stamp.
	Changed, Added []Section
	Removed        []string
}

// Any reports whether there are changes.
func (c Changes) Any() bool { return len(c.Changed)+len(c.Added)+len(c.Removed) > 0 }

// Compare compares a stamp with the current sections of the source. A heading with another anchor
// is another section.
func Compare(s Stamp, now []Section) Changes {
	stamped := map[string]string{}
	for _, m := range s.Sections {
		stamped[m.Anchor] = m.Hash
	}
	var c Changes
	exists := map[string]bool{}
	for _, n := range now {
		exists[n.Anchor] = true
		switch hash, known := stamped[n.Anchor]; {
		case !known:
			c.Added = append(c.Added, n)
		case hash != n.Hash:
			c.Changed = append(c.Changed, n)
		}
	}
	for _, m := range s.Sections {
		if !exists[m.Anchor] {
			c.Removed = append(c.Removed, m.Anchor)
		}
	}
	return c
}

// A Digest computes the hash of a section from its lines, in order. The zero value is ready to use.
type Digest struct {
	hashed []byte
	open   bool // a line of prose that the next may continue
}

// Prose adds a line. continued is set if it continues the paragraph of the line before; text is
// then without the marks of lists and quotes.
func (d *Digest) Prose(text []byte, continued bool) {
	before := len(d.hashed)
	if d.open {
		separator := byte('\n')
		if continued {
			separator = ' '
		}
		d.hashed = append(d.hashed, separator)
	}
	from := len(d.hashed)
	d.hashed = appendWords(d.hashed, norm.NFC.Bytes(text))
	if len(d.hashed) == from {
		d.hashed = d.hashed[:before]
		return
	}
	if words := d.hashed[from:]; !continued && len(bytes.Trim(words, "-=:| ")) == 0 && bytes.ContainsAny(words, "-=") { // a rule
		d.hashed = d.hashed[:from+len(shortRule(words))]
	}
	d.open = true
}

// appendWords appends the words of a text, separated by single blanks.
func appendWords(to, text []byte) []byte {
	from := len(to)
	for word := range bytes.FieldsSeq(text) {
		if len(to) > from {
			to = append(to, ' ')
		}
		to = append(to, word...)
	}
	return to
}

// shortRule reduces each run of a rule to one mark, in place, and drops the blanks.
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
	d.hashed = append(d.hashed, 0) // no line of prose begins with it
	d.hashed = append(d.hashed, bytes.TrimRight(text, " \t\r\n")...)
	d.hashed = append(d.hashed, '\n')
}

func (d *Digest) end() {
	if d.open {
		d.hashed = append(d.hashed, '\n')
		d.open = false
	}
}

// HashLength is the number of characters of a hash. 50 bits are enough against accidents, and short
// in a front matter.
const HashLength = 10

const hashLetters = "abcdefghijklmnopqrstuvwxyz234567"

var hashForm = base32.NewEncoding(hashLetters)

// IsHash reports whether a text has the form of a hash.
func IsHash(s string) bool { return len(s) == HashLength && strings.Trim(s, hashLetters) == "" }

// Sum ends the section and returns its hash: lower case letters and 2 to 7. The digest can then be
// used for another section.
func (d *Digest) Sum() string {
	d.end()
	sum := sha256.Sum256(d.hashed)
	d.hashed = d.hashed[:0]
	var text [16]byte
	hashForm.Encode(text[:], sum[:10])
	return string(text[:HashLength])
}
