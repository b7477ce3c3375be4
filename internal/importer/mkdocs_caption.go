package importer

import (
	"slices"
	"strings"
)

// captionNames are the blocks of pymdownx.blocks.caption. One stands behind what it is
// for, :::figure around it.
var captionNames = []string{"caption", "figure-caption", "table-caption"}

// A captionable is the block of plain lines, or the block that became a container, that
// ends before the line at hand.
type captionable struct {
	first  int // its line, or -1
	margin int
	height int  // of the containers that it is
	ended  bool // what follows is another
}

// line takes a line that opens no container. before and after tell whether a fence is
// open around it.
func (c *captionable) line(i int, text string, before, after bool) {
	switch blank := strings.TrimSpace(text) == ""; {
	case before:
		c.ended = !after
	case blank:
		c.ended = true
	default:
		if c.ended || after || c.first < 0 {
			*c = captionable{first: i, margin: indentation(text)}
		}
		c.ended = strings.HasPrefix(strings.TrimSpace(text), "#")
	}
}

// figure puts a block and the caption behind it into :::figure, where it is plain what
// the caption is for, and the caption is one paragraph.
func (r *mkdocsReader) figure(c captionable, b block, i int, v view) bool {
	if of, ok := r.captioned[i]; !ok || c.first != of || c.margin != b.margin || b.closing < 0 {
		return false
	}
	first, at, _ := r.at(c.first, v)
	if markerForm.MatchString(first) || tabbedForm.MatchString(strings.TrimSpace(first)) {
		return false
	}
	var lines []string
	for j := b.body.first; j < b.body.end; j++ {
		text, _, _ := r.at(j, v)
		lines = append(lines, strings.TrimSpace(text))
	}
	caption := strings.Trim(strings.Join(lines, "\n"), "\n")
	if caption == "" || strings.Contains(caption, "\n\n") || slices.ContainsFunc(lines, markerForm.MatchString) || strings.Contains(caption, "```") {
		return false
	}
	colons := strings.Repeat(":", 3+c.height)
	open := colons + "figure " + strings.ReplaceAll(caption, "\n", " ")
	if len(b.attributes) > 0 {
		open += " {" + strings.Join(b.attributes, " ") + "}"
	}
	blanks := first[:len(first)-len(strings.TrimLeft(first, " \t"))]
	at += len(blanks)
	r.edits = append(r.edits, edit{at, at, open + r.eol + v.prefix + blanks}, edit{b.at, r.lines[b.closing].stop, colons})
	return true
}
