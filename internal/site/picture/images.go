package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	_ "image/gif"
	_ "image/jpeg"
	_ "image/png"
	"io"
	"io/fs"
	"path"
	"strings"
	"sync"

	_ "golang.org/x/image/webp"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// maxPixels and MaxImage bound what [Decode] reads into memory.
const maxPixels, MaxImage = 40 << 20, 64 << 20

// A Size is the size at which a browser shows an image by default, in CSS pixels. It is zero if it
// is not known.
type Size struct{ Width, Height int }

// Sizes remembers the sizes of images, by file. It is safe for concurrent use.
type Sizes struct {
	mu    sync.Mutex
	found map[string]func() (Size, error)
}

// Of returns the size of an image, reading it at its first use.
func (m *Sizes) Of(fsys fs.FS, name string) (Size, error) {
	m.mu.Lock()
	size := m.found[name]
	if size == nil {
		size = sync.OnceValues(func() (Size, error) { return readSize(fsys, name) })
		m.found[name] = size
	}
	m.mu.Unlock()
	return size()
}

// Names returns the files whose sizes are remembered.
func (m *Sizes) Names() map[string]bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	names := map[string]bool{}
	for name := range m.found {
		names[name] = true
	}
	return names
}

// Without returns the remembered sizes without those of outdated images and of images that could
// not be read.
func (m *Sizes) Without(outdated func(name string) bool) *Sizes {
	others := &Sizes{found: map[string]func() (Size, error){}}
	if m == nil {
		return others
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for name, size := range m.found {
		if outdated(name) {
			continue
		}
		if _, err := size(); !errors.As(err, new(*fs.PathError)) {
			others.found[name] = size
		}
	}
	return others
}

// maxImageHead bounds how many bytes of an image are read for its size: in a JPEG, colour profiles
// and previews precede it. No image is larger than maxSide.
const maxImageHead, maxSide = 4 << 20, 1 << 20

// Formats are the known image formats by file extension.
var Formats = map[string]string{".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".gif": "gif", ".webp": "webp", ".svg": "svg"}

func readSize(fsys fs.FS, name string) (Size, error) {
	format, known := Formats[strings.ToLower(path.Ext(name))]
	if !known {
		return Size{}, nil
	}
	f, err := fsys.Open(name)
	if err != nil {
		return Size{}, err
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, maxImageHead))
	switch {
	case err != nil:
		return Size{}, err
	case len(head) == 0:
		return Size{}, diag.Say("diag.file-empty")
	case format == "svg":
		return svgSize(head)
	}
	c, found, err := image.DecodeConfig(bytes.NewReader(head))
	switch {
	case errors.Is(err, image.ErrFormat):
		return Size{}, diag.Say("links.image-format-unknown")
	case err != nil:
		return Size{}, withoutFormat(err, found)
	case c.Width <= 0 || c.Height <= 0:
		return Size{}, diag.Say("links.image-without-pixels")
	}
	if found == "jpeg" && isTurned(head) {
		c.Width, c.Height = c.Height, c.Width
	}
	return Size{c.Width, c.Height}, nil
}

// Decode decodes a whole image and returns what is wrong with it. Images of more than 40 million
// pixels and unknown formats are not checked.
func Decode(fsys fs.FS, name string, size Size) error {
	format := Formats[strings.ToLower(path.Ext(name))]
	if format == "" || TooLarge(name, size) {
		return nil
	}
	f, err := fsys.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	r := &io.LimitedReader{R: f, N: MaxImage}
	if format == "svg" {
		err = CheckSVG(r)
	} else {
		var found string
		_, found, err = image.Decode(r)
		err = withoutFormat(err, found)
	}
	if r.N <= 0 {
		return nil
	}
	return err
}

// withoutFormat returns an error without the name of the format that it begins with.
func withoutFormat(err error, format string) error {
	if err == nil {
		return nil
	}
	return errors.New(strings.TrimPrefix(err.Error(), format+": "))
}

// isTurned reports whether the Exif data of a JPEG make browsers rotate it by a quarter, as for
// photos of a phone held upright: orientations 5 to 8 of Exif 2.32, 4.6.4.A. Invalid data mean no
// rotation.
func isTurned(jpeg []byte) bool {
	turned := false
	jpegSegments(jpeg, func(marker byte, body []byte) bool {
		exif := marker == 0xe1 && bytes.HasPrefix(body, exifMark)
		if exif {
			o := exifOrientation(body[len(exifMark):])
			turned = o >= 5 && o <= 8
		}
		return !exif
	})
	return turned
}

// exifMark begins the segment of a JPEG with Exif data.
var exifMark = []byte("Exif\x00\x00")

// jpegSegments calls f for the segments of a JPEG before its pixels, until it returns false.
func jpegSegments(jpeg []byte, f func(marker byte, body []byte) bool) {
	for at := 2; at+4 <= len(jpeg) && jpeg[at] == 0xff; {
		marker, size := jpeg[at+1], int(binary.BigEndian.Uint16(jpeg[at+2:]))
		if marker == 0xda || size < 2 || at+2+size > len(jpeg) || !f(marker, jpeg[at+4:at+2+size]) {
			return
		}
		at += 2 + size
	}
}

// exifOrientation reads tag 0x0112 of the first directory of a TIFF header.
func exifOrientation(tiff []byte) uint16 {
	if len(tiff) < 8 {
		return 0
	}
	var order binary.ByteOrder = binary.LittleEndian
	if tiff[0] == 'M' {
		order = binary.BigEndian
	}
	at := int64(order.Uint32(tiff[4:]))
	if at+2 > int64(len(tiff)) {
		return 0
	}
	entries := tiff[at+2:]
	for range order.Uint16(tiff[at:]) {
		if len(entries) < 12 {
			break
		}
		if order.Uint16(entries) == 0x0112 {
			return order.Uint16(entries[8:])
		}
		entries = entries[12:]
	}
	return 0
}
