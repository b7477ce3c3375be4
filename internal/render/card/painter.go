package card

import (
	"image"
	"image/color"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// A colour is an index into colourValues. It is drawn in steps between that of the panel and its own.
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

// The colours of the default theme's front panel: its background, and those of texts and lines.
var (
	panel        = [3]int{0x0e, 0x34, 0x42}
	colourValues = [colours][3]int{{0xea, 0xf4, 0xf7}, {0xa9, 0xc6, 0xd1}, {0x41, 0x69, 0x7a}, {0x7f, 0xe0, 0xa3}, {0xff, 0x9a, 0x90}, {0xe8, 0xb7, 0x55}}
)

// palette has the steps of each colour; the first of each is the background.
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

// fonts are parsed once, and are safe for use by several painters.
var fonts = sync.OnceValue(func() (list [3]*sfnt.Font) {
	for i, data := range [][]byte{goregular.TTF, gobold.TTF, gomono.TTF} {
		f, err := opentype.Parse(data)
		if err != nil {
			panic(err) // the font is part of the program
		}
		list[i] = f
	}
	return list
})

// A letter is a drawn glyph, relative to its position on the baseline.
type letter struct {
	strokes []stroke
	advance fixed.Int26_6
}

// A stroke is a run of pixels in a row, as steps of a colour other than 0.
type stroke struct {
	at    image.Point
	steps []uint8
}

// A face is a font in a size, with its letters that were drawn before.
type face struct {
	font.Face
	letters map[rune]letter
}

type faceKey struct {
	style style
	px    int
}

// A painter draws one card at a time. It keeps its faces from one card to the next.
type painter struct {
	// rows are those of the picture to, each after the zero that a PNG has there.
	rows   []uint8
	to     *image.Paletted
	faces  map[faceKey]*face
	buffer sfnt.Buffer
}

func newPainter() *painter {
	rows := make([]uint8, Height*rowSize)
	return &painter{rows: rows, to: &image.Paletted{Pix: rows[1:], Stride: rowSize, Rect: image.Rect(0, 0, Width, Height), Palette: palette}, faces: map[faceKey]*face{}}
}

// empty are the rows of a card without texts.
var empty = sync.OnceValue(func() []uint8 {
	p := newPainter()
	p.scale()
	return p.rows
})

// begin clears the picture.
func (p *painter) begin() {
	copy(p.rows, empty())
	for _, f := range p.faces {
		if len(f.letters) > 1000 { // texts in many scripts
			clear(f.letters)
		}
	}
}

// scale draws the scale along the upper edge, and the line above the readings.
func (p *painter) scale() {
	for i, x := 0, 8; x < Width; i, x = i+1, x+16 {
		long := 14
		if i%5 == 0 {
			long = 26
		}
		p.fill(image.Rect(x, 0, x+2, long), line)
	}
	p.fill(image.Rect(margin, 516, Width-margin, 518), line)
}

func (p *painter) fill(r image.Rectangle, c colour) {
	r = r.Intersect(p.to.Rect)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		row := p.to.Pix[y*p.to.Stride+r.Min.X : y*p.to.Stride+r.Max.X]
		for i := range row {
			row[i] = uint8(c)*steps + steps - 1
		}
	}
}

func (p *painter) frame(r image.Rectangle, c colour) {
	for _, side := range []image.Rectangle{{r.Min, image.Pt(r.Max.X, r.Min.Y+2)}, {image.Pt(r.Min.X, r.Max.Y-2), r.Max},
		{r.Min, image.Pt(r.Min.X+2, r.Max.Y)}, {image.Pt(r.Max.X-2, r.Min.Y), r.Max}} {
		p.fill(side, c)
	}
}

// mark draws the default theme's mark, a pulse.
func (p *painter) mark(x, y int) {
	for _, r := range []image.Rectangle{image.Rect(0, 28, 19, 34), image.Rect(13, 0, 19, 34), image.Rect(13, 0, 38, 6),
		image.Rect(32, 0, 38, 34), image.Rect(32, 28, 57, 34), image.Rect(51, 0, 57, 34), image.Rect(51, 0, 70, 6)} {
		p.fill(r.Add(image.Pt(x, y)), green)
	}
}

