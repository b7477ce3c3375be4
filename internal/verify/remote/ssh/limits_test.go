package ssh

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/verify/remote"
)

// A peer plays the machine's part of the protocol, in simulated time.
type peer struct {
	in  *bufio.Reader // what we send
	out *io.PipeWriter
}

func (p peer) say(format string, args ...any) { fmt.Fprintf(p.out, "TOKEN "+format+"\n", args...) }

// answers follows the protocol up to the point where the run begins.
func (p peer) answers() {
	go io.Copy(io.Discard, p.in)
	p.say("at Linux x86_64")
	p.say("ready")
}

func emptyReport(t *testing.T) []byte {
	t.Helper()
	data, err := report.Encode(&report.Report{Schema: report.Schema, Generator: "gpudocs",
		Machine: report.Machine{Name: "lab", GPU: report.GPU{Status: report.GPUNone}}, Checks: []report.Check{}})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// converse talks to a machine until we end the connection. It returns the connection, the time
// that it took, and its error.
func converse(t *testing.T, longest time.Duration, o remote.Observer, machine func(peer)) (c *connection, took time.Duration, err error) {
	t.Helper()
	programs := []*Program{{System: "linux/amd64", packed: func() ([]byte, error) { return make([]byte, 4<<20), nil }}}
	r := &remote.Request{Longest: longest, Site: os.DirFS(t.TempDir())}
	synctest.Test(t, func(t *testing.T) {
		c = newConnection(target{Host{"lab", "lab"}, "", programs, 30 * time.Second}, r, o)
		c.exited.Store(true) // there is no process to kill
		theirIn, ourOut := io.Pipe()
		ourIn, theirOut := io.Pipe()
		c.stdin, c.stdout = ourOut, ourIn
		began := time.Now()
		var there sync.WaitGroup
		there.Go(func() { machine(peer{bufio.NewReader(theirIn), theirOut}) })
		err = c.talk(newReceiver(ourIn, "TOKEN", c.limits.received), "script\n")
		took = time.Since(began)
		c.kill()
		theirIn.Close()
		theirOut.Close()
		there.Wait()
	})
	return c, took, err
}

// TestLongRun: a run of a day ends normally if it sends signs of life.
func TestLongRun(t *testing.T) {
	t.Parallel()
	data := emptyReport(t)
	c, took, err := converse(t, 25*time.Hour, silent(), func(p peer) {
		p.answers()
		for range 24 * 60 {
			time.Sleep(time.Minute)
			p.say(wordAlive)
		}
		p.say("report %d\n%s", len(data), data)
		p.say("end 0")
	})
	if err != nil || c.cause.Load() != nil || c.result.Report == nil || took < 24*time.Hour {
		t.Errorf("%v, %v, %v", err, c.cause.Load(), took)
	}
}

// TestAlive: the program on the machine sends signs of life while a block prints nothing, more
// often than necessary.
func TestAlive(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	var work, output bytes.Buffer
	if err := sendWork(&work, &remote.Request{Site: os.DirFS(folder)}, "lab"); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		in, out := io.Pipe()
		defer out.Close()
		go func() {
			out.Write(work.Bytes())
			defer heartbeat(func() { io.WriteString(out, "\n") })()
			time.Sleep(time.Hour)
		}()
		code, err := Serve(t.Context(), in, &output, "TOKEN", folder, func(ctx context.Context, _ []string, _, _ io.Writer) int {
			time.Sleep(time.Hour)
			return exitOf(ctx)
		})
		if code != 0 || err != nil {
			t.Errorf("%d, %v", code, err)
		}
	})
	if n, least := strings.Count(output.String(), "TOKEN alive"), int(time.Hour/defaultLimits.silence); n < 2*least {
		t.Errorf("got %d signs of life in an hour, want at least %d", n, 2*least)
	}
}

func exitOf(ctx context.Context) int {
	if ctx.Err() != nil {
		return 130
	}
	return 0
}

