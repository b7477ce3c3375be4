package render

import (
	"crypto/sha256"
	"io/fs"
	"slices"
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
			v := &versions{fsys: s.content.FS, file: s.content.AssetFile(asset), widths: widths}
			for _, w := range widths {
				s.add(page.SmallerFile(asset, w), func(file *step.Step) ([]byte, error) { return v.make(w, file) })
			}
		}
	}
}

// The versions of an image are made together, as decoding it takes long. Each is kept until it is asked for.
type versions struct {
	fsys   fs.FS
	file   string
	widths []int
	mu     sync.Mutex
	made   map[int][]byte
}

func (v *versions) make(width int, file *step.Step) ([]byte, error) {
	data, err := fs.ReadFile(v.fsys, v.file)
	if err != nil {
		return nil, diag.Unreadable(v.file, err)
	}
	if file.Same(width, sha256.Sum256(data)) {
		return nil, nil
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.made[width] == nil {
		v.made = picture.Smaller(data, slices.Clone(v.widths))
	}
	small := v.made[width]
	delete(v.made, width)
	return small, nil
}
