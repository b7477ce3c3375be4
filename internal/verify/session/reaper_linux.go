package session

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// A reaper is a process of ours that starts the interpreters of a run and adopts
// whatever they leave behind: it is a child subreaper (PR_SET_CHILD_SUBREAPER). A process
// that leaves its group, its terminal session and its parents stays below it, and no
// process without privileges can change that. When the run ends, or gpudocs is killed,
// the reaper kills all that is below it, and exits when the kernel says that it has no
// child any more.
//
// It is this very program, started again under the name reaperName; see init.
type reaper struct {
	pid     int
	process *os.Process
	conn    *net.UnixConn
	exited  chan struct{} // closed when the reaper is gone

	mu      sync.Mutex
	started int
	waiting map[int]chan<- startReply
	running map[int]*process
}

const reaperName = "gpudocs-reaper"

// A startRequest asks the reaper for a process. Its files come along with it.
type startRequest struct {
	ID        int
	Path, Dir string
	Args, Env []string
}

// A reaperEvent says that a process has started, could not be started, or has ended.
type reaperEvent struct {
	ID, PID int
	Errno   syscall.Errno      // of a start that failed
	Ended   bool               // and how:
	Status  syscall.WaitStatus //
}

type startReply struct {
	process *process
	err     error
}

// startReaper returns nil if there can be none: a machine without /proc, for example.
func startReaper() *reaper {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	ours, theirs := os.NewFile(uintptr(pair[0]), "reaper"), os.NewFile(uintptr(pair[1]), "reaper")
	defer closeAll(ours, theirs)
	conn, err := net.FileConn(ours)
	if err != nil {
		return nil
	}
	cmd := &exec.Cmd{
		Path: "/proc/self/exe", Args: []string{reaperName}, Dir: "/", ExtraFiles: []*os.File{theirs},
		// A group of its own: the terminal's Ctrl-C is not for it.
		SysProcAttr: &syscall.SysProcAttr{Setpgid: true},
	}
	closeInherited()
	if err := cmd.Start(); err != nil {
		conn.Close()
		return nil
	}
	r := &reaper{
		pid: cmd.Process.Pid, process: cmd.Process, conn: conn.(*net.UnixConn), exited: make(chan struct{}),
		waiting: map[int]chan<- startReply{}, running: map[int]*process{},
	}
	go func() {
		r.listen()
		_ = cmd.Wait()
		close(r.exited)
	}()
	return r
}

// startTimeout bounds the start of a process, and reaperEnd the end of a reaper.
const (
	startTimeout = 30 * time.Second
	reaperEnd    = 15 * time.Second
)

var errReaper = errors.New("the process that starts interpreters is gone")

// wake lets the reaper go on if a snippet has stopped it.
func (r *reaper) wake() { _ = r.process.Signal(syscall.SIGCONT) }

// start starts a process as the reaper's child.
func (r *reaper) start(cmd *exec.Cmd) (*process, error) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		return nil, err
	}
	defer null.Close()
	files := slices.Concat([]*os.File{null, cmd.Stdout.(*os.File), cmd.Stderr.(*os.File)}, cmd.ExtraFiles)
	r.wake()
	reply, err := r.ask(startRequest{Path: cmd.Path, Dir: cmd.Dir, Args: cmd.Args, Env: cmd.Env}, files)
	if err != nil {
		return nil, err
	}
	select {
	case s := <-reply:
		if s.err != nil {
			return nil, &os.PathError{Op: "fork/exec", Path: cmd.Path, Err: s.err}
		}
		return s.process, nil
	case <-r.exited:
		return nil, errReaper
	case <-time.After(startTimeout):
		return nil, fmt.Errorf("fork/exec %s: no answer in %v", cmd.Path, startTimeout)
	}
}

// ask sends a request: its length with the files, then its text.
func (r *reaper) ask(q startRequest, files []*os.File) (<-chan startReply, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.started++
	q.ID = r.started
	var text bytes.Buffer
	if err := gob.NewEncoder(&text).Encode(q); err != nil { // not JSON: what the system hands on need not be UTF-8
		return nil, err
	}
	var fds []int
	for _, f := range files {
		fds = append(fds, int(f.Fd()))
	}
	reply := make(chan startReply, 1)
	r.waiting[q.ID] = reply
	_ = r.conn.SetWriteDeadline(time.Now().Add(startTimeout))
	_, _, err := r.conn.WriteMsgUnix(binary.LittleEndian.AppendUint32(nil, uint32(text.Len())), unix.UnixRights(fds...), nil)
	if err == nil {
		_, err = r.conn.Write(text.Bytes())
	}
	if err != nil {
		delete(r.waiting, q.ID)
		return nil, errors.Join(errReaper, err)
	}
	return reply, nil
}

// listen takes the reaper's events until it is gone. Then its children are, too: the
// kernel has killed them.
func (r *reaper) listen() {
	for d := json.NewDecoder(r.conn); ; {
		var e reaperEvent
		if d.Decode(&e) != nil {
			break
		}
		r.take(e)
	}
	r.conn.Close()
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.running {
		p.ended = syscall.WaitStatus(syscall.SIGKILL)
		close(p.exited)
	}
	clear(r.running)
}

