package render

import (
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/content"
)

// fenceCode puts the highlighted code of a fence into its view. Where lines have
// something of their own each is an element:
//
//	<span class="line hl add" data-n=" 9"><span class="sign">added: </span><span class="cl">code
//	</span></span>
//
// The number is an attribute, and its look the style's: nobody selects or copies it.
func (v *pageWriter) fenceCode(view *CodeView, f *content.Fence) {
	plain := len(f.Marked)+len(f.Hidden)+len(f.Numbers)+len(f.Signs)+len(f.Notes) == 0
	if plain {
		view.Code = v.r.colours.html(f.Language, f.Code)
		return
	}
	lines := v.r.colours.lines(f)
	marked, hidden := within(f.Marked, len(lines)), within(f.Hidden, len(lines))
	width := len(strconv.Itoa(slices.Max(append([]int{0}, f.Numbers...))))
	for i := range lines {
		lines[i] = v.line(f, i, lines[i], marked[i], width)
	}
	view.Code = template.HTML(strings.Join(lines, ""))
	if len(f.Hidden) == 0 {
		return
	}
	for from := 0; from < len(lines); {
		to := from + 1
		for to < len(lines) && hidden[to] == hidden[from] {
			to++
		}
		part := CodePart{Code: template.HTML(strings.Join(lines[from:to], ""))}
		if hidden[from] {
			part.Hidden = to - from
		}
		view.Parts = append(view.Parts, part)
		from = to
	}
}

// within tells for each of so many lines whether it is in one of the ranges, which
// may be as many as the lines.
func within(ranges [][2]int, count int) []bool {
	open := make([]int, count+1) // ranges that begin in a line, less those that have ended
	for _, r := range ranges {
		if r[0] <= count {
			open[r[0]-1]++
			open[min(r[1], count)]--
		}
	}
	out, depth := make([]bool, count), 0
	for i := range out {
		depth += open[i]
		out[i] = depth > 0
	}
	return out
}

// line wraps the highlighted text of a line, counted from 0. The numbers of all lines
// are as wide.
func (v *pageWriter) line(f *content.Fence, i int, text string, marked bool, width int) string {
	var b strings.Builder
	b.WriteString(`<span class="line`)
	if marked {
		b.WriteString(" hl")
	}
	sign := ""
	if i < len(f.Signs) {
		sign = map[byte]string{'+': "add", '-': "del"}[f.Signs[i]]
	}
	switch {
	case sign != "":
		b.WriteString(" " + sign)
	case len(f.Signs) > 0:
		b.WriteString(" same")
	}
	b.WriteByte('"')
	if i < len(f.Numbers) {
		fmt.Fprintf(&b, ` data-n="%*d"`, width, f.Numbers[i])
	}
	b.WriteByte('>')
	if sign != "" {
		b.WriteString(`<span class="sign">` + attribute(v.t.Get("line_"+sign)) + ` </span>`)
	}
	b.WriteString(`<span class="cl">` + text + `</span></span>`)
	return b.String()
}

// lines are the highlighted lines of code, with links in the place of the marks of
// its annotations.
func (h *Highlighter) lines(f *content.Fence) []string {
	// Chroma takes a lone \r for the end of a line; here it ends none.
	code := strings.ReplaceAll(f.Code, "\r", " ")
	tokens, err := h.tokens(f.Language, code)
	if err != nil {
		tokens = []chroma.Token{{Type: chroma.Text, Value: code}}
	}
	var out []string
	notes := f.Notes
	for i, line := range chroma.SplitTokensIntoLines(tokens) {
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

// withoutZero shows U+FFFD for a byte of zero, which HTML cannot hold, as CommonMark does.
func withoutZero(html string) string { return strings.ReplaceAll(html, "\x00", "\ufffd") }

func formatLine(line []chroma.Token, notes []content.Note) string {
	var b []byte
	at := 0
	for _, t := range line {
		for t.Value != "" {
			if len(notes) == 0 || at+len(t.Value) <= notes[0].From {
				b = appendToken(b, t)
				at += len(t.Value)
				break
			}
			if before := notes[0].From - at; before > 0 {
				b = appendToken(b, chroma.Token{Type: t.Type, Value: t.Value[:before]})
				t.Value, at = t.Value[before:], notes[0].From
			}
			if at == notes[0].From {
				b = fmt.Appendf(b, `<a class="note-mark" id="%s" href="#%s">%d</a>`, notes[0].ID, notes[0].Item, notes[0].Number)
			}
			gone := min(len(t.Value), notes[0].To-at)
			t.Value, at = t.Value[gone:], at+gone
			if at == notes[0].To {
				notes = notes[1:]
			}
		}
	}
	return string(b)
}

// noteBack writes the way from an annotation to its mark.
func (v *pageWriter) noteBack(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		back := n.(*content.NoteBack)
		fmt.Fprintf(w, ` <a class="note-back" href="#%s" aria-label="%s">↩</a>`, back.Mark,
			attribute(v.t.Get("note_back", "n", strconv.Itoa(back.Number))))
	}
	return ast.WalkContinue, nil
}
