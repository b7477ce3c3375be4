// Package session runs the blocks of a page in one interpreter, step by step,
// and says what each of them did.
//
//	s, err := session.Start(ctx, session.Options{
//		Interpreter: session.Bash, Path: "/bin/bash",
//		Env: env, Scratch: dir,
//	})
//	defer s.Close()
//	r, err := s.Run(ctx, session.Step{File: "content/pt/gpu.md", Line: 72, Code: code})
//
// A session is one process that reads commands from a small driver of ours
// (the folder driver). What a step defines, imports, exports or changes is
// there for the next one. An error from [Session.Run] is the engine's; what the
// author's code did is in the [Result].
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
// A block in [Exec] mode that is no Python as it stands may hold what notebooks
// know beyond it: driver/notebook.py says what of that runs. Of the rest the
// block's exception speaks before any of it has run. A failing !command is an
// exception, unlike in a notebook: a page that shows a command which failed
// must not pass for one that works.
//
// Matplotlib figures that a block in [Exec] mode leaves open are kept, and closed,
// at its end; those that any step shows with pyplot.show(), then. The time this
// takes is the step's. It needs the backend Agg, which MPLBACKEND names.
//
// # Output
//
// Each step and stream has a FIFO of its own, with the interpreter's real file
// descriptor on it, so that children, C code and os.write are heard. When the
// step has ended, the engine reads what the kernel has buffered at that moment: that
// is the step's. What comes later, from a child in the background or a >(...) that
// nobody waited for, is read and dropped, so such a child neither delays the step, nor
// blocks, nor speaks in a later one. (A Python thread shares the descriptors and does
// speak in a later one.) Of endless output the head and the tail are kept.
// If something was left out, size and hash of the whole are known all the same.
//
// # Channel
//
// The driver reads commands from a socket and writes records, lines of JSON, into a
// FIFO. A record carries the nonce of its command. After a record that says that the
// step is done, the engine asks the driver whether it is ready for the next one, and
// believes the record only when it is: so a block that writes such a record itself,
// and then fails, hangs or ends the interpreter, gains nothing. A record that no driver
// writes is a [RecordError]. It costs that step, and the session goes on.
//
// All of the engine's files are in one folder, which a sandbox may only read. The engine
// opens them relative to that folder, follows no link, and checks that a FIFO is one. It
// removes and reads nothing that a snippet has named. Every wait has a bound: there is
// no mark that a snippet could read away, and no writer or reader that it could hold up.
//
// What the channel cannot do: code that has run in an interpreter shares its memory with
// the driver, and can take its place. It can make any result of its own block, and of
// later blocks of the same session, but not of other sessions, and not the exit status
// of the interpreter, which comes from the kernel.
//
// # Ends
//
// If the interpreter goes away before the driver is ready again, the step has crashed,
// whatever the exit status. The interpreter leads a process group. When a session ends,
// and after a timeout, the group gets SIGTERM, Grace to act on it, and then SIGKILL.
//
// On Linux every process of the session is found and killed, whatever it did to
// get away: a daemon that forked twice, called setsid and emptied its environment
// still has the session's [mark], a resource limit with a value that nobody else
// has. One that has lowered its limit is known by its ancestors. For that the
// interpreters of a run have a parent of their own, the [reaper], which adopts every
// orphan. When the run ends, or gpudocs is killed, the reaper kills what is below it and
// goes when nothing is. In a sandbox the kernel does the same, as it ends a PID
// namespace with its first process. Where there is a cgroup its cgroup.kill comes
// first. On other systems a child that left the group survives.
//
// What gets away without a sandbox: a process that root has given another limit lives
// until the end of the run, and code that means harm can kill the reaper, and then what
// has lowered its mark is not found, or have another service of the machine start a
// process.
//
// If the reaper is killed, too, the kernel kills the interpreters. The rest is for the
// next run: a scratch folder is locked for as long as its owner lives, and
// [SweepLeftovers] removes those that are not, and kills what has their mark.
//
// # Limits
//
// [Bounds] hold the memory and the processes of a session, all together, within
// limits. Best is a cgroup v2 for each session, where the kernel counts and acts;
// we make it below the cgroup that we were started in, if that is the root or
// delegated to us alone (systemd-run --user --scope -p Delegate=yes). A login's
// is not, so on most machines a session is watched instead: its processes are
// found by their mark, and their memory is summed up, what they share once, at
// least four times a second, and the more often the nearer the limit is.
//
// The kernel's own limits for processes are no means for that. RLIMIT_AS and
// RLIMIT_DATA count what is reserved and not what is used, of each process by
// itself: CUDA reserves more than the machine has. RLIMIT_NPROC counts all that the
// user runs anywhere; it only backs the watcher up, with room to spare, against
// a fork bomb, and does not hold root. What watching does not see: page cache,
// and the memory that a driver pins for a GPU. A hog may get past the limit by
// what it can fill between two looks, 80 MB at 8 GB/s. With either means the
// session has the highest oom_score_adj, so that a machine that runs out of memory
// takes the snippet and nothing else.
//
// A session over a limit is killed, and its step is [Limited].
//
// # Sandbox
//
// With a [Sandbox] the interpreter runs in bubblewrap: the file system is
// read-only but for the scratch folder and a /tmp and /dev/shm of its own; so is /proc,
// because root needs no capability to write to /proc/sys. GPU devices are there. Hidden
// are other processes, /run, TMPDIR, the usual places of keys in the home folder and of
// root's, the kernel's debugging files, and every Unix socket that the kernel lists
// when the session starts. There is no network but a loopback of its own, unless it is
// asked for; with it come the machine's abstract sockets. A filter of system calls
// refuses user namespaces and keyrings.
//
// The rest of the home folder and of the system can be read, the environment is that of
// the caller, and a GPU's driver, the kernel and bubblewrap itself are trusted. A socket
// that is made after the session's start, or by a container, outside of the hidden
// folders, can be reached, as it can be by any program that may read its folder.
// Bubblewrap is told what to do only after it has been marked, and signals go to
// the group inside, so that limits, time-outs and sweeps are the same.
package session

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"
)

