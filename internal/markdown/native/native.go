// Package native reads the syntaxes that every page may use beyond CommonMark, one file each.
// Figures, formulas and typography have their own packages.
package native

import (
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/container"
)

// Syntax is the syntaxes of every page.
var Syntax = markdown.Syntax{
	Extensions: func(o markdown.Options) []goldmark.Extender {
		list := []goldmark.Extender{liveParser{}, containers{obsidian: o.Dialects.Has(markdown.Obsidian)}, abbreviationFeature{}, emojiFeature{}}
		if o.Citations {
			list = append(list, citations{})
		}
		return list
	},
	HTML: markdown.HTML{KindAbbreviation: writeAbbreviation, KindAbbreviationDefinition: markdown.WriteNothing, KindEmoji: writeEmoji},
}

// containers are the blocks of every page that contain other blocks: ::: and alerts.
type containers struct{ obsidian bool }

func (e containers) Extend(md goldmark.Markdown) {
	md.Parser().AddOptions(parser.WithBlockParsers(
		util.Prioritized(container.Colons, 90),
		util.Prioritized(alertParser{e.obsidian, parser.NewBlockquoteParser()}, 790), // before quotes (800)
	))
}
