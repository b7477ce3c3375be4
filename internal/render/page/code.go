package page

import (
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/site"
)

// A codeWriter writes code, stored outputs, and diagrams.
type codeWriter struct {
	*writer
	// diagrams counts diagrams, for ids.
	diagrams int
	// owners are the blocks of expectations.
	owners map[*site.Expect]*site.Block
	// kept are the blocks whose expectations are folded, because the page shows what they printed.
	kept map[*site.Block]*theme.PreviewView
}

func newCodeWriter(v *writer) *codeWriter {
	return &codeWriter{writer: v, kept: map[*site.Block]*theme.PreviewView{}}
}

func (v *codeWriter) fence(w util.BufWriter, _ []byte, n ast.Node) error {
	f := n.(*site.Fence)
	if f.Diagram != nil {
		return v.diagram(w, f)
	}
	view := theme.CodeView{Language: f.Language, Title: f.Title, T: v.t, Missing: f.Missing}
	v.fenceCode(&view, f)
	if f.Expect != nil {
		view.Expected, view.Words = true, append(v.words().Where(f.Expect), v.words().Compared(f.Expect)...)
		if code := v.expectedText(f); code != "" {
			view.Code = code
		}
		owner := v.owner(f.Expect)
		view.PerMachine, view.ExpectedOn = v.Results.ExpectedOn(owner, f.Expect)
		view.When, view.Stderr = f.Expect.When.String(), f.Expect.Stderr
		if p := v.kept[owner]; p != nil {
			view.Kept = true
			if v.ForPrint || p.Output != nil && p.Output.Expected {
				return nil // the page shows it as what was printed
			}
		}
	}
	if b := f.Block; b != nil {
		view.Runnable, view.Anchor, view.Needs, view.Words = true, b.Anchor(), b.Needs.String(), v.words().Block(b)
		view.PerMachine, view.Requirements = v.Results.Requirement(b.Needs, b.Environment())
		view.Demands, view.Asks = v.Results.Need(b).String(), asks(b)
		if !strings.HasPrefix(b.Name, "#") {
			view.Name = b.Name
		}
	}
	if f.Cell != nil {
		v.cell(&view, f)
	}
	if b := f.Block; b != nil {
		view.Panel = v.Results.Panel(b)
		v.displays(view.Panel)
		if p := view.Panel.Preview; view.Stored != nil && p != nil && p.Output != nil {
			view.Stored.Folded = true // what a machine printed comes first
		}
		view.Panel.Open = v.OpenFailed && standing.Named(view.Panel.Status).Bad()
		if view.Panel.Paper = v.ForPrint; v.ForPrint && view.Panel.Preview != nil {
			unlink(view.Panel.Preview)
		}
		if p := view.Panel.Preview; view.Panel.Proven && p != nil {
			v.kept[b] = p
			if p.Output != nil && p.Output.Expected { // the page does not show the expectation with its words
				view.Words = append(view.Words, v.words().Compared(b.Expects[0])...)
			}
		}
	}
	if isHidden(f, view) {
		_, err := fmt.Fprintf(w, "<span id=%q></span>\n", view.Anchor)
		return err
	}
	return v.part(w, "code", view)
}

func (v *codeWriter) words() Words { return Words{v.t, v.Results} }

// unlink removes the links to what is folded.
func unlink(p *theme.PreviewView) {
	for i := range p.News {
		p.News[i].URL = ""
	}
	if p.Output != nil {
		p.Output.URL = ""
	}
}

// asks returns the requirements of a gpu block, each on a line.
func asks(b *site.Block) string {
	var list []string
	for _, l := range b.GPULines {
		if need := l.Condition(); !need.IsZero() {
			list = append(list, need.String())
		}
	}
	return strings.Join(list, "\n")
}

// owner returns the block of an expectation.
func (v *codeWriter) owner(e *site.Expect) *site.Block {
	if v.owners == nil {
		v.owners = map[*site.Expect]*site.Block{}
		for _, b := range v.Page.Blocks {
			for _, e := range b.Expects {
				v.owners[e] = b
			}
		}
	}
	return v.owners[e]
}

