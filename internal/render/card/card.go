// Package card draws social cards: images that networks and chats show beside a link to a
// page. They do not accept SVG, so a card is a PNG of 1200 x 630.
//
// A card looks like the front panel of the site: the scale along its edge, the site's name, the
// title, and the results of the machines. The letters are those of the Go fonts, which cover
// Latin, Greek and Cyrillic; other characters are left out. Equal cards give equal bytes.
//
// An image has few colours, each in sixteen steps from the panel's, so it has one byte
// for each pixel, and drawing is copying. A card takes less than a millisecond.
package card

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"image"
	"strings"
	"sync"

	"golang.org/x/text/unicode/norm"
)

// Width and Height are those of a card, the size that all networks show whole.
const Width, Height = 1200, 630

// A Card is what stands on it.
type Card struct {
	// Title is the page's, Site the name of the site, Language the code of the text's.
	Title, Site, Language string
	// Readings are what the machines found, such as "5 passed".
	Readings []Reading
}

// A Reading is a short text in the colour of its state.
type Reading struct {
	Text  string
	State State
}

// State is the colour of a reading.
type State int

// The states.
const (
	Quiet State = iota
	Passed
	Failed
	Stale
)

// version counts the looks of cards: with another one a card has another name, for who has
// seen it keeps it.
const version = 1

// Key names the card by all that is on it.
func (c Card) Key() string {
	data, _ := json.Marshal(struct {
		Version int
		Card    Card
	}{version, c}) // strings and numbers can always be written
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:16])
}

// Blank tells that the fonts have not a letter of its texts: nobody would know what it is of.
func (c Card) Blank() bool {
	p := pens.Get().(*pen)
	defer pens.Put(p)
	return p.known(c.Title+c.Site) == ""
}

// pens are those that no card is drawn with now: a pen knows the letters that it has drawn.
var pens = sync.Pool{New: func() any { return newPen() }}

// PNG draws the card.
func (c Card) PNG() ([]byte, error) {
	p := pens.Get().(*pen)
	defer pens.Put(p)
	p.begin()
	c.draw(p)
	return encode(p.rows), nil
}

// What stands where: margins keep the text whole where a network cuts the edges.
const (
	margin    = 80
	titleTop  = 196
	titleFoot = 500
	footLine  = 572 // the base of the readings
)

// sizes of the title, the largest that fits is taken.
var sizes = []struct{ px, leading, lines int }{{76, 90, 3}, {60, 72, 4}, {46, 56, 5}}

func (c Card) draw(p *pen) {
	site, title := p.known(c.Site), p.known(c.Title)
	if title == "" {
		title, site = site, ""
	}
	p.mark(margin, 98)
	p.text(regular, 34, margin+92, 130, soft, p.cut(regular, 34, site, Width-2*margin-92))
	for i, size := range sizes {
		lines := p.wrap(bold, size.px, title, Width-2*margin)
		last := i == len(sizes)-1
		if len(lines) > size.lines && !last {
			continue
		}
		if len(lines) > size.lines {
			lines = lines[:size.lines]
			lines[size.lines-1] = p.cut(bold, size.px, lines[size.lines-1]+" …", Width-2*margin)
		}
		y := titleTop + (titleFoot-titleTop-len(lines)*size.leading)/2 + size.px*9/10
		for _, line := range lines {
			p.text(bold, size.px, margin, y, ink, line)
			y += size.leading
		}
		break
	}
	code := strings.ToUpper(p.known(c.Language))
	right := Width - margin - 14 - p.width(mono, 26, code)
	if code != "" {
		p.text(mono, 26, right, footLine, soft, code)
		p.frame(image.Rect(right-14, footLine-32, Width-margin, footLine+14), line)
	}
	x := margin
	for _, r := range c.Readings {
		text := p.known(r.Text)
		width := p.width(regular, 30, text)
		if text == "" || x+34+width > right-40 {
			continue
		}
		p.dot(x, footLine-21, colourOf[r.State])
		p.text(regular, 30, x+34, footLine, colourOf[r.State], text)
		x += 34 + width + 36
	}
}

// colourOf are the colours of the readings.
var colourOf = map[State]colour{Quiet: soft, Passed: green, Failed: red, Stale: amber}

// known is the text in the characters that the fonts have, in one line.
func (p *pen) known(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case r != ' ' && !p.has(r):
			return -1
		}
		return r
	}, norm.NFC.String(s))
	return strings.Join(strings.Fields(s), " ")
}
