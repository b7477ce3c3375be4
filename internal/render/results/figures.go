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
)

// FigureDir is where the figures of reports are published: as files, not inside
// pages, so that pages stay small and a browser loads only what it shows. A name
// is a hash of the content, so the same figure in two languages is one file.
const FigureDir = "_figures"

// FigureFile returns the name under which a figure is published.
func FigureFile(f report.Figure) string {
	sum := sha256.Sum256(f.Data())
	return path.Join(FigureDir, hex.EncodeToString(sum[:16])+"."+string(f.Form()))
}

// figures returns the views of the figures that a block drew on one machine.
func (v *Presenter) figures(b *site.Block, f Finding) []theme.FigureView {
	var out []theme.FigureView
	for i, figure := range f.Check.Figures {
		width, height, err := figure.Size()
		if err != nil || !figure.Picture() {
			continue // report.Read refuses such figures
		}
		out = append(out, theme.FigureView{
			URL: nav.Href(v.from, FigureFile(figure)), Width: width, Height: height,
			Alt: v.t.Get("figure_alt", "n", strconv.Itoa(i+1), "block", b.Name, "machine", f.Machine.Name),
		})
	}
	return out
}