// dot draws a disc with a diameter of 20 pixels and a smooth edge.
func (p *painter) dot(x, y int, c colour) {
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

// has reports whether the fonts have a character.
func (p *painter) has(r rune) bool {
	i, err := fonts()[regular].GlyphIndex(&p.buffer, r)
	return err == nil && i != 0
}

func (p *painter) face(s style, px int) *face {
	key := faceKey{s, px}
	f := p.faces[key]
	if f == nil {
		of, err := opentype.NewFace(fonts()[s], &opentype.FaceOptions{Size: float64(px), DPI: 72, Hinting: font.HintingNone})
		if err != nil {
			panic(err) // the options are constants
		}
		f = &face{of, map[rune]letter{}}
		p.faces[key] = f
	}
	return f
}

func (f *face) letter(r rune) letter {
	if l, ok := f.letters[r]; ok {
		return l
	}
	var l letter
	if to, mask, at, advance, ok := f.Glyph(fixed.Point26_6{}, r); ok {
		l.advance = advance
		for y := range to.Dy() {
			row := make([]uint8, to.Dx())
			for x := range row {
				_, _, _, a := mask.At(at.X+x, at.Y+y).RGBA()
				row[x] = uint8((a*(steps-1) + 0x7fff) / 0xffff)
			}
			l.strokes = append(l.strokes, strokes(row, to.Min.Add(image.Pt(0, y)))...)
		}
	}
	f.letters[r] = l
	return l
}

// strokes returns the runs of a row that begins at a point.
func strokes(row []uint8, at image.Point) (out []stroke) {
	for x := 0; x < len(row); x++ {
		from := x
		for x < len(row) && row[x] > 0 {
			x++
		}
		if x > from {
			out = append(out, stroke{at.Add(image.Pt(from, 0)), row[from:x]})
		}
	}
	return out
}

// text draws a line of text whose baseline is y.
func (p *painter) text(s style, px, x, y int, c colour, text string) {
	f := p.face(s, px)
	at := fixed.I(x)
	for _, r := range text {
		l := f.letter(r)
		for _, s := range l.strokes {
			p.stroke(s.at.Add(image.Pt(at.Round(), y)), s.steps, c)
		}
		at += l.advance
	}
}

func (p *painter) stroke(at image.Point, in []uint8, c colour) {
	if at.Y < 0 || at.Y >= Height || at.X >= Width {
		return
	}
	if at.X < 0 {
		in, at.X = in[min(-at.X, len(in)):], 0
	}
	in = in[:min(len(in), Width-at.X)]
	row := p.to.Pix[at.Y*rowSize+at.X:][:len(in)]
	for i, step := range in {
		row[i] = uint8(c)*steps + max(step, stepOf(row[i], c))
	}
}

// stepOf returns the step of a pixel if it has the colour, else 0. Letters may overlap.
func stepOf(pix uint8, c colour) uint8 {
	if colour(pix/steps) == c {
		return pix % steps
	}
	return 0
}

// width returns the width of a text, in whole pixels.
func (p *painter) width(s style, px int, text string) int {
	return p.face(s, px).advance(text).Ceil()
}

func (f *face) advance(text string) (w fixed.Int26_6) {
	for _, r := range text {
		w += f.letter(r).advance
	}
	return w
}

// wrap splits a text into lines, and words that are longer than a line.
func (p *painter) wrap(s style, px int, text string, width int) (lines []string) {
	f := p.face(s, px)
	space := f.letter(' ').advance
	now, wide := "", fixed.Int26_6(0)
	for word := range strings.FieldsSeq(text) {
		w := f.advance(word)
		if now != "" && (wide+space+w).Ceil() <= width {
			now, wide = now+" "+word, wide+space+w
			continue
		}
		if now != "" {
			lines = append(lines, now)
		}
		now, wide = word, w
		for wide.Ceil() > width {
			var line string
			line, now = f.fill(now, width)
			lines, wide = append(lines, line), wide-f.advance(line)
			if len(lines) > 20 { // more than are drawn in any size
				return lines
			}
		}
	}
	if now != "" {
		lines = append(lines, now)
	}
	return lines
}

// fill splits a word where a line is full. A line has at least one letter.
func (f *face) fill(word string, width int) (line, rest string) {
	wide := fixed.Int26_6(0)
	for i, r := range word {
		if wide += f.letter(r).advance; i > 0 && wide.Ceil() > width {
			return word[:i], word[i:]
		}
	}
	return word, ""
}

// cut shortens a text that is too wide, and ends it with an ellipsis.
func (p *painter) cut(s style, px int, text string, width int) string {
	if p.width(s, px, text) <= width {
		return text
	}
	f := p.face(s, px)
	text = strings.TrimSuffix(text, "…")
	for wide := f.advance(text) + f.letter('…').advance; text != "" && wide.Ceil() > width; {
		r, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
		wide -= f.letter(r).advance
	}
	return strings.TrimRight(text, " ") + "…"
}
