package session

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A cgroupParent is the cgroup v2 in which gpudocs was started, prepared to have one
// child for each session. Everything stays below it, so that whatever created that
// cgroup (systemd, a container, a batch system) keeps control.
type cgroupParent struct {
	dir string
	// leaf is the cgroup to which gpudocs moved itself, because a cgroup that limits
	// its children may hold no process. It is empty in the root cgroup, which may.
	leaf string
	// enabled are the controllers that were turned on and will be turned off.
	enabled []string
}

// controllers are the controllers that the limits need.
var controllers = []string{"memory", "pids"}

// openCgroupParent fails if cgroup v2 is not available or not writable, or if other
// processes are in the same cgroup, as in a login session.
func openCgroupParent() (*cgroupParent, error) {
	dir, err := currentCgroup()
	if err != nil {
		return nil, err
	}
	b := &cgroupParent{dir: dir}
	for _, c := range controllers {
		if !b.has("cgroup.controllers", c) {
			return nil, fmt.Errorf("cgroup %s has no controller %s", dir, c)
		}
		if !b.has("cgroup.subtree_control", c) {
			b.enabled = append(b.enabled, c)
		}
	}
	if len(b.enabled) == 0 {
		return b, b.tryNewCgroup()
	}
	if _, err := os.Stat(filepath.Join(dir, "cgroup.type")); err == nil { // not the root
		b.leaf = filepath.Join(dir, "gpudocs-"+strconv.Itoa(os.Getpid()))
		if err := os.Mkdir(b.leaf, 0o755); err != nil {
			return nil, err
		}
	}
	err = b.enable()
	if err == nil {
		err = b.tryNewCgroup()
	}
	if err != nil {
		return nil, errors.Join(err, b.close())
	}
	return b, nil
}

func (b *cgroupParent) enable() error {
	if b.leaf != "" {
		if err := control(b.leaf, "cgroup.procs", strconv.Itoa(os.Getpid())); err != nil {
			return err
		}
	}
	return control(b.dir, "cgroup.subtree_control", "+"+strings.Join(b.enabled, " +"))
}

// tryNewCgroup checks that a child can be created, and killed as a whole (Linux 5.14).
func (b *cgroupParent) tryNewCgroup() error {
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

func (b *cgroupParent) close() error {
	var err error
	if len(b.enabled) > 0 {
		err = control(b.dir, "cgroup.subtree_control", "-"+strings.Join(b.enabled, " -"))
	}
	if b.leaf != "" {
		err = errors.Join(err, control(b.dir, "cgroup.procs", strconv.Itoa(os.Getpid())), os.Remove(b.leaf))
	}
	return err
}

func (b *cgroupParent) has(file, controller string) bool {
	data, _ := os.ReadFile(filepath.Join(b.dir, file))
	return slices.Contains(strings.Fields(string(data)), controller)
}

// newCgroup creates the cgroup of a session.
func (b *cgroupParent) newCgroup(name string, limits Limits) (*cgroup, error) {
	c := &cgroup{dir: filepath.Join(b.dir, name)}
	if err := os.Mkdir(c.dir, 0o755); err != nil {
		return nil, err
	}
	var err error
	if limits.Memory > 0 {
		err = control(c.dir, "memory.max", strconv.FormatUint(limits.Memory, 10))
		// Kill the session as a whole: a part of it is of no use. Swap would only delay
		// the end; without swap there is no such file.
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

// A cgroup is the cgroup of one session.
type cgroup struct{ dir string }

func (c *cgroup) adopt(pid int) error {
	return control(c.dir, "cgroup.procs", strconv.Itoa(pid))
}

// exceededLimit returns the limit that the kernel has enforced, or "".
func (c *cgroup) exceededLimit() string {
	switch {
	case c.count("memory.events", "oom_kill") > 0 || c.count("memory.events", "oom_group_kill") > 0:
		return LimitMemory
	case c.count("pids.events", "max") > 0:
		return LimitProcesses
	}
	return ""
}

// count returns the number in the line of a file that begins with name.
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

// close removes the cgroup once its processes are gone.
func (c *cgroup) close() {
	for began := time.Now(); time.Since(began) < killTime; time.Sleep(time.Millisecond) {
		if err := os.Remove(c.dir); err == nil || errors.Is(err, os.ErrNotExist) {
			return
		}
	}
}

func (c *cgroup) killLeftover() {
	if _, err := os.Stat(c.dir); err == nil {
		c.kill()
		c.close()
	}
}

// control writes to a file of a cgroup. Unlike os.WriteFile it never creates one.
func control(dir, file, value string) error {
	f, err := os.OpenFile(filepath.Join(dir, file), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(value)
	return errors.Join(err, f.Close())
}

// currentCgroup returns the folder of the cgroup of this process.
func currentCgroup() (string, error) {
	cgroups, err1 := os.ReadFile("/proc/self/cgroup")
	mounts, err2 := os.ReadFile("/proc/self/mountinfo")
	if err := errors.Join(err1, err2); err != nil {
		return "", err
	}
	path, dir := "", ""
	for line := range strings.Lines(string(cgroups)) {
		if rest, ok := strings.CutPrefix(line, "0::"); ok {
			path = strings.TrimSuffix(rest, "\n")
		}
	}
	if path == "" {
		return "", errors.New("this system has no cgroup v2")
	}
	for line := range strings.Lines(string(mounts)) {
		// 30 23 0:26 /root /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw
		before, after, _ := strings.Cut(line, " - ")
		f := strings.Fields(before)
		if !strings.HasPrefix(after, "cgroup2 ") || len(f) < 5 {
			continue
		}
		if relative, err := filepath.Rel(f[3], path); err == nil && filepath.IsLocal(relative) {
			dir = filepath.Join(f[4], relative)
		}
	}
	if dir == "" {
		return "", errors.New("no cgroup v2 is mounted")
	}
	return dir, nil
}
