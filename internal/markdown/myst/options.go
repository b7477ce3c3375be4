package myst

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// An Option of a directive has a name in lower case and a value without quotation marks. A list is
// written as in YAML, "[a, b]". Names within others are joined by dots: "mystnb.figure.caption".
type Option struct {
	markdown.Attribute
	// Lines are the places of the value, for a text with markup.
	Lines []text.Segment
}

// maxOptions bounds the options of a directive, and maxYAML the lines of a block of them.
const (
	maxOptions = 100
	maxYAML    = 1000
)

// optionForm matches :key: value, and yamlForm a line of YAML: a list's mark, a key, a value.
var (
	optionForm = lazyregexp.New(`^[ \t]*:([A-Za-z][\w-]*):(?:[ \t]+(.*?))?[ \t]*\r?\n?$`)
	yamlForm   = lazyregexp.New(`^([ \t]*)(?:(?:"([\w.-]+)"|'([\w.-]+)'|([A-Za-z_][\w.-]*)):(?:[ \t]+|$))?(.*)$`)
)

// optionLine reads a line below the first, and reports whether it belongs to the options.
func (d *Directive) optionLine(line []byte, s text.Segment) bool {
	s.Padding = 0
	line = line[len(line)-min(s.Len(), len(line)):]
	marks := bytes.TrimSpace(line)
	switch {
	case d.part == inYAML && bytes.Equal(marks, []byte("---")):
		d.part = inBody
		return true
	case d.part == inYAML:
		d.yaml = append(d.yaml, s)
		return len(d.yaml) <= maxYAML
	case len(d.Options) == 0 && bytes.Equal(marks, []byte("---")):
		d.part = inYAML
		return true
	}
	m := optionForm.FindSubmatchIndex(line)
	if m == nil || len(d.Options) == maxOptions {
		return false
	}
	value := s.WithStart(s.Start + len(line))
	if m[4] >= 0 {
		value = text.NewSegment(s.Start+m[4], s.Start+m[5])
	}
	d.addOption(string(line[m[2]:m[3]]), string(line[max(m[4], 0):max(m[5], 0)]), s.Start+m[2]-1, value)
	return true
}

// addOption adds an option whose name is at an offset.
func (d *Directive) addOption(name, value string, at int, place text.Segment) *Option {
	d.Options = append(d.Options, Option{Attribute: markdown.Attribute{
		Span: markdown.Span{Start: at, Stop: max(at, place.Stop)}, Name: strings.ToLower(name), Value: value, HasValue: value != "",
	}})
	o := &d.Options[len(d.Options)-1]
	if !place.IsEmpty() {
		o.unquote(place)
	}
	return o
}

// unquote removes the quotation marks around a value.
func (o *Option) unquote(place text.Segment) {
	if n := len(o.Value); n > 1 && (o.Value[0] == '"' || o.Value[0] == '\'') && o.Value[n-1] == o.Value[0] {
		o.Value, place = o.Value[1:n-1], text.NewSegment(place.Start+1, place.Stop-1)
	}
	o.Lines = []text.Segment{place}
}

// readYAML reads the options of a block of YAML. Its values are texts: anchors and aliases have no
// meaning, so that a short text cannot become a long one. A block that has no end is shown as code, or
// belongs to the text of the directive.
func (d *Directive) readYAML() {
	if d.part == inYAML || len(d.yaml) > maxYAML {
		d.warn(d.Opening, diag.Say("markdown.myst-options-not-closed"), diag.Say("markdown.myst-options-not-closed-hint"))
		lines := text.NewSegments()
		for _, l := range d.yaml[:min(len(d.yaml), maxYAML)] { // the line after these is in the body
			l.ForceNewline = true
			lines.Append(l)
		}
		if d.kind.text {
			lines.AppendAll(d.Lines().Sliced(0, d.Lines().Len()))
			d.SetLines(lines)
		} else if lines.Len() > 0 {
			code := ast.NewCodeBlock()
			code.SetPos(lines.At(0).Start)
			code.SetLines(lines)
			d.InsertBefore(d, d.FirstChild(), code)
		}
		return
	}
	type level struct {
		indent int
		name   string
	}
	var above []level
	var now *Option
	block := false // now is a text of several lines, after | or >
	for _, s := range d.yaml {
		line := bytes.TrimRight(s.Value(d.source), " \t\r\n")
		m := yamlForm.FindSubmatchIndex(line)
		rest := text.NewSegment(s.Start+m[10], s.Start+len(line))
		value, indent := string(line[m[10]:]), m[3]
		if value == "" && m[10] == m[3] || strings.HasPrefix(value, "#") && m[10] == m[3] {
			continue
		}
		key := ""
		for i := 4; i < 10; i += 2 {
			if m[i] >= 0 {
				key = string(line[m[i]:m[i+1]])
			}
		}
		if now != nil && indent > above[len(above)-1].indent && (block || key == "" || now.HasValue) || now != nil && key == "" && strings.HasPrefix(value, "-") {
			now.more(string(line[m[3]:]), text.NewSegment(s.Start+m[3], s.Start+len(line)), block)
			continue
		}
		if key == "" || len(d.Options) == maxOptions {
			now = nil
			continue
		}
		for len(above) > 0 && above[len(above)-1].indent >= indent {
			above = above[:len(above)-1]
		}
		name := key
		if len(above) > 0 {
			name = above[len(above)-1].name + "." + key
		}
		above = append(above, level{indent, name})
		block = strings.HasPrefix(value, "|") || strings.HasPrefix(value, ">")
		if block {
			value, rest = "", text.NewSegment(rest.Stop, rest.Stop)
		}
		now = d.addOption(name, value, s.Start+indent, rest)
	}
}

// more adds a line to a value: an item of a list, or the rest of a text.
func (o *Option) more(value string, place text.Segment, block bool) {
	if item, ok := strings.CutPrefix(value, "- "); ok && !block {
		value = strings.TrimSpace(item) + ","
	}
	o.Value = strings.TrimSpace(o.Value + " " + value)
	o.Lines = append(o.Lines, place)
	o.HasValue = true
}

// option returns the value of the first option of a name, or "".
func (d *Directive) option(name string) string {
	o, _ := d.find(name)
	return o.Value
}

// find returns the first option of a name.
func (d *Directive) find(name string) (o Option, has bool) {
	for _, o := range d.Options {
		if o.Name == name {
			return o, true
		}
	}
	return Option{}, false
}

// flag reports whether an option is given, and not as false.
func (d *Directive) flag(name string) bool {
	o, has := d.find(name)
	return has && !strings.EqualFold(o.Value, "false")
}

// list returns the items of an option: "[a, 'b']", "a, b", or lines of YAML.
func (d *Directive) list(name string) (items []string) {
	for item := range strings.SplitSeq(strings.Trim(d.option(name), "[]"), ",") {
		if item = strings.Trim(strings.TrimSpace(item), `"'`); item != "" {
			items = append(items, item)
		}
	}
	return items
}
