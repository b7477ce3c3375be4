package terminal

import (
	"io"
	"sync"
	"time"
)

// A Line is the last line of a terminal, which tells what is going on. It is
// renewed in its place, with one write and so without flicker, and erased before
// anything else is written and at the end. A nil Line shows nothing.
type Line struct {
	w     io.Writer
	width func() int

	mu    sync.Mutex
	shown string
	at    time.Time
	ended bool
}

// NewLine makes a Line on a terminal, whose width is asked for each time.
func NewLine(w io.Writer, width func() int) *Line { return &Line{w: w, width: width} }

// atLeast is the time between two renewals: ten in a second are enough.
const atLeast = time.Second / 10

// Set shows a text, unless the last one has only just been shown.
func (l *Line) Set(text string) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if most := l.width() - 1; most > 0 { // in the last cell some terminals go to the next line
		text = Clip(text, most)
	}
	now := time.Now()
	if l.ended || text == l.shown || l.shown != "" && now.Sub(l.at) < atLeast {
		return
	}
	out := text
	if l.shown != "" {
		out = "\r" + text + "\x1b[K"
	}
	_, _ = io.WriteString(l.w, out)
	l.shown, l.at = text, now
}

// Around erases the line and lets other output come.
func (l *Line) Around(write func()) {
	if l == nil {
		write()
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.erase()
	write()
}

// End erases the line for good.
func (l *Line) End() {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.erase()
	l.ended = true
}

func (l *Line) erase() {
	if l.shown != "" {
		_, _ = io.WriteString(l.w, "\r\x1b[K")
		l.shown = ""
	}
}
