package fleet

import (
	"cmp"
	"context"
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

	"github.com/gpudocs/gpudocs/internal/child"
	"github.com/gpudocs/gpudocs/internal/report"
)

//go:embed bootstrap.sh
var bootstrap string

// A call is the conversation with one machine.
type call struct {
	o      *Options
	ssh    string
	host   Host
	limits limits
	mark   string
	result Result

	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout io.ReadCloser
	said   child.Tail                 // what ssh, and sh there, wrote to standard error
	errs   []string                   // what verify there did
	left   time.Duration              // that the run may still take
	shown  struct{ bytes, lines int } // of its output
	cause  atomic.Pointer[Fault]      // why we gave it up
	works  atomic.Bool                // verify runs there
	over   atomic.Bool                // ssh has ended, and its number may be another's
}

func newCall(o *Options, ssh string, h Host) *call {
	return &call{o: o, ssh: ssh, host: h, limits: defaultLimits, left: cmp.Or(o.Longest, math.MaxInt64), result: Result{Host: h}}
}

// sshFlags hold what a run without a person, with many at once, and with
// snippets of others needs; everything else is the user's configuration.
var sshFlags = []string{
	"-T", "-a", "-x", // no terminal; snippets there get neither the agent nor a display
	"-o", "BatchMode=yes",
	"-o", "ClearAllForwardings=yes", // two connections cannot listen on the same port
	"-o", "ControlMaster=no", // a master that is there is used; one of ours would outlive us
	"-o", "RemoteCommand=none", "-o", "PermitLocalCommand=no",
	"-o", "ServerAliveInterval=15", "-o", "ServerAliveCountMax=4",
	"-o", "LogLevel=ERROR", // no banners
	"--",
}

// command is given to the login shell there. It holds nothing that any shell
// (bash, zsh, dash, tcsh, fish) takes for something else, and reads the script
// byte by byte, so that what comes behind it is left in the connection.
func command(script string) string {
	return fmt.Sprintf(`exec sh -c 'eval "$(dd bs=1 count=%d 2>/dev/null)"'`, len(script))
}

func (c *call) run(ctx context.Context) error {
	c.mark = newMark()
	script := "mark=" + c.mark + "\n" + bootstrap
	if err := c.start(command(script)); err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, c.hangUp)
	defer stop()
	err := c.talk(newEar(c.stdout, c.mark, c.limits.heard), script)
	c.stdin.Close() // it removes its folder,
	farewell := c.limits.grace
	if err != nil {
		farewell = c.limits.farewell
	}
	time.AfterFunc(farewell, c.kill) // and we see to it that it ends
	ended := c.cmd.Wait()
	c.over.Store(true)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, errTooMuch):
		return c.limits.tooMuch(c.host)
	}
	if f := c.cause.Load(); f != nil {
		f.Said = lastLines(&c.said)
		return f
	}
	return c.explain(err, ended)
}

// start starts ssh.
func (c *call) start(command string) (err error) {
	c.cmd = exec.Command(c.ssh, append(slices.Clone(sshFlags), c.host.Destination, command)...)
	c.cmd.SysProcAttr = apart()
	c.said.Limit = maxLine
	c.cmd.Stderr = &bounded{&c.said, c.limits.heard, func() { c.giveUp(c.limits.tooMuch(c.host)) }}
	c.cmd.WaitDelay = 2 * time.Second // a ProxyCommand may hold standard error
	if c.stdin, err = c.cmd.StdinPipe(); err != nil {
		return err
	}
	if c.stdout, err = c.cmd.StdoutPipe(); err != nil {
		return err
	}
	return c.cmd.Start()
}

// kill ends ssh, and so the connection. What ssh has started may hold its pipes
// and outlive it, so whoever of us waits at one is let go.
func (c *call) kill() {
	if !c.over.Load() {
		killAll(c.cmd.Process)
	}
	c.stdin.Close()
	c.stdout.Close()
}

