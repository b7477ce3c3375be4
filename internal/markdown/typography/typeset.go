package typography

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

// A letter is a character of a block's text, with its offset and length in the source. at is
// negative if it must not be replaced.
type letter struct {
	r        rune
	at, size int
}

// placeholder represents what is not text, such as a code span or a formula. For the marks around it, it
// is a word.
var placeholder = letter{'x', -1, 0}

// A typesetter finds the typographic form of punctuation.
type typesetter struct {
	source []byte
	marks  quotations
	glyphs []markdown.Glyph
	// line is the text of the current block, code the closing tag of the HTML whose text is not
	// changed.
	line []letter
	code string
	// quote is the mark around a caption. It is escaped in the caption, which does not affect how
	// it is shown.
	quote byte
}

func (t *typesetter) block(n ast.Node) {
	t.line, t.code, t.quote = t.line[:0], "", 0
	if c, ok := n.(*markdown.Caption); ok {
		t.quote = c.Quote
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		t.gather(c)
	}
	t.dashes()
	t.quotes()
}

// gather adds the text of an inline node.
func (t *typesetter) gather(n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		t.text(n)
		return
	case *ast.RawHTML:
		t.tag(n)
		return
	case *extast.FootnoteLink, *extast.FootnoteBacklink:
		return
	case *extast.TaskCheckBox:
		t.line = append(t.line, letter{' ', -1, 0})
		return
	case *ast.CodeSpan, *ast.Image:
		t.line = append(t.line, placeholder)
		return
	}
	if n.FirstChild() == nil {
		t.line = append(t.line, placeholder)
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		t.gather(c)
	}
}

var codeTag = lazyregexp.New(`(?i)^<(code|kbd|samp|var|tt|pre|math)\b`)

// tag records HTML whose text is code.
func (t *typesetter) tag(n *ast.RawHTML) {
	s := n.Segments.At(0)
	tag := bytes.ToLower(s.Value(t.source))
	m := codeTag.FindSubmatch(tag)
	switch {
	case t.code != "" && bytes.HasPrefix(tag, []byte(t.code)):
		t.code = ""
	case t.code == "" && m != nil:
		t.code = "</" + string(m[1])
	case bytes.HasPrefix(tag, []byte("<br")):
		t.line = append(t.line, letter{' ', -1, 0})
	}
}

var entity = lazyregexp.New(`^&(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});`)

// text adds the characters of a text, with escapes and entities resolved.
func (t *typesetter) text(n *ast.Text) {
	s := n.Segment.Value(t.source)
	if n.IsRaw() || t.code != "" || n.Segment.Padding != 0 {
		if len(s) > 0 {
			t.line = append(t.line, placeholder)
		}
		s = nil
	}
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRune(s[i:])
		at := n.Segment.Start + i
		switch {
		case r == '\\' && i+1 < len(s) && util.IsPunct(s[i+1]):
			r, size = rune(s[i+1]), 2
			if s[i+1] != t.quote {
				at = -1
			}
		case r == '&':
			if m := entity.Find(s[i:]); m != nil {
				r, _ = utf8.DecodeRune(util.ResolveEntityNames(util.ResolveNumericReferences(m)))
				at, size = -1, len(m)
			}
		}
		t.line = append(t.line, letter{r, at, size})
		i += size
	}
	if n.SoftLineBreak() || n.HardLineBreak() {
		t.line = append(t.line, letter{' ', -1, 0})
	}
}

// rune returns a character of the block, or 0 outside of it.
func (t *typesetter) rune(i int) rune {
	if i < 0 || i >= len(t.line) {
		return 0
	}
	return t.line[i].r
}

func (t *typesetter) add(i, length int, text string) {
	at := t.line[i].at
	t.glyphs = append(t.glyphs, markdown.Glyph{Span: markdown.Span{Start: at, Stop: at + length}, Text: text})
}

// run returns how often the character at i is repeated directly.
func (t *typesetter) run(i int) int {
	n := 1
	for i+n < len(t.line) && t.line[i+n].r == t.line[i].r && t.line[i+n].at == t.line[i].at+n && t.line[i].at >= 0 {
		n++
	}
	return n
}

