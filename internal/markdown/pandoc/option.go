package pandoc

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

// options are the options of a cell. Names are those of Quarto: knitr's fig.cap is fig-cap.
type options map[string]markdown.Option

var (
	// optionLine matches "#| key: value", or a line that continues the value.
	optionLine = lazyregexp.New(`^[ \t]*(?:#|//|%%|--)\|[ \t]?(.*)`)
	// infoForm matches an option of knitr, a name and a value in R, or the name of the cell.
	infoForm = lazyregexp.New(`(?:([\w.-]+)[ \t]*=[ \t]*)?((?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\((?:[^()]|\([^()]*\))*\)|[^\s,"'()])+)`)
)

// takeLines reads the options in the first lines of a cell, and removes these.
func (o options) takeLines(n *ast.FencedCodeBlock, source []byte) {
	var lines []text.Segment
	for i := range n.Lines().Len() {
		s := n.Lines().At(i)
		m := optionLine.FindSubmatchIndex(source[s.Start:s.Stop])
		if m == nil {
			break
		}
		lines = append(lines, text.NewSegment(s.Start+m[2], s.Stop))
	}
	if len(lines) == 0 {
		return
	}
	for _, option := range markdown.ReadOptions(source, lines) {
		o.add(option)
	}
	code := text.NewSegments()
	code.AppendAll(n.Lines().Sliced(len(lines), n.Lines().Len()))
	if code.Len() == 0 { // so that the block keeps its place
		last := lines[len(lines)-1].Stop - 1
		code.Append(text.NewSegment(last, last))
	}
	n.SetLines(code)
}

func (o options) add(option markdown.Option) {
	o[strings.ReplaceAll(option.Name, ".", "-")] = option
}

// readInfo reads the options of an info string at an offset: {r name, echo=FALSE}.
func (o options) readInfo(info string, at int, source []byte) {
	for i, m := range infoForm.FindAllStringSubmatchIndex(info, -1) {
		name := "label"
		if m[2] >= 0 {
			name = info[m[2]:m[3]]
		} else if i > 0 {
			continue
		}
		o.add(markdown.NewOption(name, at+m[0], text.NewSegment(at+m[4], at+m[5]), source))
	}
}

// is reports whether an option has one of some values. Case does not count.
func (o options) is(name string, values ...string) bool {
	for _, v := range values {
		if strings.EqualFold(o[name].Value, v) {
			return true
		}
	}
	return false
}

func (o options) off(name string) bool { return o.is(name, "false", "f", "no") }

func (o options) on(name string) bool { return o.is(name, "true", "t", "yes") }