// giveUp ends the connection for a reason of ours. The first one counts.
func (c *call) giveUp(why *Fault) {
	c.cause.CompareAndSwap(nil, why)
	c.kill()
}

// hangUp ends the machine's input: it stops and gives back what was finished.
func (c *call) hangUp() {
	if !c.works.Load() {
		c.kill()
		return
	}
	c.stdin.Close()
	time.AfterFunc(c.limits.grace, c.kill)
}

// within gives the machine up after a time, unless it is stopped before.
func (c *call) within(limit time.Duration, why *Fault) (stop func() bool) {
	return time.AfterFunc(limit, func() { c.giveUp(why) }).Stop
}

// move does what takes as long as a connection is slow. It is given up when
// nothing is moved for a while, which each call of moved ends, and when it takes
// too long in all; the two texts say so, each with a time.
func (c *call) move(stopped, slow string, do func(moved func()) error) error {
	stuck := time.AfterFunc(c.limits.silence, func() { c.giveUp(&Fault{Message: fmt.Sprintf(stopped, brief(c.limits.silence))}) })
	defer stuck.Stop()
	defer c.within(c.limits.transfer, &Fault{Message: fmt.Sprintf(slow, brief(c.limits.transfer))})()
	return do(func() { stuck.Reset(c.limits.silence) })
}

// send writes to the machine what may be long.
func (c *call) send(write func(w io.Writer) error) error {
	return c.move("it took nothing of what is sent to it for %s", "sending it the program and the site took longer than %s",
		func(moved func()) error { return write(steady{c.stdin, moved}) })
}

// talk is the conversation from the first word to the last.
func (c *call) talk(e *ear, script string) error {
	answered := c.within(c.o.Patience, &Fault{Message: fmt.Sprintf("no answer within %s", c.o.Patience),
		Hint: fmt.Sprintf("try: ssh %s true; --host-timeout waits longer", c.host.Destination)})
	defer answered()
	// What cannot be written is explained by what the machine said, or by its end.
	_, _ = io.WriteString(c.stdin, script)
	uname, err := c.await(e, wordAt)
	if err != nil {
		return err
	}
	answered()
	program, err := choose(c.o.Programs, uname)
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
	// What the pipes and the network hold is still on its way.
	ready := max(c.o.Patience, c.limits.silence)
	started := c.within(ready, &Fault{Message: fmt.Sprintf("gpudocs did not start there within %s", brief(ready)), Hint: "--host-timeout waits longer"})
	defer started()
	if _, err := c.await(e, wordReady); err != nil {
		return err
	}
	started()
	c.works.Store(true)
	if err := c.send(func(w io.Writer) error { return sendWork(w, c.o, c.host) }); err != nil {
		return err
	}
	defer pulse(func() { _, _ = io.WriteString(c.stdin, "\n") })()
	return c.listen(e)
}

