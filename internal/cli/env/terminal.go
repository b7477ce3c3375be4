package env

import (
	"io"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/term"

	"github.com/gpudocs/gpudocs/internal/text/terminal"
)

func (a *Env) Terminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
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

// UsualWidth is the width of a terminal that does not say how wide it is.
const UsualWidth = 80

// width returns the columns of a terminal, and 0 for anything else: lines are not wrapped in a pipe
// or a file.
func (a *Env) width(stream any) int {
	f, ok := stream.(*os.File)
	if !ok || !a.Terminal(stream) {
		return 0
	}
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	if n, _, err := term.GetSize(int(f.Fd())); err == nil && n > 0 {
		return n
	}
	return UsualWidth
}

// widestText is the maximal width of text, since longer lines are hard to read. Tables use the
// whole width of a terminal.
const widestText = 100

// TextWidth returns the width of text on a stream, and 0 if it is not a terminal.
func (a *Env) TextWidth(stream any) int { return min(a.width(stream), widestText) }

// newLine returns a live line on standard error, nil if that is not a terminal.
func (a *Env) newLine() *terminal.Line {
	if !a.moves(a.Stderr) {
		return nil
	}
	l := terminal.NewLine(a.Stderr, func() int { return a.width(a.Stderr) })
	a.live.Store(l)
	return l
}

// Around calls write, whose output replaces the live line until it is drawn again.
func (a *Env) Around(write func()) { a.live.Load().Around(write) }

// A Busy shows on a terminal what is being done, if that takes a while. A nil *Busy shows nothing.
type Busy struct {
	line *terminal.Line
	text atomic.Pointer[string]
	stop chan struct{}
	done sync.WaitGroup
	once sync.Once
}

// busyDelay is the time before the line is shown, refreshInterval how often it is drawn again.
const busyDelay, refreshInterval = time.Second, time.Second / 5

func (a *Env) NewBusy() *Busy {
	line := a.newLine()
	if line == nil {
		return nil
	}
	b := &Busy{line: line, stop: make(chan struct{})}
	b.done.Go(b.run)
	return b
}

func (b *Busy) run() {
	select {
	case <-b.stop:
		return
	case <-time.After(busyDelay):
	}
	t := time.NewTicker(refreshInterval)
	defer t.Stop()
	for {
		if text := b.text.Load(); text != nil {
			b.line.Set(*text)
		}
		select {
		case <-b.stop:
			return
		case <-t.C:
		}
	}
}

// Set sets what is being done.
func (b *Busy) Set(text string) {
	if b != nil {
		b.text.Store(&text)
	}
}

// Counting returns a function that shows how much of a work is done, nil for a nil b.
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

// Counted returns a function to call when each of several works has ended.
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
	if b == nil {
		return
	}
	b.once.Do(func() { close(b.stop) })
	b.done.Wait()
	b.line.End()
}
