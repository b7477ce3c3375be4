// Package mkdocs reads the dialect of MkDocs with Material's extensions, and of FastAPI's docs: !!!
// and === blocks with an indented body, /// blocks, HTML elements that contain Markdown, code of
// files, keys, H~2~O.
package mkdocs

import (
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

// Syntax is the dialect of MkDocs with Material's extensions, and of FastAPI's docs.
var Syntax = markdown.Syntax{
	Extensions: func(markdown.Options) []goldmark.Extender {
		return []goldmark.Extender{codeInclude{}, colonHeading{}, pymdownBlocks{}, markdown.Mark, insertFeature, scriptFeature{}, keysFeature{}}
	},
	HTML: markdown.HTML{markdown.KindMarked: markdown.WriteMarked, KindKeys: writeKeys},
}

// pymdownBlocks are callouts, tabs and HTML elements that contain Markdown.
type pymdownBlocks struct{}

func (pymdownBlocks) Extend(md goldmark.Markdown) {
	md.Parser().AddOptions(parser.WithBlockParsers(
		util.Prioritized(slashes, 90),
		util.Prioritized(indentedParser{}, 90),
		util.Prioritized(elementParser{}, 890), // before raw HTML (900)
		util.Prioritized(elementLine{parser.NewHTMLBlockParser()}, 891),
		util.Prioritized(newParagraph{parser.NewParagraphParser()}, 999),
	))
}
