package render

import (
	"io/fs"
	"sync"

	"github.com/gpudocs/gpudocs/internal/render/page"
	"github.com/gpudocs/gpudocs/internal/site/picture"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// imageClaims are smaller versions of the images that pages show. A preview has none.
func imageClaims(in *inputs) (claims []claim) {
	if in.content.Config.Without.Images || in.options.Lazy {
		return nil
	}
	known := map[string]bool{}
	for _, p := range in.content.Pages {
		for _, l := range in.content.Links(p).All {
			asset := l.Target.Asset
			if !l.Image || asset == "" || known[asset] {
				continue
			}
			known[asset] = true
			size, err := in.content.ImageSize(asset)
			if err != nil {
				continue
			}
			widths := picture.Widths(asset, size)
			smaller := sync.OnceValues(func() (map[int][]byte, error) { // together, as decoding takes long
				file := in.content.AssetFile(asset)
				data, err := fs.ReadFile(in.content.FS, file)
				if err != nil {
					return nil, diag.Unreadable(file, err)
				}
				return in.options.Images.Smaller(data, widths), nil
			})
			for _, w := range widths {
				claims = append(claims, claim{name: page.SmallerFile(asset, w), make: func(*Plan) ([]byte, error) {
					versions, err := smaller()
					return versions[w], err
				}})
			}
		}
	}
	return claims
}
