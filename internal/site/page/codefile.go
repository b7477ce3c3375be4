package page

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/markdown/mkdocs"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/blocks"
	"github.com/gpudocs/gpudocs/internal/site/include"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// codeInclude returns a fence for {* file.py *}. The file is searched as in FastAPI's
// documentation, from the folder above the language's pages. A missing file is a warning, because
// such pages are often copied without the code that they show.
func codeInclude(p *site.Page, n *mkdocs.CodeInclude, l *include.Library) (f *site.Fence, diags diag.List) {
	f = &site.Fence{Language: strings.ToLower(strings.TrimPrefix(path.Ext(n.File), ".")), Title: n.Title, Stop: n.Stop}
	f.SetPos(n.Pos())
	f.SetBlankPreviousLines(n.HasBlankPreviousLines())
	language := path.Join(sitefile.ContentFolder, p.Language.Code)
	found, fault := l.Find(n.File, language, ".", path.Join(language, path.Dir(p.Path)), sitefile.ContentFolder)
	var lines []int
	if fault == nil {
		lines, fault = include.Lines(found, "", rangesOf(n.Shown))
	}
	if fault != nil {
		f.Title, f.Missing = cmp.Or(n.Title, n.File), n.File
		diags.Add(p.Source.Warning(n.Start, n.Stop, fault.Message, fault.Hint))
		return f, diags
	}
	f.Origin, f.Code = blocks.NewOrigin(found, lines)
	if n.Shown != nil {
		f.Numbers = slices.Clone(lines)
	}
	for i, line := range lines {
		if slices.ContainsFunc(n.Marked, func(r [2]int) bool { return r[0] <= line && line <= r[1] }) {
			f.Marked = append(f.Marked, [2]int{i + 1, i + 1})
		}
	}
	return f, diags
}

// rangesOf returns ranges in the form of the attribute lines, in order.
func rangesOf(ranges [][2]int) string {
	ranges = slices.Clone(ranges)
	slices.SortFunc(ranges, func(a, b [2]int) int { return cmp.Compare(a[0], b[0]) })
	var out []string
	for _, r := range ranges {
		out = append(out, fmt.Sprintf("%d-%d", r[0], r[1]))
	}
	return strings.Join(out, ",")
}
