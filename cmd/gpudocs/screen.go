package main

import (
	"io"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/term"

	"github.com/gpudocs/gpudocs/internal/publish"
	"github.com/gpudocs/gpudocs/internal/terminal"
)

func (a *app) terminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// color tells whether a stream wants colour: a terminal does, and whatever
// CLICOLOR_FORCE is set for, unless NO_COLOR is set or the terminal is a dumb one.
func (a *app) color(w io.Writer) bool {
	switch force := os.Getenv("CLICOLOR_FORCE"); {
	case os.Getenv("NO_COLOR") != "":
		return false
	case force != "" && force != "0":
		return true
	}
	return a.moves(w)
}

// moves tells whether a stream is a terminal whose cursor can be moved.
func (a *app) moves(stream any) bool {
	return a.terminal(stream) && os.Getenv("TERM") != "dumb"
}

// usualWidth is that of a terminal that does not say how wide it is.
const usualWidth = 80

// width is how many cells a line has on a terminal, and 0 elsewhere: what is read
// from a pipe or a file is not broken into lines.
func (a *app) width(stream any) int {
	f, ok := stream.(*os.File)
	if !ok || !a.terminal(stream) {
		return 0
	}
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	if n, _, err := term.GetSize(int(f.Fd())); err == nil && n > 0 {
		return n
	}
	return usualWidth
}

// widestText is how wide text is at most, also on wide terminals: longer lines are
// hard to read. Tables use all there is.
const widestText = 100

// textWidth is that of text on a stream, and 0 where there is no terminal.
func (a *app) textWidth(stream any) int { return min(a.width(stream), widestText) }

// newLine is a live line on standard error, nil where that is no terminal.
func (a *app) newLine() *terminal.Line {
	if !a.moves(a.stderr) {
		return nil
	}
	l := terminal.NewLine(a.stderr, func() int { return a.width(a.stderr) })
	a.live.Store(l)
	return l
}

// say lets other output come between the lines of a run, and not into the live
// one.
func (a *app) say(write func()) { a.live.Load().Around(write) }

// A busy tells on a terminal what is being done, if that takes a while. A nil one
// tells nothing.
type busy struct {
	line *terminal.Line
	text atomic.Pointer[string]
	stop chan struct{}
	done sync.WaitGroup
	once sync.Once
}

// untilTold is how long nobody wonders, and renewed how often the line is.
const untilTold, renewed = time.Second, time.Second / 5

func (a *app) newBusy() *busy {
	line := a.newLine()
	if line == nil {
		return nil
	}
	b := &busy{line: line, stop: make(chan struct{})}
	b.done.Go(b.run)
	return b
}

func (b *busy) run() {
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

// with says what is done from now on.
func (b *busy) with(text string) {
	if b != nil {
		b.text.Store(&text)
	}
}

// counting returns what tells how much of a work is done.
func (a *app) counting(b *busy, work string) func(done, all int) {
	if b == nil {
		return nil
	}
	what := a.w.Get(work)
	b.with(a.w.Get("at_work", "what", what))
	return func(done, all int) {
		b.with(a.w.Get("at_work_of", "what", what, "done", strconv.Itoa(done), "all", strconv.Itoa(all)))
	}
}

// counted returns what is called at the end of each of so many works.
func (a *app) counted(b *busy, work string, all int) (ended func()) {
	count := a.counting(b, work)
	if count == nil {
		return func() {}
	}
	var done atomic.Int64
	count(0, all)
	return func() { count(int(done.Add(1)), all) }
}

// watched are files whose making is told.
func (a *app) watched(b *busy, files publish.Files) publish.Files {
	if b == nil {
		return files
	}
	return watched{files, a.counted(b, "work_write", len(files.Paths()))}
}

type watched struct {
	publish.Files
	made func()
}

func (w watched) File(name string) ([]byte, bool, error) {
	defer w.made()
	return w.Files.File(name)
}

// end takes the words away.
func (b *busy) end() {
	if b == nil {
		return
	}
	b.once.Do(func() { close(b.stop) })
	b.done.Wait()
	b.line.End()
}
