package feeds

import (
	"path"

	"github.com/gpudocs/gpudocs/internal/render/card"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text"
)

// CardDir is the folder of social cards. A card's name is a hash of its content: networks cache cards, so one with
// other results needs another name.
const CardDir = "_cards"

// hasCards reports whether pages have cards. They need absolute addresses.
func (s *Site) hasCards() bool {
	return s.Nav.BaseURL != "" && !s.Nav.Offline && !s.Content.Config.Without.Cards
}

// nameCards returns the cards of all pages by the names of their files. Two pages may have the same card.
func (s *Site) nameCards() map[string]card.Card {
	cards := map[string]card.Card{}
	if !s.hasCards() {
		return cards
	}
	for _, p := range s.Content.Pages {
		if c := s.cardOf(p); !c.Blank() {
			cards[cardFile(c)] = c
		}
	}
	return cards
}

func cardFile(c card.Card) string { return path.Join(CardDir, c.Key()+".png") }

// cardOf returns the card of a page, in the language of the page.
func (s *Site) cardOf(p *site.Page) card.Card {
	t := s.Theme.Text(p.Language.Code)
	c := card.Card{Title: p.Title, Language: p.Language.Code}
	if title := s.Content.Config.Title; title != p.Title {
		c.Site = title
	}
	c.Readings = readings(t, s.Reports.Checks(nil, p))
	return c
}

// readings returns the counts that are not zero, in words.
func readings(t text.Catalog, n theme.CheckCount) (list []card.Reading) {
	states := map[string]card.State{"passed": card.Passed, "failed": card.Failed, "altered": card.Failed, "stale": card.Stale}
	for _, c := range n.Counts() {
		state, loud := states[c.Status]
		if !loud {
			state = card.Quiet
		}
		list = append(list, card.Reading{Text: t.Count(c.Key, c.N), State: state})
	}
	return list
}

// CardView returns what a page says about its card, or nil.
func (s *Site) CardView(p *site.Page) *theme.CardView {
	if !s.hasCards() {
		return nil
	}
	c := s.cardOf(p)
	if c.Blank() {
		return nil
	}
	return &theme.CardView{URL: s.Nav.Absolute(cardFile(c)), Width: card.Width, Height: card.Height, Alt: p.Title}
}
