package blocks

import (
	"path"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/include"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// NewOrigin returns lines of a file as code, without the indentation that they have in common.
func NewOrigin(f *diag.File, lines []int) (*site.Origin, string) {
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
	return &site.Origin{File: f, Lines: lines, Indent: indent}, b.String()
}

// includeFile sets the code of a fence with file=.
func (r *Reader) includeFile(n *ast.FencedCodeBlock, f *Fence, a fenceAttributes) {
	f.lines = n.Lines()
	file, ok := a.by["file"]
	if !ok {
		for _, name := range []string{"region", "lines"} {
			if at, alone := a.by[name]; alone {
				a.fault(at, diag.Say("page.region-without-file", "name", name))
				delete(a.by, name)
			}
		}
		return
	}
	if strings.TrimSpace(f.Code) != "" {
		a.fault(file, diag.Say("page.file-with-code"))
		return
	}
	for _, name := range []string{"region", "lines"} {
		if at := a.by[name]; a.has(name) && strings.TrimSpace(at.Value) == "" {
			a.fault(at, diag.Say("page.selection-empty", "name", name))
			return
		}
	}
	region := a.by["region"]
	name, folders := file.Value, []string{path.Join(sitefile.ContentFolder, r.Page.FolderAt(n.Pos())), "."}
	c := markdown.CodeInfoOf(n)
	if inside, absolute := strings.CutPrefix(name, "/"); absolute && c != nil { // from the folder of the course
		name, folders = inside, []string{path.Join(sitefile.ContentFolder, r.Page.Language.Code), sitefile.ContentFolder, "."}
	}
	found, fault := r.Library.Find(name, folders...)
	at := file
	var lines []int
	if fault == nil {
		lines, fault = include.Lines(found, region.Value, a.by["lines"].Value)
		if region.Value != "" {
			at = region
		} else if a.has("lines") {
			at = a.by["lines"]
		}
	}
	if fault == nil && c != nil {
		lines, fault = include.Between(found, lines, c.Part)
	}
	if fault != nil && c != nil { // a page of another tool, which may have been copied without the file
		r.Diags.Add(r.File.Warning(a.base+at.Start, a.base+at.End, fault.Message.WithHint(fault.Hint)))
		f.Missing = file.Value
		return
	}
	if fault != nil {
		a.fault(at, fault.Message.WithHint(fault.Hint))
		return
	}
	f.Origin, f.Code = NewOrigin(found, lines)
}
