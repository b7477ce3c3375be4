package fleet

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gpudocs/gpudocs/internal/child"
)

//go:embed bootstrap.sh
var bootstrap string

// A call is the conversation with one machine.
type call struct {
	o      *Options
	ssh    string
	host   Host
	mark   string
	result Result

	cmd    *exec.Cmd
	stdin  io.WriteCloser
	said   child.Tail  // what ssh, and sh there, wrote to standard error
	errs   []string    // what verify there did
	silent atomic.Bool // it did not answer in time
	works  atomic.Bool // verify runs there
	over   atomic.Bool // ssh has ended, and its number may be another's
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
	stdout, err := c.start(command(script))
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, c.hangUp)
	defer stop()
	err = c.talk(newEar(stdout, c.mark), script)
	c.stdin.Close()                       // it removes its folder,
	time.AfterFunc(farewell(err), c.kill) // and we see to it that it ends
	ended := c.cmd.Wait()
	c.over.Store(true)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case c.silent.Load():
		return &Fault{Message: fmt.Sprintf("no answer within %s", c.o.Patience), Said: lastLines(&c.said),
			Hint: fmt.Sprintf("try: ssh %s true; --host-timeout waits longer", c.host.Destination)}
	}
	return c.explain(err, ended)
}

// start starts ssh.
func (c *call) start(command string) (stdout io.Reader, err error) {
	c.cmd = exec.Command(c.ssh, append(slices.Clone(sshFlags), c.host.Destination, command)...)
	c.cmd.SysProcAttr = apart()
	c.said.Limit = maxLine
	c.cmd.Stderr = &c.said
	c.cmd.WaitDelay = 2 * time.Second // a ProxyCommand may hold standard error
	if c.stdin, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if stdout, err = c.cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	return stdout, c.cmd.Start()
}

// kill ends ssh, and so the connection.
func (c *call) kill() {
	if !c.over.Load() {
		killAll(c.cmd.Process)
	}
}

// hangUp ends the machine's input: it stops and gives back what was finished.
func (c *call) hangUp() {
	if !c.works.Load() {
		c.kill()
		return
	}
	c.stdin.Close()
	time.AfterFunc(grace, c.kill)
}

// farewell is how long a machine may take to remove its folder. One that broke
// off the conversation is not waited for long.
func farewell(err error) time.Duration {
	if err != nil {
		return 2 * time.Second
	}
	return grace
}

// talk is the conversation from the first word to the last.
func (c *call) talk(e *ear, script string) error {
	answered := time.AfterFunc(c.o.Patience, func() {
		c.silent.Store(true)
		c.kill()
	})
	defer answered.Stop()
	// What cannot be written is explained by what the machine said, or by its end.
	_, _ = io.WriteString(c.stdin, script)
	uname, err := c.await(e, wordAt)
	if err != nil {
		return err
	}
	answered.Stop()
	program, err := choose(c.o.Programs, uname)
	if err != nil {
		return err
	}
	packed, err := program.packed()
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(c.stdin, "%d\n", len(packed))
	_, _ = c.stdin.Write(packed)
	if _, err := c.await(e, wordReady); err != nil {
		return err
	}
	c.works.Store(true)
	if err := sendWork(c.stdin, c.o, c.host); err != nil {
		return err
	}
	defer pulse(c.stdin)()
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
		return "", fmt.Errorf("it said %q where %q comes", m.word, word)
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
		m, err := e.next()
		if err != nil {
			return err
		}
		switch m.word {
		case wordOut:
			c.o.Said(c.host, m.rest)
		case wordErr:
			c.o.Said(c.host, m.rest)
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

func (c *call) gather(e *ear, size string) error {
	r, err := e.report(size, c.host.Label)
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
	case err != nil:
		return fmt.Errorf("it ended with %q", code)
	case n > 1 || c.result.Report == nil:
		return &Fault{Message: fmt.Sprintf("verify ended with exit code %d there", n), Said: strings.Join(c.errs, "\n")}
	}
	c.result.Code = n
	return nil
}

// pulse makes a sign of life now and then, until it is stopped.
func pulse(w io.Writer) (stop func()) {
	done := make(chan struct{})
	go func() {
		t := time.NewTicker(pulseEvery)
		defer t.Stop()
		for {
			select {
			case <-done:
				return
			case <-t.C:
				if _, err := io.WriteString(w, "\n"); err != nil {
					return
				}
			}
		}
	}()
	return func() { close(done) }
}

const pulseEvery, silence = 10 * time.Second, 2 * time.Minute

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
	if exit := (*exec.ExitError)(nil); errors.As(ended, &exit) && exit.ExitCode() == sshFailed && said != "" {
		f.Message, f.Said, _ = strings.Cut(said, "\n")
		if strings.Contains(said, keyChanged) {
			f.Message, f.Said = "its host key is not the one that ssh knows", said
		}
	}
	return f
}
