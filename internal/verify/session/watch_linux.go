package session

import (
	"bufio"
	"encoding/binary"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// A watcher looks at a session now and then, and kills it when it is over its
// limits. It has a thread of its own, which sleeps in the kernel and not in Go's
// scheduler, with real-time priority where we may have that: a fork bomb leaves
// other threads no time in which they could stop it.
type watcher struct {
	begin *time.Timer
	wake  int // an eventfd: the session is over
	// found holds the limit that the session was killed for.
	found chan string
}

// watch begins to watch soon, as most sessions are over by then. The watcher is
// nil if that fails; nobody is watched then.
func (p *pen) watch() *watcher {
	wake, err := unix.Eventfd(0, unix.EFD_CLOEXEC)
	if err != nil {
		return nil
	}
	w := &watcher{wake: wake, found: make(chan string, 1)}
	w.begin = time.AfterFunc(firstLook, func() { w.run(p) })
	return w
}

func (w *watcher) run(p *pen) {
	defer unix.Close(w.wake)
	runtime.LockOSThread() // never unlocked: the thread ends with its priority
	_ = unix.SchedSetAttr(0, &unix.SchedAttr{Policy: unix.SCHED_FIFO, Priority: 1, Flags: unix.SCHED_FLAG_RESET_ON_FORK}, 0)
	for {
		limit, again := p.look()
		if limit != "" {
			w.found <- limit
			p.kill()
			again = -1
		}
		if w.sleep(again) {
			return
		}
	}
}

func (w *watcher) close() {
	if w.begin.Stop() {
		unix.Close(w.wake)
	} else {
		unix.Write(w.wake, binary.NativeEndian.AppendUint64(nil, 1))
	}
}

// sleep returns true when the session is over; it does not end before if d is
// negative.
func (w *watcher) sleep(d time.Duration) (over bool) {
	until := time.Now().Add(d)
	for {
		var timeout *unix.Timespec
		if d >= 0 {
			t := unix.NsecToTimespec(int64(max(0, time.Until(until))))
			timeout = &t
		}
		n, err := unix.Ppoll([]unix.PollFd{{Fd: int32(w.wake), Events: unix.POLLIN}}, timeout, nil)
		if err != syscall.EINTR {
			return n != 0 || err != nil
		}
	}
}

// The fastest that we reckon with: memory is filled, and processes are made,
// by the second. From that follows how long one need not look.
const (
	memoryPace  = 8 << 30
	processPace = 5000
	firstLook   = 25 * time.Millisecond
	minLook     = 10 * time.Millisecond
	maxLook     = 500 * time.Millisecond
)

// look names the limit that the session has run into, if any, and says when to
// look again.
func (p *pen) look() (limit string, again time.Duration) {
	if p.group != nil {
		return p.group.over(), 100 * time.Millisecond
	}
	var use Limits
	members := p.members()
	for _, m := range members {
		use.Memory += m.resident
		use.Processes += m.threads
	}
	again = maxLook
	if most := p.limits.Processes; most > 0 {
		if use.Processes > most {
			return LimitProcesses, 0
		}
		again = min(again, time.Duration(most-use.Processes)*time.Second/processPace)
	}
	if most := p.limits.Memory; most > 0 {
		// What processes share counts for each of them in the quick sum.
		if use.Memory > most {
			use.Memory = ownMemory(members)
		}
		if use.Memory > most {
			return LimitMemory, 0
		}
		again = min(again, time.Duration(float64(most-use.Memory)/memoryPace*float64(time.Second)))
	}
	return "", max(again, minLook)
}

// ownMemory sums up the memory of processes, what they share divided among
// those who share it. It makes the kernel walk their page tables.
func ownMemory(members []member) (sum uint64) {
	for _, m := range members {
		if own, ok := proportional(m.pid); ok {
			sum += own
		} else if _, alive := readMember(m.pid); alive {
			sum += m.resident
		}
	}
	return sum
}

func proportional(pid int) (bytes uint64, ok bool) {
	f, err := os.Open("/proc/" + strconv.Itoa(pid) + "/smaps_rollup")
	if err != nil {
		return 0, false
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if rest, found := strings.CutPrefix(s.Text(), "Pss:"); found {
			kb, err := strconv.ParseUint(strings.TrimSpace(strings.TrimSuffix(rest, "kB")), 10, 64)
			return kb << 10, err == nil
		}
	}
	return 0, false
}
