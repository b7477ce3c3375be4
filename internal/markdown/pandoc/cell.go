package pandoc

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

// fenceParser is goldmark's parser of fences. When a fence ends, its info string says what it is:
//
//	{python}, {r name, echo=FALSE}   a cell, with options here and in lines #| key: value
//	{.python filename="x.py"}        code that is shown
//	{{python}}                       a cell that is shown as it is written
//	{=html}                          raw HTML; other formats are left out
//
// https://quarto.org/docs/reference/cells/cells-jupyter.html, https://yihui.org/knitr/options/.
type fenceParser struct{ parser.BlockParser }

var (
	cellInfo  = lazyregexp.New(`^\{[ \t]*([A-Za-z][\w+-]*)(?:[ \t,]+(.*))?[ \t]*\}$`)
	shownInfo = lazyregexp.New(`^\{+[ \t]*([A-Za-z][\w+-]*)[^{}]*\}+$`)
	rawInfo   = lazyregexp.New(`^\{=([A-Za-z0-9]+)\}$`)
	cellName  = lazyregexp.New(`^[\pL\pN_-]{1,64}$`)
)

// kernels are the languages whose cells run, with their Jupyter kernels: cells share their variables, as in a
// notebook. Python and bash need none.
var kernels = map[string]string{"python": "", "bash": "", "sh": "", "r": "ir"}

// outputs are the languages of code that is the output of the code before it, with their titles.
var outputs = map[string]string{"output": "Output", "error": "Error", "warning": "Warning"}

// Close implements parser.BlockParser.
func (p fenceParser) Close(node ast.Node, reader text.Reader, pc parser.Context) {
	p.BlockParser.Close(node, reader, pc)
	n := node.(*ast.FencedCodeBlock)
	if n.Info == nil {
		return
	}
	f := fence{n: n, source: reader.Source(), pc: pc, options: options{}}
	info := string(n.Info.Segment.Value(f.source))
	if outputs[strings.ToLower(info)] != "" {
		ShowAs(n, strings.ToLower(info), f.place())
		return
	}
	if !strings.HasPrefix(info, "{") {
		return
	}
	if m := rawInfo.FindStringSubmatch(info); m != nil {
		f.raw(m[1])
		return
	}
	if m := cellInfo.FindStringSubmatchIndex(info); m != nil {
		if m[4] >= 0 {
			f.options.readInfo(info[m[4]:m[5]], n.Info.Segment.Start+m[4], f.source)
		}
		f.language(m)
		f.options.takeLines(n, f.source)
		f.cell(info[m[2]:m[3]])
		return
	}
	if m := shownInfo.FindStringSubmatchIndex(info); m != nil {
		markdown.SetCodeInfo(n, &markdown.CodeInfo{Language: strings.ToLower(info[m[2]:m[3]])})
		f.language(m)
		return
	}
	if a, ok := markdown.ParseAttributes([]byte(info), 0); ok && a.Stop == len(info) {
		f.code(a)
	}
}

// A fence is a fence that has ended.
type fence struct {
	n       *ast.FencedCodeBlock
	source  []byte
	pc      parser.Context
	options options
}

// language makes the first word of the info string the language.
func (f *fence) language(m []int) {
	start := f.n.Info.Segment.Start
	f.n.Info = ast.NewTextSegment(text.NewSegment(start+m[2], start+m[3]))
}

// ShowAs makes a fence code of a language that is shown. Output has a title.
func ShowAs(n *ast.FencedCodeBlock, language string, at markdown.Span) {
	c := &markdown.CodeInfo{Language: language}
	if title := outputs[language]; title != "" {
		c.Language = "text"
		c.Attributes = []markdown.Attribute{{Span: at, Name: "title", Value: title, HasValue: true}}
	}
	markdown.SetCodeInfo(n, c)
}

// raw replaces the fence by its HTML, or removes it.
func (f *fence) raw(format string) {
	parent := f.n.Parent()
	if format != "html" && format != "html5" {
		parent.RemoveChild(parent, f.n)
		return
	}
	h := ast.NewHTMLBlock(ast.HTMLBlockType6)
	h.SetLines(f.n.Lines())
	markdown.Replace(f.n, h)
}

// code makes the fence code that is shown, with attributes in pandoc's form.
func (f *fence) code(a markdown.Attributes) {
	a.Move(f.n.Info.Segment.Start)
	for _, i := range a.Items {
		if i.HasValue {
			at := Value(i, f.source)
			f.options.add(markdown.Option{Attribute: i, Lines: []text.Segment{text.NewSegment(at.Start, at.Stop)}})
		}
	}
	c := &markdown.CodeInfo{}
	if len(a.Classes) > 0 {
		if c.Language = strings.ToLower(a.Classes[0]); c.Language == "default" {
			c.Language = ""
		}
		info := string(f.n.Info.Segment.Value(f.source))
		at := strings.Index(info, "."+a.Classes[0]) + 1
		f.language([]int{0, 0, at, at + len(a.Classes[0])})
	} else {
		f.n.Info = nil
	}
	f.display(c)
	f.figure(a.ID)
}

