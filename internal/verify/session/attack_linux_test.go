package session

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Attacks of a snippet: on the machine, on the engine, on its results, and on the end of its
// session.

// In the sandbox no file below /proc or /sys that changes the machine can be opened for
// writing, whatever user runs it.
func TestSandboxKernelFiles(t *testing.T) {
	s := start(t, inside(t, Python))
	r := run(t, s, Step{Code: `
import os
writable = []
for top in "/proc", "/sys":
    for folder, folders, files in os.walk(top):
        if folder == "/proc":
            folders[:] = [f for f in folders if not f.isdigit() and f not in ("self", "thread-self")]
        for name in files:
            path = os.path.join(folder, name)
            if os.path.islink(path) or not os.path.isfile(path): continue
            try:
                os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
                writable.append(path)
            except OSError: pass
print(len(writable), writable[:5], os.listdir("/sys/kernel/debug") if os.path.isdir("/sys/kernel/debug") else [])`})
	if got := string(r.Stdout.Text); got != "0 [] []\n" {
		t.Errorf("writable files of the kernel: %s%s", got, r.Stderr.Text)
	}
}

// The sockets of the machine are unreachable, wherever they are.
func TestSandboxSockets(t *testing.T) {
	dir, err := os.MkdirTemp("/var/tmp", "gpudocs test ") // all of /tmp is hidden
	if err != nil {
		t.Skipf("no folder outside of /tmp: %v", err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	path := filepath.Join(dir, "a socket")
	listener, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		for c, err := listener.Accept(); err == nil; c, err = listener.Accept() {
			c.Close()
		}
	}()
	code := fmt.Sprintf("import socket\nsocket.socket(socket.AF_UNIX).connect(%q)\nprint('connected')", path)
	if r := run(t, start(t, options(t, Python)), Step{Code: code}); string(r.Stdout.Text) != "connected\n" {
		t.Fatalf("without a sandbox: %s%s", r.Stdout.Text, r.Stderr.Text)
	}
	if r := run(t, start(t, inside(t, Python)), Step{Code: code}); r.Exit != 1 || !strings.HasPrefix(r.Exception, "ConnectionRefusedError") {
		t.Errorf("in the sandbox: exit %d, %s%s", r.Exit, r.Stdout.Text, r.Exception)
	}
}

// TestSandboxSocketGone removes a socket between its listing and the start of bubblewrap.
func TestSandboxSocketGone(t *testing.T) {
	o := inside(t, Bash)
	dir, err := os.MkdirTemp("/var/tmp", "gpudocs-test-") // all of /tmp is hidden
	if err != nil {
		t.Skipf("no folder outside of /tmp: %v", err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	path := filepath.Join(dir, "socket")
	listener, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	bwrap, err := exec.LookPath("bwrap")
	if err != nil {
		t.Fatal(err)
	}
	// The real one, once the socket is gone.
	script := fmt.Sprintf("#!/bin/sh\nrm -f '%s'\necho start >>'%s'\nexec '%s' \"$@\"\n", path, dir+"/starts", bwrap)
	if err := os.WriteFile(filepath.Join(dir, "bwrap"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	want{code: "echo a", out: "a\n"}.check(t, run(t, start(t, o), Step{Code: "echo a"}))
	if starts, err := os.ReadFile(filepath.Join(dir, "starts")); string(starts) != "start\nstart\n" {
		t.Errorf("bubblewrap was started %q, %v, want twice", starts, err)
	}
}

// TestSandboxMountGone: bubblewrap fails if a mount disappears while it makes the mounts
// read-only, as that of a container does, and succeeds when it is started again.
func TestSandboxMountGone(t *testing.T) {
	o := inside(t, Bash)
	bwrap, err := exec.LookPath("bwrap")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	script := fmt.Sprintf(`#!/bin/sh
if mkdir '%s/first' 2>/dev/null; then
	echo "bwrap: Can't bind mount /oldroot/ on /newroot/: Unable to apply mount flags: remount /newroot/tmp/x: No such file or directory" >&2
	exit 1
fi
exec '%s' "$@"
`, dir, bwrap)
	if err := os.WriteFile(filepath.Join(dir, "bwrap"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	if err := CheckSandbox(t.Context()); err != nil {
		t.Error(err)
	}
	if err := os.Remove(filepath.Join(dir, "first")); err != nil {
		t.Fatal(err)
	}
	want{code: "echo a", out: "a\n"}.check(t, run(t, start(t, o), Step{Code: "echo a"}))
}

// A snippet gets no user namespace, in which it would have every capability again and, run by
// root, the cgroups of the machine, and cannot use the user's keyrings.
func TestSandboxSystemCalls(t *testing.T) {
	s := start(t, inside(t, Python))
	code := fmt.Sprintf(`
import ctypes, errno, os
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *args):
    pid = os.fork()
    if pid == 0:
        os._exit(ctypes.get_errno() if libc.syscall(number, *args) < 0 else 0)
    return errno.errorcode.get(os.waitpid(pid, 0)[1] >> 8, "done")
print(call(%d, 0x10000000), call(%d, 0x10020000), call(%d, 0x10000011, 0, 0, 0, 0), call(%d, 0, 0), call(%d, 0, -4, 0),
    call(%d, 0, 0, 0, 0, 0), call(%d, 0, 0, 0, 0))`,
		unix.SYS_UNSHARE, unix.SYS_UNSHARE, unix.SYS_CLONE, unix.SYS_CLONE3, unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY)
	want{code: code, out: "EPERM EPERM EPERM ENOSYS ENOSYS ENOSYS ENOSYS\n"}.check(t, run(t, s, Step{Code: code}))
	// What programs need works: threads, processes, programs, pipes.
	code = `
import multiprocessing, subprocess, threading
thread = threading.Thread(target=print, args=("thread",)); thread.start(); thread.join()
with multiprocessing.get_context("fork").Pool(2) as pool: print(pool.map(abs, [-1, 2]))
print(subprocess.run("echo a | cat", shell=True, stdout=subprocess.PIPE, text=True).stdout, end="")`
	want{code: code, out: "thread\n[1, 2]\na\n"}.check(t, run(t, s, Step{Code: code}))
}

// Descriptors that gpudocs inherited are not passed on: the descriptor of a folder would lead
// out of the sandbox.
func TestInheritedDescriptors(t *testing.T) {
	outside := t.TempDir()
	fd, err := unix.Open(outside, unix.O_RDONLY|unix.O_DIRECTORY, 0) // not close-on-exec, as in a shell
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	const code = `
import os
for fd in range(3, 256):
    try: os.close(os.open("written", os.O_CREAT | os.O_WRONLY, dir_fd=fd))
    except OSError: pass`
	for name, b := range map[string]*Bounds{"reaper": bounds(t), "no reaper": nil} {
		for _, o := range confinements(t, Python) {
			o.Bounds = b
			if _, err := unix.FcntlInt(uintptr(fd), unix.F_SETFD, 0); err != nil {
				t.Fatal(err)
			}
			want{code: code}.check(t, run(t, start(t, o), Step{Code: code}))
			if os.Remove(filepath.Join(outside, "written")) == nil {
				t.Errorf("%s, sandbox %v: a snippet has the descriptor", name, o.Sandbox != nil)
			}
		}
	}
}

// exchange swaps files of the control folder with links to a secret as fast as possible, for a
// second, and longer in the background.
const exchange = `
import ctypes, os, time
libc = ctypes.CDLL(None, use_errno=True)
ctl = os.path.join(os.path.dirname(os.getcwd()), "ctl")
os.symlink(secret, "link")
os.link("link", "hard", follow_symlinks=False)
def swap(until):
    while time.time() < until:
        for name in ("stdout", "stderr", "results", "idle", "src", "figures"):
            for other in ("link", "hard"):
                libc.renameat2(-100, os.path.join(ctl, name).encode(), -100, os.path.abspath(other).encode(), 2)
if os.fork() == 0:
    os.setsid()
    swap(time.time() + 20)
    os._exit(0)
swap(time.time() + 0.3)
`

// A snippet that replaces the engine's files gets no secret read and nothing overwritten or
// removed.
func TestControlFolderReplaced(t *testing.T) {
	steps := 6
	if os.Getenv("GPUDOCS_LONG") != "" { // .ci/long: to find rare moments
		steps = 40
	}
	for _, o := range confinements(t, Python) {
		o.Bounds = bounds(t)
		secret := filepath.Join(t.TempDir(), "secret")
		const text = "a secret that is longer than any mark that an engine might write into it"
		if err := os.WriteFile(secret, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s := start(t, o)
		for i := range steps {
			code := "print(1)\nopen('/dev/stderr', 'w').write('2')\n"
			if i == 0 {
				code = fmt.Sprintf("secret = %q\n", secret) + exchange
			}
			r, err := s.Run(t.Context(), Step{File: page, Line: 70, Code: code, Timeout: 5 * time.Second})
			if seen := string(r.Stdout.Text) + string(r.Stderr.Text) + fmt.Sprint(err); strings.Contains(seen, text) {
				t.Fatalf("the secret is in the output of block %d: %s", i, seen)
			}
			if o.Sandbox != nil && (err != nil || r.Status != Finished) {
				t.Fatalf("in the sandbox, block %d: %v, %v", i, r.Status, err)
			}
			if err != nil && r.Ended || errors.Is(err, ErrEnded) {
				break
			}
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		// Without a sandbox the snippet itself may write to it, and so does its driver.
		if data, err := os.ReadFile(secret); o.Sandbox != nil && string(data) != text {
			t.Errorf("the secret is now %q, %v", data, err)
		}
	}
}

// In the sandbox nothing can be created, renamed, linked or changed in the folder of the
// engine's files.
func TestSandboxControlFolder(t *testing.T) {
	o := inside(t, Bash)
	s := start(t, o)
	for _, command := range []string{
		"echo x > ../ctl/file", "mkdir ../ctl/dir", "ln -s /etc/passwd ../ctl/link", "ln ../ctl/driver.sh hard",
		"mv ../ctl/stderr ../ctl/other", "rm ../ctl/results", "chmod 700 ../ctl/results", "cat ../ctl/results",
		"mv ../ctl ../away", "rmdir ../ctl", "echo x >> ../ctl/driver.sh", "umount ../ctl", "mount --bind . ../ctl",
		"unshare -Urm mount --bind . ../ctl", "unshare -Urm umount -l ../ctl",
	} {
		want{code: command, out: "no\n"}.check(t, run(t, s, Step{Code: state("timeout 5 sh -c '" + command + "'"), Timeout: 20 * time.Second}))
	}
}

// A snippet that reads the messages to the engine, or stops answering, ends by its time limit,
// and at once when the run is cancelled.
func TestStolenRecords(t *testing.T) {
	const thief = `
import os, threading
os.chmod("../ctl/results", 0o600)
def steal(name):
    fd = os.open("../ctl/" + name, os.O_RDONLY | os.O_NONBLOCK)
    os.set_blocking(fd, True)
    while os.read(fd, 1 << 16): pass
if os.fork() == 0:
    for name in "results", "stdout", "stderr":
        threading.Thread(target=steal, args=[name]).start()
else:
    import time
    time.sleep(0.2)`
	for name, code := range map[string]string{
		"stolen":   thief,
		"held":     thief + "\n    time.sleep(1000)",
		"commands": "import os, threading\nthreading.Thread(target=lambda: [os.read(200, 1 << 16) for _ in range(99)], daemon=True).start();",
		"flood":    "import os\nif os.fork() == 0:\n  f = os.open('../ctl/results', os.O_WRONLY)\n  while True: os.write(f, b'x' * 65536)",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := options(t, Python)
			o.Bounds = bounds(t)
			s := start(t, o)
			began := time.Now()
			for range 3 {
				r, err := s.Run(t.Context(), Step{File: page, Line: 70, Code: code, Timeout: time.Second})
				if errors.Is(err, ErrEnded) || r.Ended {
					break
				}
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if took := time.Since(began); took > time.Minute { // three limits of 1 s, and a busy machine
				t.Errorf("took %v, want less than a minute", took)
			}
		})
	}
}

// A record that a block forges is no result: not with a nonce that it has read, not before it
// ends the interpreter, and not for a later block.
func TestForgedRecords(t *testing.T) {
	t.Parallel()
	const forge = "echo '{\"nonce\":\"'$__gpudocs_nonce'\",\"kind\":\"done\",\"exit\":0}' >>../ctl/results\n"
	const forgePython = `import sys
frame = sys._getframe()
while "nonce" not in frame.f_locals: frame = frame.f_back
def forge(record): open("../ctl/results", "w").write('{"nonce":"%s",%s}\n' % (frame.f_locals["nonce"], record))
`
	tests := []struct {
		name, interpreter, code string
		status                  Status
		fault                   string // of the RecordError
	}{
		{"then the shell fails", Bash, forge + "false", 0, "more follows"},
		{"then the shell is killed", Bash, forge + "sleep 0.3; kill -9 $$", Crashed, ""},
		{"then the shell is another program", Bash, forge + "exec true", Crashed, ""},
		{"then the block hangs", Bash, forge + "sleep 1000", TimedOut, ""},
		{"then python fails", Python, forgePython + "forge('\"kind\":\"done\",\"exit\":0')\n1 / 0", 0, "more follows"},
		{"then python exits", Python, forgePython + "forge('\"kind\":\"done\",\"exit\":0')\nimport os, time; time.sleep(0.3); os._exit(0)", Crashed, ""},
		{"an exit that python does not have", Python, forgePython + "forge('\"kind\":\"exit\",\"exit\":0')\nimport os; os._exit(0)", Crashed, "kind"},
		{"a line below zero", Python, forgePython + "forge('\"kind\":\"done\",\"exit\":1,\"line\":-5')", 0, "line -5"},
		{"a line behind the end", Python, forgePython + "forge('\"kind\":\"done\",\"exit\":1,\"line\":1000000')", 0, "line 1000000"},
		{"a number that is too large", Python, forgePython + "forge('\"kind\":\"done\",\"exit\":1e99')", 0, "number 1e99"},
		{"an exit status that there is not", Python, forgePython + "forge('\"kind\":\"done\",\"exit\":4096')", 0, "exit status 4096"},
		{"a figure that is none", Python, forgePython + "forge('\"kind\":\"figure\",\"png\":\"PHNjcmlwdD4=\",\"html\":\"a\"')", 0, "exactly one form"},
		{"too many figures", Python, forgePython + "for _ in range(10): forge('\"kind\":\"figure\",\"png\":\"iVBORw0KGgo=\"')", 0, "too many"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := start(t, options(t, tt.interpreter))
			r, err := s.Run(t.Context(), Step{File: page, Line: 70, Code: tt.code, Timeout: 3 * time.Second})
			var record *RecordError
			if tt.fault != "" {
				if !errors.As(err, &record) || !strings.Contains(err.Error(), tt.fault) {
					t.Errorf("got %+v, %v; want a RecordError with %q", r, err, tt.fault)
				}
			} else if err != nil || r.Status != tt.status {
				t.Errorf("got %v, %v; want %v", r.Status, err, tt.status)
			}
			if tt.status != 0 {
				return
			}
			// Only that block is lost.
			code := map[string]string{Bash: "echo on", Python: "print('on')"}[tt.interpreter]
			if r := run(t, s, Step{Code: code}); r.Status != Finished || string(r.Stdout.Text) != "on\n" {
				t.Errorf("the next block: %+v", r)
			}
		})
	}
}

func bounds(t *testing.T) *Bounds {
	t.Helper()
	b := NewBounds(Limits{Memory: 4 << 30, Processes: 2000})
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// lower removes the mark of the process that runs it.
const lower = "import resource\nresource.setrlimit(15, (1 << 20, 1 << 20))\n"

// A process that lowers its own limit has removed its mark. It is still found: at the end of
// the session, after a hung block, and when it uses too much memory.
func TestLoweredMark(t *testing.T) {
	for name, code := range map[string]string{
		"daemon":            lower + daemon,
		"child of a daemon": strings.Replace(daemon, "os.execve", "import resource; resource.setrlimit(15, (1 << 20, 1 << 20)); os.execve", 1),
	} {
		for _, o := range confinements(t, Python) {
			t.Run(name, func(t *testing.T) {
				o := o
				o.Scratch, o.Bounds = t.TempDir(), bounds(t)
				s := start(t, o)
				r := run(t, s, Step{Code: code})
				// The watcher may have ended the daemon before it printed its number.
				pid, err := strconv.Atoi(strings.TrimSpace(string(r.Stdout.Text)))
				if err != nil && (r.Exit != 0 || string(r.Stdout.Text) != "\n") {
					t.Fatalf("%s%s", r.Stdout.Text, r.Stderr.Text)
				}
				if err == nil && o.Sandbox == nil {
					defer mustDie(t, pid)
				}
				if err := s.Close(); err != nil {
					t.Error(err)
				}
				if left := below(o.Bounds.registry.reaper.pid); len(left) > 0 {
					t.Errorf("surviving processes %v", left)
				}
			})
		}
	}
	t.Run("memory", func(t *testing.T) {
		for _, o := range confinements(t, Python) {
			o.Bounds = NewBounds(Limits{Memory: 200 << 20, Processes: 100})
			defer o.Bounds.Close()
			r := run(t, start(t, o), Step{Code: lower + "hog = [bytearray(1 << 20) for _ in range(3000)]\nimport time\ntime.sleep(1000)"})
			if r.Status != Limited || r.Limit != LimitMemory {
				t.Errorf("got %v, %s", r.Status, r.Limit)
			}
		}
	})
}

// A reaper that a snippet has stopped delays neither the end of its session nor the next
// session.
func TestStoppedReaper(t *testing.T) {
	t.Parallel()
	b := bounds(t)
	for range 2 {
		o := options(t, Bash)
		o.Bounds = b
		s := start(t, o)
		const code = "echo begun; kill -STOP $PPID"
		want{code: code, out: "begun\n"}.check(t, run(t, s, Step{Code: code}))
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		// Neither does one that is stopped between sessions, or at the end of the run.
		if err := syscall.Kill(b.registry.reaper.pid, syscall.SIGSTOP); err != nil {
			t.Error(err)
		}
	}
}

// below returns the live processes below a reaper.
func below(reaper int) (pids []int) {
	for pid := range processes {
		if p, alive := readMember(pid); alive && p.parent == reaper {
			pids = append(pids, pid)
		}
	}
	return pids
}

// If gpudocs or its reaper is killed, no process of a snippet survives: no daemon, and none
// that has lowered its mark. The test runs itself again as that gpudocs.
func TestNothingOutlivesKill(t *testing.T) {
	const victim = "GPUDOCS_TEST_KILLED"
	if sandbox := os.Getenv(victim); sandbox != "" {
		o := options(t, Python)
		if sandbox == "sandbox" {
			o = inside(t, Python)
		}
		o.Bounds = NewBounds(Limits{Memory: 1 << 30, Processes: 1000})
		s := start(t, o)
		run(t, s, Step{Code: daemon + lower + "import subprocess\nsubprocess.Popen(['sleep', '1000'], start_new_session=True);"})
		fmt.Println(o.Bounds.registry.reaper.pid)
		_, err := s.Run(t.Context(), Step{File: page, Code: "import time; time.sleep(1000)"})
		fmt.Println("ended:", err)
		time.Sleep(time.Hour)
	}
	for _, confined := range []string{"plain", "sandbox"} {
		for _, which := range []string{"gpudocs", "reaper"} {
			t.Run(confined+", "+which, func(t *testing.T) {
				if confined == "sandbox" {
					inside(t, Python) // skips without one
				}
				cmd := exec.Command(os.Args[0], "-test.run=^TestNothingOutlivesKill$")
				cmd.Env = append(os.Environ(), victim+"="+confined, "TMPDIR="+t.TempDir())
				cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
				out, err := cmd.StdoutPipe()
				if err != nil {
					t.Fatal(err)
				}
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				defer func() { cmd.Process.Kill(); cmd.Wait() }()
				lines := bufio.NewReader(out)
				line, err := lines.ReadString('\n')
				reaper, err2 := strconv.Atoi(strings.TrimSpace(line))
				if err != nil || err2 != nil {
					t.Fatal(line, err, err2)
				}
				left := allBelow(reaper)
				if len(left) < 3 {
					t.Fatalf("only %v are running", left)
				}
				if which == "gpudocs" {
					cmd.Process.Kill()
					mustDie(t, reaper)
				} else {
					_ = syscall.Kill(reaper, syscall.SIGKILL)
					if line, err = lines.ReadString('\n'); !strings.HasPrefix(line, "ended: ") {
						t.Errorf("the run goes on: %q, %v", line, err)
					}
					// A daemon without a mark cannot be found then; all others can.
					left = slices.DeleteFunc(left, func(pid int) bool {
						lost := confined == "plain" && hasLowered(pid) && !marked(pid)
						if lost {
							_ = syscall.Kill(pid, syscall.SIGKILL)
						}
						return lost
					})
				}
				for _, pid := range left {
					mustDie(t, pid)
				}
			})
		}
	}
}

// The reaper starts processes like os/exec: with an environment that is not UTF-8, with the
// same error for a missing program, and many at once.
func TestReaperStarts(t *testing.T) {
	t.Parallel()
	b := bounds(t)
	o := options(t, Bash)
	o.Bounds, o.Env = b, append(o.Env, "ODD=a\xff\xfeb")
	if r := run(t, start(t, o), Step{Code: `printf %s "$ODD"`}); string(r.Stdout.Text) != "a\xff\xfeb" {
		t.Errorf("the environment has %q", r.Stdout.Text)
	}
	o.Scratch, o.Path = t.TempDir(), filepath.Join(t.TempDir(), "none")
	if s, err := Start(t.Context(), o); !errors.Is(err, os.ErrNotExist) {
		s.Close()
		t.Errorf("a missing program: %v", err)
	}
	var all sync.WaitGroup
	for i := range 16 {
		o := options(t, Bash)
		o.Bounds = b
		all.Go(func() {
			s, err := Start(t.Context(), o)
			if err != nil {
				t.Error(err)
				return
			}
			r, err := s.Run(t.Context(), Step{File: page, Code: fmt.Sprintf("exit %d", i), Timeout: time.Minute})
			if err != nil || r.Exit != i || r.Status != Finished {
				t.Errorf("%d: %v, exit %d, %v", i, r.Status, r.Exit, err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

// marked reports whether a process has the mark of a session, if that can be found out.
func marked(pid int) bool {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/limits", pid))
	return !strings.Contains(string(data), "1048576              1048576              us")
}

// allBelow returns all live descendants of a process.
func allBelow(ancestor int) (pids []int) {
	for above := []int{ancestor}; len(above) > 0; {
		var next []int
		for _, pid := range above {
			next = append(next, below(pid)...)
		}
		pids, above = append(pids, next...), next
	}
	return pids
}

// A tree that is deeper than the limits of paths and open files is removed, and so is one that
// its owner may not read.
func TestDeepFolder(t *testing.T) {
	s, err := NewScratch()
	if err != nil {
		t.Fatal(err)
	}
	o := options(t, Python)
	o.Scratch = s.Dir
	x := start(t, o)
	r := run(t, x, Step{Code: "import os\nfor _ in range(1000):\n  os.mkdir('d' * 200); os.chdir('d' * 200)\nos.chmod('.', 0)"})
	if r.Exit != 0 {
		t.Fatalf("%s", r.Stderr.Text)
	}
	if err := x.Close(); err != nil {
		t.Error(err)
	}
	var files syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: 500, Max: files.Max}); err != nil {
		t.Fatal(err)
	}
	err = s.Remove()
	if err := errors.Join(err, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &files)); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(s.Dir); err == nil {
		t.Error("the folder was not removed")
	}
}
