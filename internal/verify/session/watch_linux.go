package session

import (
	"bufio"
	"encoding/binary"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// A watcher checks the sessions of a run periodically and kills those that exceed their
// limits. It has its own thread, which sleeps in the kernel and not in Go's scheduler,
// with real-time priority if permitted: a fork bomb leaves other threads no time to
// stop it.
type watcher struct {
	wake int // an eventfd: sessions or closed have changed

	mu       sync.Mutex
	sessions map[*sessionProcesses]time.Time // when to check next
	closed   bool
}

// newWatcher returns nil if it fails; then nothing is watched.
func newWatcher() *watcher {
	wake, err := unix.Eventfd(0, unix.EFD_CLOEXEC)
	if err != nil {
		return nil
	}
	w := &watcher{wake: wake, sessions: map[*sessionProcesses]time.Time{}}
	go w.run()
	return w
}

func (w *watcher) add(p *sessionProcesses) {
	w.change(func() { w.sessions[p] = time.Now().Add(firstInterval) })
}

func (w *watcher) remove(p *sessionProcesses) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.sessions, p) // no need to wake the watcher
}

func (w *watcher) close() { w.change(func() { w.closed = true }) }

func (w *watcher) change(f func()) {
	w.mu.Lock()
	f()
	w.mu.Unlock()
	_, _ = unix.Write(w.wake, binary.NativeEndian.AppendUint64(nil, 1))
}

func (w *watcher) run() {
	runtime.LockOSThread() // never unlocked: the thread ends with its priority
	_ = unix.SchedSetAttr(0, &unix.SchedAttr{Policy: unix.SCHED_FIFO, Priority: 1, Flags: unix.SCHED_FLAG_RESET_ON_FORK}, 0)
	defer unix.Close(w.wake)
	for {
		p, at, closed := w.next()
		switch {
		case closed:
			return
		case p != nil && time.Until(at) <= 0:
			w.check(p)
		default:
			w.sleep(p != nil, time.Until(at))
		}
	}
}

// next returns the session to check next, and when.
func (w *watcher) next() (next *sessionProcesses, at time.Time, closed bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for p, t := range w.sessions {
		if next == nil || t.Before(at) {
			next, at = p, t
		}
	}
	return next, at, w.closed
}

func (w *watcher) check(p *sessionProcesses) {
	limit, again := p.check()
	if limit != "" {
		p.exceeded <- limit // has room
		p.kill()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, there := w.sessions[p]; there && limit == "" {
		w.sessions[p] = time.Now().Add(again)
	} else {
		delete(w.sessions, p)
	}
}

// sleep waits until something changes, or for d if limited.
func (w *watcher) sleep(limited bool, d time.Duration) {
	var timeout *unix.Timespec
	if limited {
		t := unix.NsecToTimespec(int64(max(0, d)))
		timeout = &t
	}
	if n, _ := unix.Ppoll([]unix.PollFd{{Fd: int32(w.wake), Events: unix.POLLIN}}, timeout, nil); n > 0 {
		_, _ = unix.Read(w.wake, make([]byte, 8))
	}
}

// Upper bounds of how fast memory is filled and processes are created, per second. They
// determine how long the next check can wait.
const (
	maxMemoryRate  = 8 << 30
	maxProcessRate = 20000
	firstInterval  = 25 * time.Millisecond
	minInterval    = 10 * time.Millisecond
	maxInterval    = 250 * time.Millisecond
)

// check returns the limit that the session has exceeded, if any, and when to check
// again.
func (p *sessionProcesses) check() (limit string, again time.Duration) {
	if p.cgroup != nil {
		return p.cgroup.exceededLimit(), 100 * time.Millisecond
	}
	p.registry.killStrays()
	var use Limits
	for m := range p.members {
		use.Memory += m.resident
		use.Processes += m.threads
		if p.limits.Processes > 0 && use.Processes > p.limits.Processes {
			return LimitProcesses, 0
		}
	}
	again = maxInterval
	if most := p.limits.Processes; most > 0 {
		again = min(again, time.Duration(most-use.Processes)*time.Second/maxProcessRate)
	}
	if most := p.limits.Memory; most > 0 {
		// The quick sum counts shared memory once for each process.
		if use.Memory > most {
			use.Memory = p.proportionalMemory()
		}
		if use.Memory > most {
			return LimitMemory, 0
		}
		again = min(again, time.Duration(float64(most-use.Memory)/maxMemoryRate*float64(time.Second)))
	}
	return "", max(again, minInterval)
}

// proportionalMemory returns the memory of the session, with shared memory divided
// among the processes that share it. The kernel has to walk their page tables.
func (p *sessionProcesses) proportionalMemory() (sum uint64) {
	for m := range p.members {
		if share, ok := proportional(m.pid); ok {
			sum += share
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
