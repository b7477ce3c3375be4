package markdown

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/diag"
)

// optionLines are the lines below /// that hold options in YAML, indented by four
// and without a blank line before them:
// https://facelessuser.github.io/pymdown-extensions/extensions/blocks/#syntax.
type optionLines struct {
	lines []text.Segment
	over  bool
}

// take keeps a line if it is one more of them.
func (o *optionLines) take(line []byte, segment text.Segment, reader text.Reader) bool {
	if o == nil || o.over {
		return false
	}
	if width, _ := util.IndentWidth(line, reader.LineOffset()); width < 4 || util.IsBlank(line) {
		o.over = true
		return false
	}
	o.lines = append(o.lines, segment)
	return true
}

// read gives a container the attributes that the options are. Lines that hold no
// options are the code that they look like.
func (o *optionLines) read(c *Container, source []byte, pc parser.Context) {
	if o == nil || len(o.lines) == 0 {
		return
	}
	from := o.lines[0].Start
	whole := extent(string(source[from:o.lines[len(o.lines)-1].Stop]), from)
	var values map[string]any
	if err := yaml.Unmarshal(o.dedented(source), &values); err != nil || values == nil {
		report(pc, Fault{Span: whole, Message: diag.Say("these lines are not the options of a /// block"), Hint: diag.Say("write key: value on each; an indented text needs a blank line before it")})
		code := ast.NewCodeBlock()
		for _, l := range o.lines {
			code.Lines().Append(l)
		}
		code.SetPos(whole.Start)
		c.InsertBefore(c, c.FirstChild(), code)
		return
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		c.option(key, values[key], whole, pc)
	}
}

// dedented is the text without what all lines are indented by.
func (o *optionLines) dedented(source []byte) []byte {
	var out bytes.Buffer
	least := -1
	for _, l := range o.lines {
		line := l.Value(source)
		if w := len(line) - len(bytes.TrimLeft(line, " \t")); least < 0 || w < least {
			least = w
		}
	}
	for _, l := range o.lines {
		out.Write(l.Value(source)[least:])
	}
	return out.Bytes()
}

// option makes an attribute of an option.
func (c *Container) option(key string, value any, at Span, pc parser.Context) {
	set := func(name, v string) {
		c.Given.Items = append(c.Given.Items, Attribute{Span: at, Name: name, Value: v, HasValue: v != ""})
	}
	on := value == true
	switch {
	case key == "attrs":
		attributes, _ := value.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(attributes)) {
			v := fmt.Sprint(attributes[name])
			switch name {
			case "id":
				c.Given.ID = v
			case "class":
				c.Given.Classes = strings.Fields(v)
			}
		}
	case key == "type" && c.Name == "admonition", key == "type" && c.Name == "details":
		c.kind = strings.ToLower(fmt.Sprint(value))
	case key == "open" && c.Name != "tab":
		set("fold", map[bool]string{true: "open", false: ""}[on])
	case key == "new" && c.Name == "tab":
		if on {
			set("apart", "")
		}
	case key == "select" && c.Name == "tab":
		if on {
			set("selected", "")
		}
	default:
		report(pc, Fault{Span: at, Message: diag.Say("the option %q has no meaning on %s", key, c.Name), Hint: diag.Say("known are attrs, and open, type, new, select where they belong")})
	}
}
