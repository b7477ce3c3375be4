package ssh

import (
	"cmp"
	"context"
	"crypto/rand"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"math"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gpudocs/gpudocs/internal/machine/subprocess"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/verify/remote"
)

//go:embed bootstrap.sh
var bootstrap string

// A connection is the conversation with one machine.
type connection struct {
	target
	request  *remote.Request
	observer remote.Observer
	limits   limits
	token    string
	result   remote.Result

	cmd          *exec.Cmd
	stdin        io.WriteCloser
	stdout       io.ReadCloser
	stderr       subprocess.Tail              // of ssh, and of sh on the machine
	verifyStderr []string                     // the last lines of verify's standard error
	remaining    time.Duration                // of the time limit of the run
	shown        struct{ bytes, lines int }   // of its output
	cause        atomic.Pointer[remote.Error] // why this side has given it up
	running      atomic.Bool                  // verify runs on the machine
	exited       atomic.Bool                  // ssh has ended, and its process ID may be reused
}

func newConnection(t target, r *remote.Request, o remote.Observer) *connection {
	return &connection{target: t, request: r, observer: o, limits: defaultLimits,
		remaining: cmp.Or(r.Longest, math.MaxInt64), result: remote.Result{Label: t.Label}}
}

// sshFlags are for unattended runs, on many hosts at once and with snippets of others.
// Everything else is the user's configuration.
var sshFlags = []string{
	"-T", "-a", "-x", // no terminal; snippets get neither the agent nor a display
	"-o", "BatchMode=yes",
	"-o", "ClearAllForwardings=yes", // two connections cannot listen on the same port
	"-o", "ControlMaster=no", // an existing master is used; a new one would outlive us
	"-o", "RemoteCommand=none", "-o", "PermitLocalCommand=no",
	"-o", "ServerAliveInterval=15", "-o", "ServerAliveCountMax=4",
	"-o", "LogLevel=ERROR", // no banners
	"--",
}

// command returns the command for the login shell on the machine. All shells (bash,
// zsh, dash, tcsh, fish) parse it alike. It reads the script byte by byte, so that what
// follows stays in the connection.
func command(script string) string {
	return fmt.Sprintf(`exec sh -c 'eval "$(dd bs=1 count=%d 2>/dev/null)"'`, len(script))
}

func (c *connection) run(ctx context.Context) error {
	c.token = rand.Text()
	script := "token=" + c.token + "\n" + bootstrap
	if err := c.start(command(script)); err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, c.hangUp)
	defer stop()
	err := c.talk(newReceiver(c.stdout, c.token, c.limits.received), script)
	c.stdin.Close() // the machine removes its folder,
	patience := c.limits.grace
	if err != nil {
		patience = c.limits.brokenGrace
	}
	time.AfterFunc(patience, c.kill) // and ssh ends within this time
	ended := c.cmd.Wait()
	c.exited.Store(true)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, errTooMuch):
		return c.limits.tooMuch(c.Host)
	}
	if f := c.cause.Load(); f != nil {
		f.Output = lastLines(&c.stderr)
		return f
	}
	return c.explain(err, ended)
}

// start starts ssh.
func (c *connection) start(command string) (err error) {
	c.cmd = exec.Command(c.client, append(slices.Clone(sshFlags), c.Destination, command)...)
	c.cmd.SysProcAttr = setSession()
	c.stderr.Limit = maxLine
	c.cmd.Stderr = &boundedWriter{&c.stderr, c.limits.received, func() { c.giveUp(c.limits.tooMuch(c.Host)) }}
	c.cmd.WaitDelay = 2 * time.Second // a ProxyCommand may hold standard error
	if c.stdin, err = c.cmd.StdinPipe(); err != nil {
		return err
	}
	if c.stdout, err = c.cmd.StdoutPipe(); err != nil {
		return err
	}
	return c.cmd.Start()
}

// kill ends ssh, and with it the connection. It closes our ends of the pipes, because a
// subprocess of ssh may outlive it and hold the other ends.
func (c *connection) kill() {
	if !c.exited.Load() {
		_ = subprocess.KillGroup(c.cmd.Process)
	}
	c.stdin.Close()
	c.stdout.Close()
}

// giveUp ends the connection from this side. Only the first reason counts.
func (c *connection) giveUp(why *remote.Error) {
	c.cause.CompareAndSwap(nil, why)
	c.kill()
}

