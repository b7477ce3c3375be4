package figure

import (
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// imageAttributes reads the attributes directly after an image,
//
//	![a card](card.png){#fig-card .round width=60%}
//
// into attributes of the node: "id", "class", "width", "height", "align" and
// "loading", each a []byte. Python-Markdown's attr_list has the same form:
// https://python-markdown.github.io/extensions/attr_list/.
type imageAttributes struct{}

// Trigger implements parser.InlineParser.
func (imageAttributes) Trigger() []byte { return []byte{'{'} }

// Parse implements parser.InlineParser. It returns a node without text, because the attributes
// belong to the node before.
func (imageAttributes) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	image, ok := parent.LastChild().(*ast.Image)
	if !ok {
		return nil
	}
	line, segment := block.PeekLine()
	a, ok := markdown.ParseAttributes(line, 0)
	if !ok || !describes(a) {
		return nil
	}
	block.Advance(a.Stop)
	setImage(image, a, segment.Start, pc)
	return ast.NewTextSegment(text.NewSegment(segment.Start+a.Stop, segment.Start+a.Stop))
}

// describes reports whether text in braces is attributes: words alone are text.
func describes(a markdown.Attributes) bool {
	word := slices.ContainsFunc(a.Items, func(i markdown.Attribute) bool { return !i.HasValue })
	return !word && (len(a.Items) > 0 || a.ID != "" || len(a.Classes) > 0)
}

var (
	imageKeys = []string{"width", "height", "align", "loading"}
	length    = lazyregexp.New(`^[1-9][0-9]{0,4}(px)?$|^([1-9][0-9]?|100)%$`)
	pixels    = lazyregexp.New(`^[1-9][0-9]{0,4}(px)?$`)
)

// IsLength reports whether a text is a valid width: "400", "400px", "60%".
func IsLength(s string) bool { return length.MatchString(s) }

// IsPixels reports whether a text is a valid height: "300", "300px".
func IsPixels(s string) bool { return pixels.MatchString(s) }

// setImage sets the known attributes, and reports the others.
func setImage(image *ast.Image, a markdown.Attributes, base int, pc parser.Context) {
	markdown.Identify(image, a.ID, a.Classes)
	for _, i := range a.Items {
		at := markdown.Span{Start: base + i.Start, Stop: base + i.Stop}
		switch known := slices.Contains(imageKeys, i.Name); {
		case !known:
			markdown.Warn(pc, at,
				diag.Say("markdown.image-attribute-unknown", "name", i.Name),
				diag.Say("markdown.image-attribute-unknown-hint", "image_keys", strings.Join(imageKeys, ", ")))
		case i.Name == "width" && !IsLength(i.Value):
			markdown.Warn(pc, at, diag.Say("markdown.width-invalid", "value", i.Value), diag.Say("markdown.width-invalid-hint"))
		case i.Name == "height" && !IsPixels(i.Value):
			markdown.Warn(pc, at, diag.Say("markdown.height-invalid", "value", i.Value), diag.Say("markdown.height-invalid-hint"))
		case i.Name == "align" && i.Value != "left" && i.Value != "right" && i.Value != "center":
			markdown.Warn(pc, at,
				diag.Say("markdown.alignment-invalid", "value", i.Value), diag.Say("markdown.alignment-invalid-hint"))
		case i.Name == "loading" && i.Value != "lazy" && i.Value != "eager":
			markdown.Warn(pc, at,
				diag.Say("markdown.loading-invalid", "value", i.Value), diag.Say("markdown.loading-invalid-hint"))
		default:
			image.SetAttributeString(i.Name, []byte(i.Value))
		}
	}
}