// cell makes the fence a cell.
func (f *fence) cell(language string) {
	o := f.options
	c := &markdown.CodeInfo{Language: strings.ToLower(cmp.Or(o["engine"].Value, language))}
	kernel, runs := kernels[c.Language]
	c.Cell = runs && !o.off("eval") && (o.on("eval") || !markdown.FrontMatterOf(f.pc).SkipCells)
	if c.Cell {
		f.run(c, kernel)
	}
	if lines := f.n.Lines().Len(); f.folded() && len(f.n.Lines().Value(f.source)) > 0 {
		c.Attributes = append(c.Attributes, markdown.Attribute{Span: f.place(), Name: "hide", Value: fmt.Sprintf("1-%d", lines), HasValue: true})
	}
	f.display(c)
	label := o["label"].Value
	if series, _, ok := strings.Cut(label, "-"); !ok || Series[series] == "" {
		label = ""
	}
	f.figure(cmp.Or(o["lst-label"].Value, label))
}

// folded reports whether the code is folded. Quarto does not show code with echo: false, which readers
// can open here.
func (f *fence) folded() bool {
	return f.options.off("echo") || f.options.off("include") || f.options.on("code-fold")
}

// place returns the extent of the info string.
func (f *fence) place() markdown.Span {
	return markdown.Span{Start: f.n.Info.Segment.Start, Stop: f.n.Info.Segment.Stop}
}

var namesKey = parser.NewContextKey()

// run adds the attributes of a block that runs.
func (f *fence) run(c *markdown.CodeInfo, kernel string) {
	add := func(name, value string, at markdown.Span) {
		c.Attributes = append(c.Attributes, markdown.Attribute{Span: at, Name: name, Value: value, HasValue: true})
	}
	if kernel != "" {
		add("kernel", kernel, f.place())
	}
	if f.options.on("error") {
		add("exit", "1", f.options["error"].Span)
	}
	names := f.pc.ComputeIfAbsent(namesKey, func() any { return map[string]bool{} }).(map[string]bool)
	if label := f.options["label"]; cellName.MatchString(label.Value) && !names[label.Value] {
		names[label.Value] = true
		add("name", label.Value, label.Span)
	}
}

// display adds the attributes that code is shown with.
func (f *fence) display(c *markdown.CodeInfo) {
	for _, name := range []string{"filename", "code-summary"} {
		if o := f.options[name]; o.Value != "" {
			c.Attributes = append(c.Attributes, markdown.Attribute{Span: o.Span, Name: "title", Value: o.Value, HasValue: true})
			break
		}
	}
	switch o := f.options["code-line-numbers"]; {
	case f.options.on("code-line-numbers"):
		c.Attributes = append(c.Attributes, markdown.Attribute{Span: o.Span, Name: "numbers"})
	case lineRanges.MatchString(o.Value):
		c.Attributes = append(c.Attributes, markdown.Attribute{Span: o.Span, Name: "hl_lines", Value: o.Value, HasValue: true})
	}
	markdown.SetCodeInfo(f.n, c)
}

var lineRanges = lazyregexp.New(`^[1-9][0-9]{0,4}(-[1-9][0-9]{0,4})?(,[ ]?[1-9][0-9]{0,4}(-[1-9][0-9]{0,4})?)*$`)

// figure makes a figure of the fence if it has a caption, or an id for references.
func (f *fence) figure(id string) {
	n := &markdown.Figure{ID: id}
	series, _, _ := strings.Cut(id, "-")
	n.Of = Series[series]
	var lines []text.Segment
	for _, c := range []struct {
		name string
		of   markdown.Numbered
	}{{"fig-cap", markdown.Image}, {"tbl-cap", markdown.Table}, {"lst-cap", markdown.Listing}} {
		if o := f.options[c.name]; o.Value != "" {
			n.Of = cmp.Or(n.Of, c.of)
			lines = o.Lines
			break
		}
	}
	if n.Of == "" || id == "" && len(lines) == 0 {
		return
	}
	n.Wrap(f.n)
	n.AddCaption(lines, f.source)
}

// Series are the series of figures, by the first part of a label: fig-a.
var Series = map[string]markdown.Numbered{"fig": markdown.Image, "tbl": markdown.Table, "lst": markdown.Listing}