// dashes replaces dashes and ellipses.
func (t *typesetter) dashes() {
	for i := 0; i < len(t.line); {
		n := t.run(i)
		before, after := t.rune(i-1), t.rune(i+n)
		switch r := t.line[i].r; {
		case t.line[i].at < 0:
		case r == '.' && n == 3 && !isOneOf(before, `/\`) && !isOneOf(after, `/\`):
			t.add(i, n, "…")
		case r == '-' && (n == 2 || n == 3) && t.isDash(i, n, before, after):
			t.add(i, n, map[int]string{2: "–", 3: "—"}[n])
		}
		i += n
	}
}

// isDash reports whether hyphens are a dash, and not the beginning of an option, --flag, the end of
// options, "rm -- -f", an arrow, -->, or part of a comment, <!--.
func (t *typesetter) isDash(i, n int, before, after rune) bool {
	switch {
	case before == '!' && t.rune(i-2) == '<':
		return false
	case isSpace(before) && isSpace(after):
		return before != 0 && after != 0 && !t.option(i, -1) && !t.option(i+n-1, 1)
	case isSpace(before) || isSpace(after):
		return n == 3 && (t.ends(i-1) && after != 0 || begins(after) && before != 0)
	}
	return t.ends(i-1) && begins(after)
}

// option reports whether the word next to a dash is an option.
func (t *typesetter) option(i, step int) bool {
	i += step
	for i >= 0 && i < len(t.line) && isSpace(t.line[i].r) {
		i += step
	}
	for step < 0 && i > 0 && !isSpace(t.line[i-1].r) {
		i--
	}
	return t.rune(i) == '-'
}

// ends reports whether a word ends at i. A quote may begin one.
func (t *typesetter) ends(i int) bool {
	switch r := t.rune(i); r {
	case '"', '\'':
		return !isSpace(t.rune(i - 1))
	default:
		return markdown.InWord(r) || isOneOf(r, "”’»)]!?%.,;:…")
	}
}

// begins reports whether a word can begin with a character.
func begins(r rune) bool { return markdown.InWord(r) || isOneOf(r, `"'“‘«([¿¡`) }

func isSpace(r rune) bool { return r == 0 || unicode.IsSpace(r) }

func isOneOf(r rune, list string) bool { return r != 0 && bytes.ContainsRune([]byte(list), r) }

// quotes replaces pairs of quotes, and apostrophes. A quote without a partner stays.
func (t *typesetter) quotes() {
	var open []int                // quotes that may open, innermost last
	doubles := 0                  // how many of them are double
	partner := map[int]int{}      // of pairs, by both ends
	apostrophes := map[int]bool{} // single quotes that are apostrophes
	for i, l := range t.line {
		if l.at < 0 || (l.r != '"' && l.r != '\'') {
			continue
		}
		before, after := t.rune(i-1), t.rune(i+1)
		justOpened := len(open) > 0 && open[len(open)-1] == i-1
		switch {
		case l.r == '\'' && markdown.InWord(before) && unicode.IsLetter(after) && !markdown.CJK(before) &&
			!markdown.CJK(after), l.r == '\'' && isSpace(before) && t.decade(i):
			apostrophes[i] = true
		case !isSpace(after) && (isSpace(before) || justOpened || isOneOf(before, "([{<“‘«¿¡—–-/") ||
			markdown.CJK(before) && t.opener(open, l.r, doubles) < 0):
			open = append(open, i)
			if l.r == '"' {
				doubles++
			}
		case !isSpace(before) && (!markdown.InWord(after) || markdown.CJK(after)):
			if at := t.opener(open, l.r, doubles); at >= 0 {
				partner[open[at]], partner[i] = i, open[at]
				open = open[:at]
				if l.r == '"' {
					doubles--
				}
			} else if l.r == '\'' && t.plural(i) {
				apostrophes[i] = true
			}
		}
	}
	for _, i := range open { // 'tis
		if t.line[i].r == '\'' && unicode.IsLetter(t.rune(i+1)) {
			apostrophes[i] = true
		}
	}
	t.showQuotes(partner, apostrophes)
}

// opener finds the quote that another closes. For a single quote it is the last opened one. A
// double quote discards the single ones after its opener, which were not quotes.
func (t *typesetter) opener(open []int, r rune, doubles int) int {
	at := len(open) - 1
	if r == '"' && doubles == 0 {
		return -1
	}
	for r == '"' && t.line[open[at]].r != r {
		at--
	}
	if at < 0 || t.line[open[at]].r != r {
		return -1
	}
	return at
}

// plural reports whether an apostrophe is that of dogs', and not the end of x='dogs'.
func (t *typesetter) plural(i int) bool {
	start := i
	for start > 0 && unicode.IsLetter(t.line[start-1].r) {
		start--
	}
	return start < i && !isOneOf(t.rune(start-1), `'"=`)
}

// decade reports whether an apostrophe is that of '90 or '90s, and not the beginning of a
// quotation.
func (t *typesetter) decade(i int) bool {
	after := t.rune(i + 3)
	if after == 's' {
		after = t.rune(i + 4)
	}
	return unicode.IsDigit(t.rune(i+1)) && unicode.IsDigit(t.rune(i+2)) && !markdown.InWord(after) && after != '\''
}

func (t *typesetter) showQuotes(partner map[int]int, apostrophes map[int]bool) {
	depth := 0
	for i, l := range t.line {
		to, paired := partner[i]
		switch {
		case apostrophes[i]:
			t.add(i, l.size, "’")
		case !paired:
		case to > i:
			t.showMark(i, t.marks.mark(l.r, depth, false))
			if l.r == '"' {
				depth++
			}
		default:
			if l.r == '"' {
				depth--
			}
			t.showMark(i, t.marks.mark(l.r, depth, true))
		}
	}
}

// showMark shows a mark, if the marks of the language are known.
func (t *typesetter) showMark(i int, mark string) {
	if mark != "" {
		t.add(i, t.line[i].size, mark)
	}
}
