// Package native reads the syntaxes that every page may use beyond CommonMark, one file each.
// Figures, formulas and typography have their own packages.
package native

import (
	"github.com/yuin/goldmark-emoji/definition"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/container"
)

// Syntax is the syntaxes of every page.
var Syntax = markdown.Syntax{
	Forms: []markdown.Form{
		markdown.NewForm("GitHub alert", markdown.InProse, "[!", `^\s*>+ ?\[![\w-]+\]\s*$`),
		markdown.NewForm(":::container", markdown.InProse, ":::", `^\s*:{3,} ?[\w-]+`),
	},
	Parsers: func(o markdown.Options) []parser.Option {
		inlines := []util.PrioritizedValue{
			util.Prioritized(liveParser{}, 90),
			util.Prioritized(emojiParser{definition.Github()}, 990),
		}
		if o.Citations || o.Dialects.Has(markdown.MyST) {
			inlines = append(inlines, util.Prioritized(citationParser{}, 80)) // before links (200)
		}
		return []parser.Option{
			parser.WithBlockParsers(
				util.Prioritized(container.Colons, 90),
				// before quotes (800)
				util.Prioritized(alertParser{obsidian: o.Dialects.Has(markdown.Obsidian), quote: parser.NewBlockquoteParser()}, 790),
				util.Prioritized(abbreviationParser{}, 95),
			),
			parser.WithInlineParsers(inlines...),
			parser.WithASTTransformers(util.Prioritized(abbreviationMarker{}, 1100)), // after footnotes (999), which are moved
		}
	},
	HTML: markdown.HTML{KindAbbreviation: writeAbbreviation, KindAbbreviationDefinition: markdown.WriteNothing, KindEmoji: writeEmoji},
}
