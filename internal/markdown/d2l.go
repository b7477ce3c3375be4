package markdown

import "github.com/yuin/goldmark"

// d2l are the features of d2lbook, https://book.d2l.ai/user/markdown.html.
func d2l(Options) []goldmark.Extender { return nil }
