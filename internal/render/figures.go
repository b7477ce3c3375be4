package render

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strconv"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/report"
)

// figureDir is where the figures of reports are published: as files, not inside
// of pages, so that pages stay small and a browser loads what it shows. A name
// is the hash of the content, so the same figure in two languages is one file.
const figureDir = "_figures"

func figureFile(f report.Figure) string {
	sum := sha256.Sum256(f.PNG)
	return path.Join(figureDir, hex.EncodeToString(sum[:16])+".png")
}

// planFigures names the files of the figures that pages show.
func (s *Site) planFigures() {
	for _, p := range s.content.Pages {
		for _, b := range p.Blocks {
			for _, list := range s.results.block(b) {
				for _, f := range list {
					for _, figure := range f.check.Figures {
						s.files[figureFile(figure)] = func(*Site) ([]byte, error) { return figure.PNG, nil }
					}
				}
			}
		}
	}
}

// figures makes the views of what a block drew on one machine.
func (v *pageWriter) figures(b *content.Block, f finding) []FigureView {
	var out []FigureView
	for i, figure := range f.check.Figures {
		width, height, err := figure.Size()
		if err != nil {
			continue // a report that was read holds none such
		}
		out = append(out, FigureView{
			URL: href(v.url(), figureFile(figure)), Width: width, Height: height,
			Alt: v.t.Get("figure_alt", "n", strconv.Itoa(i+1), "block", b.Name, "machine", f.machine.Name),
		})
	}
	return out
}
