package site

import (
	"cmp"
	"path"

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
// is cut off has a valid header. See [picture.Decode] for what is not checked.
func (s *Site) DecodeImage(asset string) error {
	size, err := s.ImageSize(asset)
	if err != nil {
		return err
	}
	return picture.Decode(s.FS, s.AssetFile(asset), size)
}