// await skips to a message that must come next.
func (c *call) await(e *ear, word string) (string, error) {
	m, err := e.next()
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

// errGaveUp is why sh there gave up before the program was ready. What the
// commands it ran wrote to standard error comes by a way of its own, maybe later:
// it is all there when ssh has ended.
type errGaveUp string

func (e errGaveUp) Error() string { return string(e) }

// errNoStart is the exit code of a program that ended before it was ready.
type errNoStart string

func (e errNoStart) Error() string { return "exit code " + string(e) }

// listen hears a run to its end.
func (c *call) listen(e *ear) error {
	for {
		m, err := c.hear(e)
		if err != nil {
			return err
		}
		switch m.word {
		case wordOut:
			c.show(m.rest)
		case wordErr:
			c.show(m.rest)
			c.errs = append(c.errs[max(0, len(c.errs)+1-maxSaid):], m.rest)
		case wordFault:
			return &Fault{Message: m.rest}
		case wordReport:
			if c.result.Report != nil {
				return &Fault{Message: "it sent a second report"}
			}
			if err := c.gather(e, m.rest); err != nil {
				return err
			}
		case wordEnd:
			return c.ended(m.rest)
		}
	}
}

// hear waits for the next message of a run, but not longer than for a silence,
// nor longer than the run may take. Noise is no message. Only waiting counts: what
// is done with a message, such as writing to a terminal that is stopped, may take
// its time.
func (c *call) hear(e *ear) (message, error) {
	began := time.Now()
	defer time.AfterFunc(c.limits.silence, func() {
		c.giveUp(&Fault{Message: fmt.Sprintf("nothing has come from it for %s", brief(c.limits.silence)), Hint: fmt.Sprintf("try: ssh %s true", c.host.Destination)})
	}).Stop()
	defer time.AfterFunc(c.left, c.overrun).Stop()
	m, err := e.next()
	c.left -= time.Since(began)
	return m, err
}

// overrun stops a run that has taken longer than all its blocks may. What it has
// finished is gathered.
func (c *call) overrun() {
	if c.cause.CompareAndSwap(nil, &Fault{Message: fmt.Sprintf("its run took longer than all its blocks may, %s", brief(c.o.Longest))}) {
		c.hangUp()
	}
}

// show shows a line of a run, unless too much has been shown of it already.
func (c *call) show(line string) {
	if c.shown.lines == c.limits.shownLines || c.shown.bytes+len(line) > c.limits.shownBytes {
		c.result.Omitted.Lines++
		c.result.Omitted.Bytes += int64(len(line))
		return
	}
	c.shown.lines++
	c.shown.bytes += len(line)
	c.o.Said(c.host, line)
}

func (c *call) gather(e *ear, size string) error {
	var r *report.Report
	err := c.move("its report stopped for %s", "its report took longer than %s", func(moved func()) (err error) {
		r, err = e.report(size, c.host.Label, moved)
		return err
	})
	if err != nil {
		return &Fault{Message: fmt.Sprintf("its report is refused: %v", err)}
	}
	if err := c.o.Gathered(c.host, r); err != nil {
		return err
	}
	c.result.Report = r
	return nil
}

// ended judges the exit code of verify: 0 and 1 come with a report.
func (c *call) ended(code string) error {
	n, err := strconv.Atoi(code)
	switch {
	case err != nil || n < 0:
		return fmt.Errorf("it ended with %.60q", code)
	case n > 1 || c.result.Report == nil:
		return &Fault{Message: fmt.Sprintf("verify ended with exit code %d there", n), Said: strings.Join(c.errs, "\n")}
	}
	c.result.Code = n
	return nil
}

// pulse makes a sign of life now and then, until it is stopped.
func pulse(sign func()) (stop func()) {
	done := make(chan struct{})
	go func() {
		t := time.NewTicker(aliveEvery)
		defer t.Stop()
		for {
			select {
			case <-done:
				return
			case <-t.C:
				sign()
			}
		}
	}()
	return func() { close(done) }
}

// explain makes of an error what a person can do about it. Where ssh itself
// gave up, its own words say most.
func (c *call) explain(err error, ended error) error {
	var f *Fault
	if errors.As(err, &f) {
		return f
	}
	said := lastLines(&c.said)
	var gaveUp errGaveUp
	var start errNoStart
	switch {
	case errors.As(err, &gaveUp):
		return &Fault{Message: string(gaveUp), Said: said}
	case errors.As(err, &start):
		return noStart(start, said)
	case !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
		return err
	}
	f = &Fault{Message: "the connection ended before the report came", Said: said, Hint: hintFor(said, c.host)}
	if c.result.Report != nil {
		f.Message = "the connection ended after the report came, before the exit code"
	}
	if exit := (*exec.ExitError)(nil); errors.As(ended, &exit) && exit.ExitCode() == sshFailed && said != "" {
		f.Message, f.Said, _ = strings.Cut(said, "\n")
		if strings.Contains(said, keyChanged) {
			f.Message, f.Said = "its host key is not the one that ssh knows", said
		}
	}
	return f
}
