package importer

import (
	"bytes"
	"net/url"
	"slices"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

var (
	sourceForm  = lazyregexp.New(`(?i)<(?:img|source|video|audio)\b[^>]*?\bsrc\s*=\s*["']?([^"'\s>]+)`)
	includeForm = lazyregexp.New(`(?m)^[ \t>]*:{3,}include[ \t]+([^{\r\n]+)`)
	fileForm    = lazyregexp.New(`\bfile\s*=\s*(?:"([^"]+)"|([^\s"}]+))`)
)

// uses finds the files that the page needs beside it.
func (p *page) uses() []string {
	var list []string
	add := func(dest string) {
		if f := fileOf(p.name, dest); f != "" && !slices.Contains(list, f) {
			list = append(list, f)
		}
	}
	doc := p.parse(markdown.Options{})
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Image:
			add(string(n.Destination))
		case *ast.Link:
			add(string(n.Destination))
		case *ast.FencedCodeBlock:
			if n.Info != nil {
				if m := fileForm.FindSubmatch(n.Info.Segment.Value(p.src.data)); m != nil {
					add((&url.URL{Path: string(bytes.Join(m[1:], nil))}).String())
				}
			}
		case *ast.HTMLBlock:
			for i := range n.Lines().Len() {
				s := n.Lines().At(i)
				for _, m := range sourceForm.FindAllSubmatch(s.Value(p.src.data), -1) {
					add(string(m[1]))
				}
			}
		case *ast.RawHTML:
			for i := range n.Segments.Len() {
				s := n.Segments.At(i)
				for _, m := range sourceForm.FindAllSubmatch(s.Value(p.src.data), -1) {
					add(string(m[1]))
				}
			}
		}
		return ast.WalkContinue, nil
	})
	for _, m := range includeForm.FindAllSubmatch(p.src.data, -1) {
		add((&url.URL{Path: string(bytes.TrimSpace(m[1]))}).String())
	}
	slices.Sort(list)
	return list
}
