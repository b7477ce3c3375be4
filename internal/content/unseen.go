package content

import (
	"bytes"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	gold "github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/unseen"
)

// Here the texts of authors are judged that hold characters which no reader sees. What stands
// in front matter and gpudocs.toml goes into the pages, lists and feeds of the whole site, into
// files of lines and onto terminals: there such a character is an error. In a page's own
// text and code it is a warning, for a reviewer to look at.

// RuleHidden is of characters that act, turn the text around them, or hide.
const RuleHidden = "hidden"

// unseenText says what is wrong with a character, and how to mend it.
func unseenText(f unseen.Find) (message, hint diag.Text) {
	code := fmt.Sprintf("U+%04X", f.Rune)
	switch f.Kind {
	case unseen.Acts:
		return diag.Say("%s is a control character", code), diag.Say("remove it; it has no look on a page, and does something on a terminal")
	case unseen.Turns:
		return diag.Say("%s turns the text around it: it reads other than it is", code),
			diag.Say("remove it; what is in another direction may stand between U+2068 and U+2069 on one line, outside of code")
	}
	return diag.Say("%s has no look: readers do not see it, and programs do", code), diag.Say("remove it; write a blank where words are to be parted")
}

// oneLine is a text of an author's as titles, lists and feeds have it: on one line, and with
// nothing that acts or turns, as the references of HTML in a heading can write it.
func oneLine(s string) string {
	if strings.ContainsAny(s, "\n\r\v\f\u0085\u2028\u2029") {
		s = strings.Join(strings.Fields(s), " ")
	}
	for {
		found := unseen.In(s, false)
		if len(found) == 0 {
			return s
		}
		var b strings.Builder
		at := 0
		for _, f := range found {
			b.WriteString(s[at:f.At])
			at = f.At + len(string(f.Rune))
		}
		s = b.String() + s[at:]
	}
}

// unseen judges all texts of the front matter.
func (r *frontMatterReader) unseen(n ast.Node) {
	var text string
	switch n := n.(type) {
	case *ast.StringNode:
		text = n.Value
	case *ast.LiteralNode:
		text = n.Value.Value
	default:
		return
	}
	found := unseen.In(text, false)
	if len(found) == 0 {
		return
	}
	f, t := found[0], n.GetToken() // one for each text
	begin := r.file.Offset(t.Position.Line+1, t.Position.Column)
	end := begin + len(strings.TrimSpace(t.Value))
	if i := strings.IndexRune(string(r.file.Data[begin:]), f.Rune); i >= 0 { // not written as an escape
		begin += i
		end = begin + len(string(f.Rune))
	}
	message, hint := unseenText(f)
	d := r.file.Error(begin, end, message, hint)
	d.Rule = RuleHidden
	r.diags.Add(d)
}

// Visit has every node of the front matter judged.
func (r *frontMatterReader) Visit(n ast.Node) ast.Visitor {
	r.unseen(n)
	if _, ok := n.(*ast.LiteralNode); ok {
		return nil // its text is a node too
	}
	return r
}

// unseen judges the texts of gpudocs.toml, in which a character stands as it is or as an escape.
func (c *configChecker) unseen(file *configFile) {
	text := string(c.file.Data)
	fault := func(f unseen.Find, start, end int) {
		message, hint := unseenText(f)
		d := c.file.Error(start, end, message, hint)
		d.Rule = RuleHidden
		c.diags.Add(d)
	}
	for _, f := range unseen.In(text, false) {
		fault(f, f.At, f.At+len(string(f.Rune)))
	}
	meant := map[rune]unseen.Find{} // \b in 'C:\bin' means none
	eachText(reflect.ValueOf(file), func(s string) {
		for _, f := range unseen.In(s, false) {
			meant[f.Rune] = f
		}
	})
	for _, m := range escapes.FindAllStringSubmatchIndex(text, -1) {
		r := map[byte]rune{'b': '\b', 'f': '\f', 'e': 0x1b, 'r': '\r'}[text[m[0]+1]]
		if m[3] > m[2] || m[5] > m[4] {
			_, _ = fmt.Sscanf(text[m[0]+2:m[1]], "%x", &r)
		}
		if f, ok := meant[r]; ok {
			fault(f, m[0], m[1])
		}
	}
}

