package markdown

import (
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// An Attribute is one item in braces: word, key=value, key="a value", .class,
// whose name is ".", and #id, whose name is "#".
type Attribute struct {
	Name, Value string
	Span
}

var (
	attributeItem = regexp.MustCompile(`^(?:([.#])([\p{L}\p{M}\p{N}_:.-]+)|([\p{L}_][\p{L}\p{N}_-]*)(?:=(?:"([^"]*)"|'([^']*)'|([^\s"'{}=]+)))?)(?:[\s,]+|$)`)
	// attributeKeys are long forms.
	attributeKeys = map[string]string{"id": "#", "class": "."}
)

// takeAttributes parts the attributes at the end of a text from what stands
// before them. Braces that hold something else are text. at is the text's offset.
func takeAttributes(s string, at int) (before string, list []Attribute) {
	end := strings.TrimRight(s, " \t\r\n")
	open := strings.LastIndexByte(end, '{')
	if open < 0 || end[len(end)-1] != '}' || open > 0 && !strings.ContainsAny(end[open-1:open], " \t") {
		return s, nil
	}
	inner := end[open+1 : len(end)-1]
	rest := strings.TrimLeft(inner, " \t:")
	for rest != "" {
		m := attributeItem.FindStringSubmatch(rest)
		if m == nil {
			return s, nil
		}
		from := at + len(end) - 1 - len(rest)
		a := Attribute{Name: m[1] + m[3], Value: m[2] + m[4] + m[5] + m[6], Span: Span{from, from + len(strings.TrimRight(m[0], " \t,"))}}
		if long, ok := attributeKeys[a.Name]; ok {
			a.Name = long
		}
		list = append(list, a)
		rest = rest[len(m[0]):]
	}
	return end[:open], list
}

// identify gives a node the id and the classes among attributes, as goldmark
// keeps those of a heading.
func identify(n ast.Node, list []Attribute) {
	var classes []string
	for _, a := range list {
		switch a.Name {
		case "#":
			n.SetAttributeString("id", []byte(a.Value))
		case ".":
			classes = append(classes, a.Value)
		}
	}
	if classes != nil {
		n.SetAttributeString("class", []byte(strings.Join(classes, " ")))
	}
}
