// Package mkdocs reads the dialect of MkDocs with Material's extensions: !!! and === blocks with an
// indented body, /// blocks, HTML elements that contain Markdown, keys, H~2~O, attribute lists, grids
// of cards.
package mkdocs

import (
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

// Syntax is the dialect of MkDocs with Material's extensions.
var Syntax = markdown.Syntax{
	Dialect: markdown.MkDocs,
	Forms:   forms,
	Parsers: func(markdown.Options) []parser.Option {
		return []parser.Option{
			parser.WithBlockParsers(
				util.Prioritized(colonHeading{parser.NewATXHeadingParser(parser.WithHeadingAttribute())}, 599), // in place of goldmark's (600)
				util.Prioritized(slashes, 90),
				util.Prioritized(apiParser{}, 85), // before containers (90)
				util.Prioritized(indentedParser{}, 90),
				util.Prioritized(elementParser{}, 890), // before raw HTML (900)
				util.Prioritized(elementLine{parser.NewHTMLBlockParser()}, 891),
				util.Prioritized(newParagraph{parser.NewParagraphParser()}, 999),
			),
			parser.WithInlineParsers(
				util.Prioritized(markdown.Mark, 480), // beside emphasis (500)
				util.Prioritized(insertMark, 480),
				util.Prioritized(scriptParser{}, 470), // before GFM's ~text~ (500)
				util.Prioritized(keysParser{}, 470),
				util.Prioritized(foreignInclude{}, 80),
				util.Prioritized(jinjaParser{}, 80),
				util.Prioritized(iconParser{}, 85),
				util.Prioritized(attributeLists{}, 90),
			),
			parser.WithASTTransformers(util.Prioritized(marks{}, 400)), // before figures
		}
	},
	HTML: markdown.HTML{markdown.KindMarked: markdown.WriteMarked, KindKeys: writeKeys},
}
