// Package session runs the blocks of a page in one interpreter, step by step, and
// returns the result of each.
//
//	s, err := session.Start(ctx, session.Command{
//		Interpreter: session.Bash, Path: "/bin/bash",
//		Env: env, Scratch: dir,
//	})
//	defer s.Close()
//	r, err := s.Run(ctx, session.Step{File: "content/pt/gpu.md", Line: 72, Code: code})
//
// A session is one process that reads commands from a small driver (the folder driver).
// What a step defines, imports, exports or changes is there for the next one. An error
// of [Session.Run] is internal; the [Result] holds what the author's code did.
//
// # Bash
//
// A block stops at its first failing command, exactly where `set -e` would end
// a script, but the shell of the session lives on. So a failure in a condition,
// before `&&` or `||`, after `!`, before the last pipe (unless the author sets
// pipefail) or before the end of a $(...) does not count; one in a function,
// loop, sourced file or `eval` leaves all of it; and after the author's `set +e`
// none counts, until `set -e`, be it in a later block. The exit status of a block is that of
// the command that stopped it or else of its last one: a block that ends in
// `[[ a == b ]] && c` has status 1, as the same script would.
//
// The means are `set -eE` and an ERR trap that takes off -e and returns from
// every frame. What an author can see of it:
//
//   - `exit` ends the session (Ended) with its status. So does what ends a
//     script by itself: a syntax error, ${x:?}, `set -u`, a readonly variable.
//   - An author's own ERR trap replaces ours until the end of its block, so that
//     a failure after it ends the session.
//   - An author's EXIT trap runs when the session ends. A block that sets it and
//     leaves the shell at once counts as [Crashed], as nobody reports its end.
//   - `exec true` is a crash for the same reason, and so is a signal.
//   - A subshell is one command, and bash names the line of its end.
//   - Descriptors from 3, stdin, options and other traps persist; stdout and stderr
//     are new in each block, even after `exec >file`.
//   - `set -x` shows two plus signs, as in any sourced file.
//
// # Python
//
// Blocks run in the real module __main__, with the Markdown file's name and
// lines in tracebacks, and with `from __future__` imports kept as at the
// prompt. In [Exec] mode the last expression is shown as in a notebook, in
// [Single] mode every one as at the prompt. An exception ends the block with
// exit 1, SystemExit with its own status; the session goes on after both.
// os._exit and signals are crashes. Top-level await does not work.
//
// A block in [Exec] mode that is not valid Python may use the syntax of notebooks:
// driver/notebook.py lists what is supported. If it uses anything else, it ends with an
// exception before any of its code runs. Unlike in a notebook, a !command that fails
// raises an exception, so that a page whose command fails does not pass.
//
// At the end of a block in [Exec] mode, the Matplotlib figures that it left open are
// captured and closed. A figure is captured earlier if a step calls pyplot.show(). The
// time this takes counts as time of the step. It needs the backend Agg, which MPLBACKEND
// names.
//
// # Jupyter
//
// Blocks run in a Jupyter kernel, which jupyter_client starts. The driver stands between:
// it has the channel, which the kernel does not inherit, and speaks the kernel's protocol.
// Code is sent as it is, and only messages that answer its request count. The value of the
// last expression is printed after all other output. An error ends the block with exit 1.
// A kernel that asks for input although the request forbids it is interrupted.
//
// The kernel's own stdout and stderr belong to the step, so that output of subprocesses is
// not lost. ipykernel sends that as messages, from a thread, often after the end of a step:
// so the driver has it write a mark, and waits for the mark.
//
// The kernel's sockets are files in the session's folder, which no other user can reach,
// and about which no two sessions compete. Kernels that know only TCP get ports.
//
// At a timeout the kernel is interrupted, and then shut down, by the protocol, within the
// grace time. If the kernel ends by itself, the driver ends in the same way: with its exit
// status, or by its signal.
//
// # Output
//
// Each step and stream has its own FIFO, on the real file descriptor of the
// interpreter, so that the output of child processes, C code and os.write is captured.
// When the step has ended, the engine reads what the kernel has buffered at that
// moment: that is the output of the step. Later output, of a background process or of a
// >(...) that was not waited for, is read and dropped, so that it neither delays the
// step, nor blocks, nor appears in a later one. (A Python thread shares the
// descriptors, and its output does appear in a later one.) Of long output the head and
// the tail are kept, with size and hash of the whole.
//
// # Channel
//
// The driver reads commands from a socket and writes records, lines of JSON, to a FIFO.
// A record carries the nonce of its command. After a record that the step is done, the
// engine asks the driver whether it is ready for the next one, and believes the record
// only if it is: so a block that writes such a record itself, and then fails, hangs or
// ends the interpreter, gains nothing. A record that no driver writes is a
// [RecordError]. It costs that step, and the session goes on.
//
// All files of the engine are in one folder, which a sandbox may only read. The engine
// opens them relative to that folder, follows no links, and checks that a FIFO is one.
// It neither removes nor reads anything that a snippet has named. Every wait has a
// limit: there is no marker that a snippet could read away, and no writer or reader
// that it could block.
//
// Limits of the channel: code in an interpreter shares its memory with the driver and
// can take its place. It can forge any result of its own block, and of later blocks of
// the same session, but not of other sessions, and not the exit status of the
// interpreter, which comes from the kernel.
//
// # Ends
//
// If the interpreter ends before the driver is ready again, the step has crashed,
// whatever the exit status. The interpreter leads a process group. When a session ends,
// and after a timeout, the group gets SIGTERM, the grace time, and then SIGKILL.
//
// On Linux every process of the session is found and killed, even a daemon that forked
// twice, called setsid and emptied its environment: it still has the session's [tag], a
// resource limit with a unique value. A process that has lowered its limit is
// identified by its ancestors. For that the interpreters of a run are children of the
// [reaper], which adopts every orphan. When the run ends, or gpudocs is killed, the
// reaper kills everything below it and exits. In a sandbox the kernel does the same, as
// it ends a PID namespace with its first process. If there is a cgroup, its cgroup.kill
// comes first. On other systems a child that left the group survives.
//
// What can escape without a sandbox: a process that root has given another limit lives
// until the end of the run. Hostile code can kill the reaper, so that processes with a
// lowered tag are not found, or make another service of the machine start a process.
//
// If the reaper is killed too, the kernel kills the interpreters. The next run does the
// rest: a scratch folder is locked as long as its owner lives, and [SweepLeftovers]
// removes those that are not locked, and kills the processes with their tags.
//
// # Limits
//
// [Bounds] limit the memory and the processes of a session as a whole. The best means
// is a cgroup v2 for each session, where the kernel counts and acts. It is created
// below the cgroup in which gpudocs was started, if that is the root or delegated
// (systemd-run --user --scope -p Delegate=yes). A login's cgroup is not, so on most
// machines a session is watched instead: its processes are found by their tag, and
// their memory is summed up, shared memory once, at least four times a second, and more
// often near the limit.
//
// The kernel's limits for single processes are not sufficient. RLIMIT_AS and
// RLIMIT_DATA count reserved instead of used memory, and CUDA reserves more than the
// machine has. RLIMIT_NPROC counts all processes of the user; it only backs up the
// watcher, with room to spare, against a fork bomb, and does not apply to root. The
// watcher does not see the page cache, nor memory that a driver pins for a GPU. A
// process may exceed the limit by what it can fill between two checks, 80 MB at 8 GB/s.
// With either means the session has the highest oom_score_adj, so that a machine that
// runs out of memory kills the snippet and nothing else.
//
// A session that exceeds a limit is killed, and its step is [Limited].
//
// # Sandbox
//
// With a [Sandbox] the interpreter runs in bubblewrap. The file system is read-only
// except for the scratch folder and a private /tmp and /dev/shm. So is /proc, because
// root needs no capability to write to /proc/sys. GPU devices are available. Hidden are
// other processes, /run, TMPDIR, the usual places of keys in the home folder and of
// root's, the kernel's debugging files, and every Unix socket that the kernel lists
// when the session starts. There is no network except a private loopback unless it is
// requested; with it come the machine's abstract sockets. A seccomp filter refuses user
// namespaces and keyrings.
//
// The rest of the home folder and of the system can be read, the environment is the
// caller's, and the GPU driver, the kernel and bubblewrap are trusted. Sockets that are
// created after the start of the session, or by a container, outside of the hidden
// folders, can be used, as by any program that may read their folder. Bubblewrap gets
// its options only after it is tagged, and signals go to the group inside, so that
// limits, timeouts and sweeps work the same.
//
// # Container
//
// With a [Container] the interpreter runs in an image. Its runtime passes no descriptor on but
// the standard ones, so commands go through its standard input, which the shell inside makes
// descriptor 3 again. The runtime waits until it is tagged before it starts anything. Its
// processes inherit the tag, as long as they are no service's, so they are counted and
// killed as others are. They are not in the cgroup of the session, because the runtime makes one
// of its own. At the end the processes inside are signalled first, so that the runtime can clean up.
// The container has a name derived from the scratch folder: it is removed by that name, by the
// next run too.
package session

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"github.com/gpudocs/gpudocs/internal/machine/subprocess"
	"github.com/gpudocs/gpudocs/internal/report"
)

