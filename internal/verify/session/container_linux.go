package session

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/gpudocs/gpudocs/internal/machine/container"
)

// gate starts a runtime once it is tagged: it reads a line from
// descriptor 3 first.
const gate = `read -r _ <&3 && exec 3<&- "$@"`

// runtimeFile is the file of Scratch/ctl that names the runtime, for [SweepLeftovers].
const runtimeFile = "container"

// launchContainer starts the interpreter in a container. The commands of the channel go
// through its standard input.
func (s *Session) launchContainer(cmd *exec.Cmd) error {
	image, ctl := s.o.Container.Image, s.ctl.Name()
	run := container.Run{
		Name: s.processes.containerName(), Program: cmd.Args, Env: cmd.Env, Dir: cmd.Dir, Home: filepath.Join(s.o.Scratch, "tmp"),
		GPU: s.o.Container.GPU, Memory: s.processes.limits.Memory, Processes: s.processes.limits.Processes,
	}
	for _, dir := range s.o.Container.Show {
		run.Mounts = append(run.Mounts, container.Mount{Path: dir, ReadOnly: true})
	}
	run.Mounts = append(run.Mounts, container.Mount{Path: s.o.Scratch}, container.Mount{Path: ctl, ReadOnly: true})
	args, env := image.Command(run)
	shell, err := exec.LookPath("sh")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(ctl, runtimeFile), []byte(image.Runtime), 0o600); err != nil {
		return err
	}
	gateRead, gateWrite, err := os.Pipe()
	if err != nil {
		return err
	}
	defer closeAll(gateRead, gateWrite)
	cmd.Stdin, cmd.ExtraFiles = s.channel.driver, []*os.File{gateRead}
	cmd.Path, cmd.Args, cmd.Env, cmd.Dir = shell, slices.Concat([]string{"sh", "-c", gate, "sh"}, args), append(env, s.processes.variable), "/"
	if s.proc, err = s.processes.start(cmd); err != nil {
		return err
	}
	s.proc.sandboxed = true // the shell inside turns signals into exit statuses
	s.processes.container = &runningContainer{image, run.Name}
	s.processes.adopt(s.proc.pid)
	_, err = gateWrite.WriteString("\n")
	return err
}

// A runningContainer is the container of a session.
type runningContainer struct {
	image *container.Image
	name  string
}

// signal sends a signal to the processes inside, which are in another PID namespace than ours.
// The first of them is the shell or the runtime's own, which would end all others on SIGTERM.
// A runtime outside that gets the signal might do the same, or end without cleaning up.
func (c *runningContainer) signal(p *sessionProcesses, sig syscall.Signal) {
	for m := range p.members {
		if id, inside := idInside(m.pid); inside && (id != "1" || sig == syscall.SIGKILL) {
			_ = syscall.Kill(m.pid, sig)
		}
	}
}

// idInside returns the process ID that a process has in its own PID namespace, if that is not ours.
func idInside(pid int) (id string, inside bool) {
	status, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	for line := range strings.Lines(string(status)) {
		if ids, ok := strings.CutPrefix(line, "NSpid:"); ok {
			fields := strings.Fields(ids)
			return fields[len(fields)-1], len(fields) > 1
		}
	}
	return "", false
}

// containerEnd is how long a runtime may take to clean up after the end of a container.
const containerEnd = 5 * time.Second

// sweepContainer is sweep for a session in a container. Its runtime is killed last.
func (p *process) sweepContainer(session *sessionProcesses, deadline time.Time) bool {
	c := session.container
	c.signal(session, syscall.SIGTERM)
	p.waitFor(time.Until(deadline))
	if c.image.ByService() {
		c.image.Remove(c.name)
		p.waitFor(containerEnd)
	} else {
		c.signal(session, syscall.SIGKILL)
		p.waitFor(containerEnd)
		c.image.Remove(c.name)
	}
	p.signal(syscall.SIGKILL)
	session.killAll()
	return p.waitFor(containerEnd)
}

// containerName returns the name of the session's container, which a later run can derive
// too.
func (p *sessionProcesses) containerName() string {
	_, id, _ := strings.Cut(p.variable, "=")
	return "gpudocs-" + id
}

// sweepContainer removes the container of the session with this scratch folder, after its
// gpudocs has died.
func sweepContainer(scratch string) {
	data, err := os.ReadFile(filepath.Join(scratch, "ctl", runtimeFile))
	if err == nil {
		container.RemoveLeftover(string(data), newSessionProcesses(scratch, nil).containerName())
	}
}