// hangUp closes the machine's input: it stops its run and sends what was finished.
func (c *connection) hangUp() {
	if !c.running.Load() {
		c.kill()
		return
	}
	c.stdin.Close()
	time.AfterFunc(c.limits.grace, c.kill)
}

// within gives the machine up after a time, unless stop is called first.
func (c *connection) within(limit time.Duration, why *remote.Error) (stop func() bool) {
	return time.AfterFunc(limit, func() { c.giveUp(why) }).Stop
}

// transfer calls do, which moves bytes and calls moved after each piece. It gives the
// machine up if no piece is moved for a while, or if the whole takes too long. stalled
// and slow are the keys of these messages, each with a {time}.
func (c *connection) transfer(stalled, slow string, do func(moved func()) error) error {
	stuck := time.AfterFunc(c.limits.silence, func() {
		c.giveUp(&remote.Error{Message: text.Say(stalled,
			"time", formatDuration(c.limits.silence))})
	})
	defer stuck.Stop()
	defer c.within(c.limits.transfer, &remote.Error{Message: text.Say(slow, "time", formatDuration(c.limits.transfer))})()
	return do(func() { stuck.Reset(c.limits.silence) })
}

// send writes to the machine within the limits of a transfer.
func (c *connection) send(write func(w io.Writer) error) error {
	return c.transfer("verify.upload-stalled", "verify.upload-timeout",
		func(moved func()) error { return write(chunkedWriter{c.stdin, moved}) })
}

// talk holds the conversation, from the first message to the last.
func (c *connection) talk(in *receiver, script string) error {
	answered := c.within(c.answerTime, &remote.Error{Message: text.Say("verify.answer-timeout", "time", c.answerTime),
		Hint: text.Say("verify.try-ssh-or-wait-hint", "host", c.Destination)})
	defer answered()
	// If this fails, the machine's messages or the end of ssh explain it.
	_, _ = io.WriteString(c.stdin, script)
	uname, err := c.await(in, wordAt)
	if err != nil {
		return err
	}
	answered()
	program, err := choose(c.programs, uname)
	if err != nil {
		return err
	}
	packed, err := program.packed()
	if err != nil {
		return err
	}
	_ = c.send(func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%d\n%s", len(packed), packed)
		return err
	})
	// Data in pipes and in the network is still to arrive.
	ready := max(c.answerTime, c.limits.silence)
	started := c.within(ready, &remote.Error{
		Message: text.Say("verify.start-timeout", "time", formatDuration(ready)),
		Hint:    text.Say("verify.host-timeout-hint"),
	})
	defer started()
	if _, err := c.await(in, wordReady); err != nil {
		return err
	}
	started()
	c.running.Store(true)
	if err := c.send(func(w io.Writer) error { return sendWork(w, c.request, c.Label) }); err != nil {
		return err
	}
	defer heartbeat(func() { _, _ = io.WriteString(c.stdin, "\n") })()
	return c.listen(in)
}

// await reads the next message, which must have the given word.
func (c *connection) await(in *receiver, word string) (string, error) {
	m, err := in.next()
	switch {
	case err != nil:
		return "", err
	case m.word == wordFault:
		return "", errGaveUp(m.rest)
	case m.word == wordEnd:
		return "", errNoStart(m.rest)
	case m.word != word:
		return "", fmt.Errorf("it said %.60q where %q comes", m.word, word)
	}
	return m.rest, nil
}

// errGaveUp is why sh on the machine gave up before the program was ready. The standard
// error of its commands may arrive later, and is complete when ssh has ended.
type errGaveUp string

func (e errGaveUp) Error() string { return string(e) }

// errNoStart is the exit code of a program that ended before it was ready.
type errNoStart string

func (e errNoStart) Error() string { return e.In(text.Catalog{}) }

// In returns the message in the language of the catalog.
func (e errNoStart) In(c text.Catalog) string {
	return c.Say(text.Say("verify.exit-code", "n", string(e)))
}

// listen receives the messages of a run until it ends.
func (c *connection) listen(in *receiver) error {
	for {
		m, err := c.next(in)
		if err != nil {
			return err
		}
		switch m.word {
		case wordOut:
			c.show(m.rest)
		case wordErr:
			c.show(m.rest)
			c.verifyStderr = append(c.verifyStderr[max(0, len(c.verifyStderr)+1-maxErrorLines):], m.rest)
		case wordFault:
			return &remote.Error{Message: text.Plain(m.rest)}
		case wordReport:
			if c.result.Report != nil {
				return &remote.Error{Message: text.Say("verify.report-duplicate")}
			}
			if err := c.receiveReport(in, m.rest); err != nil {
				return err
			}
		case wordEnd:
			return c.ended(m.rest)
		}
	}
}

