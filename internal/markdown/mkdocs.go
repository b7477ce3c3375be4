package markdown

import "github.com/yuin/goldmark"

// mkdocs are the features of MkDocs with Material's extensions, and of FastAPI's docs.
func mkdocs(Options) []goldmark.Extender {
	return []goldmark.Extender{markFeature, insertFeature, scriptFeature{}, keysFeature{}}
}
