package markdown

import "github.com/yuin/goldmark"

// obsidian are the features of Obsidian's vaults, https://help.obsidian.md/syntax.
func obsidian(Options) []goldmark.Extender {
	return []goldmark.Extender{markFeature, wikiLinkParser{}, embedParser{obsidian: true}, commentFeature{}, blockIDs{}, tagParser{}, imageSizes{}}
}
