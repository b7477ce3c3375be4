package content

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/markdown"
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
				a.fault(at, diag.Say("%s without file", name), diag.Say(`name the file too: file="code/x.py"`))
				delete(a.by, name)
			}
		}
		return
	}
	if strings.TrimSpace(f.Code) != "" {
		a.fault(file, diag.Say("a block with file has code of its own"), diag.Say("leave the lines between the fences out, or file"))
		return
	}
	for _, name := range []string{"region", "lines"} {
		if at := a.by[name]; a.has(name) && strings.TrimSpace(at.value) == "" {
			a.fault(at, diag.Say("%s names nothing", name), diag.Say(`write region=setup or lines="1-20,30"`))
			return
		}
	}
	region := a.by["region"]
	found, fault := r.library.find(file.value, r.folder(n.Pos()), ".")
	at := file
	var lines []int
	if fault == nil {
		fault = r.page.include(found)
	}
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

// codeInclude makes a fence of {* file.py *}. The file is looked for as FastAPI's docs
// have it, from the folder above the language's pages, and a missing one is a
// warning: pages come without the code that they show.
func (p *pageParser) codeInclude(n *markdown.CodeInclude) *Fence {
	f := &Fence{Language: strings.ToLower(strings.TrimPrefix(path.Ext(n.File), ".")), Title: n.Title}
	f.SetPos(n.Pos())
	f.SetBlankPreviousLines(n.HasBlankPreviousLines())
	language := path.Join(root, p.page.Language.Code)
	found, fault := p.library.find(n.File, language, ".", path.Join(language, path.Dir(p.page.Path)), root)
	var lines []int
	if fault == nil {
		fault = p.page.include(found)
	}
	if fault == nil {
		lines, fault = cut(found, "", rangesOf(n.Shown))
	}
	if fault != nil {
		f.Title, f.Missing = cmp.Or(n.Title, n.File), n.File
		p.diags.Add(p.file.Warning(n.Start, n.Stop, fault.message, fault.hint))
		return f
	}
	f.origin, f.Code = newOrigin(found, lines)
	if n.Shown != nil {
		f.Numbers = slices.Clone(lines)
	}
	for i, l := range lines {
		if slices.ContainsFunc(n.Marked, func(r [2]int) bool { return r[0] <= l && l <= r[1] }) {
			f.Marked = append(f.Marked, [2]int{i + 1, i + 1})
		}
	}
	return f
}

// rangesOf writes ranges as lines= has them, in order.
func rangesOf(ranges [][2]int) string {
	ranges = slices.Clone(ranges)
	slices.SortFunc(ranges, func(a, b [2]int) int { return cmp.Compare(a[0], b[0]) })
	var out []string
	for _, r := range ranges {
		out = append(out, fmt.Sprintf("%d-%d", r[0], r[1]))
	}
	return strings.Join(out, ",")
}
