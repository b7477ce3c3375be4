package card

import (
	"image"
	"image/color"
	"strings"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// A colour is one that is drawn with; steps of it lie between the panel's and its own.
type colour uint8

const (
	ink colour = iota
	soft
	line
	green
	red
	amber
	colours

	steps = 16
)

// panel and colourValues are those of the default theme's front panel.
var (
	panel        = [3]int{0x0e, 0x34, 0x42}
	colourValues = [colours][3]int{{0xea, 0xf4, 0xf7}, {0xa9, 0xc6, 0xd1}, {0x41, 0x69, 0x7a}, {0x7f, 0xe0, 0xa3}, {0xff, 0x9a, 0x90}, {0xe8, 0xb7, 0x55}}
)

// palette has the panel first in each colour's steps.
var palette = func() (p color.Palette) {
	for _, c := range colourValues {
		for step := range steps {
			mixed := func(i int) uint8 { return uint8(panel[i] + (c[i]-panel[i])*step/(steps-1)) }
			p = append(p, color.RGBA{mixed(0), mixed(1), mixed(2), 0xff})
		}
	}
	return p
}()

// A style is a font.
type style uint8

const (
	regular style = iota
	bold
	mono
)

// fonts are parsed once: they do not change, and can be read by several pens.
var fonts = sync.OnceValue(func() (list [3]*sfnt.Font) {
	for i, data := range [][]byte{goregular.TTF, gobold.TTF, gomono.TTF} {
		f, err := opentype.Parse(data)
		if err != nil {
			panic(err) // it is part of the program
		}
		list[i] = f
	}
	return list
})

// A letter is one that was drawn, in the steps of a colour.
type letter struct {
	image.Rectangle // from where it stands
	steps           []uint8
	advance         fixed.Int26_6
}

type letterKey struct {
	style style
	px    int
	r     rune
}

// A pen draws one card at a time.
type pen struct {
	to      *image.Paletted
	empty   []uint8 // the pixels of the panel with nothing on it
	faces   map[letterKey]font.Face
	letters map[letterKey]letter
	buffer  sfnt.Buffer
}

func newPen() *pen {
	p := &pen{to: image.NewPaletted(image.Rect(0, 0, Width, Height), palette), faces: map[letterKey]font.Face{}, letters: map[letterKey]letter{}}
	p.scale()
	p.empty = append(p.empty, p.to.Pix...)
	return p
}

// begin takes away what was drawn.
func (p *pen) begin() {
	copy(p.to.Pix, p.empty)
	if len(p.letters) > 4000 { // texts in many scripts
		clear(p.letters)
	}
}

// scale is engraved along the upper edge, and a rule above the readings.
func (p *pen) scale() {
	for i, x := 0, 8; x < Width; i, x = i+1, x+16 {
		long := 14
		if i%5 == 0 {
			long = 26
		}
		p.fill(image.Rect(x, 0, x+2, long), line)
	}
	p.fill(image.Rect(margin, 516, Width-margin, 518), line)
}

func (p *pen) fill(r image.Rectangle, c colour) {
	r = r.Intersect(p.to.Rect)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		row := p.to.Pix[y*p.to.Stride+r.Min.X : y*p.to.Stride+r.Max.X]
		for i := range row {
			row[i] = uint8(c)*steps + steps - 1
		}
	}
}

func (p *pen) frame(r image.Rectangle, c colour) {
	for _, side := range []image.Rectangle{{r.Min, image.Pt(r.Max.X, r.Min.Y+2)}, {image.Pt(r.Min.X, r.Max.Y-2), r.Max},
		{r.Min, image.Pt(r.Min.X+2, r.Max.Y)}, {image.Pt(r.Max.X-2, r.Min.Y), r.Max}} {
		p.fill(side, c)
	}
}

// mark is the sign of the site: a pulse.
func (p *pen) mark(x, y int) {
	for _, r := range []image.Rectangle{image.Rect(0, 28, 19, 34), image.Rect(13, 0, 19, 34), image.Rect(13, 0, 38, 6),
		image.Rect(32, 0, 38, 34), image.Rect(32, 28, 57, 34), image.Rect(51, 0, 57, 34), image.Rect(51, 0, 70, 6)} {
		p.fill(r.Add(image.Pt(x, y)), green)
	}
}

