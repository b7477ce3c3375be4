package browser

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"testing"
)

// Pictures are compared at a low resolution. Every 8 × 8 pixels become one tile with their average
// lightness, in sixteen steps of grey. A tile differs if it is more than tileTolerance steps lighter or
// darker, and two pictures differ if more than pictureTolerance of their tiles do.
//
// An edge of black and white that is moved by a pixel changes a tile by an eighth, which is two steps:
// smoothing and rounding stay below that. TestToleranceOfPictures, run with -v, prints how much of a
// page differs: 0.02% of the tiles for a page moved by a pixel, 0.11% for the smallest change that must
// be found, and none for a page drawn again on a machine with thirty times its load.
const (
	cell             = 8
	tileTolerance    = 2
	pictureTolerance = 0.0006
)

// small returns a picture as it is stored: one pixel for each tile, in sixteen steps of grey.
func small(of image.Image) *image.Paletted {
	picture := of.(image.RGBA64Image) // as all are; At would allocate each of two million colours
	var greys color.Palette
	for i := range 16 {
		greys = append(greys, color.Gray{Y: uint8(i * 17)})
	}
	b := picture.Bounds()
	out := image.NewPaletted(image.Rect(0, 0, b.Dx()/cell, b.Dy()/cell), greys)
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			sum := 0
			for i := range cell * cell {
				c := picture.RGBA64At(b.Min.X+x*cell+i%cell, b.Min.Y+y*cell+i/cell)
				sum += (19595*int(c.R) + 38470*int(c.G) + 7471*int(c.B) + 1<<15) >> 24 // as color.GrayModel
			}
			out.SetColorIndex(x, y, uint8((sum/(cell*cell)+8)/17))
		}
	}
	return out
}

// differing returns the share of tiles in which two pictures differ; 1 if their sizes differ.
func differing(a, b *image.Paletted) float64 {
	if a.Rect.Size() != b.Rect.Size() {
		return 1
	}
	differ := 0
	for i, p := range a.Pix {
		if q := b.Pix[i]; max(p, q)-min(p, q) > tileTolerance {
			differ++
		}
	}
	return float64(differ) / float64(len(a.Pix))
}

func decoded(t *testing.T, data []byte) image.Image {
	t.Helper()
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

func encoded(t *testing.T, picture image.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, picture); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestToleranceOfPictures checks which changes count as a difference.
func TestToleranceOfPictures(t *testing.T) {
	t.Parallel()
	tb := openTab(t, made(t).base)
	tb.drawAlike()
	tb.size(1440, shotHeight)
	tb.visit("pt/texto/")
	shoot := func(style string) *image.Paletted {
		eval[any](tb, "window.try ??= (document.adoptedStyleSheets = [...document.adoptedStyleSheets, new CSSStyleSheet()]).at(-1), 0")
		eval[any](tb, "window.try.replaceSync(`"+style+"`), 0")
		return small(tb.shot())
	}
	before := shoot("")
	for _, c := range []struct {
		what, style string
		differ      bool
	}{
		{"nothing", "", false},
		{"half a pixel", "body { transform: translate(.5px, .5px) }", false},
		{"a pixel", "body { position: relative; left: 1px; top: 1px }", false},
		{"other smoothing", "* { text-rendering: geometricPrecision !important; will-change: transform }", false},
		{"an underline", "article a { text-decoration-thickness: 2px !important }", false},
		{"the sidebar moved", ".side { transform: translateX(24px) }", true},
		{"no title", "h1 { visibility: hidden }", true},
		{"wider text", "article { padding-right: 3rem }", true},
		{"more between lines", "article { line-height: 1.9 }", true},
		{"a lighter bar", ".bar { background: #888 }", true},
		{"no table of contents", ".toc { visibility: hidden }", true},
		{"another scheme", ":root { --paper: #ccc !important }", true},
	} {
		share := differing(before, shoot(c.style))
		t.Logf("%s: %.2f%% of the tiles differ", c.what, 100*share)
		if (share > pictureTolerance) != c.differ {
			t.Errorf("%s: %.2f%% of the tiles differ; want a difference: %v", c.what, 100*share, c.differ)
		}
	}
}
