package ssh

import (
	"errors"
	"io"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/verify/remote"
)

// limits limit the time and the bytes of each stage of a conversation, because a
// machine may be broken or hostile.
type limits struct {
	// silence is how long a machine that has answered may neither send nor receive. A
	// run sends a heartbeat; see [heartbeatInterval].
	silence time.Duration
	// transfer limits the time to send everything, and the time to receive the report.
	transfer time.Duration
	// grace is how long a machine may take to stop and to send finished results.
	// brokenGrace is how long ssh may take to end after the conversation broke off.
	// After that ssh is killed.
	grace, brokenGrace time.Duration
	// received limits the bytes that a machine may send in addition to its report. It
	// also limits the standard error of ssh.
	received int64
	// shownBytes and shownLines limit the output of a run that is shown.
	shownBytes, shownLines int
}

var defaultLimits = limits{
	silence: 2 * time.Minute, transfer: time.Hour, grace: 15 * time.Second, brokenGrace: 2 * time.Second,
	received: 64 << 20, shownBytes: 4 << 20, shownLines: 50_000,
}

// heartbeatInterval is how often each side sends the other a heartbeat.
const heartbeatInterval = 10 * time.Second

// formatDuration formats a time without trailing zero units: 2m for 2m0s.
func formatDuration(d time.Duration) string {
	s := d.Round(time.Millisecond).String()
	for _, zero := range []string{"0s", "0m"} {
		if cut := strings.TrimSuffix(s, zero); strings.HasSuffix(cut, "m") || strings.HasSuffix(cut, "h") {
			s = cut
		}
	}
	return s
}

// errTooMuch is the error of a machine that sends more than [limits] allow.
var errTooMuch = errors.New("too much")

func (l *limits) tooMuch(h Host) *remote.Error {
	return &remote.Error{Message: text.Say("verify.output-too-large", "n", l.received>>20),
		Hint: text.Say("verify.login-shell-hint", "host", h.Destination)}
}

// A boundedWriter fails after a limited number of bytes.
type boundedWriter struct {
	w       io.Writer
	left    int64
	tooMuch func()
}

func (b *boundedWriter) Write(p []byte) (int, error) {
	if b.left -= int64(len(p)); b.left < 0 {
		b.tooMuch()
		return 0, errTooMuch
	}
	return b.w.Write(p)
}

// A chunkedWriter writes in small pieces, and calls taken after each.
type chunkedWriter struct {
	w     io.Writer
	taken func()
}

func (s chunkedWriter) Write(p []byte) (n int, err error) {
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
