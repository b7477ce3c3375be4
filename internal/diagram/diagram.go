package diagram

import (
	"fmt"
	"io"
	"strings"
	"sync"
)

const (
	// maxLength bounds a diagram, in bytes. Mermaid's own limit is 50 000.
	maxLength = 32 << 10
	// maxKept bounds the diagrams that are remembered.
	maxKept = 1 << 10
)

// An Error says why a diagram cannot be drawn.
type Error struct {
	Message string
	// Line is where in the source, from 1, and 0 where that is not known.
	Line int
}

func (e *Error) Error() string { return e.Message }

// A Diagram is a drawing for pages.
type Diagram struct {
	// Kind is Mermaid's name of its type: "flowchart-v2", "sequence".
	Kind string
	// Title and Description are the author's accTitle and accDescr, for those who
	// do not see it.
	Title, Description string
	// Width and Height are in pixels.
	Width, Height float64

	viewBox string
	body    string // cleaned, with idPrefix in ids
}

// A Drawer draws diagrams and remembers them: translations repeat the same, and
// so does a site that is rebuilt. The zero Drawer is ready for use, by many
// goroutines at once.
type Drawer struct {
	// Open opens what [Drawer.Store] has written in an earlier run. It is called
	// before the first diagram is drawn, and may be nil.
	Open func() (io.ReadCloser, error)

	opened sync.Once
	mu     sync.Mutex
	known  map[string]result
	stored store
	idle   []*engine
}

type result struct {
	diagram *Diagram
	err     error
}

// drawn is what mermaid/entry.js returns: a drawing, or what is wrong.
type drawn struct {
	Kind        string    `json:"kind,omitempty"`
	Title       string    `json:"title,omitempty"`
	Description string    `json:"description,omitempty"`
	ViewBox     []float64 `json:"viewBox,omitempty"`
	Body        string    `json:"body,omitempty"`
	Error       string    `json:"error,omitempty"`
	Line        int       `json:"line,omitempty"`
}

// Draw returns the drawing of a source. An error is an [*Error], or says that
// Mermaid itself does not run.
func (d *Drawer) Draw(source string) (*Diagram, error) {
	d.opened.Do(d.open)
	d.mu.Lock()
	r, ok := d.known[source]
	raw, made := d.stored.take(source)
	d.mu.Unlock()
	if ok {
		return r.diagram, r.err
	}
	if !made {
		raw, r.err = d.draw(source)
	}
	if r.err == nil {
		r.diagram, r.err = finish(raw)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.known == nil || len(d.known) >= maxKept {
		d.known = map[string]result{}
	}
	d.known[source] = r
	if !made && (raw.Error != "" || r.err == nil) {
		d.stored.put(source, raw)
	}
	return r.diagram, r.err
}

// Known tells whether Draw need not run Mermaid for the source.
func (d *Drawer) Known(source string) bool {
	d.opened.Do(d.open)
	d.mu.Lock()
	defer d.mu.Unlock()
	_, ok := d.known[source]
	_, made := d.stored.all[key(source)]
	return ok || made
}

func (d *Drawer) draw(source string) (drawn, error) {
	if strings.TrimSpace(source) == "" {
		return drawn{}, &Error{"it is empty", 0}
	}
	if len(source) > maxLength {
		return drawn{}, &Error{fmt.Sprintf("it is longer than %d KiB", maxLength>>10), 0}
	}
	e, err := d.engine()
	if err != nil {
		return drawn{}, err
	}
	made, err := e.draw(source)
	if !e.broken {
		d.mu.Lock()
		d.idle = append(d.idle, e)
		d.mu.Unlock()
	}
	return made, err
}

// engine returns an interpreter that has nothing to do, or a new one.
func (d *Drawer) engine() (*engine, error) {
	d.mu.Lock()
	if n := len(d.idle); n > 0 {
		e := d.idle[n-1]
		d.idle = d.idle[:n-1]
		d.mu.Unlock()
		return e, nil
	}
	d.mu.Unlock()
	return newEngine()
}

// finish cleans what was drawn.
func finish(raw drawn) (*Diagram, error) {
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

// SVG writes the drawing as an element of a page. Its id, and what it refers to in
// itself, begin with id. Its name is the author's title, or name where there is none.
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
