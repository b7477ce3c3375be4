package session

import (
	"errors"
	"slices"
	"sync"

	"golang.org/x/sys/unix"
)

// A processRegistry knows the processes of all sessions of a run. It finds the session
// of a process that has lost its tag by its ancestors, which it cannot choose.
type processRegistry struct {
	noReaper bool
	once     sync.Once
	reaper   *reaper // nil if not available

	mu       sync.Mutex
	sessions []*sessionProcesses // that have not ended
}

// startedReaper returns the reaper, started before the first session, or nil if it
// cannot be started.
func (f *processRegistry) startedReaper() *reaper {
	f.once.Do(func() {
		if !f.noReaper {
			f.reaper = startReaper()
		}
	})
	return f.reaper
}

func (f *processRegistry) close() error {
	f.once.Do(func() {}) // there was no session
	if f.reaper != nil && !f.reaper.close() {
		return errors.New("a process of a snippet survives SIGKILL")
	}
	return nil
}

// add registers a session with its first process, and tags that process. Both happen
// under one lock: a process with a tag of no session is a stray.
func (f *processRegistry) add(p *sessionProcesses, firstPID int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	p.firstPID = firstPID
	p.attach(firstPID)
	f.sessions = append(f.sessions, p)
}

func (f *processRegistry) remove(p *sessionProcesses) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sessions = slices.DeleteFunc(f.sessions, func(q *sessionProcesses) bool { return q == p })
}

// has reports whether a process belongs to the session: it has the tag, or it has
// lowered it and descends from a process with the tag or from the session's first
// process.
func (p *sessionProcesses) has(pid int) bool {
	if p.isAttached(pid) {
		return true
	}
	if !p.byLimit || !hasLowered(pid) {
		return false
	}
	owner, _ := p.registry.owner(pid)
	return owner == p
}

// hasLowered reports whether a process has a limit at all: the usual is none, so it is
// the tag of some session or what is left of one.
func hasLowered(pid int) bool {
	var limit unix.Rlimit
	return unix.Prlimit(pid, rlimitRTTime, nil, &limit) == nil && limit.Max != unix.RLIM_INFINITY
}

// owner finds the session of a process by its ancestors. A process without one is a
// stray if the reaper has adopted it or one of its ancestors.
func (f *processRegistry) owner(pid int) (owner *sessionProcesses, stray bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for pid > 1 {
		for _, p := range f.sessions {
			if pid == p.firstPID || p.isAttached(pid) {
				return p, false
			}
		}
		m, alive := readMember(pid)
		if !alive {
			break
		}
		if f.reaper != nil && m.parent == f.reaper.pid {
			return nil, true
		}
		pid = m.parent
	}
	return nil, false
}

// killStrays kills the processes that have lowered their tag and left their session's
// tree, and returns their number. Their session is not known any more. No process gets
// there by chance.
func (f *processRegistry) killStrays() (found int) {
	if !f.tagsByLimit() {
		return 0
	}
	isStray := func(pid int) bool {
		_, stray := f.owner(pid)
		return stray
	}
	for pid := range processes {
		if hasLowered(pid) && isStray(pid) {
			found++
			killIf(pid, isStray)
		}
	}
	return found
}

func (f *processRegistry) tagsByLimit() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.ContainsFunc(f.sessions, func(p *sessionProcesses) bool { return p.byLimit })
}
