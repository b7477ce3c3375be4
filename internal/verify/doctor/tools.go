package doctor

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gpudocs/gpudocs/internal/machine/slurm"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/verify"
	"github.com/gpudocs/gpudocs/internal/verify/session"
)

// toolTime is how long a tool may take to answer.
const toolTime = 10 * time.Second

type toolList []Tool

// askTools looks for the tools that gpudocs uses.
func askTools(ctx context.Context) toolList {
	ctx, cancel := context.WithTimeout(ctx, toolTime)
	defer cancel()
	tools := toolList{{Name: ToolBash}, {Name: ToolSandbox}, {Name: ToolSSH}, {Name: ToolGit}, {Name: ToolNvidiaSMI}}
	var asking sync.WaitGroup
	for i := range tools {
		asking.Go(func() { tools[i].ask(ctx) })
	}
	asking.Wait()
	return tools
}

func (t *Tool) ask(ctx context.Context) {
	switch t.Name {
	case ToolSandbox:
		if _, err := exec.LookPath("bwrap"); err != nil {
			return
		}
		err := session.CheckSandbox(ctx)
		if t.Found = err == nil; errors.Is(err, context.DeadlineExceeded) {
			t.Detail = "bwrap did not answer in time"
		} else if err != nil {
			t.Detail = err.Error()
		}
	case ToolBash:
		if path, err := exec.LookPath("bash"); err == nil {
			t.Version = verify.BashVersion(ctx, path, os.Environ())
			t.Found = t.Version != ""
		}
	default:
		_, err := exec.LookPath(t.Name)
		t.Found = err == nil
	}
}

// redacted redacts private facts.
func (l toolList) redacted(r *redactor) toolList {
	for i := range l {
		l[i].Detail = r.redact(l[i].Detail)
	}
	return l
}

// askLimits finds out how sessions would be limited.
func askLimits() Tool {
	bounds := session.NewBounds(session.Limits{})
	defer bounds.Close()
	switch bounds.Means() {
	case session.ByCgroup:
		return Tool{Name: ToolLimits, Found: true, Detail: report.LimitsCgroup}
	case session.ByWatching:
		return Tool{Name: ToolLimits, Found: true, Detail: report.LimitsPrlimit}
	}
	return Tool{Name: ToolLimits}
}

// with adds the tools that were found out about elsewhere, in the order of importance.
func (l toolList) with(pythons []Python, limits Tool) []Tool {
	return slices.Concat(l[:1:1], []Tool{pythonTool(pythons), limits}, l[1:])
}

// pythonTool returns the machine's own Python as a tool of verify.
func pythonTool(pythons []Python) Tool {
	t := Tool{Name: ToolPython}
	i := slices.IndexFunc(pythons, func(p Python) bool { return p.Name == "" })
	if i >= 0 {
		t.Found, t.Detail = pythons[i].Interpreter != "", pythons[i].Failed
		t.Version = strings.TrimPrefix(pythons[i].Interpreter, "Python ")
	}
	return t
}

// askSlurm queries the cluster, and returns nil if there is none.
func askSlurm(ctx context.Context) *Slurm {
	if !slurm.Installed() {
		return nil
	}
	s := &Slurm{Job: slurm.InJob(), Partitions: []Partition{}}
	c, err := slurm.Ask(ctx)
	s.Version = c.Version
	switch {
	case errors.Is(err, slurm.ErrSlow):
		s.Failed = SlurmTimeout
	case err != nil:
		s.Failed = SlurmFailed
	}
	for _, p := range c.Partitions {
		gpus := append([]string{}, p.GPUs...)
		s.Partitions = append(s.Partitions, Partition{p.Name, p.Default, p.Up, p.Nodes, p.TimeLimit, gpus})
	}
	return s
}
