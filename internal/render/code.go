package render

import (
	"fmt"
	"html"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/chroma/v2"
	chromahtml "github.com/alecthomas/chroma/v2/formatters/html"
	"github.com/alecthomas/chroma/v2/styles"
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
	for i := range lines {
		lines[i] = v.line(f, i, lines[i])
	}
	view.Code = template.HTML(strings.Join(lines, ""))
	if len(f.Hidden) == 0 {
		return
	}
	for from := 0; from < len(lines); {
		to := from + 1
		for to < len(lines) && in(f.Hidden, to+1) == in(f.Hidden, from+1) {
			to++
		}
		part := CodePart{Code: template.HTML(strings.Join(lines[from:to], ""))}
		if in(f.Hidden, from+1) {
			part.Hidden = to - from
		}
		view.Parts = append(view.Parts, part)
		from = to
	}
}

func in(ranges [][2]int, line int) bool {
	return slices.ContainsFunc(ranges, func(r [2]int) bool { return r[0] <= line && line <= r[1] })
}

// line wraps the highlighted text of a line, counted from 0.
func (v *pageWriter) line(f *content.Fence, i int, text string) string {
	var b strings.Builder
	b.WriteString(`<span class="line`)
	if in(f.Marked, i+1) {
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
		width := len(strconv.Itoa(slices.Max(f.Numbers)))
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
	tokens, err := h.tokens(f.Language, f.Code)
	if err != nil {
		tokens = []chroma.Token{{Type: chroma.Text, Value: f.Code}}
	}
	var out []string
	notes := f.Notes
	for i, line := range chroma.SplitTokensIntoLines(tokens) {
		n := 0
		for n < len(notes) && notes[n].Line == i {
			n++
		}
		out = append(out, formatLine(line, notes[:n]))
		notes = notes[n:]
	}
	// A lexer may add a last line.
	return out[:min(len(out), max(1, strings.Count(strings.TrimSuffix(f.Code, "\n"), "\n")+1))]
}

func formatLine(line []chroma.Token, notes []content.Note) string {
	var b strings.Builder
	at := 0
	var run []chroma.Token
	flush := func() {
		if err := lineFormatter.Format(&b, styles.Fallback, chroma.Literator(run...)); err != nil {
			for _, t := range run {
				b.WriteString(html.EscapeString(t.Value))
			}
		}
		run = nil
	}
	for _, t := range line {
		for t.Value != "" {
			if len(notes) == 0 || at+len(t.Value) <= notes[0].From {
				run = append(run, t)
				at += len(t.Value)
				break
			}
			if before := notes[0].From - at; before > 0 {
				run = append(run, chroma.Token{Type: t.Type, Value: t.Value[:before]})
				t.Value, at = t.Value[before:], notes[0].From
			}
			if at == notes[0].From {
				flush()
				fmt.Fprintf(&b, `<a class="note-mark" id="%s" href="#%s">%d</a>`, notes[0].ID, notes[0].Item, notes[0].Number)
			}
			gone := min(len(t.Value), notes[0].To-at)
			t.Value, at = t.Value[gone:], at+gone
			if at == notes[0].To {
				notes = notes[1:]
			}
		}
	}
	flush()
	return b.String()
}

var lineFormatter = chromahtml.New(chromahtml.WithClasses(true), chromahtml.PreventSurroundingPre(true))

// noteBack writes the way from an annotation to its mark.
func (v *pageWriter) noteBack(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		back := n.(*content.NoteBack)
		fmt.Fprintf(w, ` <a class="note-back" href="#%s" aria-label="%s">↩</a>`, back.Mark,
			attribute(v.t.Get("note_back", "n", strconv.Itoa(back.Number))))
	}
	return ast.WalkContinue, nil
}
