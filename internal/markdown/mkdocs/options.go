package mkdocs

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/container"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// options are the options in the lines below ///, which are YAML, indented by four, without a blank
// line before them: https://facelessuser.github.io/pymdown-extensions/extensions/blocks/#syntax.
// Most options are attributes of the container.
type options struct {
	// kind is the kind of a callout.
	kind string
}

// readOptions reads the options of a container. Lines without options are indented code.
func readOptions(b *container.Block, source []byte, pc parser.Context) (o options) {
	if len(b.Options) == 0 {
		return o
	}
	from := b.Options[0].Start
	whole := markdown.Extent(string(source[from:b.Options[len(b.Options)-1].Stop]), from)
	var values map[string]any
	var text bytes.Buffer
	for _, l := range b.Options {
		text.Write(l.Value(source))
	}
	if err := yaml.Unmarshal(text.Bytes(), &values); err != nil || values == nil {
		markdown.Warn(pc, whole, diag.Say("markdown.block-options-invalid"), diag.Say("markdown.block-options-invalid-hint"))
		code := ast.NewCodeBlock()
		for _, l := range b.Options {
			code.Lines().Append(l)
		}
		code.SetPos(whole.Start)
		b.InsertBefore(b, b.FirstChild(), code)
		return o
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		o.read(b, key, values[key], whole, pc)
	}
	return o
}

// tabOptions are options of a tab, with their attributes.
var tabOptions = map[string]string{"new": "apart", "select": "selected"}

// read reads one option of a container.
func (o *options) read(b *container.Block, key string, value any, at markdown.Span, pc parser.Context) {
	set := func(name, v string) {
		b.Given.Items = append(b.Given.Items, markdown.Attribute{Span: at, Name: name, Value: v, HasValue: v != ""})
	}
	switch {
	case key == "attrs":
		attributes, _ := value.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(attributes)) {
			v := fmt.Sprint(attributes[name])
			switch name {
			case "id":
				b.Given.ID = v
			case "class":
				b.Given.Classes = strings.Fields(v)
			}
		}
	case key == "type" && b.Name == "admonition", key == "type" && b.Name == "details":
		o.kind = strings.ToLower(fmt.Sprint(value))
	case key == "open" && b.Name != "tab":
		set("fold", map[bool]string{true: "open", false: ""}[value == true])
	case b.Name == "tab" && tabOptions[key] != "":
		if value == true {
			set(tabOptions[key], "")
		}
	default:
		markdown.Warn(pc, at,
			diag.Say("markdown.block-option-unknown", "key", key, "name", b.Name), diag.Say("markdown.block-option-unknown-hint"))
	}
}
