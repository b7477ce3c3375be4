package page

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

// option matches the beginning of an option in code within a sentence, up to where the line may be
// broken.
var option = lazyregexp.New(`(?:^|[\s(\[])(--?[0-9A-Za-z]+)`)

// codeSpan writes code within a sentence as goldmark does, and keeps the hyphens of an option together
// with its name: browsers break lines after hyphens, and no reader takes a -- at the end of a line for
// a part of --time.
func (v *writer) codeSpan(w util.BufWriter, source []byte, n ast.Node) error {
	var code []byte
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			code = append(code, t.Segment.Value(source)...)
		} else if s, ok := c.(*ast.String); ok {
			code = append(code, s.Value...)
		}
	}
	code = bytes.ReplaceAll(code, []byte("\n"), []byte(" "))
	_, _ = w.WriteString("<code>")
	at := 0
	for _, m := range option.FindAllSubmatchIndex(code, -1) {
		html.DefaultWriter.RawWrite(w, code[at:m[2]])
		_, _ = w.WriteString(`<span class="option">`)
		html.DefaultWriter.RawWrite(w, code[m[2]:m[3]])
		_, _ = w.WriteString("</span>")
		at = m[3]
	}
	html.DefaultWriter.RawWrite(w, code[at:])
	_, _ = w.WriteString("</code>")
	return nil
}
