package session

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/test/programtest"
)

// inside returns options for a session in the real bubblewrap.
func inside(t testing.TB, interpreter string) Command {
	t.Helper()
	programtest.NeedSandbox(t)
	o := options(t, interpreter)
	o.Sandbox = &Sandbox{Show: []string{o.Path}}
	return o
}

// state is a block that prints whether each command works.
func state(commands ...string) (code string) {
	for _, c := range commands {
		code += "if (" + c + ") >/dev/null 2>&1; then echo yes; else echo no; fi\n"
	}
	return code
}

func TestSandboxFiles(t *testing.T) {
	// All of /tmp is hidden, whatever TMPDIR is.
	t.Setenv("TMPDIR", "/tmp")
	outside, home := t.TempDir(), t.TempDir()
	if dir, err := os.MkdirTemp("/var/tmp", "gpudocs-test-"); err == nil { // all of /tmp is hidden
		t.Cleanup(func() { os.RemoveAll(dir) })
		outside, home = dir, filepath.Join(dir, "home")
	}
	write := func(name string) {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("secret\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(home, ".ssh", "id"))
	write(filepath.Join(home, ".netrc"))
	write(filepath.Join(home, "notes"))
	shown := filepath.Join(t.TempDir(), "shown")
	write(shown)
	t.Setenv("HOME", home)
	hidden := t.TempDir()
	o := inside(t, Bash)
	o.Sandbox.Show = append(o.Sandbox.Show, shown)
	if err := os.Mkdir(filepath.Join(o.Scratch, "tmp"), 0o700); err != nil {
		t.Fatal(err)
	}
	s := start(t, o)
	for _, c := range []struct{ command, want string }{
		{"echo x > file && cat file", "yes"},
		{"echo x > ../tmp/file", "yes"},
		{"echo x > /tmp/file && cat /tmp/file", "yes"},
		{"echo x > /dev/shm/file", "yes"},
		{"echo x > /dev/null", "yes"},
		{"cat /etc/passwd", "yes"},
		{"cat " + shown, "yes"},
		{"cat " + filepath.Join(home, "notes"), "yes"},
		{"echo x > /etc/file", "no"},
		{"echo x > " + filepath.Join(outside, "file"), "no"},
		{"echo x > " + filepath.Join(home, "notes"), "no"},
		{"echo x > " + shown, "no"},
		{"echo x > ../ctl/src/file", "no"},
		{"mv ../ctl/src ../ctl/away", "no"},
		{"mv ../ctl ../away", "no"},
		{"mount -o remount,rw / && echo x > /etc/file", "no"},
		{"unshare -Urm sh -c 'mount -o remount,rw / && echo x > /etc/file'", "no"},
		{"cat " + filepath.Join(home, ".ssh", "id"), "no"},
		{"grep secret " + filepath.Join(home, ".netrc"), "no"},
		{"ls -d " + hidden, "no"},
		{"kill -0 " + fmt.Sprint(os.Getpid()), "no"},
		{"ls /run/* | grep -v systemd", "no"},
	} {
		want{code: c.command, out: c.want + "\n"}.check(t, run(t, s, Step{Code: state(c.command)}))
	}
	if _, err := os.Stat("/tmp/file"); err == nil {
		t.Error("/tmp is not private")
	}
	if data, err := os.ReadFile(filepath.Join(o.Scratch, "work", "file")); string(data) != "x\n" {
		t.Errorf("the work folder outside: %q, %v", data, err)
	}
}

// TestSandboxInTMPDIR: a home folder and a site in TMPDIR are visible and keep their secrets; a
// TMPDIR that would be visible is refused, because it has the folders of other sessions.
func TestSandboxInTMPDIR(t *testing.T) {
	o := inside(t, Bash)
	dir, err := os.MkdirTemp("/tmp", "gpudocs-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(dir, "home")
	for _, folder := range []string{"home/.ssh", "home/tmp", "tmp"} {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"notes", ".ssh/id"} {
		if err := os.WriteFile(filepath.Join(home, name), []byte("secret\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(home, link); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", home)
	t.Setenv("TMPDIR", dir)
	o.Sandbox.Show = append(o.Sandbox.Show, home)
	code := state("cat "+filepath.Join(home, "notes"), "cat "+filepath.Join(home, ".ssh/id"))
	want{code: code, out: "yes\nno\n"}.check(t, run(t, start(t, o), Step{Code: code}))

	for _, c := range []struct {
		home, tmp, show string
		refused         bool
	}{
		{home, filepath.Join(dir, "tmp"), home, false},
		{home, filepath.Join(dir, "tmp"), filepath.Join(dir, "tmp"), true},
		{home, home, home, true},
		{home, home, link, true},
		{home, filepath.Join(home, "tmp"), home, true},
		{"/", "/", home, true},
		{"/var/tmp", "/var/tmp", home, true},
	} {
		t.Setenv("HOME", c.home)
		t.Setenv("TMPDIR", c.tmp)
		err := (&Sandbox{Show: []string{c.show}}).check()
		if (err != nil) != c.refused {
			t.Errorf("home %s, TMPDIR %s, site %s: %v", c.home, c.tmp, c.show, err)
		}
		if !c.refused {
			continue
		}
		if err := CheckSandbox(t.Context(), c.show); err == nil {
			t.Errorf("home %s, TMPDIR %s, site %s: not refused", c.home, c.tmp, c.show)
		}
		o := o
		o.Scratch, o.Sandbox = t.TempDir(), &Sandbox{Show: []string{c.show}}
		if s, err := Start(t.Context(), o); err == nil {
			s.Close()
			t.Errorf("home %s, TMPDIR %s, site %s: a session", c.home, c.tmp, c.show)
		}
	}
}

// TestSandboxSession: the state of the session, descriptors, FIFOs, the environment and the
// paths are the same as without a sandbox.
func TestSandboxSession(t *testing.T) {
	o := inside(t, Bash)
	o.Env = append(o.Env, "COLOUR=green")
	s := start(t, o)
	code := `x=1; echo "$COLOUR $PWD $0"`
	want{code: code, out: "green " + o.Scratch + "/work ../ctl/driver.sh\n"}.check(t, run(t, s, Step{Code: code}))
	const descriptors = "ls /dev/fd/"
	plain := run(t, start(t, options(t, Bash)), Step{Code: descriptors})
	want{code: descriptors, out: string(plain.Stdout.Text)}.check(t, run(t, s, Step{Code: descriptors}))
	want{code: "echo $x; echo e >&2; (exit 3)", out: "1\n", err: "e\n", exit: 3, line: 70}.check(t, run(t, s, Step{Code: "echo $x; echo e >&2; (exit 3)"}))
	want{code: "exit 4", exit: 4, ended: true}.check(t, run(t, s, Step{Code: "exit 4"}))

	s = start(t, inside(t, Python))
	want{code: "print(1); input()", out: "1\n", err: "EOFError", exit: 1, line: 70, exception: "EOFError: EOF when reading a line"}.
		check(t, run(t, s, Step{Code: "print(1); input()"}))
}

// TestSandboxNetwork connects to a server of this machine.
func TestSandboxNetwork(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	defer listener.Close()
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			fmt.Fprintln(c, "hello")
			c.Close()
		}
	}()
	code := fmt.Sprintf("cat </dev/tcp/127.0.0.1/%d", listener.Addr().(*net.TCPAddr).Port)
	s := start(t, inside(t, Bash))
	want{code: code, err: "Connection refused", exit: 1, line: 70}.check(t, run(t, s, Step{Code: code}))
	want{code: "ls /sys/class/net", out: "lo\n"}.check(t, run(t, s, Step{Code: "grep -o '[a-z0-9]*:' /proc/net/dev | tr -d :"}))
	o := inside(t, Bash)
	o.Sandbox.Network = true
	want{code: code, out: "hello\n"}.check(t, run(t, start(t, o), Step{Code: code}))
}

func TestSandboxHang(t *testing.T) {
	for interpreter, code := range map[string]string{
		Bash:   "trap 'echo caught; exit' TERM; printf partial; sleep 1000 & wait",
		Python: "import os, signal, time\ndef f(*a):\n  print('caught', flush=True)\n  os._exit(1)\nsignal.signal(15, f)\nprint('partial', end='')\ntime.sleep(1000)",
	} {
		t.Run(interpreter, func(t *testing.T) {
			o := inside(t, interpreter)
			o.Grace = 20 * time.Second
			s := start(t, o)
			r := run(t, s, Step{Code: code, Timeout: time.Second})
			if r.Status != TimedOut || string(r.Stdout.Text) != "partialcaught\n" {
				t.Errorf("%v, %q", r.Status, r.Stdout.Text)
			}
		})
	}
}

func TestSandboxSweeps(t *testing.T) {
	o := inside(t, Bash)
	s := start(t, o)
	run(t, s, Step{Code: "setsid env -i sh -c 'trap \"\" TERM; sleep 1000' & sleep 1000 &"})
	// Two processes of bubblewrap, bash, sh (which may be the sleep itself), sleep.
	eventually(t, "the session has five processes", func() bool { return len(slices.Collect(s.processes.members)) >= 5 })
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "no process of the session is left", func() bool { return len(slices.Collect(s.processes.members)) == 0 })
}

func TestNoSandbox(t *testing.T) {
	o := options(t, Bash)
	o.Sandbox = &Sandbox{}
	t.Setenv("PATH", t.TempDir())
	if err := CheckSandbox(context.Background()); err.Error() != "no-sandbox: no-bwrap" {
		t.Errorf("without bwrap: %v", err)
	}
	if s, err := Start(context.Background(), o); err == nil {
		s.Close()
		t.Error("a session without the required sandbox has started")
	}
}

// TestSandboxRefused: the kernel refuses namespaces to a user.
func TestSandboxRefused(t *testing.T) {
	const within = "GPUDOCS_TEST_WITHIN"
	if os.Getenv(within) != "" {
		fmt.Println(CheckSandbox(context.Background()))
		return
	}
	inside(t, Bash)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// In a sandbox in which no further user namespace can be created.
	args := append((&Sandbox{Show: []string{self}}).args(t.TempDir()), "--unshare-user", "--disable-userns", "--setenv", "TMPDIR", "/tmp", "--",
		self, "-test.run=^TestSandboxRefused$")
	cmd := exec.Command("bwrap", args...)
	cmd.Env = append(os.Environ(), within+"=yes")
	out, err := cmd.CombinedOutput()
	if message, _, _ := strings.Cut(string(out), "\n"); err != nil || !strings.HasPrefix(message, "no-sandbox: failed: bwrap: ") {
		t.Errorf("%v: %s", err, out)
	}
}

// TestCheckSandboxInterrupted: the process that bwrap has started ends with it, however early
// that is, and is not waited for.
func TestCheckSandboxInterrupted(t *testing.T) {
	bin := t.TempDir()
	t.Setenv("TMPDIR", t.TempDir())
	note := filepath.Join(bin, "pid")
	script := "#!/bin/sh\nsleep 1000 &\necho $! >'" + note + ".new' && mv '" + note + ".new' '" + note + "'\nwait\n"
	if err := os.WriteFile(filepath.Join(bin, "bwrap"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan *report.Reason, 1)
	go func() { ended <- CheckSandbox(ctx) }()
	pid := 0
	for deadline := time.Now().Add(30 * time.Second); pid == 0 && time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		data, _ := os.ReadFile(note)
		pid, _ = strconv.Atoi(strings.TrimSpace(string(data)))
	}
	if pid == 0 {
		t.Fatal("bwrap was not started")
	}
	defer func() { _ = syscall.Kill(pid, syscall.SIGKILL) }()
	cancel()
	select {
	case err := <-ended:
		if err == nil || err.Said != context.Canceled.Error() {
			t.Errorf("error %v", err)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("CheckSandbox waits for the process of bwrap")
	}
	for deadline := time.Now().Add(30 * time.Second); syscall.Kill(pid, 0) == nil; time.Sleep(10 * time.Millisecond) {
		if state, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat"); strings.Contains(string(state), ") Z ") {
			break // it has ended, and has not been reaped
		}
		if time.Now().After(deadline) {
			t.Fatal("the process of bwrap survives")
		}
	}
}
