// Package obsidian reads the dialect of Obsidian's vaults, https://help.obsidian.md/syntax:
// wiki links, embedded notes, comments, tags, ids of blocks, ==marks==, sizes of images.
package obsidian

import (
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

// Syntax is the dialect of Obsidian's vaults.
var Syntax = markdown.Syntax{
	Dialect: markdown.Obsidian,
	Forms:   forms,
	Parsers: func(markdown.Options) []parser.Option {
		return []parser.Option{
			parser.WithBlockParsers(util.Prioritized(commentBlockParser{}, 20)), // first, because a comment can contain anything
			parser.WithInlineParsers(
				util.Prioritized(markdown.Mark, 480),    // beside emphasis (500)
				util.Prioritized(wikiLinkParser{}, 150), // after code spans (100), before links (200)
				util.Prioritized(embedParser{obsidian: true}, embedPriority),
				util.Prioritized(inlineCommentParser{}, 95),
				util.Prioritized(blockIDs{}, 150),
				util.Prioritized(tagParser{}, 150),
			),
			parser.WithASTTransformers(
				util.Prioritized(moveAnchors{}, 100),
				util.Prioritized(imageSizes{}, 100),
			),
		}
	},
	HTML: markdown.HTML{
		markdown.KindMarked: markdown.WriteMarked, KindAnchor: writeAnchor,
		KindComment: markdown.WriteNothing, KindInlineComment: markdown.WriteNothing,
	},
}

// embedPriority is before links (200), which also begin with "![".
const embedPriority = 80

// ImageEmbeds reads ![[image.png|300]] outside of the dialect.
var ImageEmbeds = parser.WithInlineParsers(util.Prioritized(embedParser{}, embedPriority))
