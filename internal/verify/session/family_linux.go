package session

import (
	"errors"
	"slices"
	"sync"

	"golang.org/x/sys/unix"
)

// A family is the processes of all sessions of a run. It knows whose a process is that
// has lost its mark: by its ancestors, which it cannot choose.
type family struct {
	noReaper bool
	once     sync.Once
	reaper   *reaper // nil without

	mu       sync.Mutex
	sessions []*pen // that live
}

// parent returns the reaper, which it starts for the first session, or nil if it cannot
// be started.
func (f *family) parent() *reaper {
	f.once.Do(func() {
		if !f.noReaper {
			f.reaper = startReaper()
		}
	})
	return f.reaper
}

func (f *family) close() error {
	f.once.Do(func() {}) // there has been no session
	if f.reaper != nil && !f.reaper.close() {
		return errors.New("a process of a snippet survives SIGKILL")
	}
	return nil
}

// add takes in a session with its first process, and marks that. Both happen under one
// lock: a process with a mark that belongs to no session is a stray.
func (f *family) add(p *pen, leader int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	p.leader = leader
	p.put(leader)
	f.sessions = append(f.sessions, p)
}

func (f *family) remove(p *pen) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sessions = slices.DeleteFunc(f.sessions, func(q *pen) bool { return q == p })
}

// has reports whether a process belongs to the session: it has the mark, or has lowered
// it and descends from a process that has it or is the session's first.
func (p *pen) has(pid int) bool {
	if p.isOn(pid) {
		return true
	}
	if !p.byLimit || !hasLowered(pid) {
		return false
	}
	owner, _ := p.family.owner(pid)
	return owner == p
}

// hasLowered reports whether a process has another limit than the usual one, which is
// none: the mark of some session, or what is left of one.
func hasLowered(pid int) bool {
	var limit unix.Rlimit
	return unix.Prlimit(pid, rlimitRTTime, nil, &limit) == nil && limit.Max != unix.RLIM_INFINITY
}

// owner finds the session of a process by its ancestors. A process without one is a
// stray if the reaper has adopted it or an ancestor of it.
func (f *family) owner(pid int) (owner *pen, stray bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for pid > 1 {
		for _, p := range f.sessions {
			if pid == p.leader || p.isOn(pid) {
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

// killStrays ends the processes that have lowered their mark and left their session's
// tree, and returns how many there were. Nobody can tell any more which session they are
// from, and none does so by chance.
func (f *family) killStrays() (found int) {
	if !f.marksByLimit() {
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

func (f *family) marksByLimit() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.ContainsFunc(f.sessions, func(p *pen) bool { return p.byLimit })
}
