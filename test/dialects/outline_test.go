package dialects

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// shown are the elements that an outline names; of the others it has only the children.
var shown = []string{"h1", "h2", "h3", "h4", "h5", "h6", "p", "ul", "ol", "li", "dl", "dt", "dd", "blockquote", "pre", "table", "tr", "figure", "figcaption",
	"details", "summary", "aside", "section", "img", "a", "code", "em", "strong", "del", "mark", "math", "hr", "br", "input", "iframe", "video", "abbr", "sup", "svg"}

// outline returns the structure of a page's text, an element on each line with the number of its words.
// It has none of the words, as the documents belong to others. For a link or an image it shows whether
// the target exists.
func outline(page string) (string, error) {
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && (n.Data == "article" || n.Data == "header" && attribute(n, "class") == "title") {
			walk(&b, n, 0)
		}
	}
	return b.String(), nil
}

func walk(b *strings.Builder, n *html.Node, depth int) {
	for c := range n.ChildNodes() {
		at := depth
		if c.Type == html.ElementNode && slices.Contains(shown, c.Data) {
			fmt.Fprintf(b, "%s%s%s", strings.Repeat("  ", depth), c.Data, detail(c))
			if count := len(words(text(c))); count > 0 {
				fmt.Fprintf(b, " %d", count)
			}
			b.WriteByte('\n')
			at++
		}
		if c.Data != "pre" && c.Data != "math" && c.Data != "svg" {
			walk(b, c, at)
		}
	}
}

// detail returns what distinguishes elements with the same name.
func detail(n *html.Node) string {
	switch class := attribute(n, "class"); n.Data {
	case "a":
		switch to := attribute(n, "href"); {
		case strings.HasPrefix(to, "#"):
			return " here"
		case strings.Contains(to, "://"):
			return " elsewhere"
		}
		return " page"
	case "img":
		if strings.Contains(attribute(n, "src"), "://") {
			return " elsewhere"
		}
	case "aside", "section", "figure", "details":
		if class != "" {
			return "." + strings.ReplaceAll(class, " ", ".")
		}
	}
	return ""
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func text(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
			b.WriteByte(' ')
		}
	}
	return b.String()
}
