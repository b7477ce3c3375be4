package picture

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/image/draw"
	"golang.org/x/sync/semaphore"

	"github.com/gpudocs/gpudocs/internal/memo"
)

// The widths of smaller versions of an image, in pixels: for a phone and for a column of text, both on a screen of two pixels
// for each of CSS.
var widths = []int{800, 1440}

// Widths returns the widths of the smaller versions that a PNG or JPEG has: those that are clearly smaller. An image that is
// too large to be decoded has none.
func Widths(name string, size Size) (list []int) {
	if f := Formats[strings.ToLower(path.Ext(name))]; f != "png" && f != "jpeg" || TooLarge(name, size) {
		return nil
	}
	for _, w := range widths {
		if size.Width >= w*5/4 {
			list = append(list, w)
		}
	}
	return list
}

// TooLarge reports whether a bitmap has more pixels than are decoded.
func TooLarge(name string, size Size) bool {
	return size.Width > maxPixels/max(1, size.Height) && !strings.EqualFold(path.Ext(name), ".svg")
}

// decoding bounds the pixels of the images that are decoded at the same time.
var decoding = semaphore.NewWeighted(maxPixels)

// A Scaler makes smaller versions of images, and remembers them between runs: encoding them takes longer than all the rest of a
// site. It is safe for use by several goroutines.
type Scaler struct{ stored *memo.Table }

// encoding names what determines the bytes of a version, besides the image and the width.
var encoding = fmt.Sprint("Catmull-Rom, JPEG ", jpegQuality, ", ", runtime.Version())

const jpegQuality = 85

// NewScaler returns a Scaler that uses what [Scaler.Store] has written in an earlier run. open, which may be nil, returns it
// when the first image is scaled.
func NewScaler(open func() ([]byte, error)) *Scaler { return &Scaler{memo.NewTable(encoding, open)} }

// Fresh reports whether Store would write more than was read.
func (s *Scaler) Fresh() bool { return s.stored.Fresh() }

// Store writes the versions for a later run.
func (s *Scaler) Store(w io.Writer) error { return s.stored.Write(w) }

// Smaller returns versions of an image with some widths. One that would not be smaller in bytes is the image itself, and so are all
// of an image that cannot be decoded, is animated, or has the colours of print, which depend on its profile.
//
// A version has 8 bits for each colour. It keeps the colour profile and the orientation, and no other metadata.
func (s *Scaler) Smaller(data []byte, widths []int) map[int][]byte {
	sum, versions := sha256.Sum256(data), map[int][]byte{}
	key := func(width int) memo.Key { return memo.KeyOf(string(sum[:]), strconv.Itoa(width)) }
	var missing []int
	for _, w := range widths {
		if stored, ok := s.stored.Get(key(w)); !ok {
			missing = append(missing, w)
		} else if versions[w] = stored; len(stored) == 0 {
			versions[w] = data
		}
	}
	if len(missing) == 0 {
		return versions
	}
	made := scale(data, missing)
	for _, w := range missing {
		s.stored.Put(key(w), made[w]) // nothing stands for the image itself
		if versions[w] = made[w]; made[w] == nil {
			versions[w] = data
		}
	}
	return versions
}

// scale returns the versions that are smaller in bytes.
func scale(data []byte, widths []int) map[int][]byte {
	config, format, err := image.DecodeConfig(bytes.NewReader(data))
	pixels := int64(config.Width) * int64(config.Height)
	animated := bytes.Contains(data[:max(0, bytes.Index(data, []byte("IDAT")))], []byte("acTL")) // a PNG with that chunk before its pixels
	if err != nil || pixels <= 0 || pixels > maxPixels || len(data) > MaxImage || animated {
		return nil
	}
	_ = decoding.Acquire(context.Background(), pixels) // fails only if the context ends
	defer decoding.Release(pixels)
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	switch img.(type) {
	case *image.CMYK:
		return nil
	case *image.YCbCr, *image.RGBA, *image.NRGBA, *image.Gray:
	default:
		fast := image.NewNRGBA(img.Bounds()) // to scale
		draw.Draw(fast, fast.Bounds(), img, img.Bounds().Min, draw.Src)
		img = fast
	}
	size, versions := img.Bounds().Size(), map[int][]byte{}
	for _, w := range widths {
		to := image.Rect(0, 0, w, max(1, (size.Y*w+size.X/2)/size.X))
		if format == "jpeg" && isTurned(data) {
			to = image.Rect(0, 0, max(1, (size.X*w+size.Y/2)/size.Y), w)
		}
		var small draw.Image = image.NewRGBA(to)
		if _, gray := img.(*image.Gray); gray {
			small = image.NewGray(to)
		}
		draw.CatmullRom.Scale(small, to, img, img.Bounds(), draw.Src, nil)
		if b, err := encode(small, format, data); err == nil && len(b) < len(data) {
			versions[w] = b
		}
	}
	return versions
}

// encode writes an image in a format, with the metadata of another on which its colours and orientation depend.
func encode(img image.Image, format string, from []byte) ([]byte, error) {
	var b bytes.Buffer
	if format == "jpeg" {
		if err := jpeg.Encode(&b, img, &jpeg.Options{Quality: jpegQuality}); err != nil {
			return nil, err
		}
		return slices.Insert(b.Bytes(), 2, jpegDisplaySegments(from)...), nil
	}
	if err := png.Encode(&b, img); err != nil {
		return nil, err
	}
	return slices.Insert(b.Bytes(), 8+25, pngColourChunks(from)...), nil // after the signature and the header
}

// pngColourChunks returns the chunks of a PNG that say what its colours mean.
func pngColourChunks(data []byte) (chunks []byte) {
	for at := 8; at+12 <= len(data); {
		size := int(binary.BigEndian.Uint32(data[at:]))
		if size < 0 || size > len(data)-at-12 {
			break
		}
		end := at + 12 + size
		switch string(data[at+4 : at+8]) {
		case "iCCP", "sRGB", "gAMA", "cHRM", "cICP":
			chunks = append(chunks, data[at:end]...)
		case "IDAT":
			return chunks
		}
		at = end
	}
	return chunks
}

// jpegDisplaySegments returns the segments of a JPEG with its colour profile, and one with its orientation, without the rest of the
// Exif data: they may say where a photo was taken.
func jpegDisplaySegments(data []byte) (segments []byte) {
	jpegSegments(data, func(marker byte, body []byte) bool {
		switch {
		case marker == 0xe2 && bytes.HasPrefix(body, []byte("ICC_PROFILE\x00")):
			segments = append(segments, 0xff, marker)
			segments = binary.BigEndian.AppendUint16(segments, uint16(len(body)+2))
			segments = append(segments, body...)
		case marker == 0xe1 && bytes.HasPrefix(body, exifMark):
			if o := exifOrientation(body[len(exifMark):]); o > 1 && o <= 8 {
				segments = append(segments, 0xff, marker, 0, 34)
				segments = append(segments, exifMark...)
				segments = append(segments,
					"MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00"+string(rune(o))+"\x00\x00\x00\x00\x00\x00"...)
			}
		}
		return true
	})
	return segments
}
