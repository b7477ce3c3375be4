package highlight

import (
	"fmt"
	"strings"

	"github.com/alecthomas/chroma/v2"

	"github.com/gpudocs/gpudocs/internal/site"
)

// Lines returns the highlighted lines of code, with links in place of the marks of its annotations.
func (h *Highlighter) Lines(f *site.Fence) []string {
	// Chroma takes a lone \r for the end of a line; here it is not one.
	code := strings.ReplaceAll(f.Code, "\r", " ")
	var out []string
	notes := f.Annotations
	for i, line := range chroma.SplitTokensIntoLines(h.tokens(f.Language, code)) {
		n := 0
		for n < len(notes) && notes[n].Line == i {
			n++
		}
		out = append(out, withoutZero(formatLine(line, notes[:n])))
		notes = notes[n:]
	}
	// A lexer may add a last line.
	return out[:min(len(out), max(1, strings.Count(strings.TrimSuffix(code, "\n"), "\n")+1))]
}

// withoutZero replaces zero bytes, which HTML cannot contain, by U+FFFD, as CommonMark does.
func withoutZero(html string) string { return strings.ReplaceAll(html, "\x00", "\ufffd") }

func formatLine(line []chroma.Token, notes []site.Annotation) string {
	var b strings.Builder
	at := 0
	for _, t := range line {
		for t.Value != "" {
			if len(notes) == 0 || at+len(t.Value) <= notes[0].From {
				writeToken(&b, t)
				at += len(t.Value)
				break
			}
			if before := notes[0].From - at; before > 0 {
				writeToken(&b, chroma.Token{Type: t.Type, Value: t.Value[:before]})
				t.Value, at = t.Value[before:], notes[0].From
			}
			if at == notes[0].From {
				fmt.Fprintf(&b, `<a class="note-mark" id="%s" href="#%s">%d</a>`, notes[0].ID, notes[0].Item, notes[0].Number)
			}
			gone := min(len(t.Value), notes[0].To-at)
			t.Value, at = t.Value[gone:], at+gone
			if at == notes[0].To {
				notes = notes[1:]
			}
		}
	}
	return b.String()
}
