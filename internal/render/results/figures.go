package results

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strconv"

	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/invisible"
)

// FigureDir is where the figures of reports are published: as files, not inside
// pages, so that pages stay small and a browser loads only what it shows. A name
// is a hash of the content, so the same figure in two languages is one file.
const FigureDir = "_figures"

// FigureFile returns the name under which a figure is published.
func FigureFile(f report.Figure) string { return PictureFile(f.Data(), string(f.Form())) }

// PictureFile returns the name under which a picture is published.
func PictureFile(data []byte, ext string) string {
	sum := sha256.Sum256(data)
	return path.Join(FigureDir, hex.EncodeToString(sum[:16])+"."+ext)
}

// displays returns the views of what a block displayed on one machine, and of the pictures among it.
// The HTML of a view is left to the page.
func (v *Presenter) displays(b *site.Block, f Finding) (all []theme.DisplayView, pictures []theme.FigureView) {
	for i, figure := range f.Check.Figures {
		width, height, err := figure.Size()
		if err != nil {
			continue // report.Read refuses such figures
		}
		names := []string{"n", strconv.Itoa(i + 1), "block", b.Name, "machine", Label(v, f.Machine)}
		d := theme.DisplayView{Form: string(figure.Form())}
		if figure.Picture() {
			url := nav.Href(v.from, FigureFile(figure))
			d.Picture = &theme.FigureView{URL: url, Width: width, Height: height, Alt: v.t.Get("figure_alt", names...)}
			pictures = append(pictures, *d.Picture)
		} else {
			d.Source, d.Label = invisible.Visible(string(figure.Data())), v.t.Get("display_label", names...)
		}
		all = append(all, d)
	}
	return all, pictures
}
