package textout

import (
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/report/match"
	"github.com/gpudocs/gpudocs/internal/site"
)

// fence writes code: in a notebook as cells if it runs, else as text. In an export, results and stored outputs are below it.
func (w *writer) fence(f *site.Fence) {
	switch {
	case f.Expect != nil:
		w.expected(append(w.words.Where(f.Expect), w.words.Compared(f.Expect)...), f.Code)
	case f.Diagram != nil:
		w.put(fenced("mermaid", f.Diagram.Source))
	case w.notebook.isCell(f):
		w.cell(f)
	case f.Cell == nil || !f.Cell.NoInput():
		w.shown(f)
	}
	if w.notebook != nil {
		return
	}
	if f.Cell != nil && !f.Cell.NoOutput() {
		w.stored(f.Cell)
	}
	w.results(f)
}

// shown writes code as text, below its title and what its attributes mean.
func (w *writer) shown(f *site.Fence) {
	language, code := strings.ToLower(f.Language), f.Code
	if len(f.Signs) > 0 {
		list := lines(code)
		for i := range min(len(list), len(f.Signs)) {
			list[i] = string(f.Signs[i]) + list[i]
		}
		language, code = "diff", strings.Join(list, "")
	}
	if f.Missing != "" {
		w.put(Escape(w.Text.Get("code_missing", "name", f.Missing)))
		return
	}
	var words []theme.WordsView
	if f.Block != nil {
		words = w.words.Block(f.Block)
	}
	w.put(head(f.Title, words, ""))
	if w.notebook == nil && len(f.Marked) > 0 && language != "" {
		language += " {" + ranges(f.Marked) + "}"
	}
	w.put(fenced(language, code))
}

// ranges returns the lines that are marked, as several tools read them: "2,7-10".
func ranges(lines [][2]int) string {
	var list []string
	for _, r := range lines {
		text := strconv.Itoa(r[0])
		if r[1] > r[0] {
			text += "-" + strconv.Itoa(r[1])
		}
		list = append(list, text)
	}
	return strings.Join(list, ",")
}

// expected writes an expected output, below what its attributes mean. Its captures are in words.
func (w *writer) expected(words []theme.WordsView, code string) {
	if strings.TrimSpace(code) == "" {
		return
	}
	var b strings.Builder
	for _, p := range match.Pieces(code) {
		if p.Capture == nil {
			b.WriteString(p.Text)
		} else {
			words := p.Words(w.Text)
			if name := p.Capture.Name; name != "" {
				words = name + ": " + words
			}
			b.WriteString("‹" + words + "›")
		}
	}
	w.put(head(w.Text.Get("nb_expected"), words, ":"))
	w.put(fenced("text", b.String()))
}

// head returns a line above code, or nothing if there is nothing to say.
func head(title string, words []theme.WordsView, end string) string {
	var parts []string
	if title != "" {
		parts = append(parts, Escape(title))
	}
	for _, v := range words {
		part := Escape(v.Text)
		if v.Code != "" {
			part += " " + codeSpan(v.Code)
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return ""
	}
	return "*" + strings.Join(parts, "; ") + "*" + end
}