// TestGivenUp: whatever a machine does, the connection ends within a known time, with a reason.
func TestGivenUp(t *testing.T) {
	t.Parallel()
	every := func(pause time.Duration, do func() error) {
		for do() == nil {
			time.Sleep(pause)
		}
	}
	for _, c := range []struct {
		name    string
		machine func(peer)
		why     string
		took    time.Duration
	}{
		{"no word", func(p peer) { io.Copy(io.Discard, p.in) }, "no answer within 30s", 30 * time.Second},
		{"noise alone", func(p peer) {
			go io.Copy(io.Discard, p.in)
			every(time.Second, func() error { _, err := io.WriteString(p.out, "Welcome\n"); return err })
		}, "no answer within 30s", 30 * time.Second},
		{"takes nothing", func(p peer) {
			p.in.ReadString('\n')
			p.say("at Linux x86_64")
		}, "it accepted no data for 2m", 2 * time.Minute},
		{"takes little", func(p peer) {
			p.in.ReadString('\n')
			p.say("at Linux x86_64")
			every(100*time.Second, func() error { _, err := io.CopyN(io.Discard, p.in, 32<<10); return err })
		}, "sending it the program and the site took longer than 1h", time.Hour},
		{"takes all, and does not start", func(p peer) {
			go io.Copy(io.Discard, p.in)
			p.say("at Linux x86_64")
		}, "gpudocs did not start there within 2m", 2 * time.Minute},
		{"takes the program and not the site", func(p peer) {
			p.in.ReadString('\n')
			p.say("at Linux x86_64")
			p.in.ReadString('\n')
			io.CopyN(io.Discard, p.in, 4<<20)
			p.say("ready")
		}, "it accepted no data for 2m", 2 * time.Minute},
		{"silence", func(p peer) {
			p.answers()
			time.Sleep(time.Minute)
			p.say("out passed")
		}, "nothing has come from it for 2m", 3 * time.Minute},
		{"a trickle of noise", func(p peer) {
			p.answers()
			every(time.Second, func() error { _, err := io.WriteString(p.out, "x\n"); return err })
		}, "nothing has come from it for 2m", 2 * time.Minute},
		{"a line that does not end", func(p peer) {
			p.answers()
			io.WriteString(p.out, "TOKEN out ")
			every(time.Second, func() error { _, err := io.WriteString(p.out, "x"); return err })
		}, "nothing has come from it for 2m", 2 * time.Minute},
		{"alive for ever", func(p peer) {
			p.answers()
			every(heartbeatInterval, func() error { _, err := io.WriteString(p.out, "TOKEN alive\n"); return err })
		}, "its run took longer than all its blocks may, 3h", 3*time.Hour + 15*time.Second},
		{"a report that stops", func(p peer) {
			p.answers()
			p.say("report 1000")
		}, "its report stopped for 2m", 2 * time.Minute},
		{"a report that trickles", func(p peer) {
			p.answers()
			p.say("report 60000000")
			every(time.Second, func() error { _, err := io.WriteString(p.out, "{"); return err })
		}, "its report took longer than 1h", time.Hour},
		{"no end behind the report", func(p peer) {
			p.answers()
			data := emptyReport(t)
			p.say("report %d\n%s", len(data), data)
		}, "nothing has come from it for 2m", 2 * time.Minute},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			call, took, err := converse(t, 3*time.Hour, silent(), c.machine)
			if f := call.cause.Load(); err == nil || f == nil || f.Message.String() != c.why || took < c.took || took > c.took+time.Second {
				t.Errorf("%v after %v: %v; want %q after %v", f, took, err, c.why, c.took)
			}
		})
	}
}

