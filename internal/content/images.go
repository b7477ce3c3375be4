package content

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"image"
	_ "image/gif" // the formats that every browser shows
	_ "image/jpeg"
	_ "image/png"
	"io"
	"io/fs"
	"path"
	"strings"
	"sync"

	_ "golang.org/x/image/webp"

	"github.com/gpudocs/gpudocs/internal/diag"
)

// An ImageSize is what a browser makes of an image without being told, in CSS
// pixels. It is zero where that is not known.
type ImageSize struct{ Width, Height int }

// ImageSize is the size of an image below content/, read at its first use. The
// error says why a browser could not show it. Formats that gpudocs does not know,
// AVIF for one, have size zero.
func (s *Site) ImageSize(asset string) (ImageSize, error) {
	entry, _ := s.images.LoadOrStore(asset, sync.OnceValues(func() (ImageSize, error) {
		return readImageSize(s.FS, path.Join(root, cmp.Or(s.index.files[asset], asset)))
	}))
	return entry.(func() (ImageSize, error))()
}

// maxImageHead bounds how much of an image is read for its size: in a JPEG, colour
// profiles and previews stand before it. maxSide is what no image exceeds.
const maxImageHead, maxSide = 4 << 20, 1 << 20

// imageFormats are the names that images of the known formats have.
var imageFormats = map[string]string{".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".gif": "gif", ".webp": "webp", ".svg": "svg"}

func readImageSize(fsys fs.FS, name string) (ImageSize, error) {
	format, known := imageFormats[strings.ToLower(path.Ext(name))]
	if !known {
		return ImageSize{}, nil
	}
	f, err := fsys.Open(name)
	if err != nil {
		return ImageSize{}, err
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, maxImageHead))
	switch {
	case err != nil:
		return ImageSize{}, err
	case len(head) == 0:
		return ImageSize{}, diag.Say("it is empty")
	case format == "svg":
		return svgSize(head)
	}
	c, found, err := image.DecodeConfig(bytes.NewReader(head))
	switch {
	case errors.Is(err, image.ErrFormat):
		return ImageSize{}, diag.Say("it is no PNG, JPEG, GIF or WebP")
	case err != nil:
		return ImageSize{}, errors.New(strings.TrimPrefix(err.Error(), found+": "))
	case c.Width <= 0 || c.Height <= 0:
		return ImageSize{}, diag.Say("it has no pixels")
	}
	if found == "jpeg" && turned(head) {
		c.Width, c.Height = c.Height, c.Width
	}
	return ImageSize{c.Width, c.Height}, nil
}

// turned tells whether the Exif data of a JPEG have a browser turn it by a
// quarter, as those of a phone held upright do: orientations 5 to 8 of Exif 2.32,
// 4.6.4.A. What cannot be read is not turned.
func turned(jpeg []byte) bool {
	for at := 2; at+4 <= len(jpeg) && jpeg[at] == 0xff; {
		marker, size := jpeg[at+1], int(binary.BigEndian.Uint16(jpeg[at+2:]))
		if marker == 0xda || size < 2 || at+2+size > len(jpeg) { // the pixels begin
			return false
		}
		if body := jpeg[at+4 : at+2+size]; marker == 0xe1 && bytes.HasPrefix(body, []byte("Exif\x00\x00")) {
			o := exifOrientation(body[6:])
			return o >= 5 && o <= 8
		}
		at += 2 + size
	}
	return false
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

// maxPixels and maxImage bound what [Site.DecodeImage] takes into memory.
const maxPixels, maxImage = 40 << 20, 64 << 20

// DecodeImage reads an image below content/ whole, and says what is wrong with it:
// one that is cut off has a good head. Images of more than 40 million pixels, and
// formats that gpudocs does not know, are not looked at.
func (s *Site) DecodeImage(asset string) error {
	format := imageFormats[strings.ToLower(path.Ext(asset))]
	size, err := s.ImageSize(asset)
	if err != nil || format == "" || size.Width > maxPixels/max(1, size.Height) {
		return err
	}
	f, err := s.FS.Open(path.Join(root, cmp.Or(s.index.files[asset], asset)))
	if err != nil {
		return err
	}
	defer f.Close()
	r := &io.LimitedReader{R: f, N: maxImage}
	found := ""
	if format == "svg" {
		err = wellFormed(r)
	} else {
		_, found, err = image.Decode(r)
	}
	if err != nil && r.N > 0 {
		return errors.New(strings.TrimPrefix(err.Error(), found+": "))
	}
	return nil
}
