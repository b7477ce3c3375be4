package picture

import (
	"bytes"
	"html"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown/rawhtml"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// activeElements are the elements that run or load something, in any namespace. HTML in a <foreignObject>,
// as diagrams.net writes it for text, is read like the rest.
var activeElements = []string{"script", "iframe", "frame", "object", "embed", "applet", "portal", "handler", "listener", "base",
	"meta", "link", "form"}

// activeAttributes are those of HTML that load or run something whatever their value is.
var activeAttributes = []string{"srcset", "srcdoc", "imagesrcset", "background", "poster", "data", "action", "formaction", "ping",
	"code", "codebase", "archive", "classid", "manifest", "longdesc"}

// ActiveContent finds what an SVG runs or loads. It reads tags as a browser does. It helps honest
// authors and their reviewers: against deliberate attacks there are headers.
func ActiveContent(data []byte) (at int, what diag.Text) {
	if !utf8.Valid(data) {
		return 0, diag.Say("picture.svg-not-utf")
	}
	style, declared := false, false
	for at < len(data) {
		open := bytes.IndexByte(data[at:], '<')
		text := data[at:]
		if open >= 0 {
			text = text[:open]
		}
		if style && loadsStyle(string(text)) {
			return at, diag.Say("picture.svg-style-loads")
		}
		if open < 0 {
			break
		}
		at += open
		rest := data[at:]
		end := 0
		switch {
		case bytes.HasPrefix(rest, []byte("<!--")):
			end = endOf(rest, 4, "-->")
		case bytes.HasPrefix(rest, []byte("<![CDATA[")):
			if end = endOf(rest, 9, "]]>"); style && loadsStyle(string(rest[:end])) {
				return at, diag.Say("picture.svg-style-loads")
			}
		case bytes.HasPrefix(rest, []byte("<!")):
			if end = endOf(rest, 2, ">"); !declared && bytes.Contains(rest[:end], []byte("[")) {
				declared = true // a document has one type
				if entityMarkup.Match(rest[:max(bytes.IndexByte(rest, ']'), end)]) {
					return at, diag.Say("picture.svg-declares-entities")
				}
			}
		case bytes.HasPrefix(rest, []byte("<?")):
			if end = endOf(rest, 2, "?>"); bytes.HasPrefix(rest, []byte("<?xml-stylesheet")) {
				return at, diag.Say("picture.svg-loads-style")
			}
		case bytes.HasPrefix(rest, []byte("</")):
			style = false
			end = endOf(rest, 2, ">")
		default:
			var name string
			if name, end, what = checkTag(rest); !what.IsZero() {
				return at, what
			}
			style = name == "style" && !bytes.HasSuffix(rest[:end], []byte("/>"))
		}
		at += max(1, end)
	}
	return 0, diag.Text{}
}

// entityMarkup matches the declaration of an entity that contains a tag.
var entityMarkup = lazyregexp.New(`<!ENTITY[^>]*(["'][^"']*<|&#)`)

func endOf(data []byte, from int, mark string) int {
	if i := bytes.Index(data[from:], []byte(mark)); i >= 0 {
		return from + i + len(mark)
	}
	return len(data)
}

// checkTag reads a start tag: its name without a namespace, its end, and what is wrong with it.
func checkTag(tag []byte) (name string, end int, what diag.Text) {
	i := 1
	for i < len(tag) && !strings.ContainsRune(" \t\r\n/>", rune(tag[i])) {
		i++
	}
	name = localName(tag[1:i])
	if slices.Contains(activeElements, strings.ToLower(name)) {
		return name, i, diag.Say("picture.svg-holds", "name", name)
	}
	for i < len(tag) && tag[i] != '>' {
		if strings.ContainsRune(" \t\r\n/", rune(tag[i])) {
			i++
			continue
		}
		from := i
		for i < len(tag) && !strings.ContainsRune(" \t\r\n/>=", rune(tag[i])) {
			i++
		}
		attribute := tag[from:i]
		for i < len(tag) && strings.ContainsRune(" \t\r\n=", rune(tag[i])) {
			i++
		}
		if i >= len(tag) || tag[i] != '"' && tag[i] != '\'' {
			continue
		}
		stop := bytes.IndexByte(tag[i+1:], tag[i])
		if stop < 0 {
			return name, len(tag), diag.Text{}
		}
		value := tag[i+1 : i+1+stop]
		i += stop + 2
		if what = checkAttribute(name, attribute, value); !what.IsZero() {
			return name, i, what
		}
	}
	return name, min(i+1, len(tag)), diag.Text{}
}

func localName(name []byte) string {
	return string(name[bytes.LastIndexByte(name, ':')+1:])
}

// checkAttribute describes what an attribute runs or loads. Links are allowed: following one is the
// reader's choice.
func checkAttribute(element string, attribute, value []byte) diag.Text {
	switch name := localName(attribute); {
	case len(attribute) > 2 && strings.EqualFold(string(attribute[:2]), "on"):
		return diag.Say("picture.svg-runs-something", "attribute", string(attribute), "element", element)
	case slices.Contains(activeAttributes, strings.ToLower(name)):
		return diag.Say("picture.svg-attribute-loads", "attribute", string(attribute), "element", element)
	case strings.EqualFold(name, "href") || strings.EqualFold(name, "src"):
		to := strings.TrimSpace(html.UnescapeString(string(value)))
		switch {
		case strings.HasPrefix(to, "&"): // an entity that the document declares
			return diag.Say("picture.svg-refers", "to", to)
		case strings.HasPrefix(to, "#"), to == "":
		case element == "a" && !rawhtml.Dangerous(to):
		case element != "a" && !rawhtml.DangerousImage(to) && strings.HasPrefix(strings.ToLower(to), "data:"):
		default:
			if len(to) > 60 {
				to = strings.ToValidUTF8(to[:60], "") + "…"
			}
			return diag.Say("picture.svg-refers", "to", to)
		}
	case name == "attributeName" && strings.HasSuffix(string(value), "href"):
		return diag.Say("picture.svg-changes-link")
	case len(value) > len("url()") && bytes.Contains(value, []byte("(")) && loadsStyle(html.UnescapeString(string(value))):
		return diag.Say("picture.svg-attribute-loads", "attribute", string(attribute), "element", element)
	}
	return diag.Text{}
}

var styleAddress = lazyregexp.New(`(?i)url\s*\(\s*["']?\s*([^)"'\s]{0,5})|@import|image-set`)

// loadsStyle reports whether a style needs another file.
func loadsStyle(style string) bool {
	for _, m := range styleAddress.FindAllStringSubmatch(style, -1) {
		if to := strings.ToLower(m[1]); !strings.HasPrefix(to, "#") && to != "data:" {
			return true
		}
	}
	return false
}
