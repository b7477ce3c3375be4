package terminal

import (
	"io"
	"sync"
	"time"
)

// A Line is the live line at the bottom of a terminal, which shows what is being done. It is drawn with
// one write, so that it does not flicker, and erased before other output. A nil Line shows nothing.
type Line struct {
	w     io.Writer
	width func() int

	mu    sync.Mutex
	shown string
	at    time.Time // when it was drawn
	ended bool
}

// NewLine returns a Line on a terminal. width returns the current width of the terminal.
func NewLine(w io.Writer, width func() int) *Line { return &Line{w: w, width: width} }

// minInterval is the minimal time between two drawings.
const minInterval = time.Second / 10

// Set shows a text, unless the last one was drawn less than minInterval ago.
func (l *Line) Set(text string) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if most := l.width() - 1; most > 0 { // some terminals wrap when the last column is filled
		text = Clip(text, most)
	}
	now := time.Now()
	if l.ended || text == l.shown || l.shown != "" && now.Sub(l.at) < minInterval {
		return
	}
	out := text
	if l.shown != "" {
		out = "\r" + text + "\x1b[K"
	}
	_, _ = io.WriteString(l.w, out)
	l.shown, l.at = text, now
}

// Around erases the line and calls write, which may write other output.
func (l *Line) Around(write func()) {
	if l != nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.erase()
	}
	write()
}

// End erases the line for good.
func (l *Line) End() {
	l.Around(func() {
		if l != nil {
			l.ended = true
		}
	})
}

func (l *Line) erase() {
	if l.shown != "" {
		_, _ = io.WriteString(l.w, "\r\x1b[K")
		l.shown = ""
	}
}
