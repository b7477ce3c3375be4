//go:build unix

package session

import (
	"bufio"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/gpudocs/gpudocs/internal/report"
)

// A channel carries the engine's commands to a driver and the driver's records back.
//
// Commands go through a socket that the driver inherits: unlike a pipe, it cannot be
// opened again through /proc. Records come through a FIFO, because only a path can be
// reached from bash's EXIT trap, where the block's redirections still hold. Nobody but
// root can open the FIFO for reading.
type channel struct {
	commands *os.File // the engine's end
	driver   *os.File // the driver's end, open until the driver has inherited it
	fifo     *fifo
	records  chan record   // closed when the reader has ended
	stop     chan struct{} // closed if records are no longer received
}

// A record is what a driver reports, as one JSON object per line.
type record struct {
	Nonce     string // of the command that it answers
	Kind      string // done, exit, ready or figure
	Exit      int
	Line      int
	Exception string
	report.Figure
	// fault is why the line is not a valid record, although it has a nonce.
	fault error
}

// The kinds of records.
const (
	kindDone   = "done"   // the step has ended, and the interpreter lives
	kindExit   = "exit"   // bash is about to exit
	kindReady  = "ready"  // the driver waits for the next step: the answer to modeSync
	kindFigure = "figure" // what the step has displayed or left open
)

// modeSync is the mode of a command that only asks for a ready record.
const modeSync = "sync"

// maxRecord limits a line of the FIFO. The longest is an SVG that consists of quotes.
const maxRecord = 2*report.MaxFigure + 64<<10

// sendTime limits how long a driver may leave a command unread.
const sendTime = 10 * time.Second

// openChannel makes a channel whose FIFO is in the folder ctl.
func openChannel(ctl *os.File) (*channel, error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		return nil, fmt.Errorf("make a socket pair: %w", err)
	}
	for _, fd := range pair {
		unix.CloseOnExec(fd)
	}
	// The driver reads as from a pipe, so its end blocks. Ours has deadlines.
	if err := unix.SetNonblock(pair[0], true); err != nil {
		return nil, err
	}
	c := &channel{
		commands: os.NewFile(uintptr(pair[0]), "commands"),
		driver:   os.NewFile(uintptr(pair[1]), "commands"),
		records:  make(chan record), stop: make(chan struct{}),
	}
	if c.fifo, err = makeFIFO(ctl, "results"); err == nil {
		err = c.fifo.r.Chmod(0o200)
	}
	if err != nil {
		closeAll(c.commands, c.driver)
		return nil, err
	}
	go c.read()
	return c, nil
}

// send sends a command, and returns the nonce that the records of its answer carry.
// It returns no error: if no driver reads the command, no answer comes.
func (c *channel) send(mode, file string) (nonce string) {
	nonce = rand.Text()
	_ = c.commands.SetWriteDeadline(time.Now().Add(sendTime))
	_, _ = io.WriteString(c.commands, nonce+"\n"+mode+"\n"+file+"\n")
	return nonce
}

func (c *channel) read() {
	defer close(c.records)
	lines := bufio.NewReaderSize(c.fifo, 64<<10)
	var line []byte
	for {
		part, err := lines.ReadSlice('\n')
		if len(line) <= maxRecord {
			line = append(line, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if r, ok := parseRecord(line); ok {
			select {
			case c.records <- r:
			case <-c.stop:
				return
			}
		}
		if err != nil {
			return
		}
		line = line[:0]
	}
}

// parseRecord reports whether a line is a record of a driver. The nonce shows whether
// it answers the current command.
func parseRecord(line []byte) (r record, ok bool) {
	if len(line) > maxRecord {
		return r, false
	}
	if err := json.Unmarshal(line, &r); err != nil {
		if r.Nonce == "" {
			return r, false
		}
		r.fault = err
	}
	return r, true
}

// check returns a RecordError if the driver of the interpreter cannot have written the
// record of a step in a file whose last line so far is lastLine.
func (r record) check(interpreter string, lastLine int) error {
	switch {
	case r.fault != nil:
		return &RecordError{r.fault.Error()}
	case r.Kind == kindFigure:
		if err := r.Bounded(); err != nil {
			return &RecordError{err.Error()}
		}
	case r.Kind != kindDone && (r.Kind != kindExit || interpreter != Bash):
		return &RecordError{fmt.Sprintf("kind %q", r.Kind)}
	case r.Exit < 0 || r.Exit > 255:
		return &RecordError{fmt.Sprintf("exit status %d", r.Exit)}
	case r.Line < 0 || r.Line > lastLine:
		return &RecordError{fmt.Sprintf("line %d", r.Line)}
	}
	return nil
}

// finish ends reading after the records that have already arrived. Later writers to the
// FIFO are ignored. It does not wait.
func (c *channel) finish() { c.fifo.cut() }

func (c *channel) close() {
	close(c.stop)
	c.finish()
	for range c.records { // until the reader has ended
	}
	closeAll(c.commands, c.driver)
	c.fifo.close()
}

func closeAll(files ...*os.File) {
	for _, f := range files {
		f.Close() // of nil, and again, does nothing
	}
}
