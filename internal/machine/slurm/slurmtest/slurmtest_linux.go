package slurmtest

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/test/programtest"
)

// patience is how long a daemon may take to start or to end. It is never reached unless something
// hangs.
const patience = time.Minute

// Start starts a cluster and stops it at the end of the test. If Slurm is not installed the test is
// skipped.
func Start(t testing.TB) *Cluster {
	t.Helper()
	path := map[string]string{}
	for _, p := range programs {
		found, err := lookPath(p)
		if err != nil {
			t.Skipf("%s is not installed: apt-get install slurmctld slurmd slurm-client munge", p)
		}
		path[p] = found
	}
	// Not in TMPDIR: munged requires a folder that everybody may enter, the path of a socket must be
	// short, and slurm.conf allows no spaces.
	dir, err := os.MkdirTemp("/tmp", "gpudocs-slurm-")
	if err != nil {
		t.Fatal(err)
	}
	c := &Cluster{Conf: filepath.Join(dir, "slurm.conf"), dir: dir}
	t.Cleanup(func() { c.stop(t) })
	if err := c.configure(); err != nil {
		t.Fatal(err)
	}
	c.start(t, path["munged"], "--foreground", "--num-threads=2", "--key-file="+c.file("munge.key"), "--socket="+c.file("run/munge"),
		"--pid-file="+c.file("munged.pid"), "--log-file="+c.file("munged.log"), "--seed-file="+c.file("munge.seed"))
	c.await(t, "munged", func() bool { _, err := os.Stat(c.file("run/munge")); return err == nil })
	c.start(t, path["slurmctld"], "-D", "-i", "-f", c.Conf)
	for _, node := range []string{"node1", "node2"} {
		c.start(t, path["slurmd"], "-D", "-f", c.Conf, "-N", node)
	}
	c.await(t, "two idle nodes", func() bool {
		out, err := c.command("sinfo", "--noheader", "--Node", "--format=%N=%t").Output()
		return err == nil && strings.Contains(string(out), "node1=idle") && strings.Contains(string(out), "node2=idle")
	})
	return c
}

// lookPath also searches Debian's folder of daemons, which is not in the PATH of users.
func lookPath(program string) (string, error) {
	found, err := exec.LookPath(program)
	if err != nil {
		found, err = exec.LookPath(filepath.Join("/usr/sbin", program))
	}
	return found, err
}

func (c *Cluster) file(name string) string { return filepath.Join(c.dir, name) }

// command returns a command of Slurm for this cluster.
func (c *Cluster) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), "SLURM_CONF="+c.Conf)
	return cmd
}

// configure writes the files that the daemons read.
func (c *Cluster) configure() error {
	host, err := os.Hostname()
	if err != nil {
		return err
	}
	u, err := user.Current()
	if err != nil {
		return err
	}
	s := settings{Dir: c.dir, Host: host, User: u.Username}
	for _, port := range []*int{&s.Controller, &s.Node1, &s.Node2} {
		if *port, err = programtest.FreePort(); err != nil {
			return err
		}
	}
	conf, err := s.conf()
	if err != nil {
		return err
	}
	key := make([]byte, 128)
	rand.Read(key)
	// Commands of any user can use the socket, as on a real machine.
	for _, dir := range []string{"", "run", "state", "node1", "node2"} {
		err = errors.Join(err, os.MkdirAll(c.file(dir), 0o755), os.Chmod(c.file(dir), 0o755))
	}
	return errors.Join(err, os.WriteFile(c.file("munge.key"), key, 0o400),
		os.WriteFile(c.Conf, conf, 0o644), os.WriteFile(c.file("gres.conf"), []byte(gresConf), 0o644))
}

// A daemon is a daemon that runs in the foreground.
type daemon struct {
	cmd  *exec.Cmd
	log  string
	gone chan struct{}
}

