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

// leader makes the interpreter lead a process group, and takes it along if we
// die. It is not in a terminal session of its own: Linux schedules such sessions
// against each other, and on a busy machine a step would wait milliseconds for
// its turn.
func leader() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// A pen holds the processes of one session: it knows them, keeps them within
// their limits, and ends them.
type pen struct {
	*mark
	family  *family // of the run
	leader  int     // the session's first process
	limits  Limits
	group   *cgroup  // nil without
	watcher *watcher // nil without limits
	// over gets the limit that the watcher has killed the session for.
	over chan string
}

func newPen(scratch string, b *Bounds) *pen {
	p := &pen{mark: newMark(scratch)}
	if b == nil {
		p.family = &family{noReaper: true}
		return p
	}
	p.family = &b.family
	if b.limits == (Limits{}) {
		return p
	}
	p.limits, p.watcher, p.over = b.limits, b.watcher, make(chan string, 1)
	if b.base != nil {
		// If it cannot be made all of a sudden, watching does the same.
		p.group, _ = b.base.child(p.name(), b.limits)
	}
	return p
}

// start starts the session's first process, as a child of the run's reaper if there is one.
func (p *pen) start(cmd *exec.Cmd) (*process, error) {
	if r := p.family.parent(); r != nil {
		return r.start(cmd)
	}
	return startChild(cmd)
}

// name is that of the session's cgroup, known to a later run too.
func (m *mark) name() string {
	_, id, _ := strings.Cut(m.variable, "=")
	return "gpudocs-" + id
}

// adopt takes in the session's first process, which waits for us and has no
// children yet.
func (p *pen) adopt(pid int) {
	p.family.add(p, pid)
	if p.limits == (Limits{}) {
		return
	}
	// If the machine itself runs out of memory, the kernel takes a snippet, and
	// neither us nor somebody else's work.
	os.WriteFile("/proc/"+strconv.Itoa(pid)+"/oom_score_adj", []byte("1000"), 0)
	if p.group != nil && p.group.adopt(pid) != nil {
		p.group.close()
		p.group = nil
	}
	if p.group == nil {
		p.limitUser(pid)
	}
	if p.watcher != nil {
		p.watcher.add(p)
	}
}

// limitUser has the kernel stop a fork bomb that is faster than we can look. Its
// limit counts all processes and threads of the user, wherever they come from,
// so there is as much again left for what others start meanwhile. Root is exempt.
func (p *pen) limitUser(pid int) {
	var old unix.Rlimit
	if p.limits.Processes == 0 || os.Geteuid() == 0 || unix.Prlimit(pid, unix.RLIMIT_NPROC, nil, &old) != nil {
		return
	}
	most := uint64(tasksOfUser() + 2*p.limits.Processes)
	_ = unix.Prlimit(pid, unix.RLIMIT_NPROC, &unix.Rlimit{Cur: min(old.Cur, most), Max: min(old.Max, most)}, nil)
}

// enforced names the limit that the session was held to, if it was.
func (p *pen) enforced() string {
	select {
	case limit := <-p.over:
		return limit
	default:
	}
	if p.group == nil {
		return ""
	}
	return p.group.over()
}

// inGroup reports whether a living process of the session is in a process group.
func (p *pen) inGroup(group int) bool {
	for m := range p.members {
		if m.group == group {
			return true
		}
	}
	return false
}

// killTime bounds the wait for the end of what has got its SIGKILL.
const killTime = 2 * time.Second

// kill ends all processes of the session. The leader's group, which is most of
// them or the whole sandbox, goes at once, without a look at who they are.
func (p *pen) kill() {
	if p.leader > 0 && p.isOn(p.leader) {
		syscall.Kill(-p.leader, syscall.SIGKILL)
	}
	if p.group != nil {
		p.group.kill()
	}
	p.killMembers()
	if r := p.family.reaper; r != nil {
		r.wake() // it says how they ended
	}
}

// killMembers ends every process of the session. Whole groups go first, but for ours if
// one has gone there: for that no fork is too fast. One may yet fork while we look, so
// it looks again until none is left; what hangs in a device driver is given up.
func (p *pen) killMembers() {
	killed := map[int]bool{-syscall.Getpgrp(): true}
	for began := time.Now(); ; time.Sleep(time.Millisecond) {
		strays := p.family.killStrays()
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

// killIf asks again once it holds the process: where the kernel has pidfds it stays the
// same one even if its number is used again.
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

func (p *pen) close() {
	if p.watcher != nil {
		p.watcher.remove(p)
	}
	if p.group != nil {
		p.group.close()
	}
	p.family.remove(p)
}

// sweepProcesses ends what the session with this scratch folder has left behind,
// when the gpudocs that ran it is dead.
func sweepProcesses(scratch string) {
	p := newPen(scratch, nil)
	if dir, err := ownCgroup(); err == nil {
		(&cgroup{dir: dir + "/" + p.name()}).sweep()
	}
	p.killMembers()
}
