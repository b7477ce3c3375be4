package resolve

import (
	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// checkEmbeds reports notes that embed themselves, and those that are nested too deep.
func checkEmbeds(s *site.Site) diag.List {
	var diags diag.List
	for i, p := range s.Pages {
		l := s.LinksByPage[i]
		if !l.EmbedsPages {
			continue
		}
		c := embedChecker{site: s}
		top := site.NewEmbedding()
		for _, e := range l.EmbeddedNotes([]ast.Node{p.Doc()}) {
			if message := c.follow(l, e, top); !message.IsZero() {
				diags.Add(p.Source.Warning(e.Start, e.Stop, message))
			}
		}
	}
	return diags
}

// An embedChecker follows the embeds of one page in the order in which they are shown.
type embedChecker struct {
	site *site.Site
	// full is set once too many are reported.
	full bool
}

func (c *embedChecker) follow(l *site.Links, e *markdown.Embed, in site.Embedding) (message diag.Text) {
	switch loops, first := in.Loops(e); {
	case first:
		return diag.Say("links.embed-cycle").WithHint(diag.Say("links.embed-section-hint"))
	case loops || c.full: // reported at the cycle, or at the first excess one
		return diag.Text{}
	case !in.Shows(e):
		c.full = in.Full()
		return diag.Say("links.embeds-too-many", "most", site.MaxPartDepth, "n", site.MaxParts).WithHint(diag.Say("links.embed-link-hint"))
	}
	in, _ = in.Enter(e)
	part, ok := l.Part(e)
	if !ok {
		return diag.Text{}
	}
	links := c.site.Links(part.Page)
	for _, inner := range links.EmbeddedNotes(part.Blocks()) {
		if m := c.follow(links, inner, in); !m.IsZero() && message.IsZero() {
			message = m
		}
		if c.full {
			break
		}
	}
	return message
}
