package pandoc

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

// options are the options of a cell. Names are those of Quarto: knitr's fig.cap is fig-cap.
type options map[string]option

// An option is a value with its place. A value of several lines has a segment for each.
type option struct {
	value string
	lines []text.Segment
	at    markdown.Span
}

var (
	// optionLine matches "#| key: value", or a line that continues the value.
	optionLine = lazyregexp.New(`^[ \t]*(?:#|//|%%|--)\|[ \t]?(.*)`)
	optionForm = lazyregexp.New(`^([A-Za-z][\w.-]*):(?:[ \t]+(.*?))?[ \t\r\n]*$`)
	blockText  = lazyregexp.New(`^[|>][-+0-9]*\s*$`)
)

// takeLines reads the options in the first lines of a cell, and removes the lines.
func (o options) takeLines(n *ast.FencedCodeBlock, source []byte) {
	name, i := "", 0
	for ; i < n.Lines().Len(); i++ {
		s := n.Lines().At(i)
		m := optionLine.FindSubmatchIndex(source[s.Start:s.Stop])
		if m == nil {
			break
		}
		rest := text.NewSegment(s.Start+m[2], s.Stop)
		if m := optionForm.FindSubmatchIndex(rest.Value(source)); m != nil {
			value := rest.WithStart(rest.Stop)
			if m[4] >= 0 {
				value = rest.WithStart(rest.Start + m[4])
			}
			name = optionName(string(rest.Value(source)[m[2]:m[3]]))
			o[name] = option{lines: []text.Segment{value}, at: markdown.Span{Start: rest.Start, Stop: rest.Start + len(bytes.TrimRight(rest.Value(source), " \t\r\n"))}}
		} else if name != "" {
			last := o[name]
			last.lines = append(last.lines, rest)
			o[name] = last
		}
	}
	for name, v := range o {
		o[name] = v.unquoted(source)
	}
	if i == 0 {
		return
	}
	code := text.NewSegments()
	code.AppendAll(n.Lines().Sliced(i, n.Lines().Len()))
	if code.Len() == 0 { // so that the block keeps its place
		last := n.Lines().At(i - 1)
		code.Append(text.NewSegment(last.Stop-1, last.Stop-1))
	}
	n.SetLines(code)
}

// unquoted returns the value without YAML's marks of texts.
func (v option) unquoted(source []byte) option {
	if len(v.lines) > 0 && blockText.Match(v.lines[0].Value(source)) {
		v.lines = v.lines[1:]
	}
	for len(v.lines) > 0 && len(bytes.TrimSpace(v.lines[0].Value(source))) == 0 {
		v.lines = v.lines[1:]
	}
	if len(v.lines) == 0 {
		return v
	}
	first, last := &v.lines[0], &v.lines[len(v.lines)-1]
	*last = last.TrimRightSpace(source)
	if c := first.Value(source); len(c) > 0 && (c[0] == '"' || c[0] == '\'') && last.Len() > 0 && source[last.Stop-1] == c[0] && last.Stop-1 > first.Start {
		*first = first.WithStart(first.Start + 1)
		*last = last.WithStop(last.Stop - 1)
	}
	var b strings.Builder
	for _, l := range v.lines {
		b.Write(l.Value(source))
	}
	v.value = b.String()
	return v
}

// readInfo reads the options after the language, at an offset of the source. Those of knitr are separated by
// commas, {r name, echo=FALSE}, and the first may be the name.
func (o options) readInfo(info string, at int, source []byte) {
	for item := range strings.SplitSeq(separated(info), "\x00") {
		start := at
		at += len(item) + 1
		trimmed := strings.TrimLeft(item, " \t")
		start += len(item) - len(trimmed)
		trimmed = strings.TrimRight(trimmed, " \t")
		name, value, ok := strings.Cut(trimmed, "=")
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		stop := start + len(trimmed)
		v := text.NewSegment(stop-len(value), stop)
		v = v.TrimLeftSpace(source)
		if !ok {
			name, v = "label", text.NewSegment(start, stop)
		}
		o[optionName(name)] = option{lines: []text.Segment{v}, at: markdown.Span{Start: start, Stop: stop}}
	}
}

// separated replaces what separates options by NUL: commas, and blanks before a name, outside of quotation marks
// and brackets.
func separated(info string) string {
	b := []byte(info)
	quote, depth := byte(0), 0
	for i, c := range b {
		switch {
		case quote != 0:
			if c == quote && b[i-1] != '\\' {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		case c == ',' && depth == 0:
			b[i] = 0
		case c == ' ' && depth == 0 && nextOption.Match(b[i+1:]):
			b[i] = 0
		}
	}
	return string(b)
}

// nextOption matches an option after a blank, as in {python filename="a.py"}.
var nextOption = lazyregexp.New(`^(?:[\w.-]+=|[#.])`)

func optionName(name string) string {
	return strings.ToLower(strings.ReplaceAll(strings.TrimLeft(name, "#."), ".", "-"))
}

// is reports whether an option has one of these values, in any case.
func (o options) is(name string, values ...string) bool {
	for _, v := range values {
		if strings.EqualFold(o[name].value, v) && v != "" {
			return true
		}
	}
	return false
}

// off reports whether an option is false.
func (o options) off(name string) bool { return o.is(name, "false", "f", "no") }

// on reports whether an option is true.
func (o options) on(name string) bool { return o.is(name, "true", "t", "yes") }
