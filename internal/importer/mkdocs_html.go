package importer

import (
	"strings"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

// html writes /// html | div.x as the tags of its element with blank lines around what
// is in it, which CommonMark reads as Markdown then:
// https://spec.commonmark.org/0.31.2/#html-blocks, start condition 6. Of an element that
// holds text alone the text stays, for between blank lines it would be a paragraph.
func (r *mkdocsReader) html(b block, i int, v view) {
	l, first := r.lines[i], r.lines[max(b.body.first-1, i)]
	c := r.elements[i]
	if c == nil || c.Tag == "" || !markdown.HoldsBlocks(c.Element) {
		between := ""
		if i > 0 && r.lines[i-1].stop > r.lines[i-1].start { // it ends what stands before it
			between = r.eol
		}
		r.edits = append(r.edits, edit{l.start, first.next, between})
		if b.closing >= 0 {
			r.edits = append(r.edits, edit{r.lines[b.closing].start, r.lines[b.closing].next, ""})
		}
		if c != nil && c.Tag != "" {
			r.kept(b.at, l.stop, diag.Say("the element %s is taken away, and its text stays", c.Element), diag.Say("write %s around the text yourself", c.Tag))
		}
		return
	}
	blank := strings.TrimRight(v.prefix, " ") + r.eol
	open, end := c.Tag, "</"+c.Element+">"
	if r.says(b.body.first, v) {
		open += r.eol + strings.TrimSuffix(blank, r.eol)
	}
	r.edits = append(r.edits, edit{b.at, first.stop, open})
	if b.closing < 0 {
		text, start, _ := r.at(i, v)
		last := r.lines[max(b.body.end-1, i)]
		end = blank + v.prefix + blanked(text[:b.at-start]) + end + r.eol
		if last.next == last.stop {
			end = r.eol + end
		}
		r.edits = append(r.edits, edit{last.next, last.next, end})
		return
	}
	if r.says(b.closing-1, v) {
		at := r.lines[b.closing].start
		r.edits = append(r.edits, edit{at, at, blank})
	}
	if r.says(b.closing+1, v) {
		end += r.eol + strings.TrimSuffix(blank, r.eol)
	}
	text, start, _ := r.at(b.closing, v)
	start += len(text) - len(strings.TrimLeft(text, " \t"))
	r.edits = append(r.edits, edit{start, r.lines[b.closing].stop, end})
}

// says tells whether there is such a line in a view, and it is not blank.
func (r *mkdocsReader) says(i int, v view) bool {
	if i >= len(r.lines) {
		return false
	}
	text, _, quoted := r.at(i, v)
	return quoted && strings.TrimSpace(text) != ""
}
