package slurmtest

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
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
)

// patience is how long a daemon may take to come up or to go. It only ends what
// would never end.
const patience = time.Minute

// Start brings a cluster up and takes it down when the test has ended. Where
// Slurm is not installed the test is skipped.
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
	// Not in TMPDIR: munged wants a folder that everybody can pass through, a socket's path is
	// short, and slurm.conf takes no spaces.
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

// lookPath also looks where Debian puts daemons, which a user's PATH lacks.
func lookPath(program string) (string, error) {
	found, err := exec.LookPath(program)
	if err != nil {
		found, err = exec.LookPath(filepath.Join("/usr/sbin", program))
	}
	return found, err
}

func (c *Cluster) file(name string) string { return filepath.Join(c.dir, name) }

// command makes one of Slurm's commands that asks this cluster.
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
		if *port, err = freePort(); err != nil {
			return err
		}
	}
	conf, err := s.conf()
	if err != nil {
		return err
	}
	key := make([]byte, 128)
	rand.Read(key)
	// Slurm's commands of any user reach the socket, as on a real machine.
	for _, dir := range []string{"", "run", "state", "node1", "node2"} {
		err = errors.Join(err, os.MkdirAll(c.file(dir), 0o755), os.Chmod(c.file(dir), 0o755))
	}
	return errors.Join(err, os.WriteFile(c.file("munge.key"), key, 0o400),
		os.WriteFile(c.Conf, conf, 0o644), os.WriteFile(c.file("gres.conf"), []byte(gresConf), 0o644))
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// A daemon is one that runs in the foreground.
type daemon struct {
	cmd  *exec.Cmd
	log  string
	gone chan struct{}
}

// start starts a daemon that goes with this process, however that ends: the
// signal comes when the thread that forked ends, so one goroutine keeps it.
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
			_ = d.cmd.Wait() // its log says why
			close(d.gone)
		}
	}()
	if err := <-started; err != nil {
		t.Fatal(err)
	}
	c.started = append(c.started, d)
}

// await waits until something holds; a daemon that ends first ends the test.
func (c *Cluster) await(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if holds() {
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

// stop ends the jobs, then the daemons, in the order in which they need each
// other. Nothing may be left then.
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
			return // it never came up
		}
		left := false
		for line := range strings.Lines(string(out)) {
			id, state, _ := strings.Cut(strings.TrimSpace(line), " ")
			if slices.Contains([]string{"PENDING", "CONFIGURING", "RUNNING", "SUSPENDED", "COMPLETING"}, state) {
				left = true
				_ = c.command("scancel", id).Run() // asked again
			}
		}
		if !left {
			return
		}
	}
}

// killLeft kills all processes of this cluster that are still there. Those that
// Slurm has just ended may take a moment to go.
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

// processes are those of this cluster, and their command lines: each of them,
// those of jobs too, has its slurm.conf in the environment.
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
