package diagram

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/gpudocs/gpudocs/internal/memo"
	"github.com/gpudocs/gpudocs/internal/render/script"
)

const (
	// maxLength limits the length of a diagram, in bytes. Mermaid's own limit is 50 000.
	maxLength = 32 << 10
	// maxCached limits the number of diagrams in the cache.
	maxCached = 1 << 10
)

// An Error is the reason why a diagram cannot be drawn.
type Error struct {
	Message string
	// Line is the line of the source, counted from 1, or 0 if it is not known.
	Line int
}

func (e *Error) Error() string { return e.Message }

// A Diagram is a drawing for pages.
type Diagram struct {
	// Kind is Mermaid's name of its type: "flowchart-v2", "sequence".
	Kind string
	// Title and Description are the author's accTitle and accDescr, for screen readers.
	Title, Description string
	// Width and Height are in pixels.
	Width, Height float64

	viewBox string
	body    string // cleaned, with idPrefix in ids
}

// A Drawer draws diagrams and caches them: translations repeat the same ones, and so does a site that
// is rebuilt. It is safe for use by several goroutines.
type Drawer struct {
	stored  *memo.Table // Mermaid's output, a drawn in JSON
	cache   *memo.Memo[*Diagram]
	mermaid *script.Pool
}

// New returns a Drawer that uses what [Drawer.Store] has written in an earlier run. open, which may be nil, returns it
// when the first diagram is drawn.
func New(open func() ([]byte, error)) *Drawer {
	stored := memo.NewTable(version, open)
	return &Drawer{stored, memo.New[*Diagram](stored, maxCached), script.NewPool(library)}
}

// drawn is the result of mermaid/entry.js: a drawing, or an error.
type drawn struct {
	Kind        string    `json:"kind,omitempty"`
	Title       string    `json:"title,omitempty"`
	Description string    `json:"description,omitempty"`
	ViewBox     []float64 `json:"viewBox,omitempty"`
	Body        string    `json:"body,omitempty"`
	Error       string    `json:"error,omitempty"`
	Line        int       `json:"line,omitempty"`
}

// Draw returns the drawing of a source. An error is an [*Error], that of ctx, or says
// that Mermaid itself does not run.
func (d *Drawer) Draw(ctx context.Context, source string) (*Diagram, error) {
	return d.cache.Get(ctx, key(source), func(ctx context.Context) ([]byte, error) { return d.draw(ctx, source) }, finish)
}

// Known reports whether the drawing is in the cache, so that Draw need not run Mermaid.
func (d *Drawer) Known(source string) bool { return d.cache.Known(key(source)) }

// Fresh reports whether Store would write more than was read.
func (d *Drawer) Fresh() bool { return d.stored.Fresh() }

// Store writes the cache for a later run.
func (d *Drawer) Store(w io.Writer) error { return d.stored.Write(w) }

func key(source string) memo.Key { return memo.KeyOf(source) }

// finish turns the output of Mermaid into a diagram, with cleaned markup.
func finish(out []byte) (*Diagram, error) {
	var raw drawn
	if json.Unmarshal(out, &raw) != nil {
		return nil, errMarkup
	}
	if raw.Error != "" {
		return nil, &Error{message(raw.Error), raw.Line}
	}
	box := raw.ViewBox
	if len(box) != 4 || !(box[2] > 0 && box[2] < 1e5) || !(box[3] > 0 && box[3] < 1e5) {
		return nil, &Error{"nothing is drawn of it", 0}
	}
	body, err := clean(raw.Body)
	if err != nil {
		return nil, err
	}
	return &Diagram{Kind: raw.Kind, Title: raw.Title, Description: raw.Description, Width: box[2], Height: box[3],
		viewBox: fmt.Sprintf("%g %g %g %g", box[0], box[1], box[2], box[3]), body: body}, nil
}

// SVG returns the drawing as an element of a page. Its id, and the ids that it refers to, begin with
// id. Its accessible name is the author's title, or name if there is none.
func (d *Diagram) SVG(id, name string) string {
	if d.Title != "" {
		name = d.Title
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg id="%[1]s" viewBox="%[2]s" width="%[3]g" height="%[4]g" role="img" aria-labelledby="%[1]s-title`, escape(id), d.viewBox, d.Width, d.Height)
	if d.Description != "" {
		fmt.Fprintf(&b, `" aria-describedby="%s-description`, escape(id))
	}
	fmt.Fprintf(&b, `"><title id="%s-title">%s</title>`, escape(id), escape(name))
	if d.Description != "" {
		fmt.Fprintf(&b, `<desc id="%s-description">%s</desc>`, escape(id), escape(d.Description))
	}
	b.WriteString(strings.ReplaceAll(d.body, idMark, escape(id)+"-"))
	b.WriteString("</svg>")
	return b.String()
}
