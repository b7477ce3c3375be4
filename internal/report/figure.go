package report

import (
	"bytes"
	"fmt"
	"image/png"
)

// MaxSide limits the width and the height of a figure, in pixels, because a small file
// may be an image that takes more memory than a browser has.
const MaxSide = 4096

// Size returns width and height of the figure, in pixels, or an error if it is not a PNG
// within the limits. It reads only the header.
func (f Figure) Size() (width, height int, err error) {
	if len(f.PNG) > MaxFigure {
		return 0, 0, fmt.Errorf("a figure of %d bytes, more than %d", len(f.PNG), MaxFigure)
	}
	c, err := png.DecodeConfig(bytes.NewReader(f.PNG))
	if err != nil {
		return 0, 0, fmt.Errorf("a figure that is no PNG: %w", err)
	}
	if c.Width > MaxSide || c.Height > MaxSide {
		return 0, 0, fmt.Errorf("a figure of %d x %d pixels, more than %d", c.Width, c.Height, MaxSide)
	}
	return c.Width, c.Height, nil
}
