package site

import (
	"cmp"
	"errors"
	"image"
	_ "image/gif"
	_ "image/jpeg"
	_ "image/png"
	"io"
	"path"
	"strings"

	_ "golang.org/x/image/webp"

	"github.com/gpudocs/gpudocs/internal/site/picture"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
)

// ImageSize returns the size of an image below content/, which is read at the first call. The error
// says why a browser could not show it. The size is zero for formats that gpudocs does not know,
// such as AVIF.
func (s *Site) ImageSize(asset string) (picture.Size, error) {
	return s.ImageSizes.Of(s.FS, s.AssetFile(asset))
}

// AssetFile returns the file of an asset, below the site's folder.
func (s *Site) AssetFile(asset string) string {
	return path.Join(sitefile.ContentFolder, cmp.Or(s.Names.Files[asset], asset))
}

// DecodeImage decodes a whole image below content/ and returns what is wrong with it: an image that
// is cut off has a valid header. Images of more than 40 million pixels and unknown formats are not
// checked.
func (s *Site) DecodeImage(asset string) error {
	format := picture.Formats[strings.ToLower(path.Ext(asset))]
	size, err := s.ImageSize(asset)
	if err != nil || format == "" || size.Width > picture.MaxPixels/max(1, size.Height) {
		return err
	}
	f, err := s.FS.Open(s.AssetFile(asset))
	if err != nil {
		return err
	}
	defer f.Close()
	r := &io.LimitedReader{R: f, N: picture.MaxImage}
	found := ""
	if format == "svg" {
		err = picture.CheckSVG(r)
	} else {
		_, found, err = image.Decode(r)
	}
	if err != nil && r.N > 0 {
		return errors.New(strings.TrimPrefix(err.Error(), found+": "))
	}
	return nil
}
