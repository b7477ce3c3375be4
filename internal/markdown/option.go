package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

// An Option has a name in lower case and a value without quotation marks. A list is a text with commas. Names
// within others are joined by dots: "mystnb.figure.caption".
type Option struct {
	Attribute
	// Lines are the places of the value, for a text with markup.
	Lines []text.Segment
}

// NewOption returns an option whose name is at an offset.
func NewOption(name string, at int, value text.Segment, source []byte) Option {
	o := Option{Attribute: Attribute{Span: Span{Start: at, Stop: max(at, value.Stop)}, Name: strings.ToLower(name)}}
	o.addLine(value)
	o.unquote(source)
	return o
}

func (o *Option) addLine(place text.Segment) {
	if !place.IsEmpty() {
		o.Lines = append(o.Lines, place)
	}
	o.HasValue = len(o.Lines) > 0
}

// unquote sets the value from its lines, without the quotation marks around it.
func (o *Option) unquote(source []byte) {
	n := len(o.Lines) - 1
	if n < 0 {
		return
	}
	o.Lines[n] = o.Lines[n].TrimRightSpace(source)
	if start, stop := o.Lines[0].Start, o.Lines[n].Stop-1; start < stop && (source[start] == '"' || source[start] == '\'') &&
		source[stop] == source[start] {
		o.Lines[0].Start, o.Lines[n].Stop = start+1, stop
	}
	var words []string
	for _, l := range o.Lines {
		word := strings.TrimSpace(string(source[l.Start:l.Stop]))
		if item, ok := strings.CutPrefix(word, "- "); ok {
			word = strings.TrimSpace(item) + ","
		}
		words = append(words, word)
	}
	o.Value = strings.Join(words, " ")
}

var (
	// optionForm matches a line of YAML: blanks, a key, a value.
	optionForm = lazyregexp.New(`^([ \t]*)(?:(?:"([\w.-]+)"|'([\w.-]+)'|([A-Za-z_][\w.-]*)):(?:[ \t]+|$))?(.*)$`)
	// blockForm matches the value of an option whose text is in the lines below.
	blockForm = lazyregexp.New(`^[|>][-+0-9]*$`)
)

// MaxOptions bounds the options of a block.
const MaxOptions = 100

// ReadOptions reads lines of YAML. Values are texts: anchors and aliases have no meaning, so that a short text
// cannot become a long one.
func ReadOptions(source []byte, lines []text.Segment) (options []Option) {
	type level struct {
		indent int
		name   string
	}
	var above []level
	var now *Option
	block := false // now is a text of several lines
	for _, s := range lines {
		line := bytes.TrimRight(source[s.Start:s.Stop], " \t\r\n")
		m := optionForm.FindSubmatchIndex(line)
		indent, value := m[3], string(line[m[10]:])
		if keyless := m[10] == indent; keyless && (value == "" || strings.HasPrefix(value, "#")) {
			continue
		}
		key := ""
		for i := 4; i < 10; i += 2 {
			if m[i] >= 0 {
				key = string(line[m[i]:m[i+1]])
			}
		}
		deeper := now != nil && indent > above[len(above)-1].indent
		if deeper && (block || key == "" || now.HasValue) || now != nil && key == "" && strings.HasPrefix(value, "-") {
			now.addLine(text.NewSegment(s.Start+indent, s.Stop))
			continue
		}
		if key == "" || len(options) == MaxOptions {
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
		place := text.NewSegment(s.Start+m[10], s.Start+len(line))
		if block = blockForm.MatchString(value); block {
			place = place.WithStart(place.Stop)
		}
		options = append(options, Option{Attribute: Attribute{
			Span: Span{Start: s.Start + indent, Stop: s.Start + len(line)},
			Name: strings.ToLower(name),
		}})
		now = &options[len(options)-1]
		now.addLine(place)
	}
	for i := range options {
		options[i].unquote(source)
	}
	return options
}
