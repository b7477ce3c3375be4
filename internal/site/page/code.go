package page

import (
	"bytes"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/mkdocs"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/blocks"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// replaceCode replaces fences by nodes of type [site.Fence], and adds the blocks among them to the page.
func replaceCode(p *site.Page, doc *ast.Document, found collected, reader *blocks.Reader) (diags diag.List) {
	var all []*blocks.Fence
	for _, n := range found.fences {
		stop, unclosed := checkClosed(p.Source, n, found.opens)
		diags.Add(unclosed...)
		fence := reader.Read(n)
		fence.Stop = stop
		if fence.Block == nil && fence.Expect == nil && p.Dialects.Has(markdown.MkDocs) && mkdocs.InTerminal(n, p.Source.Data) {
			fence.Code = mkdocs.TerminalText(fence.Code) // readers would see the tags that a script makes colours of
		}
		n.Parent().ReplaceChild(n.Parent(), n, fence.Fence)
		all = append(all, fence)
	}
	if p.Notebook != nil {
		openCells(p, doc) // before annotate: a list may be in the cell after its code
	}
	diags.Add(annotate(p, all)...)
	for _, f := range all {
		diags.Add(checkInvisibleInFile(f.Fence)...)
	}
	reader.AssignIDs()
	diags.Add(reader.Diags...)
	return diags
}

// checkClosed reports a fence that is not closed: goldmark accepts it, and half of the page becomes
// code. A line after the block that opens the next block does not close it, because it lacks the
// quote's mark or the list's indentation. stop is the end of the closing line, or 0.
func checkClosed(file *diag.File, n *ast.FencedCodeBlock, opens map[int]bool) (stop int, diags diag.List) {
	if c := markdown.CodeInfoOf(n); c != nil && c.Stop > 0 {
		return c.Stop, nil
	}
	at := n.Pos()
	first := file.Line(at)
	last := first
	if l := n.Lines().Len(); l > 0 {
		last = file.Line(n.Lines().At(l - 1).Start)
	}
	open := file.Data[at:]
	mark := open[:len(open)-len(bytes.TrimLeft(open, string(open[:1])))]
	closing := bytes.TrimLeft(file.Bytes(last+1), " \t>")
	if !opens[last+1] && bytes.HasPrefix(closing, mark) && len(bytes.Trim(closing, string(mark[:1])+" \t")) == 0 {
		return file.Offset(last+1, 1) + len(file.Bytes(last+1)), nil
	}
	diags.Add(file.Error(at, at+len(file.Text(first)), diag.Say("page.code-fence-not-closed", "mark", string(mark))))
	return 0, diags
}
