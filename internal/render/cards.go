package render

import (
	"path"

	"github.com/gpudocs/gpudocs/internal/card"
	"github.com/gpudocs/gpudocs/internal/content"
)

// cardDir is where the cards of pages are published. A name is made of what stands on the
// card: networks keep what they have fetched, and with a new result it is another picture.
const cardDir = "_cards"

// carded tells whether pages have cards: their addresses must be absolute.
func (s *Site) carded() bool {
	return s.options.BaseURL != "" && !s.options.Offline && !s.content.Config.Without.Cards
}

// nameCards lists them by their files, when one is asked for, or all files are. The same card of
// two pages is one file.
func (s *Site) nameCards() map[string]card.Card {
	cards := map[string]card.Card{}
	if !s.carded() {
		return cards
	}
	for _, p := range s.content.Pages {
		if c := s.cardOf(p); !c.Blank() {
			cards[cardFile(c)] = c
		}
	}
	return cards
}

func cardFile(c card.Card) string { return path.Join(cardDir, c.Key()+".png") }

// cardOf is the card of a page, in the page's own language.
func (s *Site) cardOf(p *content.Page) card.Card {
	t := s.strings[p.Language.Code]
	c := card.Card{Title: p.Title, Language: p.Language.Code}
	if title := s.content.Config.Title; title != p.Title {
		c.Site = title
	}
	n := s.checks(p)
	for _, r := range []struct {
		key   string
		n     int
		state card.State
	}{
		{"checks_passed", n.Passed, card.Passed}, {"checks_failed", n.Failed, card.Failed}, {"checks_altered", n.Altered, card.Failed},
		{"checks_stale", n.Stale, card.Stale}, {"checks_skipped", n.Skipped, card.Quiet}, {"checks_notrun", n.NotRun, card.Quiet},
	} {
		if r.n > 0 {
			c.Readings = append(c.Readings, card.Reading{Text: t.Count(r.key, r.n), State: r.state})
		}
	}
	return c
}

// cardView is what the page says of its card.
func (s *Site) cardView(p *content.Page) *CardView {
	if !s.carded() {
		return nil
	}
	c := s.cardOf(p)
	if c.Blank() {
		return nil
	}
	return &CardView{URL: s.absolute(cardFile(c)), Width: card.Width, Height: card.Height, Alt: p.Title}
}