// next waits for the next message of a run, for at most the silence limit and the
// remaining time of the run. Noise is not a message. Only waiting counts, and not the
// handling of a message, such as writing to a stopped terminal.
func (c *connection) next(in *receiver) (message, error) {
	began := time.Now()
	defer time.AfterFunc(c.limits.silence, func() {
		c.giveUp(&remote.Error{
			Message: text.Say("verify.host-silent", "time", formatDuration(c.limits.silence)),
			Hint:    text.Say("verify.try-ssh-hint", "host", c.Destination),
		})
	}).Stop()
	defer time.AfterFunc(c.remaining, c.overrun).Stop()
	m, err := in.next()
	c.remaining -= time.Since(began)
	return m, err
}

// overrun stops a run that has exceeded its time limit. Finished results are still
// gathered.
func (c *connection) overrun() {
	if c.cause.CompareAndSwap(nil, &remote.Error{Message: text.Say("verify.run-timeout", "time", formatDuration(c.request.Longest))}) {
		c.hangUp()
	}
}

// show passes on a line of a run, unless too much has been shown already.
func (c *connection) show(line string) {
	if c.shown.lines == c.limits.shownLines || c.shown.bytes+len(line) > c.limits.shownBytes {
		c.result.Omitted.Lines++
		c.result.Omitted.Bytes += int64(len(line))
		return
	}
	c.shown.lines++
	c.shown.bytes += len(line)
	c.observer.Line(c.Label, line)
}

func (c *connection) receiveReport(in *receiver, size string) error {
	var r *report.Report
	err := c.transfer("verify.report-stalled", "verify.report-timeout", func(moved func()) (err error) {
		r, err = in.report(size, c.Label, moved)
		return err
	})
	if err != nil {
		return &remote.Error{Message: text.Say("verify.report-refused", "why", err)}
	}
	if err := c.observer.Report(c.Label, r); err != nil {
		return err
	}
	c.result.Report = r
	return nil
}

// ended handles the exit code of verify. 0 and 1 come with a report.
func (c *connection) ended(code string) error {
	n, err := strconv.Atoi(code)
	switch {
	case err != nil || n < 0:
		return fmt.Errorf("it ended with %.60q", code)
	case n > remote.ExitFailed || c.result.Report == nil:
		return &remote.Error{Message: text.Say("verify.remote-exit-code", "n", n), Output: strings.Join(c.verifyStderr, "\n")}
	}
	c.result.Code = n
	return nil
}

// heartbeat calls beat every [heartbeatInterval], until stop is called.
func heartbeat(beat func()) (stop func()) {
	done := make(chan struct{})
	go func() {
		t := time.NewTicker(heartbeatInterval)
		defer t.Stop()
		for {
			select {
			case <-done:
				return
			case <-t.C:
				beat()
			}
		}
	}()
	return func() { close(done) }
}

// explain turns an error into one that suggests what to do. If ssh itself gave up, its
// own message explains most.
func (c *connection) explain(err error, ended error) error {
	var f *remote.Error
	if errors.As(err, &f) {
		return f
	}
	stderr := lastLines(&c.stderr)
	var gaveUp errGaveUp
	var start errNoStart
	switch {
	case errors.As(err, &gaveUp):
		return &remote.Error{Message: text.Plain(string(gaveUp)), Output: stderr}
	case errors.As(err, &start):
		return noStart(start, stderr)
	case !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
		return err
	}
	f = &remote.Error{Message: text.Say("verify.connection-lost"), Output: stderr, Hint: hintFor(stderr, c.Host)}
	if c.result.Report != nil {
		f.Message = text.Say("verify.connection-lost-after-report")
	}
	if exit := (*exec.ExitError)(nil); errors.As(ended, &exit) && exit.ExitCode() == sshFailed && stderr != "" {
		first, rest, _ := strings.Cut(stderr, "\n")
		f.Message, f.Output = text.Plain(first), rest
		if strings.Contains(stderr, keyChanged) {
			f.Message, f.Output = text.Say("verify.host-key-changed"), stderr
		}
	}
	return f
}
