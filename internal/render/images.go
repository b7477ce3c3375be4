package render

import (
	"crypto/sha256"
	"io/fs"
	"sync"

	"github.com/gpudocs/gpudocs/internal/render/page"
	"github.com/gpudocs/gpudocs/internal/render/step"
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
			var once sync.Once // versions are made together, as decoding takes long
			var smaller map[int][]byte
			for _, w := range widths {
				s.add(page.SmallerFile(asset, w), func(file *step.Step) ([]byte, error) {
					data, err := fs.ReadFile(s.content.FS, s.content.AssetFile(asset))
					if err != nil {
						return nil, diag.Unreadable(s.content.AssetFile(asset), err)
					}
					if file.Same(w, sha256.Sum256(data)) {
						return nil, nil
					}
					once.Do(func() { smaller = picture.Smaller(data, widths) })
					return smaller[w], nil
				})
			}
		}
	}
}
