package picture_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/color/palette"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"testing"

	"golang.org/x/image/draw"

	"github.com/gpudocs/gpudocs/internal/site/picture"
)

// noise returns an image that compresses badly, 64 x 32.
func noise() *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, 64, 32))
	r := rand.New(rand.NewPCG(1, 2))
	for i := range m.Pix {
		m.Pix[i] = uint8(r.UintN(256)) | uint8(0xff*(i%4/3)) // opaque
	}
	return m
}

func pngOf(t *testing.T, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// withChunk returns a PNG with another chunk after its header.
func withChunk(data []byte, name, body string) []byte {
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	chunk = append(chunk, name+body...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
	return bytes.Join([][]byte{data[:33], chunk, data[33:]}, nil)
}

// withSegment returns a JPEG with another segment at its beginning.
func withSegment(data []byte, marker byte, body string) []byte {
	segment := binary.BigEndian.AppendUint16([]byte{0xff, marker}, uint16(len(body)+2))
	return bytes.Join([][]byte{data[:2], append(segment, body...), data[2:]}, nil)
}

// cmyk is a JPEG with the colours of print, 16 x 16, whose blocks are all zero.
func cmyk() []byte {
	var b []byte
	add := func(marker byte, body ...byte) {
		b = append(b, 0xff, marker)
		b = binary.BigEndian.AppendUint16(b, uint16(len(body)+2))
		b = append(b, body...)
	}
	b = append(b, 0xff, 0xd8)
	add(0xee, []byte("Adobe\x00\x64\x00\x00\x00\x00\x00")...)
	add(0xdb, append([]byte{0}, bytes.Repeat([]byte{1}, 64)...)...)
	add(0xc0, 8, 0, 16, 0, 16, 4, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0, 4, 0x11, 0)
	for _, class := range []byte{0x00, 0x10} {
		add(0xc4, append([]byte{class, 1}, make([]byte, 16)...)...)
	}
	add(0xda, 4, 1, 0, 2, 0, 3, 0, 4, 0, 0, 63, 0)
	return append(append(b, make([]byte, 4)...), 0xff, 0xd9)
}

func TestSmaller(t *testing.T) {
	t.Parallel()
	var photo bytes.Buffer
	if err := jpeg.Encode(&photo, noise(), nil); err != nil {
		t.Fatal(err)
	}
	clear, deep, gray := noise(), image.NewNRGBA64(noise().Rect), image.NewGray(noise().Rect)
	for y := range 32 {
		for x := range 32 {
			clear.SetNRGBA(x, y, color.NRGBA{}) // the left half
		}
	}
	draw.Draw(deep, deep.Rect, noise(), image.Point{}, draw.Src)
	draw.Draw(gray, gray.Rect, noise(), image.Point{}, draw.Src)
	indexed := image.NewPaletted(noise().Rect, palette.WebSafe)
	draw.Draw(indexed, indexed.Rect, noise(), image.Point{}, draw.Src)
	flat := image.NewPaletted(noise().Rect, color.Palette{color.White, color.Black})
	for x := range 64 {
		flat.SetColorIndex(x, x%7, uint8(x%2))
	}
	huge := pngOf(t, noise())
	binary.BigEndian.PutUint32(huge[16:], 100_000)
	binary.BigEndian.PutUint32(huge[29:], crc32.ChecksumIEEE(huge[12:29]))
	turned := withSegment(photo.Bytes(), 0xe1, "Exif\x00\x00II\x2a\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00\x00\x00\x00\x00")
	for _, c := range []struct {
		name          string
		data          []byte
		width, height int // 0 if the image stays as it is
		keeps         string
	}{
		{"PNG", pngOf(t, noise()), 20, 10, ""},
		{"transparency", pngOf(t, clear), 20, 10, ""},
		{"palette", pngOf(t, indexed), 20, 10, ""},
		{"16 bits", pngOf(t, deep), 20, 10, ""},
		{"gray", pngOf(t, gray), 20, 10, ""},
		{"profile of a PNG", withChunk(pngOf(t, noise()), "iCCP", "a profile"), 20, 10, "iCCPa profile"},
		{"other data of a PNG", withChunk(pngOf(t, noise()), "tEXt", "a\x00text"), 20, 10, ""},
		{"JPEG", photo.Bytes(), 20, 10, ""},
		{"profile of a JPEG", withSegment(photo.Bytes(), 0xe2, "ICC_PROFILE\x00\x01\x01profile"), 20, 10, "ICC_PROFILE\x00\x01\x01profile"},
		{"turned", turned, 40, 20, "Exif"},
		{"larger in bytes", pngOf(t, flat), 0, 0, ""},
		{"animated", withChunk(pngOf(t, noise()), "acTL", "12345678"), 0, 0, ""},
		{"print", cmyk(), 0, 0, ""},
		{"too large", huge, 0, 0, ""},
		{"cut off", pngOf(t, noise())[:500], 0, 0, ""},
		{"none", nil, 0, 0, ""},
	} {
		fresh := picture.NewScaler(nil)
		small := fresh.Smaller(c.data, []int{20})[20]
		checkStored(t, c.name, fresh, c.data, small)
		if c.width == 0 {
			if !bytes.Equal(small, c.data) {
				t.Errorf("%s: it is not as it was", c.name)
			}
			continue
		}
		img, _, err := image.Decode(bytes.NewReader(small))
		if err != nil || img.Bounds().Dx() != c.width || img.Bounds().Dy() != c.height || len(small) >= len(c.data) {
			t.Errorf("%s: %v, %v, %d of %d bytes", c.name, img.Bounds(), err, len(small), len(c.data))
		}
		if !bytes.Contains(small, []byte(c.keeps)) || bytes.Contains(small, []byte("tEXt")) {
			t.Errorf("%s: %q is lost, or other data is kept", c.name, c.keeps)
		}
		if c.name == "transparency" {
			if _, _, _, a := img.At(5, 5).RGBA(); a != 0 {
				t.Error("it is opaque")
			}
		}
		if c.name == "turned" { // the browser turns it
			if again := picture.NewScaler(nil).Smaller(small, []int{10})[10]; !bytes.Contains(again, []byte("Exif")) {
				t.Error("the orientation is lost")
			}
		}
	}
	if m, err := jpeg.Decode(bytes.NewReader(cmyk())); err != nil || m.ColorModel() != color.CMYKModel {
		t.Fatal("the JPEG of print is invalid:", err)
	}
}

func TestWidths(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		width  int
		height int
		want   int
	}{{"a.png", 3000, 2000, 2}, {"a.JPG", 1500, 10, 1}, {"a.png", 999, 10, 0}, {"a.png", 1000, 10, 1}, {"a.webp", 3000, 10, 0}, {"a.svg", 3000, 10, 0}, {"a.png", 20000, 5000, 0}} {
		if got := picture.Widths(c.name, picture.Size{Width: c.width, Height: c.height}); len(got) != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// checkStored checks that a later run gets a version from what an earlier one has stored, and encodes nothing but other widths.
func checkStored(t *testing.T, name string, earlier *picture.Scaler, data, want []byte) {
	t.Helper()
	var stored bytes.Buffer
	if err := earlier.Store(&stored); err != nil {
		t.Fatal(err)
	}
	later := picture.NewScaler(func() ([]byte, error) { return stored.Bytes(), nil })
	if got := later.Smaller(data, []int{20})[20]; !bytes.Equal(got, want) || later.Fresh() {
		t.Errorf("%s: the same version: %v, encoded again: %v", name, bytes.Equal(got, want), later.Fresh())
	}
	if got := later.Smaller(data, []int{20, 10}); len(got) != 2 || !bytes.Equal(got[20], want) || !later.Fresh() {
		t.Errorf("%s: %d versions with another width", name, len(got))
	}
}