// escapes are those of TOML's texts with which what nobody sees can be written.
var escapes = lazyregexp.New(`\\(?:[uU]([0-9A-Fa-f]{8}|[0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|[bfer])`)

// eachText hands over the texts in a value, keys too.
func eachText(v reflect.Value, use func(string)) {
	switch v.Kind() {
	case reflect.String:
		use(v.String())
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			eachText(v.Elem(), use)
		}
	case reflect.Slice:
		for i := range v.Len() {
			eachText(v.Index(i), use)
		}
	case reflect.Map:
		for key, value := range v.Seq2() {
			eachText(key, use)
			eachText(value, use)
		}
	case reflect.Struct:
		for _, field := range v.Fields() {
			eachText(field, use)
		}
	}
}

// unseen judges the text and the code of a page.
func (p *pageParser) unseen() {
	if unseen.Plain(p.file.Data) && !bytes.Contains(p.file.Data, []byte("&#")) {
		return
	}
	found := unseen.In(string(p.file.Data), true)
	written := numeric.FindAllSubmatchIndex(p.file.Data, -1)
	if len(found) == 0 && len(written) == 0 {
		return
	}
	code := p.codeAt()
	said := map[unseen.Find]bool{}
	tell := func(f unseen.Find, start, end int) {
		message, hint := unseenText(f)
		d := p.file.Warning(start, end, message, hint)
		if f.At = 0; said[f] || d.Line == 0 && d.Cell > 0 { // once on a page for each; a mark between cells is none of the author's
			return
		}
		said[f] = true
		d.Rule = RuleHidden
		p.diags.Add(d)
	}
	prose := map[int]bool{}
	for _, f := range unseen.In(string(p.file.Data), false) {
		prose[f.At] = true
	}
	for _, f := range found {
		if prose[f.At] || code[f.At] {
			tell(f, f.At, f.At+len(string(f.Rune)))
		}
	}
	for _, m := range written {
		if code[m[0]] {
			continue
		}
		for _, f := range unseen.In(meant(p.file.Data, m)+".", false) {
			tell(f, m[0], m[1])
		}
	}
}

// numeric are the references of HTML that can write any character in a text.
var numeric = lazyregexp.New(`&#(?:[xX]([0-9a-fA-F]{1,6})|([0-9]{1,7}));`)

func meant(data []byte, m []int) string {
	digits, base := m[2:4], 16
	if m[2] < 0 {
		digits, base = m[4:6], 10
	}
	r, _ := strconv.ParseInt(string(data[digits[0]:digits[1]]), base, 32)
	return string(rune(r))
}

// codeAt tells of the bytes of a page which are code.
func (p *pageParser) codeAt() []bool {
	code := make([]bool, len(p.file.Data))
	mark := func(start, stop int) {
		for i := start; i < stop; i++ {
			code[i] = true
		}
	}
	_ = gold.Walk(p.doc, func(n gold.Node, entering bool) (gold.WalkStatus, error) {
		if !entering {
			return gold.WalkContinue, nil
		}
		switch n := n.(type) {
		case *gold.FencedCodeBlock, *gold.CodeBlock:
			for _, s := range n.Lines().Sliced(0, n.Lines().Len()) {
				mark(s.Start, s.Stop)
			}
		case *gold.CodeSpan:
			for c := n.FirstChild(); c != nil; c = c.NextSibling() {
				if t, ok := c.(*gold.Text); ok {
					mark(t.Segment.Start, t.Segment.Stop)
				}
			}
		}
		return gold.WalkContinue, nil
	})
	return code
}

// unseenIn judges the code that a fence takes from a file, up to the first find.
func (p *pageParser) unseenIn(f *Fence) {
	if f.origin == nil || unseen.Plain(f.Code) {
		return
	}
	file, lines := f.origin.file, f.origin.lines
	for i, line := range codeLinesOf(f.Code) {
		all := unseen.In(line, true)
		if len(all) == 0 || i >= len(lines) {
			continue
		}
		message, hint := unseenText(all[0])
		start := file.Offset(lines[i], 1) + max(0, strings.IndexRune(file.Text(lines[i]), all[0].Rune))
		d := file.Warning(start, start+len(string(all[0].Rune)), message, hint)
		d.Rule = RuleHidden
		p.diags.Add(d)
		return
	}
}