// TestSlowScreen: the time that our own terminal takes does not count for the machine.
func TestSlowScreen(t *testing.T) {
	t.Parallel()
	data := emptyReport(t)
	o := silent()
	o.Line = func(string, string) { time.Sleep(5 * time.Hour) }
	c, took, err := converse(t, time.Hour, o, func(p peer) {
		p.answers()
		p.say("out passed")
		p.say("report %d\n%s", len(data), data)
		p.say("end 0")
	})
	if err != nil || c.cause.Load() != nil || took < 5*time.Hour {
		t.Errorf("%v, %v, %v", err, c.cause.Load(), took)
	}
}

// TestOmitted: of many lines some are shown, and the others are counted.
func TestOmitted(t *testing.T) {
	t.Parallel()
	data := emptyReport(t)
	for _, l := range []struct{ lines, length, shown int }{
		{60_000, 3, 50_000}, {1000, 8 << 10, 512}, {512, 8 << 10, 512},
	} {
		var output strings.Builder
		shown := 0
		for range l.lines {
			fmt.Fprintf(&output, "TOKEN out %s\n", strings.Repeat("x", l.length))
		}
		fmt.Fprintf(&output, "TOKEN report %d\n%s\nTOKEN end 0\n", len(data), data)
		c := lone()
		c.observer.Line = func(string, string) { shown++ }
		err := c.listen(newReceiver(strings.NewReader(output.String()), "TOKEN", c.limits.received))
		if left := l.lines - l.shown; err != nil || shown != l.shown || c.result.Omitted.Lines != left || c.result.Omitted.Bytes != int64(left*l.length) || c.result.Report == nil {
			t.Errorf("%+v: shown %d, omitted %+v: %v", l, shown, c.result.Omitted, err)
		}
	}
}

// TestMuchReport: a report of the maximum size is accepted beside all the lines.
func TestMuchReport(t *testing.T) {
	t.Parallel()
	data := emptyReport(t)
	data = append(data, strings.Repeat(" ", 1<<20)...)
	output := fmt.Sprintf("TOKEN out a\nTOKEN report %d\n%s\nTOKEN out b\nTOKEN end 0\n", len(data), data)
	if c, e := lone(), newReceiver(strings.NewReader(output), "TOKEN", 100); c.listen(e) != nil {
		t.Error("the report counts as lines")
	}
	if m, err := newReceiver(strings.NewReader("TOKEN out "+strings.Repeat("x", 100)), "TOKEN", 100).next(); err != errTooMuch {
		t.Errorf("%v, %v", m, err)
	}
}

func lone() *connection {
	return newConnection(target{Host: Host{"lab", "lab"}}, &remote.Request{}, silent())
}

// silent is an observer that ignores everything.
func silent() remote.Observer {
	return remote.Observer{Line: func(string, string) {}, Report: func(string, *report.Report) error { return nil }}
}

func TestBrief(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		0: "0s", 10 * time.Second: "10s", time.Minute: "1m", 2*time.Hour + 10*time.Minute: "2h10m", 30 * time.Hour: "30h", 90 * time.Second: "1m30s",
		100 * time.Millisecond: "100ms", 10 * time.Minute: "10m", 10 * time.Hour: "10h", time.Hour + 10*time.Second: "1h0m10s",
	} {
		if got := formatDuration(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

// TestExitCode: an invalid exit code is an error of the run, and is not quoted at length.
func TestExitCode(t *testing.T) {
	t.Parallel()
	data := emptyReport(t)
	for code, want := range map[string]string{
		"0": "", "1": "", "2": "verify ended with exit code 2 there", "-1": `it ended with "-1"`,
		"99999999999999999999":    `it ended with "99999999999999999999"`,
		strings.Repeat("x", 5000): `it ended with "` + strings.Repeat("x", 60) + `"`,
	} {
		output := fmt.Sprintf("TOKEN report %d\n%s\nTOKEN end %s\n", len(data), data, code)
		got := ""
		if err := lone().listen(newReceiver(strings.NewReader(output), "TOKEN", 1<<20)); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%.20s: %q, want %q", code, got, want)
		}
	}
}
