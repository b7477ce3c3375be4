package importer

import (
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

// A flatCell is a code cell of a flattened notebook, in lines. Prose follows, up to the next cell.
type flatCell struct {
	prompt     int // the line of "In [1]:"
	number     string
	code, text span // text is the output
	// sure is set if nothing suggests that the parts end elsewhere.
	sure bool
}

// A span is a range of lines, from first up to end.
type span struct{ first, end int }

func (s span) lines() int { return s.end - s.first }

var (
	promptForm = lazyregexp.New(`^In ?\[(\d+|\s*|None|\*)\]:[ \t]*$`)
	// inlineForm matches a prompt followed by code, and moreForm the beginning of IPython's further
	// lines of that code.
	inlineForm = lazyregexp.New(`^In ?\[(?:\d+|\s*)\]:[ \t]+\S`)
	moreForm   = lazyregexp.New(`^ *\.\.\.: ?`)
	resultForm = lazyregexp.New(`^Out ?\[(?:\d+|\s*|None)\]:[ \t]*`)
)

// A flatReader finds the cells of a text. Names that one cell defines are known in all following
// ones, as in the notebook itself.
type flatReader struct {
	data  []byte
	lines []line
	known map[string]bool
}

func (r *flatReader) text(i int) string { return string(r.data[r.lines[i].start:r.lines[i].stop]) }

func (r *flatReader) blank(i int) bool { return strings.TrimSpace(r.text(i)) == "" }

// flatCells returns the cells and lines of a text. There are no cells if it is not a flattened
// notebook.
func flatCells(data []byte) ([]flatCell, []line) {
	r := &flatReader{data: data, lines: promptLines(data), known: map[string]bool{}}
	for _, name := range builtins {
		r.known[name] = true
	}
	var prompts []int
	var f fenceState
	for i := range r.lines {
		if t := r.text(i); !f.inside(t) && promptForm.MatchString(t) && r.cellBegins(i+1) {
			prompts = append(prompts, i)
			f = fenceState{} // a cell is not Markdown, and opens no fence
		}
	}
	cells := make([]flatCell, 0, len(prompts))
	for i, at := range prompts {
		end := len(r.lines)
		if i+1 < len(prompts) {
			end = prompts[i+1]
		}
		cells = append(cells, r.cell(at, end))
	}
	return cells, r.lines
}

// cellBegins reports whether a line after a prompt can be code: not another prompt, nor the result
// of an import.
func (r *flatReader) cellBegins(i int) bool {
	return i < len(r.lines) && !r.blank(i) && !promptForm.MatchString(r.text(i)) && !strings.HasPrefix(r.text(i), markOpen)
}

// promptLines returns the lines of a text. Code after a prompt is a separate line.
func promptLines(data []byte) (lines []line) {
	inline := false
	for _, l := range linesOf(data) {
		t := string(data[l.start:l.stop])
		if m := moreForm.FindString(t); inline && m != "" {
			l.start += len(m)
		} else if m := inlineForm.FindString(t); m != "" && isCode(t[len(m)-1:]) {
			at := l.start + len(m) - 1
			lines = append(lines, line{l.start, l.start + strings.IndexByte(t, ':') + 1, at})
			l.start, inline = at, true
		} else {
			inline = false
		}
		lines = append(lines, l)
	}
	return lines
}

// isCode reports whether a line can begin code.
func isCode(text string) bool {
	s := &scanner{}
	s.line(text)
	return magic(text) || !s.bad && (!s.ended() || len(s.tokens) == 0 || classify(s.tokens) != noPython)
}

// cell splits the lines up to the next cell into code, output and prose.
func (r *flatReader) cell(prompt, end int) flatCell {
	number := strings.TrimSpace(promptForm.FindStringSubmatch(r.text(prompt))[1])
	if number == "" || number == "None" {
		number = " " // as Jupyter shows cells that were not run
	}
	c := flatCell{prompt: prompt, number: number}
	code := r.code(prompt+1, end)
	c.code = code.span
	c.text, c.sure = r.output(code, end)
	return c
}

// chunk returns the lines from i up to an empty one.
func (r *flatReader) chunk(i, end int) span {
	s := span{i, i}
	for s.end < end && !r.blank(s.end) {
		s.end++
	}
	return s
}

// next returns the first line from i on that is not empty.
func (r *flatReader) next(i, end int) int {
	for i < end && r.blank(i) {
		i++
	}
	return i
}

// A flatCode is the code of a cell, and what it says about the output.
type flatCode struct {
	span
	last     statementSort // of its last statement
	prints   bool
	literals []string // how its strings begin
}

// code reads chunks as long as they are Python. The first line of a cell always is.
func (r *flatReader) code(at, end int) flatCode {
	code := flatCode{span: span{at, at}}
	if strings.HasPrefix(r.text(at), "%%") { // a cell in another language: up to two empty lines
		code.last, code.prints = expression, true
		code.end = r.chunk(at, end).end
		return code
	}
	for first := true; at < end; first = false {
		chunk := r.chunk(at, end)
		stop, ok := r.python(chunk, end, code, 0, first)
		if !ok {
			break
		}
		r.learn(&code, span{chunk.first, stop})
		code.end = stop
		if stop < chunk.end { // what follows without an empty line is no code
			break
		}
		at = r.next(stop, end)
	}
	return code
}

// maxAhead bounds the chunks of comments that are considered code because of the code after them.
const maxAhead = 8

// python returns the line at which the code of a chunk stops. It may be after the chunk if a
// bracket is open at its end. ok is false if the chunk is not code.
func (r *flatReader) python(chunk span, end int, before flatCode, ahead int, first bool) (stop int, ok bool) {
	s := &scanner{}
	indented := startsBlank(r.text(chunk.first))
	if indented && !first && !startsBlank(r.text(before.end-1)) && before.last != opens {
		return 0, false // indented output, such as a table
	}
	only := true // comments only
	start, lastSort := chunk.first, before.last
	for i := chunk.first; i < end; i++ {
		text := r.text(i)
		if s.ended() && (strings.TrimSpace(text) == "" || i > chunk.first && resultForm.MatchString(text)) {
			break
		}
		if s.ended() {
			start, s.tokens = i, nil
			if magic(text) {
				only, lastSort, stop = false, expression, i+1
				continue
			}
		}
		s.line(text)
		if !s.ended() && !s.bad && i+1 < end {
			continue
		}
		kind := classify(s.tokens)
		if s.bad || kind == noPython || kind == expression && !first && !r.usesKnown(s.tokens, start == chunk.first) {
			if first && stop == 0 { // after the prompt it must be code
				s.bad, s.tokens, s.open, s.triple = false, nil, nil, ""
				only, stop = false, i+1
				continue
			}
			if stop == 0 || only && !first {
				return 0, false
			}
			return stop, true // output without an empty line before it
		}
		if kind != comment {
			only, lastSort = false, kind
			for _, name := range roots(s.tokens) {
				r.known[name] = true
			}
		}
		stop = i + 1
	}
	if stop == 0 && first { // an incomplete statement
		return chunk.end, true
	}
	if only && !first { // a heading, unless code follows
		at := r.next(stop, end)
		if at >= end || ahead == maxAhead || lastSort != opens && !indented && at-stop > 1 {
			return 0, false
		}
		more, ok := r.python(r.chunk(at, end), end, before, ahead+1, false)
		if !ok {
			return 0, false
		}
		return more, true
	}
	if lastSort == opens && !indented && !first { // "para isso:" opens no block
		at := r.next(stop, end)
		if at >= end || !startsBlank(r.text(at)) && !strings.HasPrefix(r.text(start), "@") {
			return 0, false
		}
	}
	return stop, stop > chunk.first
}

func startsBlank(s string) bool { return s != "" && (s[0] == ' ' || s[0] == '\t') }

// magic reports whether a line is a command of IPython:
// https://ipython.readthedocs.io/en/stable/interactive/magics.html.
func magic(text string) bool {
	t := strings.TrimLeft(text, " \t")
	return len(t) > 1 && (t[0] == '!' && t[1] != '[' || t[0] == '%' && (t[1] == '%' || t[1] >= 'a' && t[1] <= 'z'))
}

// usesKnown reports whether an expression uses only known names. Otherwise it is output of Python:
// array([1., 2.]).
func (r *flatReader) usesKnown(tokens []token, begins bool) bool {
	names := roots(tokens)
	for _, name := range names {
		if !r.known[name] {
			return false
		}
	}
	return len(names) > 0 || !begins
}

// learn records what the code says about its output.
func (r *flatReader) learn(code *flatCode, of span) {
	s := &scanner{}
	for i := of.first; i < of.end; i++ {
		if r.blank(i) && s.ended() {
			continue
		}
		if s.ended() {
			if magic(r.text(i)) {
				code.last, code.prints = expression, true
				continue
			}
			s.tokens = nil
		}
		s.line(r.text(i))
		if !s.ended() && !s.bad {
			continue
		}
		if kind := classify(s.tokens); kind != comment {
			code.last = kind
			if n := len(s.tokens); kind == expression && s.tokens[n-1].text == ";" {
				code.last = statement // for which IPython shows nothing
			}
		}
		for j, t := range s.tokens {
			if t.kind == 'n' && (j == 0 || s.tokens[j-1].text != ".") && (t.text == "print" || t.text == "display") {
				code.prints = true
			}
			if t.kind == '"' && len(code.literals) < 100 {
				code.literals = append(code.literals, literalStart(t.text))
			}
		}
		s.bad = false
	}
}

// literalStart returns the constant beginning of a string.
func literalStart(s string) string {
	if i := strings.IndexAny(s, "{%\\"); i >= 0 {
		s = s[:i]
	}
	return strings.TrimSpace(s)
}

// output finds the output after the code.
func (r *flatReader) output(code flatCode, end int) (out span, sure bool) {
	sure = true
	at := r.next(code.end, end)
	out = span{at, at}
	for at < end {
		lines := r.chunk(at, end)
		marked := resultForm.MatchString(r.text(at))
		c := chunk{code: code, first: out.lines() == 0}
		c.blanks = r.next(lines.end, end) - lines.end
		for i := lines.first; i < lines.end; i++ {
			c.lines = append(c.lines, r.text(i))
		}
		is, clear := c.output()
		if !is && !marked {
			sure = sure && clear
			break
		}
		sure = sure && (clear || marked)
		out.end = lines.end
		at = r.next(lines.end, end)
	}
	return out, sure
}
