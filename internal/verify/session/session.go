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
// driver reports that the block is done, the engine writes a random marker,
// which no child knows, into the FIFO: bytes before it are the step's. What
// comes later, from a child in the background or a >(...) that nobody waited
// for, is read and dropped, so such a child neither delays the step, nor blocks,
// nor speaks in a later one. (A Python thread shares the descriptors and does
// speak in a later one.) Of endless output the head and the tail are kept.
// If something was left out, size and hash of the whole are known all the same.
//
// # Ends
//
// The driver reports with a nonce that came with the command; a report without
// it is ignored. If the process goes away without that, the step has crashed,
// whatever the exit status. The interpreter leads a process group. When a
// session ends, and after a timeout, the group gets SIGTERM, Grace to act on it,
// and then SIGKILL.
//
// On Linux every process of the session is found and killed, whatever it did to
// get away: a daemon that forked twice, called setsid and emptied its environment
// still has the session's [mark], a resource limit with a value that nobody else
// has. A subreaper would know its orphans too; but it would have to be one more
// process for each session, as an orphan does not tell which session it is from,
// and starting that costs more than a session. Where there is a cgroup its
// cgroup.kill comes first. Elsewhere a child that left the group survives.
//
// If gpudocs itself dies, the kernel kills the interpreter. The rest is for the
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
// read-only but for the scratch folder and a /tmp and /dev/shm of its own; GPU
// devices are there; other processes, /run with its sockets, and the usual places
// of keys below the home folder are not; and there is no network but a loopback
// of its own, unless it is asked for. The rest of the home folder and of the system
// can be read, the environment is that of the caller, and a GPU's driver, the
// kernel and bubblewrap itself are trusted: it keeps honest code from doing harm.
// Bubblewrap is told what to do only after it has been marked, and signals go to
// the group inside, so that limits, time-outs and sweeps are the same.
//
// Without a sandbox, code that means harm can read the nonce and lower the mark.
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
