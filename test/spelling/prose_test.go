package spelling

import (
	"bytes"
	"encoding/xml"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/native"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A word of prose and its place.
type word struct {
	text       string
	file       *diag.File
	start      int
	emphasized bool
}

// spelled matches candidates for words: hyphens and apostrophes join words; a word with a digit, an
// underscore or a dot is a name, as of a GPU, a type or a file. A dot before a capital ends a sentence.
var spelled = regexp.MustCompile(`[\p{L}\p{M}\p{N}_]+(?:(?:['’‑-]|[.][\p{Ll}\p{N}])[\p{L}\p{M}\p{N}_]+)*`)

// reference is a character written by its name.
var reference = regexp.MustCompile(`&#?[0-9A-Za-z]+;`)

// wordsOf returns the words of a part of a file.
func wordsOf(f *diag.File, start, stop int) (words []word) {
	text := reference.ReplaceAllFunc(f.Data[start:stop], blanks)
	for _, at := range spelled.FindAllIndex(text, -1) {
		s := string(text[at[0]:at[1]])
		if !strings.ContainsAny(s, "0123456789_.") && len([]rune(s)) > 1 {
			words = append(words, word{text: s, file: f, start: start + at[0]})
		}
	}
	return words
}

// proseOf returns the words of a page that its readers see as prose. file is the source of the page
// with its front matter.
func proseOf(p *site.Page, file []byte) (words []word) {
	head := diag.NewFile(p.File.Name, file)
	for _, m := range frontMatter.FindAllSubmatchIndex(file[:matterEnd(file)], -1) {
		words = append(words, wordsOf(head, m[2], m[3])...)
	}
	// quoted is a text that a node holds without its place, which is behind from.
	quoted := func(s string, from int) {
		if at := bytes.Index(p.Source.Data[from:], []byte(s)); at >= 0 {
			words = append(words, wordsOf(p.Source, from+at, from+at+len(s))...)
		}
	}
	// Goldmark cuts a text where a mark might have been.
	start, last, emphasized := 0, 0, false
	next := func(s, e int, n ast.Node) {
		if s != last {
			for _, w := range wordsOf(p.Source, start, last) {
				w.emphasized = emphasized
				words = append(words, w)
			}
			start, emphasized = s, n != nil && n.Parent().Kind() == ast.KindEmphasis
		}
		last = e
	}
	_ = ast.Walk(p.Doc(), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			switch n := n.(type) {
			case *ast.Image:
				quoted(string(n.Title), last)
			case *ast.Link:
				quoted(string(n.Title), last)
			}
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			next(n.Segment.Start, n.Segment.Stop, n)
		case *site.Fence:
			if strings.Contains(n.Title, " ") || !strings.Contains(n.Title, "/") { // not the path of a file
				quoted(n.Title, n.Pos())
			}
			quoted(n.Tab, n.Pos())
			return ast.WalkSkipChildren, nil
		case *native.AbbreviationDefinition:
			quoted(n.Title, n.Start)
		case *ast.CodeSpan, *ast.CodeBlock, *ast.AutoLink, *ast.RawHTML, *ast.HTMLBlock, *markdown.Math, *markdown.MathBlock:
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	})
	next(0, 0, nil)
	return words
}

// frontMatter returns the words of front matter that a reader sees.
var frontMatter = regexp.MustCompile(`(?m)^(?:title|description):(.*)$`)

func matterEnd(file []byte) int {
	if !bytes.HasPrefix(file, []byte("---\n")) {
		return 0
	}
	return max(0, bytes.Index(file, []byte("\n---\n")))
}

// texts returns the words of a theme's texts: of the values of a TOML file, without placeholders and code.
func texts(name string, data []byte) (words []word) {
	f := diag.NewFile(name, filled.ReplaceAllFunc(data, blanks))
	for _, m := range value.FindAllSubmatchIndex(f.Data, -1) {
		words = append(words, wordsOf(f, m[2], m[3])...)
	}
	return words
}

var (
	filled = regexp.MustCompile("\\{[a-z_]+\\}|`[^`\n]*`")
	value  = regexp.MustCompile(`(?m)^[^#=\n]+= "(.*)"`)
)

func blanks(b []byte) []byte { return bytes.Repeat([]byte(" "), len(b)) }

// drawn returns the words of an SVG: its texts, its title and its description.
func drawn(f *diag.File) (words []word, err error) {
	d := xml.NewDecoder(bytes.NewReader(f.Data))
	var open []string
	for {
		start := int(d.InputOffset())
		token, err := d.Token()
		switch token := token.(type) {
		case xml.StartElement:
			open = append(open, token.Name.Local)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if !slices.Contains(open, "style") {
				words = append(words, wordsOf(f, start, int(d.InputOffset()))...)
			}
		}
		if err == io.EOF {
			return words, nil
		} else if err != nil {
			return nil, err
		}
	}
}
