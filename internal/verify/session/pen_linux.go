package session

import (
	"bufio"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func groupLeader() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// A pen holds the processes of one session: it knows them, keeps them within
// their limits, and ends them.
type pen struct {
	*mark
	limits Limits
	group  *cgroup // nil without
	bound  bool
}

func newPen(scratch string, b *Bounds) *pen {
	p := &pen{mark: newMark(scratch)}
	if b == nil {
		return p
	}
	p.limits, p.bound = b.limits, true
	if b.base != nil {
		// If it cannot be made all of a sudden, watching does the same.
		p.group, _ = b.base.child(p.name(), b.limits)
	}
	return p
}

// name is that of the session's cgroup, known to a later run too.
func (m *mark) name() string {
	_, id, _ := strings.Cut(m.variable, "=")
	return "gpudocs-" + id
}

// adopt takes in the session's first process, which waits for us and has no
// children yet.
func (p *pen) adopt(pid int) {
	p.put(pid)
	if !p.bound {
		return
	}
	// If the machine itself runs out of memory, the kernel takes a snippet, and
	// neither us nor somebody else's work.
	os.WriteFile("/proc/"+strconv.Itoa(pid)+"/oom_score_adj", []byte("1000"), 0)
	if p.group != nil && p.group.adopt(pid) != nil {
		p.group.close()
		p.group = nil
	}
}

// The fastest that we reckon with: memory is filled, and processes are made,
// by the second. From that follows how long one need not look.
const (
	memoryPace  = 8 << 30
	processPace = 5000
	minLook     = 10 * time.Millisecond
	maxLook     = 500 * time.Millisecond
)

// over names the limit that the session has run into, if any, and says when to
// look again.
func (p *pen) over() (limit string, again time.Duration) {
	switch {
	case p.group != nil:
		return p.enforced(), 4 * firstLook
	case p.limits == Limits{}:
		return "", time.Hour
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

// enforced names the limit that the kernel itself has enforced on the session.
func (p *pen) enforced() string {
	if p.group == nil {
		return ""
	}
	return p.group.over()
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

// kill ends all processes of the session.
func (p *pen) kill() {
	if p.group != nil {
		p.group.kill()
	}
	p.mark.kill()
}

func (p *pen) close() {
	if p.group != nil {
		p.group.close()
	}
}

// sweepProcesses ends what the session with this scratch folder has left behind,
// when the gpudocs that ran it is dead.
func sweepProcesses(scratch string) {
	m := newMark(scratch)
	if dir, err := ownCgroup(); err == nil {
		(&cgroup{dir: dir + "/" + m.name()}).sweep()
	}
	m.kill()
}
