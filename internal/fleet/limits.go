package fleet

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// The limits of a conversation. A machine may be broken or hostile, so each of
// its stages has a bound in time and in bytes.
type limits struct {
	// silence is how long a machine may say nothing once it has answered, or take
	// nothing of what it is sent. A run that goes on says so; see [aliveEvery].
	silence time.Duration
	// transfer is how long all that is sent may take, and so may the report.
	transfer time.Duration
	// grace is how long a machine may take to stop and to give back what was
	// finished, farewell how long one that broke off the conversation may take to
	// end it. Then ssh is killed.
	grace, farewell time.Duration
	// heard is how many bytes a machine may send, of lines and of whatever else,
	// beside its report. The same bound holds for the standard error of ssh.
	heard int64
	// shownBytes and shownLines are how much of a run's output is shown.
	shownBytes, shownLines int
}

var defaultLimits = limits{
	silence: 2 * time.Minute, transfer: time.Hour, grace: 15 * time.Second, farewell: 2 * time.Second,
	heard: 64 << 20, shownBytes: 4 << 20, shownLines: 50_000,
}

// aliveEvery is how often each side tells the other that it is there.
const aliveEvery = 10 * time.Second

// brief is a time without the zeros at its end: 2m for 2m0s.
func brief(d time.Duration) string {
	s := d.Round(time.Millisecond).String()
	for _, zero := range []string{"0s", "0m"} {
		if cut := strings.TrimSuffix(s, zero); strings.HasSuffix(cut, "m") || strings.HasSuffix(cut, "h") {
			s = cut
		}
	}
	return s
}

// errTooMuch says that a machine has sent more than [limits] allow.
var errTooMuch = errors.New("too much")

func (l *limits) tooMuch(h Host) *Fault {
	return &Fault{Message: fmt.Sprintf("it sent more than %d MiB of text", l.heard>>20),
		Hint: fmt.Sprintf("something there does not stop talking: ssh %s true shows whether the login shell does", h.Destination)}
}

// A meter is a reader of a bounded number of bytes.
type meter struct {
	r    io.Reader
	left int64
	read func() // is called after each read, if it is not nil
}

func (m *meter) Read(p []byte) (int, error) {
	if m.left <= 0 {
		return 0, errTooMuch
	}
	n, err := m.r.Read(p[:min(int64(len(p)), m.left)])
	m.left -= int64(n)
	if m.read != nil {
		m.read()
	}
	return n, err
}

// A bounded writer fails when more is written to it than it may take.
type bounded struct {
	w       io.Writer
	left    int64
	tooMuch func()
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.left -= int64(len(p)); b.left < 0 {
		b.tooMuch()
		return 0, errTooMuch
	}
	return b.w.Write(p)
}

// A steady writer writes in small pieces, and tells after each that it is taken.
type steady struct {
	w     io.Writer
	taken func()
}

func (s steady) Write(p []byte) (n int, err error) {
	for n < len(p) {
		k, err := s.w.Write(p[n:min(len(p), n+32<<10)])
		n += k
		if err != nil {
			return n, err
		}
		s.taken()
	}
	return n, nil
}
