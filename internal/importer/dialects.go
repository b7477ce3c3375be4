package importer

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

// dialects turns what the dialects of the page have written. Blocks come first:
// what stands in them is at the margin then, where the next step finds it.
func (p *page) dialects() {
	d := p.options.Dialects
	if d.Has(markdown.MkDocs) {
		p.mkdocs()
	}
	if d.Has(markdown.Obsidian) {
		p.callouts()
	}
	if d != 0 {
		p.nodes(d)
	}
	if d.Has(markdown.D2L) {
		p.frameworks()
	}
}

// parse reads the text as the site does, with its front matter blanked.
func (p *page) parse(o markdown.Options) ast.Node {
	data := p.src.data
	if end := frontEnd(data); end > 0 {
		data = bytes.Clone(data)
		for i := range end + 3 {
			if data[i] != '\n' {
				data[i] = ' '
			}
		}
	}
	return markdown.New(o).Parser().Parse(text.NewReader(data))
}

// nodes turns what is a node of its own, by its extent in the text.
func (p *page) nodes(d markdown.Dialect) {
	w := &nodeWriter{page: p, blanks: map[int]bool{}}
	_ = ast.Walk(p.parse(markdown.Options{Dialects: d}), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			w.obsidian(n)
			w.d2l(n)
			w.mkdocs(n)
		}
		return ast.WalkContinue, nil
	})
	p.src.apply(w.edits)
}

type nodeWriter struct {
	*page
	edits []edit
	cited bool // it was said what citations need
	// blanks are the offsets at which blank lines were put in.
	blanks map[int]bool
}

func (w *nodeWriter) replace(s markdown.Span, with string) {
	w.edits = append(w.edits, edit{s.Start, s.Stop, with})
}

func (w *nodeWriter) insert(at int, what string) { w.edits = append(w.edits, edit{at, at, what}) }

// text is a part of the source.
func (w *nodeWriter) text(s markdown.Span) string { return string(w.src.data[s.Start:s.Stop]) }

// lineAround is the line that holds an offset, without its end; next begins the
// next one.
func (p *page) lineAround(at int) line {
	data := p.src.data
	l := line{start: bytes.LastIndexByte(data[:at], '\n') + 1}
	l.stop, l.next = len(data), len(data)
	if n := bytes.IndexByte(data[at:], '\n'); n >= 0 {
		l.stop, l.next = at+n, at+n+1
	}
	l.stop = l.start + len(bytes.TrimRight(data[l.start:l.stop], "\r"))
	return l
}

// remove takes out a mark: with its line where nothing else is on it, else with the
// blanks before it.
func (w *nodeWriter) remove(s markdown.Span) {
	data := w.src.data
	l := w.lineAround(s.Start)
	if len(bytes.Trim(data[l.start:s.Start], " \t>")) == 0 && s.Stop <= l.stop && len(bytes.TrimSpace(data[s.Stop:l.stop])) == 0 {
		w.edits = append(w.edits, edit{l.start, l.next, ""})
		return
	}
	for s.Start > l.start && (data[s.Start-1] == ' ' || data[s.Start-1] == '\t') {
		s.Start--
	}
	if s.Start == l.start { // what follows moves to the margin
		for s.Stop < l.stop && (data[s.Stop] == ' ' || data[s.Stop] == '\t') {
			s.Stop++
		}
	}
	w.replace(s, "")
}

// extent is where the text of a node begins and ends, as far as it has offsets.
func extent(n ast.Node) (s markdown.Span) {
	s.Start = -1
	add := func(from, to int) {
		if s.Start < 0 || from < s.Start {
			s.Start = from
		}
		s.Stop = max(s.Stop, to)
	}
	_ = ast.Walk(n, func(c ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		if t, ok := c.(*ast.Text); ok {
			add(t.Segment.Start, t.Segment.Stop)
		}
		if c.Type() == ast.TypeBlock {
			for i := range c.Lines().Len() {
				l := c.Lines().At(i)
				add(l.Start, l.Stop)
			}
		}
		return ast.WalkContinue, nil
	})
	return s
}

// An image is one as it is written: ![alt](address "title").
type image struct {
	alt    markdown.Span
	end    int // behind it
	close  int // the ) that ends it, or -1 where its address stands elsewhere
	titled bool
}

// imageAt reads the image that begins at an offset.
func imageAt(data []byte, at int) (m image, ok bool) {
	if at < 0 || !bytes.HasPrefix(data[at:], []byte("![")) {
		return m, false
	}
	return linkAt(data, at+1)
}

// linkAt reads the link that begins at an offset, as imageAt does an image.
func linkAt(data []byte, at int) (m image, ok bool) {
	if at < 0 || at >= len(data) || data[at] != '[' {
		return m, false
	}
	i, depth := at+1, 1
	for ; i < len(data) && depth > 0; i++ {
		switch data[i] {
		case '\\':
			i++
		case '[':
			depth++
		case ']':
			depth--
		}
	}
	if depth > 0 || i > len(data) {
		return m, false
	}
	m.alt, m.close, m.end = markdown.Span{Start: at + 1, Stop: i - 1}, -1, i
	if i >= len(data) || data[i] != '(' {
		if i < len(data) && data[i] == '[' {
			if n := bytes.IndexByte(data[i:], ']'); n > 0 {
				m.end = i + n + 1
			}
		}
		return m, true
	}
	quote := byte(0)
	for depth, j := 0, i; j < len(data); j++ {
		c := data[j]
		switch {
		case c == '\\':
			j++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case (c == '"' || c == '\'') && (data[j-1] == ' ' || data[j-1] == '\n' || data[j-1] == '\t'):
			quote, m.titled = c, true
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				m.close, m.end = j, j+1
				return m, true
			}
		}
	}
	return m, false
}
