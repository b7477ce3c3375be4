package report

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"image"
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

// bomb returns a small file whose header promises a picture of any size.
func bomb(width, height uint32) []byte {
	data := picture(1, 1)
	binary.BigEndian.PutUint32(data[16:], width)
	binary.BigEndian.PutUint32(data[20:], height)
	binary.BigEndian.PutUint32(data[29:], crc32.ChecksumIEEE(data[12:29]))
	return data
}

func TestFigureSize(t *testing.T) {
	for _, tt := range []struct {
		name string
		png  []byte
		want string
	}{
		{"as large as may be", picture(MaxSide, 2), ""},
		{"wide", bomb(MaxSide+1, 1), "pixels"},
		{"high", bomb(1, 1<<30), "pixels"},
		{"nothing to see", bomb(0, 1), "no PNG"},
		{"only the signature", []byte("\x89PNG\r\n\x1a\n"), "no PNG"},
		{"HTML", []byte("<!DOCTYPE html><script>alert(1)</script>"), "no PNG"},
		{"many bytes", append(picture(1, 1), make([]byte, MaxFigure)...), "bytes"},
		{"none", nil, "no PNG"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := Figure{PNG: tt.png}
			_, _, err := f.Size()
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %q", err, tt.want)
			}
			// A report that contains it is valid or invalid for the same reason.
			r := sample()
			r.Checks[0].Figures = []Figure{f}
			data, jsonErr := json.Marshal(r)
			if jsonErr != nil {
				t.Fatal(jsonErr)
			}
			if _, parseErr := Parse(r.Machine.Name+".json", data); (parseErr == nil) != (err == nil) {
				t.Errorf("Parse: %v", parseErr)
			}
		})
	}
}