// The interpreters.
const (
	Bash    = "bash"
	Python  = "python"
	Jupyter = "jupyter"
)

// ErrEnded is the error of a step if the interpreter is gone.
var ErrEnded = errors.New("the session has ended")

// A RecordError is the error of Run if a record of the step is invalid: only code that
// takes the place of the driver writes such records. The session goes on.
type RecordError struct{ fault string }

func (e *RecordError) Error() string {
	return "the block wrote a result of its own into the session's channel: " + e.fault
}

// A Command is what [Start] starts, and what it may use.
type Command struct {
	Interpreter string // Bash, Python or Jupyter
	Path        string // of the executable: for Jupyter, of a Python that has jupyter_client
	Kernel      string // for Jupyter: the name of the kernel
	// Env is the whole environment, as "K=V". Only PWD and the session's tag are added
	// to it.
	Env []string
	// Scratch is an existing private folder. Code starts in Scratch/work; the files of
	// the engine are in Scratch/ctl. The caller removes it after Close.
	Scratch string
	// Head and Tail are how many bytes are kept of the beginning and the end of a
	// stream. If zero, 64 KiB.
	Head, Tail int
	// Grace is the time between SIGTERM and SIGKILL, and the time that Close gives to
	// atexit handlers and EXIT traps. If zero, 1 second.
	Grace time.Duration
	// Bounds limit the session. If nil, there are no limits.
	Bounds *Bounds
	// Sandbox runs the session in bubblewrap. If nil, it has the permissions of the
	// user. [CheckSandbox] reports whether the machine supports it.
	Sandbox *Sandbox
	// Container runs the session in a container image. Then Path and Env are those in the
	// image. If nil, it runs on the machine itself. Not together with Sandbox.
	Container *Container
}

