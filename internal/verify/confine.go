package verify

import (
	"context"
	"os"
	"path/filepath"

	"github.com/gpudocs/gpudocs/internal/machine/system"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/verify/session"
)

// defaultProcesses is far above what a tutorial needs and far below the limit of a machine.
const defaultProcesses = 4096

// A confinement holds the limits of the snippets of a run, and the sandbox if the site
// asks for one.
type confinement struct {
	memory       ask.Value
	processes    int
	bounds       *session.Bounds
	sandboxed    bool
	sandboxFault *report.Reason // why the sandbox is not available; then nothing is run
}

// confine sets up limits and sandbox, and records them in the report. First it removes
// what killed runs have left behind. The function that it returns undoes the setup.
func (r *run) confine(ctx context.Context) (release func()) {
	_ = session.SweepLeftovers() // leftovers of another run must not end this one
	c := &confinement{memory: r.o.Confine.Memory, processes: r.o.Confine.Processes}
	r.confinement = c
	if c.memory.Uint64() == 0 {
		total, _ := system.Memory(os.DirFS("/"))
		c.memory = ask.Bytes(total / 10 * 9) // 0, no limit, if it is not known
	}
	if c.processes == 0 {
		c.processes = defaultProcesses
	}
	c.bounds = session.NewBounds(session.Limits{Memory: c.memory.Uint64(), Processes: c.processes})
	r.machine.Limits = c.bounds.Means()
	if r.o.Confine.Sandbox == site.SandboxBwrap {
		c.sandboxed = true
		r.checkSandbox(ctx)
	}
	r.machine.Containment = c.bounds.Containment()
	if r.machine.Sandbox != "" {
		r.machine.Containment = report.ContainmentNamespace
	}
	return func() { _ = c.bounds.Close() }
}

// checkSandbox records whether the sandbox works on this machine, or why not.
func (r *run) checkSandbox(ctx context.Context) {
	if why := session.CheckSandbox(ctx, r.sandboxPaths()...); why != nil {
		r.confinement.sandboxFault = why.Redacted(func(s string) string { return r.redactor.redact(diag.Clip(s, maxDetail)) })
		return
	}
	r.machine.Sandbox = report.SandboxBwrap
}

// limit returns the limit of that name, which a step exceeded.
func (c *confinement) limit(name string) *report.Limit {
	if name == session.LimitMemory {
		return &report.Limit{What: report.LimitMemory, Amount: float64(c.memory.Uint64())}
	}
	return &report.Limit{What: report.LimitProcesses, Amount: float64(c.processes)}
}

// sandbox returns the sandbox of a session. The site, the interpreter and compilers stay
// visible, even in a folder that the sandbox hides, such as /tmp.
func (x *runner) sandbox(s *site.Session) *session.Sandbox {
	if !x.confinement.sandboxed {
		return nil
	}
	paths, show := []string{x.tool.Path}, []string{}
	for _, b := range s.Blocks {
		if b.Recipe != nil {
			paths = append(paths, x.toolOf(b).Compiler)
		}
	}
	for _, path := range paths {
		if !filepath.IsAbs(path) { // none, or a function of the shell
			continue
		}
		show = append(show, path, filepath.Dir(filepath.Dir(path)))
		if real, err := filepath.EvalSymlinks(path); err == nil {
			show = append(show, real, filepath.Dir(filepath.Dir(real)))
		}
	}
	return &session.Sandbox{Network: s.Network, Show: append(show, x.sandboxPaths()...)}
}

// sandboxPaths returns the paths that are visible in every sandbox: the site.
func (r *run) sandboxPaths() []string {
	root, err := filepath.Abs(r.o.Root)
	if err != nil {
		return nil
	}
	return []string{root}
}