// dot is a disc of 20 pixels, its edge in steps.
func (p *pen) dot(x, y int, c colour) {
	const size, fine = 20, 4
	for dy := range size {
		for dx := range size {
			in := 0
			for i := range fine * fine {
				fx, fy := 2*(dx*fine+i%fine)+1-size*fine, 2*(dy*fine+i/fine)+1-size*fine
				if fx*fx+fy*fy <= size*fine*size*fine {
					in++
				}
			}
			if in > 0 {
				p.to.SetColorIndex(x+dx, y+dy, uint8(c)*steps+uint8(in*(steps-1)/(fine*fine)))
			}
		}
	}
}

// has tells whether the fonts have a character.
func (p *pen) has(r rune) bool {
	i, err := fonts()[regular].GlyphIndex(&p.buffer, r)
	return err == nil && i != 0
}

func (p *pen) letter(s style, px int, r rune) letter {
	key := letterKey{s, px, r}
	if l, ok := p.letters[key]; ok {
		return l
	}
	face := p.faces[letterKey{s, px, 0}]
	if face == nil {
		var err error
		face, err = opentype.NewFace(fonts()[s], &opentype.FaceOptions{Size: float64(px), DPI: 72, Hinting: font.HintingNone})
		if err != nil {
			panic(err) // the options are our own
		}
		p.faces[letterKey{s, px, 0}] = face
	}
	var l letter
	if to, mask, at, advance, ok := face.Glyph(fixed.Point26_6{}, r); ok {
		l = letter{Rectangle: to, advance: advance, steps: make([]uint8, 0, to.Dx()*to.Dy())}
		for y := range to.Dy() {
			for x := range to.Dx() {
				_, _, _, a := mask.At(at.X+x, at.Y+y).RGBA()
				l.steps = append(l.steps, uint8((a*(steps-1)+0x7fff)/0xffff))
			}
		}
	}
	p.letters[key] = l
	return l
}

// text writes a line that stands on y.
func (p *pen) text(s style, px, x, y int, c colour, text string) {
	at := fixed.I(x)
	for _, r := range text {
		l := p.letter(s, px, r)
		to := l.Rectangle.Add(image.Pt(at.Round(), y))
		for i, step := range l.steps {
			px, py := to.Min.X+i%max(1, l.Dx()), to.Min.Y+i/max(1, l.Dx())
			if step > 0 && image.Pt(px, py).In(p.to.Rect) {
				pix := &p.to.Pix[py*p.to.Stride+px]
				*pix = uint8(c)*steps + max(step, stepOf(*pix, c))
			}
		}
		at += l.advance
	}
}

// stepOf is how far a pixel is from the panel already, if it has the colour: letters touch.
func stepOf(pix uint8, c colour) uint8 {
	if colour(pix/steps) == c {
		return pix % steps
	}
	return 0
}

func (p *pen) width(s style, px int, text string) int {
	var w fixed.Int26_6
	for _, r := range text {
		w += p.letter(s, px, r).advance
	}
	return w.Ceil()
}

// wrap parts a text into lines. A word that is longer than a line is parted too.
func (p *pen) wrap(s style, px int, text string, width int) (lines []string) {
	now := ""
	for _, word := range strings.Fields(text) {
		if next := strings.TrimSpace(now + " " + word); p.width(s, px, next) <= width {
			now = next
			continue
		}
		if now != "" {
			lines = append(lines, now)
		}
		now = ""
		for _, r := range word {
			if p.width(s, px, now+string(r)) > width {
				lines = append(lines, now)
				now = ""
			}
			now += string(r)
		}
		if len(lines) > 20 { // more than any size shows
			return lines
		}
	}
	if now != "" {
		lines = append(lines, now)
	}
	return lines
}

// cut ends a text that is too wide with an ellipsis.
func (p *pen) cut(s style, px int, text string, width int) string {
	if p.width(s, px, text) <= width {
		return text
	}
	letters := []rune(strings.TrimSuffix(text, "…"))
	for len(letters) > 0 && p.width(s, px, string(letters)+"…") > width {
		letters = letters[:len(letters)-1]
	}
	return strings.TrimRight(string(letters), " ") + "…"
}
