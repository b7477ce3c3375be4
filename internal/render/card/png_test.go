package card

import (
	"bytes"
	"image"
	"image/png"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// TestEncode: image/png, which verifies all checksums, reads the same pixels.
func TestEncode(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for name, pixel := range map[string]func(x, y int) uint8{
		"noise":      func(int, int) uint8 { return uint8(random.IntN(len(palette))) },
		"one colour": func(int, int) uint8 { return 95 },
		"columns":    func(x, _ int) uint8 { return uint8(x * 7 % 96) },
		"rows":       func(_, y int) uint8 { return uint8(y * 5 % 96) },
		"short runs": func(int, int) uint8 { return uint8(random.IntN(40) / 39 * 31) },
		"long runs":  func(x, y int) uint8 { return uint8((y*Width + x) / 1700 % 96) },
		"of 258":     func(x, y int) uint8 { return uint8((y*rowSize + x + 1) / 258 % 96) },
	} {
		t.Run(name, func(t *testing.T) {
			p := newPainter()
			for y := range Height {
				for x := range Width {
					p.to.SetColorIndex(x, y, pixel(x, y))
				}
			}
			img, err := png.Decode(bytes.NewReader(encode(p.rows)))
			if err != nil {
				t.Fatal(err)
			}
			samePixels(t, img.(*image.Paletted), p.to)
		})
	}
}

func samePixels(t *testing.T, got, want *image.Paletted) {
	t.Helper()
	if !slices.Equal(got.Palette, want.Palette) {
		t.Error("another palette")
	}
	for y := range Height {
		for x := range Width {
			if got.ColorIndexAt(x, y) != want.ColorIndexAt(x, y) {
				t.Fatalf("at %d, %d is %d, not %d", x, y, got.ColorIndexAt(x, y), want.ColorIndexAt(x, y))
			}
		}
	}
}

// TestText: text has the same pixels as if the font's glyphs are drawn one by one, also where letters
// overlap and at the edges of the card.
func TestText(t *testing.T) {
	for _, at := range []image.Point{{80, 200}, {-40, 20}, {Width - 60, Height + 10}, {3, -500}, {0, 40}} {
		for s := range fonts() {
			for _, px := range []int{26, 76} {
				got, want := newPainter(), newPainter()
				for i, text := range []string{"fjord ÁÑç Жы WAVE", "ÿÅ overlaps jgf"} {
					got.text(style(s), px, at.X+5*i, at.Y, soft, text)
					plainText(want, style(s), px, at.X+5*i, at.Y, soft, text)
				}
				samePixels(t, got.to, want.to)
			}
		}
	}
}

func plainText(p *painter, s style, px, x, y int, c colour, text string) {
	face, _ := opentype.NewFace(fonts()[s], &opentype.FaceOptions{Size: float64(px), DPI: 72, Hinting: font.HintingNone})
	at := fixed.I(x)
	for _, r := range text {
		to, mask, from, advance, _ := face.Glyph(fixed.Point26_6{}, r)
		for dy := range to.Dy() {
			for dx := range to.Dx() {
				_, _, _, a := mask.At(from.X+dx, from.Y+dy).RGBA()
				step := uint8((a*(steps-1) + 0x7fff) / 0xffff)
				px, py := to.Min.X+dx+at.Round(), to.Min.Y+dy+y
				if step > 0 && image.Pt(px, py).In(p.to.Rect) {
					p.to.SetColorIndex(px, py, uint8(c)*steps+max(step, stepOf(p.to.ColorIndexAt(px, py), c)))
				}
			}
		}
		at += advance
	}
}

// TestLines: lines have as many words as fit, as found by trying.
func TestLines(t *testing.T) {
	p := newPainter()
	for _, text := range []string{"", "a", "uma frase de algumas palavras, para caber ou não", strings.Repeat("W", 50), "curto " + strings.Repeat("comprido", 20) + " e mais", "… a…", strings.Repeat("i ", 90)} {
		for _, width := range []int{5, 60, 300, 1040} {
			fits := func(s string) bool { return p.width(bold, 46, s) <= width }
			var want []string
			now := ""
			for _, word := range strings.Fields(text) {
				if next := strings.TrimSpace(now + " " + word); fits(next) {
					now = next
					continue
				}
				if now != "" {
					want = append(want, now)
				}
				now = ""
				for _, r := range word {
					if now != "" && !fits(now+string(r)) {
						want = append(want, now)
						now = ""
					}
					now += string(r)
				}
			}
			if now != "" {
				want = append(want, now)
			}
			got := p.wrap(bold, 46, text, width)
			if len(got) > 20 { // the rest is not drawn
				want = want[:min(len(want), len(got))]
			}
			if !slices.Equal(got, want) {
				t.Errorf("%q in %d: %q, want %q", text, width, got, want)
			}
			short := text
			for letters := []rune(strings.TrimSuffix(text, "…")); !fits(short); letters = letters[:len(letters)-1] {
				short = strings.TrimRight(string(letters), " ") + "…"
				if fits(string(letters) + "…") {
					break
				}
				if len(letters) == 0 {
					short = "…"
					break
				}
			}
			if cut := p.cut(bold, 46, text, width); cut != short {
				t.Errorf("%q in %d is cut to %q, want %q", text, width, cut, short)
			}
		}
	}
}
