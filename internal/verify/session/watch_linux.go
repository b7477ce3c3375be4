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

// A watcher looks at the sessions of a run now and then, and kills one that is
// over its limits. It has a thread of its own, which sleeps in the kernel and not
// in Go's scheduler, with real-time priority where we may have that: a fork bomb
// leaves other threads no time in which they could stop it.
type watcher struct {
	wake int // an eventfd: pens or closed have changed

	mu     sync.Mutex
	pens   map[*pen]time.Time // when to look next
	closed bool
}

// newWatcher returns nil if that fails; then nobody is watched.
func newWatcher() *watcher {
	wake, err := unix.Eventfd(0, unix.EFD_CLOEXEC)
	if err != nil {
		return nil
	}
	w := &watcher{wake: wake, pens: map[*pen]time.Time{}}
	go w.run()
	return w
}

func (w *watcher) add(p *pen) { w.change(func() { w.pens[p] = time.Now().Add(firstLook) }) }

func (w *watcher) remove(p *pen) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.pens, p) // no need to wake it for that
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
			w.look(p)
		default:
			w.sleep(p != nil, time.Until(at))
		}
	}
}

// next is whom to look at next, and when.
func (w *watcher) next() (next *pen, at time.Time, closed bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for p, t := range w.pens {
		if next == nil || t.Before(at) {
			next, at = p, t
		}
	}
	return next, at, w.closed
}

func (w *watcher) look(p *pen) {
	limit, again := p.look()
	if limit != "" {
		p.over <- limit // which has room
		p.kill()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, there := w.pens[p]; there && limit == "" {
		w.pens[p] = time.Now().Add(again)
	} else {
		delete(w.pens, p)
	}
}

// sleep waits until something changes, or for so long if there is a limit.
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

// The fastest that we reckon with: memory is filled, and processes are made,
// by the second. From that follows how long one need not look.
const (
	memoryPace  = 8 << 30
	processPace = 20000
	firstLook   = 25 * time.Millisecond
	minLook     = 10 * time.Millisecond
	maxLook     = 250 * time.Millisecond
)

// look names the limit that the session has run into, if any, and says when to
// look again.
func (p *pen) look() (limit string, again time.Duration) {
	if p.group != nil {
		return p.group.over(), 100 * time.Millisecond
	}
	p.family.killStrays()
	var use Limits
	for m := range p.members {
		use.Memory += m.resident
		use.Processes += m.threads
		if p.limits.Processes > 0 && use.Processes > p.limits.Processes {
			return LimitProcesses, 0
		}
	}
	again = maxLook
	if most := p.limits.Processes; most > 0 {
		again = min(again, time.Duration(most-use.Processes)*time.Second/processPace)
	}
	if most := p.limits.Memory; most > 0 {
		// What processes share counts for each of them in the quick sum.
		if use.Memory > most {
			use.Memory = p.ownMemory()
		}
		if use.Memory > most {
			return LimitMemory, 0
		}
		again = min(again, time.Duration(float64(most-use.Memory)/memoryPace*float64(time.Second)))
	}
	return "", max(again, minLook)
}

// ownMemory sums up the memory of the session, what processes share divided among
// those who share it. It makes the kernel walk their page tables.
func (p *pen) ownMemory() (sum uint64) {
	for m := range p.members {
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
