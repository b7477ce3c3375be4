// Package card draws social cards: images that networks and chats show beside a link to a
// page. They do not accept SVG, so a card is a PNG of 1200 x 630.
//
// A card looks like the default theme's front panel: a scale along its edge, the site's name, the
// title, and the results of the machines. It is set in the Go fonts, which cover Latin, Greek and
// Cyrillic; other characters are left out. Equal cards give equal bytes.
//
// [Card.PNG] lays out the texts (card.go), draws them (painter.go) and encodes the picture (png.go).
// A picture has few colours, each in sixteen steps from that of the background, so it has one byte for
// each pixel, and letters that were drawn before are copied. The encoder is our own because a site
// has a card for each page: a card takes 1.2 ms with it, and 9.0 ms with image/png. Nothing else depends on
// it: png.go exports nothing, and its only entry point, encode, can be replaced by image/png.
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

// Width and Height are the size of a card in pixels, which all networks show whole.
const Width, Height = 1200, 630

// A Card is the content of a social card.
type Card struct {
	// Title is the page's title, Site the name of the site, Language the code of the page's language.
	Title, Site, Language string
	// Readings are the results of the machines, such as "5 passed".
	Readings []Reading
}

// A Reading is a short text, drawn in the colour of its state.
type Reading struct {
	Text  string
	State State
}

// A State is the meaning of a reading's colour.
type State int

// The states of readings.
const (
	Quiet State = iota
	Passed
	Failed
	Stale
)

// version is increased when the appearance of cards changes. It changes their names, because
// networks cache the pictures.
const version = 1

// Key returns a name for the card that depends on all that it shows.
func (c Card) Key() string {
	data, _ := json.Marshal(struct {
		Version int
		Card    Card
	}{version, c}) // strings and numbers always can be encoded
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:16])
}

// Blank reports whether the fonts lack every character of the title and the site's name.
func (c Card) Blank() bool {
	p := painters.Get().(*painter)
	defer painters.Put(p)
	return p.known(c.Title+c.Site) == ""
}

// painters are reused, because each caches the letters that it has drawn.
var painters = sync.Pool{New: func() any { return newPainter() }}

// PNG draws the card.
func (c Card) PNG() ([]byte, error) {
	p := painters.Get().(*painter)
	defer painters.Put(p)
	p.begin()
	c.draw(p)
	return encode(p.rows), nil
}

// Positions of the parts. The margins keep the text whole if a network crops the edges.
const (
	margin    = 80
	titleTop  = 196
	titleFoot = 500
	footLine  = 572 // the baseline of the readings
)

// sizes of the title, from which the largest that fits is chosen.
var sizes = []struct{ px, leading, lines int }{{76, 90, 3}, {60, 72, 4}, {46, 56, 5}}

func (c Card) draw(p *painter) {
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

// known returns the text in one line, without the characters that the fonts lack.
func (p *painter) known(s string) string {
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
