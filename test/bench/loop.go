package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/formatters/html"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/alecthomas/chroma/v2/styles"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// loop does the minimal work: it parses and renders every page's Markdown, and highlights each
// distinct block once, on one CPU and without output.
func loop(args []string) error {
	if len(args) != 1 {
		return errors.New("usage: bench loop FOLDER")
	}
	md := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithParserOptions(parser.WithAutoHeadingID(), parser.WithAttribute()))
	colours := html.New(html.WithClasses(true))
	done := map[[2]string]bool{}
	pages := 0
	fsys := os.DirFS(args[0])
	err := fs.WalkDir(fsys, "content", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".md" {
			return err
		}
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		_, body, _ := bytes.Cut(bytes.TrimPrefix(data, []byte("---\n")), []byte("\n---\n"))
		doc := md.Parser().Parse(text.NewReader(body))
		pages++
		if err := md.Renderer().Render(io.Discard, body, doc); err != nil {
			return err
		}
		return ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			block, ok := n.(*ast.FencedCodeBlock)
			if !ok || !entering {
				return ast.WalkContinue, nil
			}
			key := [2]string{string(block.Language(body)), string(block.Lines().Value(body))}
			if done[key] {
				return ast.WalkSkipChildren, nil
			}
			done[key] = true
			lexer := lexers.Get(key[0])
			if lexer == nil {
				lexer = lexers.Fallback
			}
			tokens, err := chroma.Coalesce(lexer).Tokenise(nil, key[1])
			if err != nil {
				return ast.WalkStop, err
			}
			return ast.WalkSkipChildren, colours.Format(io.Discard, styles.Fallback, tokens)
		})
	})
	fmt.Printf("%d pages, %d distinct blocks\n", pages, len(done))
	return err
}
