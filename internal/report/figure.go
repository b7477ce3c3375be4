package report

import (
	"bytes"
	"image"
	"image/jpeg"
	"image/png"
	"strings"

	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/text/svg"
)

// A Figure is what a block displayed, in exactly one form: a picture, or HTML or LaTeX. Texts are
// UTF-8. HTML is not sanitised.
type Figure struct {
	// PNG, JPEG and SVG are files of at most [MaxFigure] bytes. PNG and JPEG are base64 in JSON.
	PNG  []byte `json:"png,omitempty"`
	JPEG []byte `json:"jpeg,omitempty"`
	SVG  string `json:"svg,omitempty" max:"1048576"`
	// HTML and LaTeX have at most [MaxMarkup] bytes. LaTeX is as in a notebook: formulas have their
	// delimiters.
	HTML  string `json:"html,omitempty" max:"262144"`
	LaTeX string `json:"latex,omitempty" max:"262144"`
}

// Limits of figures, in bytes.
const (
	MaxFigure = 1 << 20   // of a picture
	MaxMarkup = 256 << 10 // of HTML and LaTeX
)

// MaxSide limits the width and the height of a figure, in pixels, because a small file
// may be an image that takes more memory than a browser has.
const MaxSide = 4096

// A Form is what a figure is: its key in JSON.
type Form string

// The forms.
const (
	PNG   Form = "png"
	JPEG  Form = "jpeg"
	SVG   Form = "svg"
	HTML  Form = "html"
	LaTeX Form = "latex"
)

// Name is the name of the form in sentences.
func (f Form) Name() string {
	if f == LaTeX {
		return "LaTeX"
	}
	return strings.ToUpper(string(f))
}

// Form returns the form of a figure, and "" if it has none or several.
func (f Figure) Form() Form {
	form, _ := f.content()
	return form
}

// Data returns the file of a picture, or the text.
func (f Figure) Data() []byte {
	_, data := f.content()
	return data
}

func (f Figure) content() (form Form, data []byte) {
	for _, has := range []struct {
		form Form
		data []byte
	}{{PNG, f.PNG}, {JPEG, f.JPEG}, {SVG, []byte(f.SVG)}, {HTML, []byte(f.HTML)}, {LaTeX, []byte(f.LaTeX)}} {
		if len(has.data) > 0 && form != "" {
			return "", nil
		} else if len(has.data) > 0 {
			form, data = has.form, has.data
		}
	}
	return form, data
}

// Picture reports whether the figure is published as a file.
func (f Figure) Picture() bool {
	return f.Form() == PNG || f.Form() == JPEG || f.Form() == SVG
}

// Bounded returns an error if the figure has not exactly one form, or is too large.
func (f Figure) Bounded() error {
	limit := MaxMarkup
	switch {
	case f.Form() == "":
		return diag.Say("report.invalid-figure-form")
	case f.Picture():
		limit = MaxFigure
	}
	if n := len(f.Data()); n > limit {
		return diag.Say("report.invalid-figure-bytes", "bytes", n, "most", limit)
	}
	return nil
}

// Size returns width and height of the figure in pixels, 0 if it has none, or an error if the figure
// is not valid. Of a PNG or JPEG it reads only the header. An SVG must contain nothing but drawing.
func (f Figure) Size() (width, height int, err error) {
	if err := f.Bounded(); err != nil {
		return 0, 0, err
	}
	var c image.Config
	form := f.Form()
	switch form {
	case PNG:
		c, err = png.DecodeConfig(bytes.NewReader(f.PNG))
	case JPEG:
		c, err = jpeg.DecodeConfig(bytes.NewReader(f.JPEG))
		if err == nil && (c.Width < 1 || c.Height < 1) {
			err = diag.Say("report.invalid-figure-empty")
		}
	case SVG:
		c.Width, c.Height, err = svg.Check([]byte(f.SVG))
		if c.Width > MaxSide || c.Height > MaxSide {
			c.Width, c.Height = 0, 0 // it is scaled to the page
		}
	}
	if err != nil {
		return 0, 0, diag.Say("report.invalid-figure", "form", form.Name(), "why", err)
	}
	if c.Width > MaxSide || c.Height > MaxSide {
		return 0, 0, diag.Say("report.invalid-figure-pixels", "width", c.Width, "height", c.Height, "most", MaxSide)
	}
	return c.Width, c.Height, nil
}
