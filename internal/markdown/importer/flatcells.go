package importer

import (
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown/dialects"
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
	var f dialects.Fences
	for i := range r.lines {
		if t := r.text(i); !f.Inside(t) && promptForm.MatchString(t) && r.cellBegins(i+1) {
			prompts = append(prompts, i)
			f = dialects.Fences{} // a cell is not Markdown, and opens no fence
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
	last     statementKind // of its last statement
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
	for at < end {
		chunk := r.chunk(at, end)
		list := r.python(chunk, end, code, 0)
		for _, s := range list {
			code.add(s)
		}
		if code.end < chunk.end { // what follows without an empty line is no code
			break
		}
		at = r.next(code.end, end)
	}
	return code
}

// A statement is a statement of Python, a comment, or a command of IPython.
type statement struct {
	span
	kind   statementKind
	tokens []token
	valid  bool
}

// statement reads the statement that begins at a line. One that is not valid may end too early.
func (r *flatReader) statement(at, end int) statement {
	if magic(r.text(at)) {
		return statement{span: span{at, at + 1}, kind: command, valid: true}
	}
	var s scanner
	i := at
	for s.line(r.text(i)); !s.bad && !s.ended() && i+1 < end; s.line(r.text(i)) {
		i++
	}
	kind := classify(s.tokens)
	return statement{span{at, i + 1}, kind, s.tokens, !s.bad && kind != noPython}
}

// maxAhead bounds the chunks of comments that are considered code because of the code after them.
const maxAhead = 8

// python returns the statements of a chunk up to its output, or nil if the chunk is not code. They
// end after the chunk if a bracket is open at its end.
func (r *flatReader) python(chunk span, end int, before flatCode, ahead int) (list []statement) {
	first := before.lines() == 0
	indented := startsBlank(r.text(chunk.first))
	if indented && !first && !startsBlank(r.text(before.end-1)) && before.last != opens {
		return nil // indented output, such as a table
	}
	comments, last := true, before.last // comments only, so far
	for at := chunk.first; at < end && !r.blank(at) && (at == chunk.first || !resultForm.MatchString(r.text(at))); {
		s := r.statement(at, end)
		isCode := s.valid && (s.kind != expression || first || r.usesKnown(s.tokens, at == chunk.first))
		switch {
		case isCode && s.kind == comment:
		case isCode:
			comments, last = false, s.kind
			for _, name := range roots(s.tokens) {
				r.known[name] = true
			}
		case first && list == nil: // after the prompt it must be code
			comments = false
		case comments && !first:
			return nil
		default:
			return list // output without an empty line before it
		}
		list = append(list, s)
		at = s.end
	}
	final := list[len(list)-1]
	next := r.next(final.end, end)
	switch {
	case comments && !first: // a heading, unless code follows
		if next >= end || ahead == maxAhead || last != opens && !indented && next-final.end > 1 {
			return nil
		}
		more := r.python(r.chunk(next, end), end, before, ahead+1)
		if more == nil {
			return nil
		}
		return append(list, more...)
	case last == opens && !indented && !first: // "para isso:" opens no block
		if next >= end || !startsBlank(r.text(next)) && !strings.HasPrefix(r.text(final.first), "@") {
			return nil
		}
	}
	return list
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

// add adds a statement, and records what it says about the output.
func (c *flatCode) add(s statement) {
	c.end = s.end
	switch {
	case s.kind == command:
		c.last, c.prints = expression, true
	case s.kind == expression && s.tokens[len(s.tokens)-1].text == ";":
		c.last = simple // IPython shows nothing
	case s.kind != comment:
		c.last = s.kind
	}
	for i, t := range s.tokens {
		if t.kind == 'n' && (i == 0 || s.tokens[i-1].text != ".") && (t.text == "print" || t.text == "display") {
			c.prints = true
		}
		if t.kind == '"' && len(c.literals) < 100 {
			c.literals = append(c.literals, literalStart(t.text))
		}
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
