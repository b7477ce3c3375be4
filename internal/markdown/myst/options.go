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

// maxYAML bounds the lines of a block of options.
const maxYAML = 1000

// optionForm matches :key: value.
var optionForm = lazyregexp.New(`^[ \t]*:([A-Za-z][\w-]*):(?:[ \t]+(.*?))?[ \t]*\r?\n?$`)

// optionLine reads a line below the first, and reports whether it belongs to the options.
func (d *Directive) optionLine(line []byte, s text.Segment, source []byte) bool {
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
	if m == nil || len(d.Options) == markdown.MaxOptions {
		return false
	}
	value := s.WithStart(s.Start + len(line))
	if m[4] >= 0 {
		value = text.NewSegment(s.Start+m[4], s.Start+m[5])
	}
	d.Options = append(d.Options, markdown.NewOption(string(line[m[2]:m[3]]), s.Start+m[2]-1, value, source))
	return true
}

// readYAML reads the options of a block of YAML. One that has no end is shown as code, or belongs to the text of
// the directive.
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
	d.Options = append(d.Options, markdown.ReadOptions(d.source, d.yaml)...)
}

// option returns the value of the first option of a name, or "".
func (d *Directive) option(name string) string {
	o, _ := d.find(name)
	return o.Value
}

// find returns the first option of a name.
func (d *Directive) find(name string) (o markdown.Option, has bool) {
	for _, o := range d.Options {
		if o.Name == name {
			return o, true
		}
	}
	return markdown.Option{}, false
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
