package report

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"image"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"
)

func picture(width, height int) []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func photo(width, height int) []byte {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, width, height)), nil); err != nil {
		panic(err)
	}
	return b.Bytes()
}

const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="3" height="2"><path d="M0 0"/></svg>`

// bomb returns a small file whose header promises a picture of any size.
func bomb(width, height uint32) []byte {
	data := picture(1, 1)
	binary.BigEndian.PutUint32(data[16:], width)
	binary.BigEndian.PutUint32(data[20:], height)
	binary.BigEndian.PutUint32(data[29:], crc32.ChecksumIEEE(data[12:29]))
	return data
}

func TestFigureSize(t *testing.T) {
	wide := strings.Replace(drawing, `"3"`, `"5000"`, 1)
	for _, tt := range []struct {
		name string
		f    Figure
		want string // width and height, or the fault
	}{
		{"as large as may be", Figure{PNG: picture(MaxSide, 2)}, "4096 2"},
		{"wide", Figure{PNG: bomb(MaxSide+1, 1)}, "pixels"},
		{"high", Figure{PNG: bomb(1, 1<<30)}, "pixels"},
		{"nothing to see", Figure{PNG: bomb(0, 1)}, "no PNG"},
		{"only the signature", Figure{PNG: []byte("\x89PNG\r\n\x1a\n")}, "no PNG"},
		{"HTML in a PNG", Figure{PNG: []byte("<!DOCTYPE html><script>alert(1)</script>")}, "no PNG"},
		{"many bytes", Figure{PNG: append(picture(1, 1), make([]byte, MaxFigure)...)}, "bytes"},
		{"none", Figure{}, "exactly one form"},
		{"two", Figure{PNG: picture(1, 1), HTML: "a"}, "exactly one form"},
		{"JPEG", Figure{JPEG: photo(5, 4)}, "5 4"},
		{"a wide JPEG", Figure{JPEG: photo(MaxSide+1, 1)}, "pixels"},
		{"PNG in a JPEG", Figure{JPEG: picture(1, 1)}, "no JPEG"},
		{"SVG", Figure{SVG: drawing}, "3 2"},
		{"an SVG wider than a page", Figure{SVG: wide}, "0 0"},
		{"an SVG with a script", Figure{SVG: strings.Replace(drawing, "<path", "<script/><path", 1)}, "<script>"},
		{"an SVG with entities", Figure{SVG: `<!DOCTYPE svg [<!ENTITY a "b">]>` + drawing}, "entities"},
		{"a large SVG", Figure{SVG: drawing + strings.Repeat(" ", MaxFigure)}, "bytes"},
		{"HTML", Figure{HTML: "<script>alert(1)</script>"}, "0 0"}, // a page sanitises it
		{"much HTML", Figure{HTML: strings.Repeat("a", MaxMarkup+1)}, "bytes"},
		{"LaTeX", Figure{LaTeX: "$x$"}, "0 0"},
		{"much LaTeX", Figure{LaTeX: strings.Repeat("a", MaxMarkup+1)}, "bytes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := tt.f
			width, height, err := f.Size()
			if got := fmt.Sprint(width, height); err == nil && got != tt.want || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s, %v, want %q", got, err, tt.want)
			}
			// A report that contains it is valid or invalid for the same reason.
			r := sample()
			r.Checks[0].Figures = []Figure{f}
			data, jsonErr := json.Marshal(store(r))
			if jsonErr != nil {
				t.Fatal(jsonErr)
			}
			if _, parseErr := Parse(r.Machine.Name+".json", data); (parseErr == nil) != (err == nil) {
				t.Errorf("Parse: %v", parseErr)
			}
		})
	}
}
