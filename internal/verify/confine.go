package verify

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/require"
	"github.com/gpudocs/gpudocs/internal/verify/session"
)

// defaultProcesses is far above what a tutorial needs and far below what a
// machine can bear.
const defaultProcesses = 4096

// A confinement is how the snippets of a run are held: within limits, and in a
// sandbox where the site asks for one.
type confinement struct {
	memory    require.Value
	processes int
	bounds    *session.Bounds
	sandboxed bool
	noSandbox string // why there is none; then nothing is run
}

// confine prepares for the run, and says in the report by what means. What runs
// before this one have left behind when they were killed goes first. The function
// it returns gives back what was taken.
func (r *run) confine(ctx context.Context) (release func()) {
	_ = session.SweepLeftovers() // another run's matter: it must not end this one
	c := &confinement{memory: r.o.Confine.Memory, processes: r.o.Confine.Processes}
	r.confinement = c
	if c.memory.Uint64() == 0 {
		c.memory = require.Bytes(mostOfMemory())
	}
	if c.processes == 0 {
		c.processes = defaultProcesses
	}
	c.bounds = session.NewBounds(session.Limits{Memory: c.memory.Uint64(), Processes: c.processes})
	r.machine.Limits = limitsNames[c.bounds.Means()]
	if r.o.Confine.Sandbox == content.SandboxBwrap {
		c.sandboxed = true
		r.shut(ctx)
	}
	r.machine.Containment = containmentNames[c.bounds.Containment()]
	if r.machine.Sandbox != "" {
		r.machine.Containment = report.ContainmentNamespace
	}
	return func() { _ = c.bounds.Close() }
}

// shut notes whether snippets are shut in, or why they cannot be.
func (r *run) shut(ctx context.Context) {
	if err := session.CheckSandbox(ctx, r.shown()...); err != nil {
		r.confinement.noSandbox = r.private.scrub(clip(err.Error()))
		return
	}
	r.machine.Sandbox = report.SandboxBwrap
}

var limitsNames = map[string]string{session.ByCgroup: report.LimitsCgroup, session.ByWatching: report.LimitsPrlimit}

var containmentNames = map[string]string{
	session.InCgroup: report.ContainmentCgroup, session.BelowReaper: report.ContainmentReaper,
	session.Marked: report.ContainmentMark, session.InGroup: report.ContainmentGroup,
}

// mostOfMemory leaves the system a tenth; 0, no limit, where it does not say.
func mostOfMemory() uint64 {
	data, _ := os.ReadFile("/proc/meminfo")
	kb, _ := strconv.ParseUint(strings.TrimSuffix(value(data, "MemTotal", ":"), " kB"), 10, 64)
	return kb << 10 / 10 * 9
}

// limit says a limit that a step ran into.
func (c *confinement) limit(name string) string {
	if name == session.LimitMemory {
		return name + " " + c.memory.String()
	}
	return name + " " + strconv.Itoa(c.processes)
}

// sandbox is that of one session. The sandbox hides what is in /tmp; the site and
// the interpreter stay in sight if they are there.
func (x *runner) sandbox(s *content.Session) *session.Sandbox {
	if !x.confinement.sandboxed {
		return nil
	}
	path := x.interpreter.path
	show := []string{path, filepath.Dir(filepath.Dir(path))}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		show = append(show, real, filepath.Dir(filepath.Dir(real)))
	}
	return &session.Sandbox{Network: s.Network, Show: append(show, x.shown()...)}
}

// shown is what stays in sight in every sandbox: the site.
func (r *run) shown() []string {
	root, err := filepath.Abs(r.o.Root)
	if err != nil {
		return nil
	}
	return []string{root}
}

// signalPrefix begins the detail of a crash by a signal.
const signalPrefix = "signal: "

// endedBy names the block that ended the session, and the signal if one did.
func (x *runner) endedBy() string {
	if q := x.stopped.Reason; q != nil && q.Code == report.ReasonCrash && strings.HasPrefix(q.Detail, signalPrefix) {
		return x.stopped.Name + " (" + q.Detail + ")"
	}
	return x.stopped.Name
}
