package importer

import (
	"bytes"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/dialects"
)

var notebookLink = lazyregexp.New(`\]\(<?([^)\s>#]+)\.ipynb[)#>]`)

// notebookLinks changes links to notebooks that are also imported to their pages.
func (p *page) notebookLinks() {
	var edits []edit
	var f dialects.Fences
	for _, l := range linesOf(p.src.data) {
		t := p.src.line(l)
		if f.Inside(t) {
			continue
		}
		for _, m := range notebookLink.FindAllStringSubmatchIndex(t, -1) {
			if file := fileOf(p.name, t[m[2]:m[3]]+".ipynb"); file != "" && p.options.Files[file] {
				edits = append(edits, edit{l.start + m[3], l.start + m[3] + len(".ipynb"), ".md"})
			}
		}
	}
	p.src.apply(edits)
}

var (
	sourceForm  = lazyregexp.New(`(?i)<(?:img|source|video|audio)\b[^>]*?\bsrc\s*=\s*["']?([^"'\s>]+)`)
	includeForm = lazyregexp.New(`(?m)^[ \t>]*:{3,}include[ \t]+([^{\r\n]+)`)
	fileForm    = lazyregexp.New(`\bfile\s*=\s*(?:"([^"]+)"|([^\s"}]+))`)
)

// uses returns the files that the page uses.
func (p *page) uses() []string {
	var list []string
	add := func(dest string) {
		if f := fileOf(p.name, dest); f != "" && !slices.Contains(list, f) {
			list = append(list, f)
		}
	}
	_ = ast.Walk(p.parse(), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
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
		case *ast.HTMLBlock, *ast.RawHTML:
			for _, m := range sourceForm.FindAllSubmatch(markdown.RawHTML(n, p.src.data), -1) {
				add(string(m[1]))
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

// fileOf returns the path of a destination on the page from, or "" if it is not the path of a file.
func fileOf(from, dest string) string {
	u, err := url.Parse(dest)
	if err != nil || u.Scheme != "" || u.Host != "" || u.Path == "" || strings.HasPrefix(u.Path, "/") {
		return ""
	}
	return path.Join(path.Dir(from), u.Path)
}

// destination escapes a path for the destination of a link.
func destination(p string) string {
	var b strings.Builder
	for _, c := range []byte(p) {
		if c <= ' ' || c == 0x7f || strings.IndexByte("()<>\\%\"'*`[]?#&", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
