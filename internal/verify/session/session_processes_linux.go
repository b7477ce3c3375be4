package session

import (
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// sessionProcesses are the processes of one session. It finds them, enforces their
// limits, and kills them.
type sessionProcesses struct {
	*tag
	registry *processRegistry // of the run
	firstPID int              // the session's first process
	limits   Limits
	cgroup   *cgroup  // nil if not available
	watcher  *watcher // nil without limits
	// container is that of a session in an image, or nil. Its runtime puts it into a cgroup of
	// its own, so that the session has none.
	container *runningContainer
	// exceeded receives the limit for which the watcher has killed the session.
	exceeded chan string
}

func newSessionProcesses(scratch string, b *Bounds) *sessionProcesses {
	p := &sessionProcesses{tag: newTag(scratch)}
	if b == nil {
		p.registry = &processRegistry{noReaper: true}
		return p
	}
	p.registry = &b.registry
	if b.limits == (Limits{}) {
		return p
	}
	p.limits, p.watcher, p.exceeded = b.limits, b.watcher, make(chan string, 1)
	if b.cgroups != nil {
		// If it suddenly cannot be created, the watcher enforces the limits.
		p.cgroup, _ = b.cgroups.newCgroup(p.cgroupName(), b.limits)
	}
	return p
}

// start starts the session's first process, as a child of the run's reaper if there is
// one.
func (p *sessionProcesses) start(cmd *exec.Cmd) (*process, error) {
	if r := p.registry.startedReaper(); r != nil {
		return r.start(cmd)
	}
	return startDirectly(cmd)
}

// cgroupName returns the name of the session's cgroup, which a later run can derive
// too.
func (m *tag) cgroupName() string {
	_, id, _ := strings.Cut(m.variable, "=")
	return "gpudocs-" + id
}

// adopt registers the session's first process, which waits and has no children yet.
func (p *sessionProcesses) adopt(pid int) {
	p.registry.add(p, pid)
	if p.limits == (Limits{}) {
		return
	}
	// If the machine itself runs out of memory, the kernel kills a snippet, and neither
	// gpudocs nor the work of others.
	os.WriteFile("/proc/"+strconv.Itoa(pid)+"/oom_score_adj", []byte("1000"), 0)
	if p.cgroup != nil && (p.container != nil || p.cgroup.adopt(pid) != nil) {
		p.cgroup.close()
		p.cgroup = nil
	}
	if p.cgroup == nil && p.container == nil {
		p.limitUserProcesses(pid)
	}
	if p.watcher != nil {
		p.watcher.add(p)
	}
}

// limitUserProcesses lets the kernel stop a fork bomb that is faster than the watcher.
// The limit counts all processes and threads of the user, so it leaves as much again
// for what others start meanwhile. Root is exempt.
func (p *sessionProcesses) limitUserProcesses(pid int) {
	var old unix.Rlimit
	if p.limits.Processes == 0 || os.Geteuid() == 0 || unix.Prlimit(pid, unix.RLIMIT_NPROC, nil, &old) != nil {
		return
	}
	userLimit := uint64(tasksOfUser() + 2*p.limits.Processes)
	_ = unix.Prlimit(pid, unix.RLIMIT_NPROC, &unix.Rlimit{Cur: min(old.Cur, userLimit), Max: min(old.Max, userLimit)}, nil)
}

// exceededLimit returns the limit for which the session was killed, or "".
func (p *sessionProcesses) exceededLimit() string {
	select {
	case limit := <-p.exceeded:
		return limit
	default:
	}
	if p.cgroup == nil {
		return ""
	}
	return p.cgroup.exceededLimit()
}

// hasProcessIn reports whether a living process of the session is in a process group.
func (p *sessionProcesses) hasProcessIn(group int) bool {
	for m := range p.members {
		if m.group == group {
			return true
		}
	}
	return false
}

// killTime limits the wait for the end of killed processes.
const killTime = 2 * time.Second

// kill kills all processes of the session, but not the runtime of its container, which
// cleans up.
func (p *sessionProcesses) kill() {
	if p.container != nil {
		p.container.signal(p, syscall.SIGKILL)
		return
	}
	p.killAll()
}

// killAll kills all processes of the session. The process group of the first process,
// which holds most of them or the whole sandbox, is killed first and without checks.
func (p *sessionProcesses) killAll() {
	if p.firstPID > 0 && p.isAttached(p.firstPID) {
		syscall.Kill(-p.firstPID, syscall.SIGKILL)
	}
	if p.cgroup != nil {
		p.cgroup.kill()
	}
	p.killMembers()
	if r := p.registry.reaper; r != nil {
		r.wake() // the reaper reports how they ended
	}
}

// killMembers kills every process of the session. Whole groups are killed first, except
// for the group of gpudocs if one has moved there: no fork is too fast for that. As a
// process may fork meanwhile, it repeats until none is left, and gives up on processes
// that hang in a device driver.
func (p *sessionProcesses) killMembers() {
	killed := map[int]bool{-syscall.Getpgrp(): true}
	for began := time.Now(); ; time.Sleep(time.Millisecond) {
		strays := p.registry.killStrays()
		found, fresh := slices.Collect(p.members), false
		for _, m := range found {
			if m.group > 1 && !killed[-m.group] {
				killed[-m.group] = true
				syscall.Kill(-m.group, syscall.SIGKILL)
			}
		}
		for _, m := range found {
			if !killed[m.pid] {
				fresh, killed[m.pid] = true, true
				killIf(m.pid, p.has)
			}
		}
		if len(found)+strays == 0 || !fresh && time.Since(began) > killTime {
			return
		}
	}
}

// killIf checks again once it has a pidfd, if the kernel supports them: the pidfd
// refers to the same process even if its ID is reused.
func killIf(pid int, belongs func(pid int) bool) {
	p, err := os.FindProcess(pid)
	if err != nil {
		return
	}
	defer p.Release()
	if belongs(pid) {
		p.Signal(syscall.SIGKILL)
	}
}

func (p *sessionProcesses) close() {
	if p.watcher != nil {
		p.watcher.remove(p)
	}
	if p.cgroup != nil {
		p.cgroup.close()
	}
	p.registry.remove(p)
}

// sweepProcesses kills what the session with this scratch folder has left behind, after
// its gpudocs has died.
func sweepProcesses(scratch string) {
	p := newSessionProcesses(scratch, nil)
	if dir, err := currentCgroup(); err == nil {
		(&cgroup{dir: dir + "/" + p.cgroupName()}).killLeftover()
	}
	p.killMembers()
}
