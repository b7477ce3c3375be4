package content

import (
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/diag"
)

// An origin is the file in which the code of a fence stands, where that is not the
// page.
type origin struct {
	file *diag.File
	// lines are those of the code, counted from 1; indent is what was cut off them.
	lines  []int
	indent int
}

// newOrigin takes lines of a file, and what indentation they have in common.
func newOrigin(f *diag.File, lines []int) (*origin, string) {
	indent := -1
	for _, l := range lines {
		text := f.Text(l)
		if rest := strings.TrimLeft(text, " \t"); rest != "" && (indent < 0 || len(text)-len(rest) < indent) {
			indent = len(text) - len(rest)
		}
	}
	indent = max(indent, 0)
	var b strings.Builder
	for _, l := range lines {
		text := f.Text(l)
		b.WriteString(text[min(indent, len(text)-len(strings.TrimLeft(text, " \t"))):])
		b.WriteByte('\n')
	}
	return &origin{f, lines, indent}, b.String()
}

// include takes the code of a file into a fence with file=.
func (r *blockReader) include(n *ast.FencedCodeBlock, f *Fence, a fenceAttributes) {
	f.lines = n.Lines()
	file, ok := a.by["file"]
	if !ok {
		for _, name := range []string{"region", "lines"} {
			if at, alone := a.by[name]; alone {
				a.fault(at, name+" without file", `name the file too: file="code/x.py"`)
				delete(a.by, name)
			}
		}
		return
	}
	if strings.TrimSpace(f.Code) != "" {
		a.fault(file, "a block with file has code of its own", "leave the lines between the fences out, or file")
		return
	}
	region := a.by["region"]
	found, fault := r.library.find(file.value, r.folder(n.Pos()), ".")
	at := file
	var lines []int
	if fault == nil {
		lines, fault = cut(found, region.value, a.by["lines"].value)
		if region.value != "" {
			at = region
		} else if a.has("lines") {
			at = a.by["lines"]
		}
	}
	if fault != nil {
		a.fault(at, fault.message, fault.hint)
		return
	}
	r.page.included(found.Name)
	f.origin, f.Code = newOrigin(found, lines)
}

// LineOf is the line of a line of the code, counted from 0, in its file.
func (b *Block) LineOf(i int) int {
	if b.origin != nil && i < len(b.origin.lines) {
		return b.origin.lines[i]
	}
	return b.CodeLine + i
}

// Source is the code as it runs: with empty lines where lines of its file are left
// out, so that whoever counts lines counts those of the file.
func (b *Block) Source() string {
	if b.origin == nil || strings.HasPrefix(b.Code, "%%") {
		return b.Code
	}
	var out strings.Builder
	next := b.CodeLine
	for i, line := range codeLinesOf(b.Code) {
		at := b.LineOf(i)
		out.WriteString(strings.Repeat("\n", at-next) + line + "\n")
		next = at + 1
	}
	return out.String()
}
