package env

import (
	"context"
	"io"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/term"

	"github.com/gpudocs/gpudocs/internal/text/terminal"
)

// file returns the file of a stream, or nil.
func file(stream any) *os.File {
	if o, ok := stream.(*output); ok {
		stream = o.Writer
	}
	f, _ := stream.(*os.File)
	return f
}

// Terminal reports whether a stream is a terminal.
func (a *Env) Terminal(stream any) bool {
	f := file(stream)
	return f != nil && term.IsTerminal(int(f.Fd()))
}

// Color reports whether to write colours to a stream: to a terminal, and to anything if
// CLICOLOR_FORCE is set, unless NO_COLOR is set or the terminal is a dumb one.
func (a *Env) Color(w io.Writer) bool {
	switch force := os.Getenv("CLICOLOR_FORCE"); {
	case os.Getenv("NO_COLOR") != "":
		return false
	case force != "" && force != "0":
		return true
	}
	return a.moves(w)
}

// moves reports whether a stream is a terminal whose cursor can be moved.
func (a *Env) moves(stream any) bool {
	return a.Terminal(stream) && os.Getenv("TERM") != "dumb"
}

// UsualWidth is the width of a terminal whose width is not known, and of text in a pipe that is wrapped all the same.
const UsualWidth = 80

// width returns the columns of a terminal, and 0 for anything else: lines are not wrapped in a pipe
// or a file.
func (a *Env) width(stream any) int {
	if !a.Terminal(stream) {
		return 0
	}
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	if n, _, err := term.GetSize(int(file(stream).Fd())); err == nil && n > 0 {
		return n
	}
	return UsualWidth
}

// widestText is the maximal width of text, since longer lines are hard to read. Tables use the
// whole width of a terminal.
const widestText = 100

// TextWidth returns the width of text on a stream, and 0 if it is not a terminal.
func (a *Env) TextWidth(stream any) int { return min(a.width(stream), widestText) }

// Around calls write, whose output replaces the live line until it is drawn again.
func (a *Env) Around(write func()) { a.live.Load().Around(write) }

// Refresh is the time between two drawings of the live line.
const Refresh = time.Second / 5

// A Ticker draws the live line again and again. A nil *Ticker draws nothing.
type Ticker struct {
	Line *terminal.Line
	stop context.CancelFunc
	done sync.WaitGroup
}

// NewTicker returns a ticker that calls draw after a delay, and then every Refresh. It returns nil if
// standard error is not a terminal.
func (a *Env) NewTicker(delay time.Duration, draw func(*terminal.Line)) *Ticker {
	if !a.moves(a.Stderr) {
		return nil
	}
	ctx, stop := context.WithCancel(context.Background())
	t := &Ticker{Line: terminal.NewLine(a.Stderr, func() int { return a.width(a.Stderr) }), stop: stop}
	a.live.Store(t.Line)
	t.done.Go(func() {
		timer := time.NewTimer(delay)
		defer timer.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-timer.C:
				draw(t.Line)
				timer.Reset(Refresh)
			}
		}
	})
	return t
}

// End removes the line.
func (t *Ticker) End() {
	if t != nil {
		t.stop()
		t.done.Wait()
		t.Line.End()
	}
}

// A Busy shows on a terminal what is being done, if that takes a while. A nil *Busy shows nothing.
type Busy struct {
	*Ticker
	text atomic.Value // a string
}

// busyDelay is the time before a [Busy] is shown.
const busyDelay = time.Second

func (a *Env) NewBusy() *Busy {
	b := &Busy{}
	b.Ticker = a.NewTicker(busyDelay, func(line *terminal.Line) {
		if text, ok := b.text.Load().(string); ok {
			line.Set(text)
		}
	})
	if b.Ticker == nil {
		return nil
	}
	return b
}

// Set sets the text to show.
func (b *Busy) Set(text string) {
	if b != nil {
		b.text.Store(text)
	}
}

// Counting returns a function that shows how much of a task is done. It is nil if b is nil.
func (a *Env) Counting(b *Busy, work string) func(done, all int) {
	if b == nil {
		return nil
	}
	what := a.Text.Get(work)
	b.Set(a.Text.Get("at_work", "what", what))
	return func(done, all int) {
		b.Set(a.Text.Get("at_work_of", "what", what, "done", strconv.Itoa(done), "all", strconv.Itoa(all)))
	}
}

// Counted returns a function to call at the end of each of several tasks.
func (a *Env) Counted(b *Busy, work string, all int) (ended func()) {
	count := a.Counting(b, work)
	if count == nil {
		return func() {}
	}
	var done atomic.Int64
	count(0, all)
	return func() { count(int(done.Add(1)), all) }
}

// End removes the line.
func (b *Busy) End() {
	if b != nil {
		b.Ticker.End()
	}
}
