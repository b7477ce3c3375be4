package page

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/text/invisible"
)

// checkInvisible reports invisible characters in the text and code of a page.
func checkInvisible(file *diag.File, doc *ast.Document) (diags diag.List) {
	if invisible.Plain(file.Data) && !bytes.Contains(file.Data, []byte("&#")) {
		return nil
	}
	found := invisible.In(string(file.Data), true)
	written := numeric.FindAllSubmatchIndex(file.Data, -1)
	if len(found) == 0 && len(written) == 0 {
		return nil
	}
	code := codeBytes(file.Data, doc)
	reported := map[invisible.Find]bool{}
	warn := func(f invisible.Find, start, end int) {
		once := f
		if once.At = 0; reported[once] {
			return
		}
		d := site.InvisibleDiag(file, diag.Warning, f, start, end)
		if d.Line > 0 || d.Cell == 0 { // marks between cells are not the author's
			reported[once] = true
			diags.Add(d)
		}
	}
	prose := map[int]bool{}
	for _, f := range invisible.In(string(file.Data), false) {
		prose[f.At] = true
	}
	for _, f := range found {
		if prose[f.At] || code[f.At] {
			warn(f, f.At, f.At+len(string(f.Rune)))
		}
	}
	for _, m := range written {
		if code[m[0]] {
			continue
		}
		for _, f := range invisible.In(referredCharacter(file.Data, m)+".", false) {
			warn(f, m[0], m[1])
		}
	}
	return diags
}

// numeric matches numeric character references of HTML.
var numeric = lazyregexp.New(`&#(?:[xX]([0-9a-fA-F]{1,6})|([0-9]{1,7}));`)

func referredCharacter(data []byte, m []int) string {
	digits, base := m[2:4], 16
	if m[2] < 0 {
		digits, base = m[4:6], 10
	}
	r, _ := strconv.ParseInt(string(data[digits[0]:digits[1]]), base, 32)
	return string(rune(r))
}

// codeBytes reports for each byte of a page whether it is code.
func codeBytes(data []byte, doc *ast.Document) []bool {
	code := make([]bool, len(data))
	mark := func(start, stop int) {
		for i := start; i < stop; i++ {
			code[i] = true
		}
	}
	for n := range markdown.Nodes(doc) {
		switch n := n.(type) {
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			for _, s := range n.Lines().Sliced(0, n.Lines().Len()) {
				mark(s.Start, s.Stop)
			}
		case *ast.CodeSpan:
			for c := n.FirstChild(); c != nil; c = c.NextSibling() {
				if t, ok := c.(*ast.Text); ok {
					mark(t.Segment.Start, t.Segment.Stop)
				}
			}
		}
	}
	return code
}

// checkInvisibleInFile reports the first invisible character in code from another file.
func checkInvisibleInFile(f *site.Fence) diag.List {
	if f.Origin == nil || invisible.Plain(f.Code) {
		return nil
	}
	file, lines := f.Origin.File, f.Origin.Lines
	for i, line := range site.CodeLines(f.Code) {
		if all := invisible.In(line, true); len(all) > 0 {
			start := file.Offset(lines[i], 1) + max(0, strings.IndexRune(file.Text(lines[i]), all[0].Rune))
			return diag.List{site.InvisibleDiag(file, diag.Warning, all[0], start, start+len(string(all[0].Rune)))}
		}
	}
	return nil
}