func (r *reaper) take(e reaperEvent) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.running[e.ID]
	switch {
	case e.Ended && p != nil:
		p.ended = e.Status
		close(p.exited)
		delete(r.running, e.ID)
	case r.waiting[e.ID] == nil:
	case e.Errno != 0:
		r.waiting[e.ID] <- startReply{err: e.Errno}
		delete(r.waiting, e.ID)
	default:
		p = &process{pid: e.PID, group: e.PID, exited: make(chan struct{})}
		r.running[e.ID] = p
		r.waiting[e.ID] <- startReply{process: p}
		delete(r.waiting, e.ID)
	}
}

// close ends the reaper and all that is below it, and reports whether it is gone: what
// hangs in a device driver cannot be killed.
func (r *reaper) close() bool {
	r.wake()
	_ = r.conn.CloseWrite()
	select {
	case <-r.exited:
		return true
	case <-time.After(reaperEnd):
		killBelow(r.pid)
		_ = syscall.Kill(r.pid, syscall.SIGKILL)
		return false
	}
}

// The reaper's own side.

// init makes this process a reaper if it was started as one. No command line comes
// here, and it works in every program that has this package, tests too.
func init() {
	if len(os.Args) == 1 && os.Args[0] == reaperName {
		os.Exit(beReaper())
	}
}

// beReaper starts what it is asked for until its socket closes, and then ends all.
func beReaper() int {
	f := os.NewFile(3, "requests")
	c, err := net.FileConn(f)
	f.Close()
	conn, ok := c.(*net.UnixConn)
	if err != nil || !ok {
		return 2
	}
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return 2
	}
	_ = os.WriteFile("/proc/self/comm", []byte(reaperName), 0)
	// Caught and not ignored, because to ignore a signal is inherited. Only the end of
	// gpudocs, or SIGKILL, ends a reaper.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	died := make(chan os.Signal, 1)
	signal.Notify(died, syscall.SIGCHLD)
	requests := make(chan filedRequest)
	go readRequests(conn, requests)
	events := json.NewEncoder(conn)
	children := map[int]int{} // their requests, by process
	for {
		select {
		case q, open := <-requests:
			if !open {
				return endAll()
			}
			pid, errno := q.start()
			if errno == 0 {
				children[pid] = q.ID
			}
			_ = events.Encode(reaperEvent{ID: q.ID, PID: pid, Errno: errno})
		case <-died:
		}
		for {
			var status syscall.WaitStatus
			pid, err := syscall.Wait4(-1, &status, syscall.WNOHANG, nil)
			if pid <= 0 || err != nil {
				break
			}
			if id, ours := children[pid]; ours {
				delete(children, pid)
				_ = events.Encode(reaperEvent{ID: id, Ended: true, Status: status})
			}
		}
	}
}

type filedRequest struct {
	startRequest
	files []int
}

// start runs on the main thread, which lives as long as the process: with the thread
// that forked the parent death signal would come.
func (q filedRequest) start() (pid int, errno syscall.Errno) {
	attr := &syscall.ProcAttr{Dir: q.Dir, Env: q.Env, Sys: leader()}
	for _, fd := range q.files {
		attr.Files = append(attr.Files, uintptr(fd))
		defer syscall.Close(fd)
	}
	pid, err := syscall.ForkExec(q.Path, q.Args, attr)
	if err != nil && !errors.As(err, &errno) {
		errno = syscall.EINVAL // a zero byte in an argument
	}
	return pid, errno
}

// readRequests reads requests until there are no more, or none that can be read.
func readRequests(conn *net.UnixConn, out chan<- filedRequest) {
	defer close(out)
	for {
		var q filedRequest
		length, rights := make([]byte, 4), make([]byte, 1<<10)
		n, m, _, _, err := conn.ReadMsgUnix(length, rights)
		if err != nil || n != len(length) {
			return
		}
		messages, err := unix.ParseSocketControlMessage(rights[:m])
		if err != nil {
			return
		}
		for _, message := range messages {
			fds, err := unix.ParseUnixRights(&message)
			if err != nil {
				return
			}
			q.files = append(q.files, fds...)
		}
		text := make([]byte, binary.LittleEndian.Uint32(length))
		if _, err := io.ReadFull(conn, text); err != nil || gob.NewDecoder(bytes.NewReader(text)).Decode(&q.startRequest) != nil {
			return
		}
		out <- q
	}
}

// endAll kills all that is below this process until nothing is: as long as anything is,
// this process has a child, because orphans become its children. What SIGKILL does not
// end is given up.
func endAll() int {
	for began := time.Now(); time.Since(began) < reaperEnd-5*time.Second; time.Sleep(time.Millisecond) {
		killBelow(os.Getpid())
		for {
			pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil)
			if errors.Is(err, syscall.ECHILD) {
				return 0
			}
			if pid <= 0 {
				break
			}
		}
	}
	return 1
}

// killBelow kills the processes that descend from one. Whole groups go first, but for
// those that others are in: a fork bomb is faster than a look at each process.
func killBelow(ancestor int) {
	all := map[int]member{}
	for pid := range processes {
		if p, alive := readMember(pid); alive {
			all[pid] = p
		}
	}
	descends := func(pid int) bool {
		for i := 0; pid > 0 && i <= len(all); i++ {
			if pid = all[pid].parent; pid == ancestor {
				return true
			}
		}
		return false
	}
	var below []int
	spared := map[int]bool{0: true, 1: true}
	for pid, p := range all {
		if descends(pid) {
			below = append(below, pid)
		} else {
			spared[p.group] = true
		}
	}
	for _, pid := range below {
		if group := all[pid].group; !spared[group] {
			spared[group] = true
			_ = syscall.Kill(-group, syscall.SIGKILL)
		}
	}
	for _, pid := range below {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}
