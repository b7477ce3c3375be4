package markdown

import (
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"
)

// mkdocs are the features of MkDocs with Material's extensions, and of FastAPI's docs.
func mkdocs(Options) []goldmark.Extender {
	return []goldmark.Extender{codeInclude{}, colonHeading{}, pymdownBlocks{}, markFeature, insertFeature, scriptFeature{}, keysFeature{}}
}

// pymdownBlocks are the callouts, tabs and HTML elements with Markdown in them.
type pymdownBlocks struct{}

func (pymdownBlocks) Extend(md goldmark.Markdown) {
	md.Parser().AddOptions(parser.WithBlockParsers(
		util.Prioritized(containerParser{slashes: true}, 90),
		util.Prioritized(indentedParser{}, 90),
		util.Prioritized(elementParser{}, 890), // before raw HTML (900)
		util.Prioritized(elementLine{parser.NewHTMLBlockParser()}, 891),
		util.Prioritized(newParagraph{parser.NewParagraphParser()}, 999),
	))
}
