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

	"github.com/gpudocs/gpudocs/internal/machine/subprocess"
)

// A reaper is a process of gpudocs that starts the interpreters of a run and adopts
// whatever they leave behind: it is a child subreaper (PR_SET_CHILD_SUBREAPER). A
// process that leaves its group, its terminal session and its parents stays below it,
// and no process without privileges can change that. When the run ends, or gpudocs is
// killed, the reaper kills everything below it, and exits when the kernel reports that
// it has no child left.
//
// It is this program, started again under the name reaperName; see init.
type reaper struct {
	pid     int
	process *os.Process
	conn    *net.UnixConn
	exited  chan struct{} // closed once the reaper is gone

	mu      sync.Mutex
	started int
	waiting map[int]chan<- startReply
	running map[int]*process
}

const reaperName = "gpudocs-reaper"

// A startRequest asks the reaper to start a process. Its files are sent along with it.
type startRequest struct {
	ID        int
	Path, Dir string
	Args, Env []string
}

// A reaperEvent reports that a process has started, could not be started, or has ended.
type reaperEvent struct {
	ID, PID int
	Errno   syscall.Errno      // if it could not be started
	Ended   bool               // with Status
	Status  syscall.WaitStatus //
}

type startReply struct {
	process *process
	err     error
}

// startReaper returns nil if it fails, as on a machine without /proc.
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
		// In its own process group, so that it does not get the terminal's Ctrl-C.
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

// startTimeout limits the start of a process, and reaperEnd the end of a reaper.
const (
	startTimeout = 30 * time.Second
	reaperEnd    = 15 * time.Second
)

var errReaper = errors.New("the process that starts interpreters is gone")

// wake continues the reaper if a snippet has stopped it.
func (r *reaper) wake() { _ = r.process.Signal(syscall.SIGCONT) }

// start starts a process as the reaper's child.
func (r *reaper) start(cmd *exec.Cmd) (*process, error) {
	stdin, ok := cmd.Stdin.(*os.File)
	if !ok {
		null, err := os.Open(os.DevNull)
		if err != nil {
			return nil, err
		}
		defer null.Close()
		stdin = null
	}
	files := slices.Concat([]*os.File{stdin, cmd.Stdout.(*os.File), cmd.Stderr.(*os.File)}, cmd.ExtraFiles)
	r.wake()
	reply, err := r.request(startRequest{Path: cmd.Path, Dir: cmd.Dir, Args: cmd.Args, Env: cmd.Env}, files)
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

// request sends a request: its length together with the files, and then its text.
func (r *reaper) request(q startRequest, files []*os.File) (<-chan startReply, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.started++
	q.ID = r.started
	var text bytes.Buffer
	if err := gob.NewEncoder(&text).Encode(q); err != nil { // not JSON: arguments and environment need not be UTF-8
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

// listen handles the reaper's events until it is gone. Then its children are gone too:
// the kernel has killed them.
func (r *reaper) listen() {
	for d := json.NewDecoder(r.conn); ; {
		var e reaperEvent
		if d.Decode(&e) != nil {
			break
		}
		r.handle(e)
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

func (r *reaper) handle(e reaperEvent) {
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

// close ends the reaper and everything below it, and reports whether it is gone:
// processes that hang in a device driver cannot be killed.
func (r *reaper) close() bool {
	r.wake()
	_ = r.conn.CloseWrite()
	select {
	case <-r.exited:
		return true
	case <-time.After(reaperEnd):
		killDescendants(r.pid)
		_ = syscall.Kill(r.pid, syscall.SIGKILL)
		return false
	}
}

// The code of the reaper process.

// init runs the reaper if this process was started as one. It works in every program
// with this package, including tests, and needs no command line.
func init() {
	if len(os.Args) == 1 && os.Args[0] == reaperName {
		os.Exit(runReaper())
	}
}

// runReaper starts processes on request until its socket closes, and then kills all.
func runReaper() int {
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
	// Caught and not ignored, because children inherit ignored signals. Only the end of
	// gpudocs, or SIGKILL, ends a reaper.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	died := make(chan os.Signal, 1)
	signal.Notify(died, syscall.SIGCHLD)
	requests := make(chan filedRequest)
	go readRequests(conn, requests)
	events := json.NewEncoder(conn)
	children := map[int]int{} // request IDs by PID
	for {
		select {
		case q, open := <-requests:
			if !open {
				return killAllDescendants()
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

// start runs on the main thread, which lives as long as the process: the parent death
// signal is sent when the thread that forked ends.
func (q filedRequest) start() (pid int, errno syscall.Errno) {
	attr := &syscall.ProcAttr{Dir: q.Dir, Env: q.Env, Sys: subprocess.GroupLeader()}
	for _, fd := range q.files {
		attr.Files = append(attr.Files, uintptr(fd))
		defer syscall.Close(fd)
	}
	pid, err := syscall.ForkExec(q.Path, q.Args, attr)
	if err != nil && !errors.As(err, &errno) {
		errno = syscall.EINVAL // an argument holds a zero byte
	}
	return pid, errno
}

// readRequests reads requests until the socket closes or a request is invalid.
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

// killAllDescendants kills everything below this process until nothing is left: as
// orphans become its children, it has a child as long as anything is. It gives up on
// processes that survive SIGKILL.
func killAllDescendants() int {
	for began := time.Now(); time.Since(began) < reaperEnd-5*time.Second; time.Sleep(time.Millisecond) {
		killDescendants(os.Getpid())
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

// killDescendants kills the descendants of a process. Groups without other processes
// are killed first and as a whole: a fork bomb is faster than checks of each process.
func killDescendants(ancestor int) {
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