// start starts a daemon, which ends when this process ends for whatever reason. The parent death
// signal is sent when the thread that forked ends, so one goroutine keeps that thread.
func (c *Cluster) start(t testing.TB, path string, args ...string) {
	t.Helper()
	d := &daemon{cmd: c.command(path, args...), gone: make(chan struct{}),
		log: c.file(fmt.Sprintf("%d-%s.out", len(c.started), filepath.Base(path)))}
	log, err := os.Create(d.log)
	if err != nil {
		t.Fatal(err)
	}
	d.cmd.Stdout, d.cmd.Stderr = log, log
	d.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer log.Close()
		err := d.cmd.Start()
		started <- err
		if err == nil {
			_ = d.cmd.Wait() // its log has the reason
			close(d.gone)
		}
	}()
	if err := <-started; err != nil {
		t.Fatal(err)
	}
	c.started = append(c.started, d)
}

// await waits for a condition. The test fails if a daemon ends before.
func (c *Cluster) await(t testing.TB, what string, met func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if met() {
			return
		}
		for _, d := range c.started {
			select {
			case <-d.gone:
				t.Fatalf("%s has ended:\n%s", filepath.Base(d.cmd.Path), tail(d.log))
			default:
			}
		}
	}
	var logs strings.Builder
	for _, d := range c.started {
		fmt.Fprintf(&logs, "%s\n%s\n", d.log, tail(d.log))
	}
	t.Fatalf("%s never came:\n%s", what, &logs)
}

func tail(file string) []byte {
	text, err := os.ReadFile(file)
	if err != nil {
		return []byte(err.Error())
	}
	return text[max(0, len(text)-4<<10):]
}

// stop ends the jobs and then the daemons, the last started first. No process may be left then.
func (c *Cluster) stop(t testing.TB) {
	c.endJobs()
	for _, d := range slices.Backward(c.started) {
		_ = d.cmd.Process.Signal(syscall.SIGTERM) // it may have ended
		select {
		case <-d.gone:
		case <-time.After(patience):
			t.Errorf("%s does not end:\n%s", filepath.Base(d.cmd.Path), tail(d.log))
			_ = d.cmd.Process.Kill()
			<-d.gone
		}
	}
	if left := c.killLeft(); len(left) > 0 {
		t.Errorf("processes were left: %q", left)
	}
	if err := os.RemoveAll(c.dir); err != nil {
		t.Error(err)
	}
}

func (c *Cluster) endJobs() {
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		out, err := c.command("squeue", "--noheader", "--states=all", "--format=%A %T").Output()
		if err != nil {
			return // it has not started
		}
		left := false
		for line := range strings.Lines(string(out)) {
			id, state, _ := strings.Cut(strings.TrimSpace(line), " ")
			if slices.Contains([]string{"PENDING", "CONFIGURING", "RUNNING", "SUSPENDED", "COMPLETING"}, state) {
				left = true
				_ = c.command("scancel", id).Run() // checked again
			}
		}
		if !left {
			return
		}
	}
}

// killLeft kills the remaining processes of this cluster. Those that Slurm has just ended may take
// a moment.
func (c *Cluster) killLeft() (left []string) {
	pids, left := c.processes()
	for end := time.Now().Add(5 * time.Second); len(pids) > 0 && time.Now().Before(end); {
		time.Sleep(20 * time.Millisecond)
		pids, left = c.processes()
	}
	for _, pid := range pids {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	return left
}

// processes returns the processes of this cluster, including jobs, and their command lines. Each has
// SLURM_CONF in its environment.
func (c *Cluster) processes() (pids []int, lines []string) {
	mark := []byte("SLURM_CONF=" + c.Conf + "\x00")
	all, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range all {
		env, err := os.ReadFile(file)
		if err != nil || !bytes.Contains(append(env, 0), mark) {
			continue
		}
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		line, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
		pids = append(pids, pid)
		lines = append(lines, cmp.Or(strings.ReplaceAll(string(line), "\x00", " "), strconv.Itoa(pid)))
	}
	return pids, lines
}