// ResultBlock returns the block whose results a text without folds has below a fence: its own, or that of the block
// whose last expectation the fence is. Expectations follow their block without text between.
func ResultBlock(f *site.Fence) *site.Block {
	if next, ok := f.NextSibling().(*site.Fence); ok && next.Expect != nil {
		return nil
	}
	for f != nil && f.Expect != nil {
		f, _ = f.PreviousSibling().(*site.Fence)
	}
	if f == nil {
		return nil
	}
	return f.Block
}

func (v *codeWriter) indentedCode(w util.BufWriter, source []byte, n ast.Node) error {
	code := n.Lines().Value(source)
	return v.part(w, "code", theme.CodeView{T: v.t, Code: v.Highlighter.HTML("", string(code))})
}

// fenceCode sets the highlighted code of a fence in its view. If lines have attributes of their own,
// each is an element:
//
//	<span class="line hl add" data-n=" 9"><span class="sign">added: </span><span class="cl">code
//	</span></span>
//
// The number is an attribute that the style shows, so it is not selected or copied.
func (v *codeWriter) fenceCode(view *theme.CodeView, f *site.Fence) {
	plain := len(f.Marked)+len(f.Hidden)+len(f.Numbers)+len(f.Signs)+len(f.Annotations) == 0
	if plain {
		view.Code = v.Highlighter.HTML(f.Language, f.Code)
		return
	}
	lines := v.Highlighter.Lines(f)
	marked, hidden := inRanges(f.Marked, len(lines)), inRanges(f.Hidden, len(lines))
	width := len(strconv.Itoa(slices.Max(append([]int{0}, f.Numbers...))))
	for i := range lines {
		lines[i] = v.line(f, i, lines[i], marked[i], width)
	}
	view.Code = template.HTML(strings.Join(lines, ""))
	if len(f.Hidden) == 0 {
		return
	}
	for from := 0; from < len(lines); {
		to := from + 1
		for to < len(lines) && hidden[to] == hidden[from] {
			to++
		}
		part := theme.CodePart{Code: template.HTML(strings.Join(lines[from:to], ""))}
		if hidden[from] {
			part.Hidden = to - from
		}
		view.Parts = append(view.Parts, part)
		from = to
	}
}

// inRanges reports for each of a number of lines whether it is in one of the ranges, of which there
// may be as many as lines.
func inRanges(ranges [][2]int, count int) []bool {
	open := make([]int, count+1) // ranges that begin in a line, less those that have ended
	for _, r := range ranges {
		if r[0] <= count {
			open[r[0]-1]++
			open[min(r[1], count)]--
		}
	}
	out, depth := make([]bool, count), 0
	for i := range out {
		depth += open[i]
		out[i] = depth > 0
	}
	return out
}

// line wraps the highlighted text of a line, counted from 0. All numbers have the given width.
func (v *codeWriter) line(f *site.Fence, i int, text string, marked bool, width int) string {
	var b strings.Builder
	b.WriteString(`<span class="line`)
	if marked {
		b.WriteString(" hl")
	}
	sign := ""
	if i < len(f.Signs) {
		sign = map[byte]string{'+': "add", '-': "del"}[f.Signs[i]]
	}
	switch {
	case sign != "":
		b.WriteString(" " + sign)
	case len(f.Signs) > 0:
		b.WriteString(" same")
	}
	b.WriteByte('"')
	if i < len(f.Numbers) {
		fmt.Fprintf(&b, ` data-n="%*d"`, width, f.Numbers[i])
	}
	b.WriteByte('>')
	if sign != "" {
		b.WriteString(`<span class="sign">` + attribute(v.t.Get("line_"+sign)) + ` </span>`)
	}
	b.WriteString(`<span class="cl">` + text + `</span></span>`)
	return b.String()
}

// noteBack writes the link from an annotation back to its mark.
func (v *codeWriter) noteBack(w util.BufWriter, _ []byte, n ast.Node) error {
	back := n.(*site.AnnotationBacklink)
	_, err := fmt.Fprintf(w, ` <a class="note-back" href="#%s" aria-label="%s">↩</a>`, back.Mark,
		attribute(v.t.Get("note_back", "n", strconv.Itoa(back.Number))))
	return err
}
