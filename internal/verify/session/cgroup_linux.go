package session

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A base is the cgroup, version 2, that we were started in, made ready to have
// one child for each session. All stays below it, so that who gave us that
// cgroup (systemd, a container, a batch system) stays master of it.
type base struct {
	dir string
	// leaf is where we went ourselves, as a cgroup that limits its children may
	// hold no process; empty in the root cgroup, which may.
	leaf string
	// enabled are the controllers that we turned on and will turn off.
	enabled []string
}

// controllers are those that the limits need.
var controllers = []string{"memory", "pids"}

// openBase fails where the machine does not let us: another version, not ours to
// write, or others in the same cgroup, as in a login's.
func openBase() (*base, error) {
	dir, err := ownCgroup()
	if err != nil {
		return nil, err
	}
	b := &base{dir: dir}
	for _, c := range controllers {
		if !b.has("cgroup.controllers", c) {
			return nil, fmt.Errorf("cgroup %s has no controller %s", dir, c)
		}
		if !b.has("cgroup.subtree_control", c) {
			b.enabled = append(b.enabled, c)
		}
	}
	if len(b.enabled) == 0 {
		return b, b.try()
	}
	if _, err := os.Stat(filepath.Join(dir, "cgroup.type")); err == nil { // not the root
		b.leaf = filepath.Join(dir, "gpudocs-"+strconv.Itoa(os.Getpid()))
		if err := os.Mkdir(b.leaf, 0o755); err != nil {
			return nil, err
		}
	}
	err = b.enable()
	if err == nil {
		err = b.try()
	}
	if err != nil {
		return nil, errors.Join(err, b.close())
	}
	return b, nil
}

func (b *base) enable() error {
	if b.leaf != "" {
		if err := control(b.leaf, "cgroup.procs", strconv.Itoa(os.Getpid())); err != nil {
			return err
		}
	}
	return control(b.dir, "cgroup.subtree_control", "+"+strings.Join(b.enabled, " +"))
}

// try makes a child to see that it can be made, and killed as a whole (Linux 5.14).
func (b *base) try() error {
	dir, err := os.MkdirTemp(b.dir, "gpudocs-try-")
	if err != nil {
		return err
	}
	defer os.Remove(dir)
	for _, file := range []string{"memory.max", "pids.max", "cgroup.kill"} {
		if _, err := os.Stat(filepath.Join(dir, file)); err != nil {
			return err
		}
	}
	return nil
}

func (b *base) close() error {
	var err error
	if len(b.enabled) > 0 {
		err = control(b.dir, "cgroup.subtree_control", "-"+strings.Join(b.enabled, " -"))
	}
	if b.leaf != "" {
		err = errors.Join(err, control(b.dir, "cgroup.procs", strconv.Itoa(os.Getpid())), os.Remove(b.leaf))
	}
	return err
}

func (b *base) has(file, controller string) bool {
	data, _ := os.ReadFile(filepath.Join(b.dir, file))
	for _, f := range strings.Fields(string(data)) {
		if f == controller {
			return true
		}
	}
	return false
}

// child makes the cgroup of a session.
func (b *base) child(name string, limits Limits) (*cgroup, error) {
	c := &cgroup{dir: filepath.Join(b.dir, name)}
	if err := os.Mkdir(c.dir, 0o755); err != nil {
		return nil, err
	}
	var err error
	if limits.Memory > 0 {
		err = control(c.dir, "memory.max", strconv.FormatUint(limits.Memory, 10))
		// All or none: half a session is of no use to anybody. Without swap, which
		// would only make the end slow; where there is none, there is no such file.
		err = errors.Join(err, control(c.dir, "memory.oom.group", "1"))
		_ = control(c.dir, "memory.swap.max", "0")
	}
	if limits.Processes > 0 {
		err = errors.Join(err, control(c.dir, "pids.max", strconv.Itoa(limits.Processes)))
	}
	if err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

// A cgroup is that of one session.
type cgroup struct{ dir string }

func (c *cgroup) adopt(pid int) error {
	return control(c.dir, "cgroup.procs", strconv.Itoa(pid))
}

// over names the limit that the kernel had to enforce.
func (c *cgroup) over() string {
	switch {
	case c.count("memory.events", "oom_kill") > 0 || c.count("memory.events", "oom_group_kill") > 0:
		return LimitMemory
	case c.count("pids.events", "max") > 0:
		return LimitProcesses
	}
	return ""
}

// count reads a number of a file that holds one with its name on every line.
func (c *cgroup) count(file, name string) int {
	data, _ := os.ReadFile(filepath.Join(c.dir, file))
	for line := range bytes.Lines(data) {
		if k, v, _ := bytes.Cut(bytes.TrimSpace(line), []byte(" ")); string(k) == name {
			n, _ := strconv.Atoi(string(v))
			return n
		}
	}
	return 0
}

func (c *cgroup) kill() { _ = control(c.dir, "cgroup.kill", "1") }

// close removes the cgroup, once those in it are gone.
func (c *cgroup) close() {
	for began := time.Now(); time.Since(began) < killTime; time.Sleep(time.Millisecond) {
		if err := os.Remove(c.dir); err == nil || errors.Is(err, os.ErrNotExist) {
			return
		}
	}
}

func (c *cgroup) sweep() {
	if _, err := os.Stat(c.dir); err == nil {
		c.kill()
		c.close()
	}
}

// control writes to a file of a cgroup; unlike os.WriteFile it never makes one.
func control(dir, file, value string) error {
	f, err := os.OpenFile(filepath.Join(dir, file), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(value)
	return errors.Join(err, f.Close())
}

// ownCgroup finds the folder of our own cgroup.
func ownCgroup() (string, error) {
	path := ""
	err := eachLine("/proc/self/cgroup", func(line string) {
		if rest, ok := strings.CutPrefix(line, "0::"); ok {
			path = rest
		}
	})
	if err != nil || path == "" {
		return "", errors.Join(err, errors.New("this system has no cgroup v2"))
	}
	dir := ""
	err = eachLine("/proc/self/mountinfo", func(line string) {
		// 30 23 0:26 /root /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw
		before, after, _ := strings.Cut(line, " - ")
		f := strings.Fields(before)
		if !strings.HasPrefix(after, "cgroup2 ") || len(f) < 5 {
			return
		}
		if below, err := filepath.Rel(f[3], path); err == nil && filepath.IsLocal(below) {
			dir = filepath.Join(f[4], below)
		}
	})
	if err != nil || dir == "" {
		return "", errors.Join(err, errors.New("no cgroup v2 is mounted"))
	}
	return dir, nil
}

func eachLine(file string, f func(string)) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	for s := bufio.NewScanner(bytes.NewReader(data)); s.Scan(); {
		f(s.Text())
	}
	return nil
}
