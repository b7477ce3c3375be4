package resolve

import (
	"slices"

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
		for _, e := range l.EmbeddedNotes([]ast.Node{p.Doc()}) {
			if message := c.follow(l, e, nil); !message.IsZero() {
				diags.Add(p.Source.Warning(e.Start, e.Stop, message))
			}
		}
	}
	return diags
}

// An embedChecker follows the embeds of one page in the order in which they are shown.
type embedChecker struct {
	site  *site.Site
	shown int
}

func (c *embedChecker) follow(l *site.Links, e *markdown.Embed, path []*markdown.Embed) (message diag.Text) {
	if slices.Contains(path, e) {
		if e == path[0] {
			return diag.Say("links.embed-cycle").WithHint(diag.Say("links.embed-section-hint"))
		}
		return diag.Text{} // reported at the cycle
	}
	c.shown++
	if c.shown > site.MaxParts+1 {
		return diag.Text{} // reported at the first excess one
	}
	if len(path) == site.MaxPartDepth || c.shown > site.MaxParts {
		return diag.Say("links.embeds-too-many", "most", site.MaxPartDepth, "n", site.MaxParts).WithHint(diag.Say("links.embed-link-hint"))
	}
	part, ok := l.Part(e)
	if !ok {
		return diag.Text{}
	}
	links := c.site.Links(part.Page)
	for _, inner := range links.EmbeddedNotes(part.Blocks) {
		if m := c.follow(links, inner, append(slices.Clip(path), e)); !m.IsZero() && message.IsZero() {
			message = m
		}
		if c.shown > site.MaxParts {
			break
		}
	}
	return message
}
