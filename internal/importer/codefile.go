package importer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

// mkdocs turns a node of MkDocs'; blocks are at the margin by now.
func (w *nodeWriter) mkdocs(n ast.Node) {
	if !w.options.Dialects.Has(markdown.MkDocs) {
		return
	}
	switch n := n.(type) {
	case *markdown.Element:
		w.element(n)
	case *markdown.CodeInclude:
		w.codeInclude(n)
	case *markdown.Marked:
		if !w.options.Dialects.Has(markdown.Obsidian) { // which has seen to it
			w.marked(n)
		}
	case *markdown.Keys:
		var keys []string
		for _, l := range n.Labels {
			keys = append(keys, "<kbd>"+escaped(l)+"</kbd>")
		}
		w.replace(n.Span, strings.Join(keys, "+"))
	case *ast.FencedCodeBlock:
		if markdown.InTerminal(n, w.src.data) {
			w.terminal(n)
		}
	}
}

// terminal takes the tags out of a session in a terminal.
func (w *nodeWriter) terminal(n *ast.FencedCodeBlock) {
	for i := range n.Lines().Len() {
		s := n.Lines().At(i)
		line := string(s.Value(w.src.data))
		if t := markdown.TerminalText(line); t != line && s.Padding == 0 {
			w.replace(markdown.Span{Start: s.Start, Stop: s.Stop}, t)
		}
	}
}

// codeInclude makes a fence of {* file.py ln[1:5] hl[2] *}. Where the file does not
// come along its name stands there, as the dialect shows it, for a fence that names a
// file which is not there is broken.
func (w *nodeWriter) codeInclude(n *markdown.CodeInclude) {
	shown := merged(n.Shown)
	attributes := ""
	if len(shown) > 0 {
		attributes += ` lines="` + ranges(shown) + `"`
	}
	if marks := inBlock(merged(n.Marked), shown); len(marks) > 0 {
		attributes += ` hl_lines="` + ranges(marks) + `"`
	}
	if len(shown) > 0 {
		attributes += " numbers"
	}
	if n.Title != "" {
		attributes += ` title="` + n.Title + `"`
	}
	margin := w.margin(n.Start)
	fence := "```" + languageOfFile(n.File)
	file, ok := w.options.Files.read(w.name, n.File)
	if !ok {
		m := w.guess(false, n.Start, n.Stop, diag.Say(`the code of %s was not there; with it write %s {file="%s"%s}`, n.File, fence[3:], n.File, attributes), hintMissing)
		w.replace(n.Span, m+w.eol+margin+"`"+n.File+"`")
		return
	}
	w.replace(n.Span, fence+` {file="`+relativeTo(w.name, file)+`"`+attributes+"}"+w.eol+margin+"```")
}

// merged are ranges in order, those that meet in one.
func merged(list [][2]int) (out [][2]int) {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b [2]int) int { return cmp.Compare(a[0], b[0]) })
	for _, r := range list {
		if n := len(out) - 1; n >= 0 && r[0] <= out[n][1] {
			out[n][1] = max(out[n][1], r[1])
			continue
		}
		out = append(out, r)
	}
	return out
}

// inBlock are marked lines of a file as the lines of the block that shows some of
// them: hl_lines counts from the block's first.
func inBlock(marked, shown [][2]int) (out [][2]int) {
	if len(shown) == 0 {
		return marked
	}
	before := 0
	for _, s := range shown {
		for _, m := range marked {
			if first, last := max(m[0], s[0]), min(m[1], s[1]); first <= last {
				out = append(out, [2]int{before + first - s[0] + 1, before + last - s[0] + 1})
			}
		}
		before += s[1] - s[0] + 1
	}
	return merged(out)
}

func ranges(list [][2]int) string {
	var out []string
	for _, r := range list {
		if r[0] == r[1] {
			out = append(out, fmt.Sprint(r[0]))
		} else {
			out = append(out, fmt.Sprintf("%d-%d", r[0], r[1]))
		}
	}
	return strings.Join(out, " ")
}