func (o *Command) complete() error {
	if _, ok := interpreters[o.Interpreter]; !ok {
		return fmt.Errorf("unknown interpreter %q: want %q, %q or %q", o.Interpreter, Bash, Python, Jupyter)
	}
	if (o.Interpreter == Jupyter) != (o.Kernel != "") {
		return fmt.Errorf("interpreter %q with kernel %q", o.Interpreter, o.Kernel)
	}
	if info, err := os.Stat(o.Scratch); err != nil {
		return fmt.Errorf("scratch folder: %w", err)
	} else if !info.IsDir() {
		return fmt.Errorf("scratch folder %s: not a folder", o.Scratch)
	}
	var err error
	if o.Scratch, err = filepath.Abs(o.Scratch); err != nil {
		return fmt.Errorf("scratch folder: %w", err)
	}
	o.Head, o.Tail, o.Grace = cmp.Or(o.Head, 64<<10), cmp.Or(o.Tail, 64<<10), cmp.Or(o.Grace, time.Second)
	return nil
}

// Mode is how Python runs the code of a step. Bash has only Exec, and Jupyter has no
// Single.
type Mode int

const (
	// Exec runs a block and shows the value of its last expression as a notebook does:
	// not None, and not before a semicolon.
	Exec Mode = iota
	// Single runs one example of a pycon block as the prompt does.
	Single
	// Info runs no code. It prints what a kernel is: "R 4.2.2, IRkernel 1.3.2,
	// jupyter_client 8.6.0".
	Info
)

func (m Mode) String() string { return [...]string{"exec", "single", "info"}[m] }

// A Step is one block, or one example, to run.
type Step struct {
	File string // shown in tracebacks and shell errors: "content/pt/gpu.md"
	Line int    // of the first line of Code in File, from 1
	Code string
	Mode Mode
	// Timeout limits the step. If it is exceeded, the session ends. Zero means no
	// limit.
	Timeout time.Duration
}

// check refuses a file name that leads out of the folder of sources or breaks the line
// format of commands.
func (s Step) check() error {
	if !filepath.IsLocal(s.File) || strings.ContainsFunc(s.File, unicode.IsControl) {
		return fmt.Errorf("step: file name %q: want a plain path below the site's folder", s.File)
	}
	return nil
}

// Status is how a step ended.
type Status int

const (
	// Finished: the code ran to its end, with or without errors; see Exit.
	Finished Status = iota
	// TimedOut: the engine killed the session.
	TimedOut
	// Crashed: the interpreter ended without reporting the end of the code.
	Crashed
	// Limited: the session exceeded a limit and was killed.
	Limited
)

func (s Status) String() string {
	return [...]string{"finished", "timed out", "crashed", "over a limit"}[s]
}

// MaxFigures limits the figures of a step. One more than a report keeps: so it is known that some were left out.
const MaxFigures = report.MaxFigures + 1

// A Result is the result of a step.
type Result struct {
	End
	Stdout, Stderr subprocess.Output
	// Figures are what was displayed or left open, at most MaxFigures, in the order of
	// display. Each is [report.Figure.Bounded], and nothing else is known of it.
	Figures []report.Figure
}

// An End is how a step ended.
type End struct {
	Status Status
	// Exit is the exit status of the block for bash. For Python it is 0, 1 after an
	// exception, or the status of SystemExit. After a crash it is that of the process,
	// or 128 plus the signal; after a timeout or an exceeded limit it is -1.
	Exit int
	// Signal is "SIGKILL" or "SIGSEGV" if a signal ended the interpreter.
	Signal string
	// Limit is LimitMemory or LimitProcesses if Status is [Limited].
	Limit string
	// Exception is the end of the traceback: "NameError: name 'toruch' is not defined".
	Exception string
	// FailLine is the line of File where a bash command failed first, or of the
	// innermost Python frame in File; 0 if unknown.
	FailLine int
	Duration time.Duration
	// Ended means that the interpreter is gone and no further step can run.
	Ended bool
}

// CreateFile creates a file in a folder of a session, and the folders above it. It replaces what a step may
// have left there, and never follows a link out of the folder. The mode does not depend on the umask.
func CreateFile(root *os.Root, name string, data []byte, mode fs.FileMode) error {
	if err := root.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Chmod(mode), f.Close())
}
