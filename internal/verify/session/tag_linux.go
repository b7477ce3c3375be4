package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// A tag distinguishes the processes of one session from all others. It is a resource
// limit with a unique value: children inherit it through fork, exec, setsid and an
// emptied environment, nothing resets it by chance, and one system call reads it.
// RLIMIT_RTTIME limits real-time scheduling only, and the value is tens of thousands of
// years. If the limit cannot be set, an environment variable is used, which a daemon
// may drop.
//
// A process may lower its limit, but not raise it. A process that has lost its tag this
// way is identified by its ancestors, see [processRegistry].
//
// A tag is derived from the scratch folder, so that a later run can find what a dead one
// has left behind.
type tag struct {
	variable string // "GPUDOCS_SESSION=..."
	limit    unix.Rlimit
	// byLimit and byVariable select what is compared.
	byLimit, byVariable bool
}

const rlimitRTTime = 15 // missing in package unix

// newTag returns the tag of the session with this scratch folder.
func newTag(scratch string) *tag {
	sum := sha256.Sum256([]byte("gpudocs session " + scratch))
	value := binary.BigEndian.Uint64(sum[16:])>>2 | 1<<62
	return &tag{
		variable: "GPUDOCS_SESSION=" + hex.EncodeToString(sum[:16]),
		limit:    unix.Rlimit{Cur: value, Max: value},
		byLimit:  true, byVariable: true,
	}
}

// attach tags a process that has no children yet.
func (m *tag) attach(pid int) {
	m.byLimit = unix.Prlimit(pid, rlimitRTTime, &m.limit, nil) == nil
	m.byVariable = !m.byLimit
}

func (m *tag) isAttached(pid int) bool {
	var limit unix.Rlimit
	if m.byLimit && unix.Prlimit(pid, rlimitRTTime, nil, &limit) == nil && limit == m.limit {
		return true
	}
	if !m.byVariable {
		return false
	}
	env, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	return err == nil && bytes.Contains(env, []byte(m.variable))
}

// A member is a living process of a session.
type member struct {
	pid, parent, group, threads int
	resident                    uint64 // bytes in memory, those shared with others included
}

// members yields the living processes of the session. It allocates almost nothing: a
// garbage collection would wait for threads that get no CPU time during a fork bomb.
func (p *sessionProcesses) members(yield func(member) bool) {
	for pid := range processes {
		if !p.has(pid) {
			continue
		}
		if found, alive := readMember(pid); alive && !yield(found) {
			return
		}
	}
}

// processes yields the IDs of all visible processes.
func processes(yield func(pid int) bool) {
	proc, err := unix.Open("/proc", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return
	}
	defer unix.Close(proc)
	buf := make([]byte, 32<<10)
	for {
		n, err := unix.Getdents(proc, buf)
		if n <= 0 || err != nil {
			return
		}
		// A struct linux_dirent64: inode, offset, length, type, name.
		for entries := buf[:n]; len(entries) > 19; {
			size := binary.NativeEndian.Uint16(entries[16:])
			if pid, rest := leadingNumber(entries[19:size]); pid > 0 && rest[0] == 0 && !yield(pid) {
				return
			}
			entries = entries[size:]
		}
	}
}

func leadingNumber(text []byte) (n int, rest []byte) {
	for len(text) > 0 && '0' <= text[0] && text[0] <= '9' {
		n, text = 10*n+int(text[0]-'0'), text[1:]
	}
	return n, text
}

// tasksOfUser counts the processes and threads of the current user as the kernel does,
// including zombies.
func tasksOfUser() (n int) {
	var stat unix.Stat_t
	for pid := range processes {
		if unix.Stat("/proc/"+strconv.Itoa(pid), &stat) != nil || int(stat.Uid) != os.Geteuid() {
			continue
		}
		p, _ := readMember(pid)
		n += max(1, p.threads)
	}
	return n
}

// readMember reads /proc/PID/stat. A zombie is not alive, unless only its first thread
// has ended.
func readMember(pid int) (p member, alive bool) {
	fd, err := unix.Open("/proc/"+strconv.Itoa(pid)+"/stat", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return p, false
	}
	defer unix.Close(fd)
	var buf [1024]byte
	n, err := unix.Read(fd, buf[:])
	if err != nil {
		return p, false
	}
	// "PID (the name, which may hold anything) S ..."
	rest := buf[bytes.LastIndexByte(buf[:n], ')')+1 : n]
	if len(rest) < 2 {
		return p, false
	}
	ended := rest[1] == 'Z' || rest[1] == 'X'
	p.pid = pid
	for field := 3; len(rest) > 0; field++ {
		rest = bytes.TrimLeft(rest, " ")
		value, _ := leadingNumber(rest)
		switch field { // as proc_pid_stat(5) counts them
		case 4:
			p.parent = value
		case 5:
			p.group = value
		case 20:
			p.threads = value
		case 24:
			p.resident = uint64(value) * uint64(os.Getpagesize())
			return p, !ended || p.threads > 1
		}
		rest = rest[max(0, bytes.IndexByte(rest, ' ')):]
	}
	return p, false
}
