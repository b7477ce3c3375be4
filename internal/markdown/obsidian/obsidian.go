// Package obsidian reads the dialect of Obsidian's vaults, https://help.obsidian.md/syntax:
// wiki links, embedded notes, comments, tags, ids of blocks, ==marks==, sizes of images.
package obsidian

import (
	"github.com/yuin/goldmark"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

// Syntax is the dialect of Obsidian's vaults.
var Syntax = markdown.Syntax{
	Extensions: func(markdown.Options) []goldmark.Extender {
		return []goldmark.Extender{markdown.Mark, wikiLinkParser{}, embedParser{obsidian: true}, commentFeature{}, blockIDs{}, tagParser{}, imageSizes{}}
	},
	HTML: markdown.HTML{
		markdown.KindMarked: markdown.WriteMarked, KindAnchor: writeAnchor, KindTag: writeTag,
		KindComment: markdown.WriteNothing, KindInlineComment: markdown.WriteNothing,
	},
}

// ImageEmbeds reads ![[image.png|300]] outside of the dialect.
var ImageEmbeds goldmark.Extender = embedParser{}
