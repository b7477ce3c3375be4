package picture_test

import (
	"encoding/binary"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/picture"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

// exif is an APP1 segment that gives a JPEG an orientation.
func exif(order binary.AppendByteOrder, mark string, orientation uint16) string {
	b := []byte("Exif\x00\x00" + mark)
	b = order.AppendUint16(b, 42)
	b = order.AppendUint32(b, 8)
	b = order.AppendUint16(b, 2)
	for _, tag := range [][2]uint16{{0x010f, 7}, {0x0112, orientation}} {
		b = order.AppendUint16(order.AppendUint16(b, tag[0]), 3)
		b = order.AppendUint16(order.AppendUint16(order.AppendUint32(b, 1), tag[1]), 0)
	}
	return "\xff\xe1" + string(binary.BigEndian.AppendUint16(nil, uint16(len(b)+2))) + string(b)
}

// photo returns a JPEG of 40 x 30 pixels with an additional segment.
func photo(t testing.TB, segment string) string {
	var b strings.Builder
	if err := jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, 40, 30)), nil); err != nil {
		t.Fatal(err)
	}
	return b.String()[:2] + segment + b.String()[2:]
}

func animation(t testing.TB) string {
	var b strings.Builder
	if err := gif.Encode(&b, image.NewPaletted(image.Rect(0, 0, 5, 6), color.Palette{color.Black}), nil); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// webp is the smallest lossless one, 1 x 1.
const webp = "RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\x00\x00\x00\x10\x07\x10\x11\x11\x88\x88\xfe\x07\x00"

func TestImageSize(t *testing.T) {
	big, little := binary.BigEndian, binary.LittleEndian
	tests := []struct {
		file, data string
		w, h       int
		fault      string
	}{
		{"a.png", sitetest.PNG(300, 200), 300, 200, ""},
		{"a.PNG", sitetest.PNG(300, 200), 300, 200, ""},
		{"cut.png", sitetest.PNG(300, 200)[:20], 0, 0, "unexpected EOF"},
		{"empty.png", "", 0, 0, "it is empty"},
		{"html.png", "<!doctype html>", 0, 0, "it is no PNG, JPEG, GIF or WebP"},
		{"a.gif", animation(t), 5, 6, ""},
		{"a.webp", webp, 1, 1, ""},
		{"a.jpg", photo(t, ""), 40, 30, ""},
		{"1.jpeg", photo(t, exif(big, "MM", 1)), 40, 30, ""},
		{"6.jpeg", photo(t, exif(big, "MM", 6)), 30, 40, ""},
		{"8.jpg", photo(t, exif(little, "II", 8)), 30, 40, ""},
		{"a.avif", "x", 0, 0, ""},
		{"a.svg", "<?xml version='1.0'?><!-- c --><!DOCTYPE svg [<!ENTITY a 'b'>]><svg xmlns='http://www.w3.org/2000/svg' width='20' height='10px'>", 20, 10, ""},
		{"box.svg", "\ufeff<svg viewBox='0 0 30,15'/>", 30, 15, ""},
		{"one.svg", "<svg width='10' viewBox='0 0 30 15'/>", 10, 5, ""},
		{"mm.svg", "<svg width='25.4mm' height='1in'/>", 96, 96, ""},
		{"share.svg", "<svg width='100%' height='100%'/>", 0, 0, ""},
		{"share2.svg", "<svg width='100%' height='100%' viewBox='0 0 7 8'/>", 7, 8, ""},
		{"bad.svg", "<svg width='-1' height='1e400' viewBox='a b'/>", 0, 0, ""},
		{"html.svg", "<html><svg/></html>", 0, 0, "it is no SVG: it begins with <html>"},
		{"text.svg", "svg", 0, 0, "it is no SVG: no <svg> element was found"},
	}
	for _, tt := range tests {
		s := &site.Site{FS: fstest.MapFS{"content/" + tt.file: {Data: []byte(tt.data)}}, Names: &site.NameIndex{}, ImageSizes: (*picture.Sizes)(nil).Without(nil)}
		size, err := s.ImageSize(tt.file)
		fault := ""
		if err != nil {
			fault = err.Error()
		}
		if want := (picture.Size{Width: tt.w, Height: tt.h}); size != want || fault != tt.fault {
			t.Errorf("%s: %v %q, want %v %q", tt.file, size, fault, want, tt.fault)
		}
	}
}

// FuzzImageSize checks that sizes are plausible and nothing panics for any bytes.
func FuzzImageSize(f *testing.F) {
	f.Add("a.png", []byte(sitetest.PNG(2, 3)))
	f.Add("a.jpg", []byte(photo(f, exif(binary.BigEndian, "MM", 6))))
	f.Add("a.gif", []byte(animation(f)))
	f.Add("a.webp", []byte(webp))
	f.Add("a.svg", []byte("<svg width='1in' viewBox='0 0 1 2'>"))
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		for _, format := range []string{"a.png", "a.svg"} {
			size, err := (*picture.Sizes)(nil).Without(nil).Of(fstest.MapFS{format: {Data: data}}, format)
			if size.Width < 0 || size.Height < 0 || (err != nil && size != picture.Size{}) || (size.Width == 0) != (size.Height == 0) {
				t.Errorf("%s %q: %v %v", format, data, size, err)
			}
		}
	})
}