// The interpreters that a session can have.
const (
	Bash   = "bash"
	Python = "python"
)

// ErrEnded is the error of a step in a session whose interpreter is gone.
var ErrEnded = errors.New("the session has ended")

// A RecordError is what Run returns if a record for the step does not hold: only code
// that takes the driver's place writes such records. The session goes on.
type RecordError struct{ fault string }

func (e *RecordError) Error() string {
	return "the block wrote a result of its own into the session's channel: " + e.fault
}

// Options says what to start and where.
type Options struct {
	Interpreter string // Bash or Python
	Path        string // of the executable
	// Env is the whole environment, as "K=V". Only PWD and the session's mark
	// are added to it.
	Env []string
	// Scratch is an existing folder private to this session. Code starts in
	// Scratch/work; the engine's own files are in Scratch/ctl. The caller
	// removes it after Close.
	Scratch string
	// Head and Tail are the bytes kept of a stream's beginning and end, each 64
	// KiB if zero.
	Head, Tail int
	// Grace is the time between SIGTERM and SIGKILL, and what Close grants
	// atexit handlers and EXIT traps; 1s if zero.
	Grace time.Duration
	// Bounds hold the session within limits; nil sets none.
	Bounds *Bounds
	// Sandbox shuts the session in with bubblewrap; nil leaves it the user's
	// rights. [CheckSandbox] tells first whether the machine has it.
	Sandbox *Sandbox
}

func (o *Options) complete() error {
	if _, ok := interpreters[o.Interpreter]; !ok {
		return fmt.Errorf("unknown interpreter %q: want %q or %q", o.Interpreter, Bash, Python)
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
	if o.Head <= 0 {
		o.Head = 64 << 10
	}
	if o.Tail <= 0 {
		o.Tail = 64 << 10
	}
	if o.Grace <= 0 {
		o.Grace = time.Second
	}
	return nil
}

// Mode says how Python takes the code of a step; bash has only Exec.
type Mode int

const (
	// Exec runs a block and shows the value of its last expression as a
	// notebook does: not None, and not if a semicolon follows.
	Exec Mode = iota
	// Single runs one example of a pycon block as the prompt would.
	Single
)

func (m Mode) String() string { return [...]string{"exec", "single"}[m] }

// A Step is one block, or one example, to run.
type Step struct {
	File string // shown in tracebacks and shell errors: "content/pt/gpu.md"
	Line int    // of the first line of Code in File, from 1
	Code string
	Mode Mode
	// Timeout ends the step and with it the session; zero is no limit.
	Timeout time.Duration
}

// check refuses a file name that would lead out of the folder for sources or
// break the line format of the commands.
func (s Step) check() error {
	if !filepath.IsLocal(s.File) || strings.ContainsFunc(s.File, unicode.IsControl) {
		return fmt.Errorf("step: file name %q: want a plain path below the site's folder", s.File)
	}
	return nil
}

// Status says how a step ended.
type Status int

const (
	// Finished: the code ran to its end, well or badly; see Exit.
	Finished Status = iota
	// TimedOut: the engine killed the session.
	TimedOut
	// Crashed: the interpreter went away without saying how the code ended.
	Crashed
	// Limited: the session used more than its limits allow, and was killed.
	Limited
)

func (s Status) String() string {
	return [...]string{"finished", "timed out", "crashed", "over a limit"}[s]
}

// Bounds of the figures that are kept of a step.
const (
	MaxFigures = 8
	MaxFigure  = 1 << 20 // bytes
)

// A Result is what one step did.
type Result struct {
	Status Status
	// Exit is, for bash, the exit status of the block, for Python 0, 1 after
	// an exception, or the status in SystemExit. For a crash it is that of the
	// process, 128 and the signal if one ended it, and after a timeout or
	// over a limit -1.
	Exit int
	// Signal is "killed" or "segmentation fault" if a signal ended the interpreter.
	Signal string
	// Limit is LimitMemory or LimitProcesses if the step was [Limited].
	Limit string
	// Exception ends the traceback: "NameError: name 'toruch' is not defined".
	Exception string
	// FailLine is the line of File where a bash command failed first, or of
	// the innermost Python frame in File; 0 if unknown.
	FailLine       int
	Stdout, Stderr Output
	// Figures are the PNG files of the figures that were shown or left open, at
	// most MaxFigures of at most MaxFigure bytes.
	Figures  [][]byte
	Duration time.Duration
	// Ended: the interpreter is gone and no further step can run.
	Ended bool
}
