package ssh

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/gpudocs/gpudocs/internal/report"
)

// A machine sends messages. Each is a line: a random token, a word, and the rest. Lines
// without the token are noise.
const (
	wordAt     = "at"     // sh is ready for the program; the rest is the output of uname
	wordReady  = "ready"  // the program runs and is ready for its work
	wordOut    = "out"    // a line of verify
	wordErr    = "err"    // a line of its standard error
	wordAlive  = "alive"  // a heartbeat
	wordReport = "report" // the report's size; its bytes follow
	wordFault  = "fault"  // why it cannot go on
	wordEnd    = "end"    // the program's exit code
)

// maxLine limits the length of a line. The rest is dropped.
const maxLine = 16 << 10

type message struct{ word, rest string }

// A receiver reads the messages of a machine.
type receiver struct {
	buffered *bufio.Reader
	in       *io.LimitedReader
	token    string
}

// newReceiver returns a receiver that reads at most limit bytes in addition to the
// report.
func newReceiver(r io.Reader, token string, limit int64) *receiver {
	in := &io.LimitedReader{R: r, N: limit}
	return &receiver{bufio.NewReaderSize(in, maxLine), in, token}
}

// next returns the next message. Before the token may be text that a shell printed
// without a newline.
func (r *receiver) next() (message, error) {
	for {
		line, err := r.buffered.ReadSlice('\n')
		cut := errors.Is(err, bufio.ErrBufferFull)
		m, ok := r.parse(line)
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = r.buffered.ReadSlice('\n')
		}
		if ok && (err == nil || cut) {
			return m, nil
		}
		if errors.Is(err, io.EOF) && r.in.N <= 0 {
			err = errTooMuch
		}
		if err != nil {
			return message{}, err
		}
	}
}

func (r *receiver) parse(line []byte) (message, bool) {
	_, text, ok := bytes.Cut(line, []byte(r.token+" "))
	if !ok {
		return message{}, false
	}
	word, rest, _ := strings.Cut(strings.TrimRight(string(text), "\r\n"), " ")
	return message{word, printable(rest)}, true
}

// report reads a report of the announced size. It calls read after each piece.
func (r *receiver) report(size, label string, read func()) (*report.Report, error) {
	n, err := strconv.Atoi(size)
	if err != nil || n < 0 || n > report.MaxSize {
		return nil, fmt.Errorf("a report of %.60q bytes", size)
	}
	r.in.N += int64(n)
	// Not allocated at once: a machine could announce much and send nothing.
	data, err := io.ReadAll(io.TeeReader(io.LimitReader(r.buffered, int64(n)), chunkedWriter{io.Discard, read}))
	if err != nil {
		return nil, err
	}
	if len(data) < n {
		return nil, io.ErrUnexpectedEOF
	}
	return report.Parse(label+".json", data)
}

// printable replaces characters that must not reach the terminal from another machine.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\t' && !unicode.IsGraphic(r) {
			return '\ufffd'
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
}

// A sender sends messages. It may be used concurrently.
type sender struct {
	mu    sync.Mutex
	w     io.Writer
	token string
}

func (s *sender) send(word, rest string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	// If the connection is closed, the error cannot be reported either.
	_, _ = fmt.Fprintf(s.w, "%s %s %s\n", s.token, word, rest)
}

func (s *sender) report(data []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, _ = fmt.Fprintf(s.w, "%s %s %d\n%s\n", s.token, wordReport, len(data), data)
}
