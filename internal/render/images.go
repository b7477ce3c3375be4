package render

import (
	"io/fs"
	"sync"

	"github.com/gpudocs/gpudocs/internal/render/page"
	"github.com/gpudocs/gpudocs/internal/site/picture"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// planImages adds smaller versions of the images that pages show. A preview has none.
func (s *planner) planImages() {
	if s.content.Config.Without.Images || s.options.Lazy {
		return
	}
	for _, p := range s.content.Pages {
		for _, l := range s.content.Links(p).All {
			asset := l.Target.Asset
			if !l.Image || asset == "" {
				continue
			}
			size, err := s.content.ImageSize(asset)
			widths := picture.Widths(asset, size)
			if err != nil || len(widths) == 0 || s.files[page.SmallerFile(asset, widths[0])] != nil {
				continue
			}
			smaller := sync.OnceValues(func() (map[int][]byte, error) { // together, as decoding takes long
				file := s.content.AssetFile(asset)
				data, err := fs.ReadFile(s.content.FS, file)
				if err != nil {
					return nil, diag.Unreadable(file, err)
				}
				return s.options.Images.Smaller(data, widths), nil
			})
			for _, w := range widths {
				s.add(page.SmallerFile(asset, w), func() ([]byte, error) {
					versions, err := smaller()
					return versions[w], err
				})
			}
		}
	}
}
