package markdown

import (
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

// imageFeature reads the attributes directly behind an image,
//
//	![a card](card.png){#fig-card .round width=60%}
//
// into attributes of the node: "id", "class", "width", "height", "align" and
// "loading", each a []byte. Python-Markdown's attr_list has the same form:
// https://python-markdown.github.io/extensions/attr_list/.
type imageFeature struct{}

// Extend implements goldmark.Extender.
func (f imageFeature) Extend(md goldmark.Markdown) {
	md.Parser().AddOptions(parser.WithInlineParsers(util.Prioritized(f, 95)))
}

// Trigger implements parser.InlineParser.
func (imageFeature) Trigger() []byte { return []byte{'{'} }

// Parse implements parser.InlineParser. It returns a node without text, for what it
// reads belongs to the one before.
func (imageFeature) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	image, ok := parent.LastChild().(*ast.Image)
	if !ok {
		return nil
	}
	line, segment := block.PeekLine()
	a, ok := parseBraces(line, 0)
	if !ok || !describes(a) {
		return nil
	}
	block.Advance(a.Stop)
	setImage(image, a, segment.Start, pc)
	return ast.NewTextSegment(text.NewSegment(segment.Start+a.Stop, segment.Start+a.Stop))
}

// describes tells attributes from other text in braces: words alone are text.
func describes(a Attributes) bool {
	word := slices.ContainsFunc(a.Items, func(i Attribute) bool { return !i.HasValue })
	return !word && (len(a.Items) > 0 || a.ID != "" || len(a.Classes) > 0)
}

var (
	imageKeys = []string{"width", "height", "align", "loading"}
	length    = lazyregexp.New(`^[1-9][0-9]{0,4}(px)?$|^([1-9][0-9]?|100)%$`)
	pixels    = lazyregexp.New(`^[1-9][0-9]{0,4}(px)?$`)
)

// setImage keeps the attributes that mean something, and reports the others.
func setImage(image *ast.Image, a Attributes, base int, pc parser.Context) {
	if a.ID != "" {
		image.SetAttributeString("id", []byte(a.ID))
	}
	if len(a.Classes) > 0 {
		image.SetAttributeString("class", []byte(strings.Join(a.Classes, " ")))
	}
	for _, i := range a.Items {
		at := Span{base + i.Start, base + i.Stop}
		switch known := slices.Contains(imageKeys, i.Name); {
		case !known:
			report(pc, Fault{Span: at, Message: diag.Say("an image knows no attribute %q", i.Name), Hint: diag.Say("known are %s, #id and .class", strings.Join(imageKeys, ", "))})
		case i.Name == "width" && !length.MatchString(i.Value):
			report(pc, Fault{Span: at, Message: diag.Say("%q is no width", i.Value), Hint: diag.Say("write width=400px or width=60%%")})
		case i.Name == "height" && !pixels.MatchString(i.Value):
			report(pc, Fault{Span: at, Message: diag.Say("%q is no height", i.Value), Hint: diag.Say("write height=300px")})
		case i.Name == "align" && i.Value != "left" && i.Value != "right" && i.Value != "center":
			report(pc, Fault{Span: at, Message: diag.Say("%q is no alignment", i.Value), Hint: diag.Say("write align=left, align=right or align=center")})
		case i.Name == "loading" && i.Value != "lazy" && i.Value != "eager":
			report(pc, Fault{Span: at, Message: diag.Say("loading is lazy or eager, not %q", i.Value), Hint: diag.Say("images load when they are scrolled to, unless loading=eager is said")})
		default:
			image.SetAttributeString(i.Name, []byte(i.Value))
		}
	}
}

// ImageAttribute returns an attribute that the author gave an image, or the empty text.
func ImageAttribute(n ast.Node, name string) string {
	v, _ := n.AttributeString(name)
	b, _ := v.([]byte)
	return string(b)
}
