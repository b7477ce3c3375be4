package render

import (
	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/site"
)

// speaks reports whether a page says anything of machines, itself or in what it embeds.
func (s *Site) speaks(p *site.Page) bool {
	found := len(p.Blocks)+len(p.LiveValues) > 0
	links := s.content.Links(p)
	if found || !links.EmbedsPages {
		return found
	}
	_ = ast.Walk(p.Doc(), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if e, ok := n.(*markdown.Embed); ok && entering {
			_, part := links.Part(e)
			found = found || part
		}
		return ast.WalkContinue, nil
	})
	return found
}
