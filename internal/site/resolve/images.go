package resolve

import (
	"net/url"
	"path"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/picture"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// warnNoAlt warns of an image without alternative text.
func (l *pageLinks) warnNoAlt(destination string, pos int, hint diag.Text) {
	l.warn(site.RuleAlt, destination, pos, diag.Say("links.image-without-alt").WithHint(hint))
}

// checkImage reports an image whose header cannot be read.
func (l *pageLinks) checkImage(asset, destination string, pos int) {
	l.images = append(l.images, l.site.AssetFile(asset))
	size, err := l.site.ImageSize(asset)
	if picture.TooLarge(asset, size) {
		l.warn(site.RuleImage, destination, pos, diag.Say("links.image-pixels", "asset", path.Base(asset), "n", size.Width*size.Height/1_000_000))
	}
	if err != nil {
		l.missing(site.RuleImage, destination, pos, diag.Say("links.image-unsupported", "asset", path.Base(asset), "why", err))
	}
}

// attachment resolves attachment:name, Jupyter's form for an image that is stored in the cell.
func (l *pageLinks) attachment(escaped, destination string, pos int) site.Target {
	file := l.page.Source
	number, _ := file.Cell(file.Line(pos))
	name, err := url.PathUnescape(escaped)
	if err != nil {
		name = escaped
	}
	if number > 0 {
		if p := l.page.Notebook.Cells[number-1].Attachments[name]; p != nil {
			return site.Target{Picture: p}
		}
	}
	l.missing(site.RuleImage, destination, pos, diag.Say("page.attachment-missing", "name", name))
	return site.Target{Missing: true}
}
