package content

import (
	"bytes"
	"html"
	"io"
	"path"
	"runtime"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/rawhtml"
)

// An SVG is published as it is. A page shows it as an image, in which nothing runs and nothing is
// loaded; but it has an address of its own, and opened there it is a document of the site's origin. The
// headers that come with a site keep it from running anything (package hosting), and not every server
// sends them: so what would run or load is said.

// RuleDrawing is of SVGs that hold more than drawing.
const RuleDrawing = "drawing"

// drawings looks into the SVGs of the site that may have changed.
func (l *Loader) drawings(s *Site, c changes) (diags diag.List) {
	found := make([]diag.List, len(s.Assets))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, a := range s.Assets {
		name := path.Join(root, a)
		if !strings.EqualFold(path.Ext(a), ".svg") {
			continue
		}
		if old, known := l.drawn[a]; known && !c.of(name) && !l.listing.linked[name] {
			found[i] = old
			continue
		}
		g.Go(func() error {
			found[i] = l.drawing(name)
			return nil
		})
	}
	_ = g.Wait() // no function above returns an error
	l.drawn = map[string]diag.List{}
	for i, a := range s.Assets {
		l.drawn[a] = found[i]
		diags = append(diags, found[i]...)
	}
	return diags
}

// drawing says the first thing that a file holds beside drawing. What cannot be read is said where it
// is shown, or published.
func (l *Loader) drawing(name string) diag.List {
	f, err := l.fsys.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxImage))
	if err != nil {
		return nil
	}
	at, what := beyondDrawing(data)
	if what.IsZero() {
		return nil
	}
	d := diag.NewFile(name, data).Warning(at, at+1, what,
		diag.Say("export it without that: on a page it does nothing, but opened by its own address the file is a page of the site"))
	if d.Rule = RuleDrawing; len(d.Source) > 400 {
		d.Source = "" // some programs write all on one line
	}
	return diag.List{d}
}

// active are the elements that run or load something, whatever name space is before them.
var active = []string{"script", "foreignobject", "iframe", "object", "embed", "handler", "listener", "base", "meta", "link", "form"}

// beyondDrawing finds what in an SVG runs or loads something. It takes tags as a browser would, and is for
// honest files and their reviewers: what is contrived is the headers' business.
func beyondDrawing(data []byte) (at int, what diag.Text) {
	if !utf8.Valid(data) {
		return 0, diag.Say("the SVG is not in UTF-8, and nothing here reads what it holds")
	}
	style, declared := false, false
	for at < len(data) {
		open := bytes.IndexByte(data[at:], '<')
		text := data[at:]
		if open >= 0 {
			text = text[:open]
		}
		if style && loadsStyle(string(text)) {
			return at, diag.Say("the style of the SVG loads something")
		}
		if open < 0 {
			break
		}
		at += open
		rest := data[at:]
		end := 0
		switch {
		case bytes.HasPrefix(rest, []byte("<!--")):
			end = behind(rest, 4, "-->")
		case bytes.HasPrefix(rest, []byte("<![CDATA[")):
			if end = behind(rest, 9, "]]>"); style && loadsStyle(string(rest[:end])) {
				return at, diag.Say("the style of the SVG loads something")
			}
		case bytes.HasPrefix(rest, []byte("<!")):
			if end = behind(rest, 2, ">"); !declared && bytes.Contains(rest[:end], []byte("[")) {
				declared = true // a document has one type
				if entityMarkup.Match(rest[:max(bytes.IndexByte(rest, ']'), end)]) {
					return at, diag.Say("the SVG declares entities that hold markup")
				}
			}
		case bytes.HasPrefix(rest, []byte("<?")):
			if end = behind(rest, 2, "?>"); bytes.HasPrefix(rest, []byte("<?xml-stylesheet")) {
				return at, diag.Say("the SVG loads a style")
			}
		case bytes.HasPrefix(rest, []byte("</")):
			style = false
			end = behind(rest, 2, ">")
		default:
			var name string
			if name, end, what = judgeTag(rest); !what.IsZero() {
				return at, what
			}
			style = name == "style" && !bytes.HasSuffix(rest[:end], []byte("/>"))
		}
		at += max(1, end)
	}
	return 0, diag.Text{}
}

// entityMarkup finds an entity that stands for a tag.
var entityMarkup = lazyregexp.New(`<!ENTITY[^>]*(["'][^"']*<|&#)`)

func behind(data []byte, from int, mark string) int {
	if i := bytes.Index(data[from:], []byte(mark)); i >= 0 {
		return from + i + len(mark)
	}
	return len(data)
}

// judgeTag reads a start tag: its name without a name space, where it ends, what is wrong with it.
func judgeTag(tag []byte) (name string, end int, what diag.Text) {
	i := 1
	for i < len(tag) && !strings.ContainsRune(" \t\r\n/>", rune(tag[i])) {
		i++
	}
	name = local(tag[1:i])
	if slices.Contains(active, strings.ToLower(name)) {
		return name, i, diag.Say("the SVG holds <%s>", name)
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
		if what = judgeAttribute(name, attribute, value); !what.IsZero() {
			return name, i, what
		}
	}
	return name, min(i+1, len(tag)), diag.Text{}
}

func local(name []byte) string {
	return string(name[bytes.LastIndexByte(name, ':')+1:])
}

// judgeAttribute says whether an attribute runs or loads something. Links do not: who follows one knows.
func judgeAttribute(element string, attribute, value []byte) diag.Text {
	switch name := local(attribute); {
	case len(attribute) > 2 && strings.EqualFold(string(attribute[:2]), "on"):
		return diag.Say("the SVG runs something: %s of <%s>", string(attribute), element)
	case name == "href" || name == "src":
		to := strings.TrimSpace(html.UnescapeString(string(value)))
		switch {
		case strings.HasPrefix(to, "#"), to == "":
		case element == "a" && !rawhtml.Dangerous(to):
		case element != "a" && !rawhtml.DangerousImage(to) && strings.HasPrefix(strings.ToLower(to), "data:"):
		default:
			if len(to) > 60 {
				to = strings.ToValidUTF8(to[:60], "") + "…"
			}
			return diag.Say("the SVG refers to %q", to)
		}
	case name == "attributeName" && strings.HasSuffix(string(value), "href"):
		return diag.Say("the SVG changes where a link of it leads")
	case len(value) > len("url()") && bytes.Contains(value, []byte("(")) && loadsStyle(html.UnescapeString(string(value))):
		return diag.Say("the attribute %s of <%s> loads something", string(attribute), element)
	}
	return diag.Text{}
}

var styleAddress = lazyregexp.New(`(?i)url\s*\(\s*["']?\s*([^)"'\s]{0,5})|@import|image-set`)

// loadsStyle tells whether a style needs another file.
func loadsStyle(style string) bool {
	for _, m := range styleAddress.FindAllStringSubmatch(style, -1) {
		if to := strings.ToLower(m[1]); !strings.HasPrefix(to, "#") && to != "data:" {
			return true
		}
	}
	return false
}
