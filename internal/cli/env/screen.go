package env

import (
	"io"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/term"

	"github.com/gpudocs/gpudocs/internal/publish"
	"github.com/gpudocs/gpudocs/internal/text/terminal"
)

func (a *Env) Terminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Color tells whether a stream wants colour: a terminal does, and whatever
// CLICOLOR_FORCE is set for, unless NO_COLOR is set or the terminal is a dumb one.
func (a *Env) Color(w io.Writer) bool {
	switch force := os.Getenv("CLICOLOR_FORCE"); {
	case os.Getenv("NO_COLOR") != "":
		return false
	case force != "" && force != "0":
		return true
	}
	return a.moves(w)
}

// moves tells whether a stream is a terminal whose cursor can be moved.
func (a *Env) moves(stream any) bool {
	return a.Terminal(stream) && os.Getenv("TERM") != "dumb"
}

// UsualWidth is that of a terminal that does not say how wide it is.
const UsualWidth = 80

// width is how many cells a line has on a terminal, and 0 elsewhere: what is read
// from a pipe or a file is not broken into lines.
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

// widestText is how wide text is at most, also on wide terminals: longer lines are
// hard to read. Tables use all there is.
const widestText = 100

// TextWidth is that of text on a stream, and 0 where there is no terminal.
func (a *Env) TextWidth(stream any) int { return min(a.width(stream), widestText) }

// newLine is a live line on standard error, nil where that is no terminal.
func (a *Env) newLine() *terminal.Line {
	if !a.moves(a.Stderr) {
		return nil
	}
	l := terminal.NewLine(a.Stderr, func() int { return a.width(a.Stderr) })
	a.live.Store(l)
	return l
}

// Say lets other output come between the lines of a run, and not into the live
// one.
func (a *Env) Say(write func()) { a.live.Load().Around(write) }

// A Busy tells on a terminal what is being done, if that takes a while. A nil one
// tells nothing.
type Busy struct {
	line *terminal.Line
	text atomic.Pointer[string]
	stop chan struct{}
	done sync.WaitGroup
	once sync.Once
}

// untilTold is how long nobody wonders, and renewed how often the line is.
const untilTold, renewed = time.Second, time.Second / 5

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
	case <-time.After(untilTold):
	}
	t := time.NewTicker(renewed)
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

// With says what is done from now on.
func (b *Busy) With(text string) {
	if b != nil {
		b.text.Store(&text)
	}
}

// Counting returns what tells how much of a work is done.
func (a *Env) Counting(b *Busy, work string) func(done, all int) {
	if b == nil {
		return nil
	}
	what := a.Text.Get(work)
	b.With(a.Text.Get("at_work", "what", what))
	return func(done, all int) {
		b.With(a.Text.Get("at_work_of", "what", what, "done", strconv.Itoa(done), "all", strconv.Itoa(all)))
	}
}

// Counted returns what is called at the end of each of so many works.
func (a *Env) Counted(b *Busy, work string, all int) (ended func()) {
	count := a.Counting(b, work)
	if count == nil {
		return func() {}
	}
	var done atomic.Int64
	count(0, all)
	return func() { count(int(done.Add(1)), all) }
}

// Watched are files whose making is told.
func (a *Env) Watched(b *Busy, files publish.Files) publish.Files {
	if b == nil {
		return files
	}
	return watched{files, a.Counted(b, "work_write", len(files.Paths()))}
}

type watched struct {
	publish.Files
	made func()
}

func (w watched) File(name string) ([]byte, bool, error) {
	defer w.made()
	return w.Files.File(name)
}

// End takes the words away.
func (b *Busy) End() {
	if b == nil {
		return
	}
	b.once.Do(func() { close(b.stop) })
	b.done.Wait()
	b.line.End()
}
