package fleet

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/gpudocs/gpudocs/internal/report"
)

// A machine speaks in lines: a random mark, a word, and the rest. Whatever
// comes without the mark is noise.
const (
	wordAt     = "at"     // the system, as uname names it; sh is ready for the program
	wordReady  = "ready"  // the program runs, and is ready for its work
	wordOut    = "out"    // a line of verify
	wordErr    = "err"    // a line of its standard error
	wordAlive  = "alive"  // the run goes on
	wordReport = "report" // the report's size; its bytes follow
	wordFault  = "fault"  // why it cannot go on
	wordEnd    = "end"    // the program's exit code
)

// maxLine bounds a line; more of it is dropped.
const maxLine = 16 << 10

type message struct{ word, rest string }

// An ear hears what a machine says.
type ear struct {
	r    *bufio.Reader
	in   *meter
	mark string
}

// newEar hears at most limit bytes beside the report.
func newEar(r io.Reader, mark string, limit int64) *ear {
	in := &meter{r: r, left: limit}
	return &ear{bufio.NewReaderSize(in, maxLine), in, mark}
}

func newMark() string { return rand.Text() }

// next returns the next message. What a shell prints without a line's end may
// stand before the mark.
func (e *ear) next() (message, error) {
	for {
		line, err := e.r.ReadSlice('\n')
		cut := errors.Is(err, bufio.ErrBufferFull)
		m, ok := e.parse(line)
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = e.r.ReadSlice('\n')
		}
		if ok && (err == nil || cut) {
			return m, nil
		}
		if err != nil {
			return message{}, err
		}
	}
}

func (e *ear) parse(line []byte) (message, bool) {
	_, said, ok := bytes.Cut(line, []byte(e.mark+" "))
	if !ok {
		return message{}, false
	}
	word, rest, _ := strings.Cut(strings.TrimRight(string(said), "\r\n"), " ")
	return message{word, printable(rest)}, true
}

// report reads the bytes of a report that a message announces, and calls read
// now and then meanwhile.
func (e *ear) report(size, label string, read func()) (*report.Report, error) {
	n, err := strconv.Atoi(size)
	if err != nil || n < 0 || n > report.MaxSize {
		return nil, fmt.Errorf("a report of %.60q bytes", size)
	}
	e.in.left += int64(n)
	e.in.read = read
	defer func() { e.in.read = nil }()
	// Not made in one piece: a machine could announce much and send nothing.
	data, err := io.ReadAll(io.LimitReader(e.r, int64(n)))
	if err != nil {
		return nil, err
	}
	if len(data) < n {
		return nil, io.ErrUnexpectedEOF
	}
	return report.Parse(label+".json", data)
}

// printable makes a text of another machine fit for a terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\t' && !unicode.IsGraphic(r) {
			return '\ufffd'
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
}

// A mouth says messages, from several goroutines.
type mouth struct {
	mu   sync.Mutex
	w    io.Writer
	mark string
}

func (m *mouth) say(word, rest string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	// Nobody may listen any more, and then there is nobody to tell.
	_, _ = fmt.Fprintf(m.w, "%s %s %s\n", m.mark, word, rest)
}

func (m *mouth) report(data []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, _ = fmt.Fprintf(m.w, "%s %s %d\n%s\n", m.mark, wordReport, len(data), data)
}

// lines says what is written to it line by line.
type lines struct {
	say  func(line string)
	part []byte
}

func (l *lines) Write(p []byte) (int, error) {
	l.part = append(l.part, p...)
	for {
		line, rest, ok := bytes.Cut(l.part, []byte("\n"))
		if !ok {
			return len(p), nil
		}
		l.say(string(line))
		l.part = rest
	}
}

func (l *lines) end() {
	if len(l.part) > 0 {
		l.say(string(l.part))
	}
}
