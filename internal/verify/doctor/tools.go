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

	"github.com/gpudocs/gpudocs/internal/machine/environment"
	"github.com/gpudocs/gpudocs/internal/machine/slurm"
	"github.com/gpudocs/gpudocs/internal/verify/session"
	"github.com/gpudocs/gpudocs/internal/verify/tools"
)

// toolTime is how long a tool may take to answer.
const toolTime = 10 * time.Second

// askTools looks for the tools that gpudocs uses, apart from those of which other queries
// know.
func askTools(ctx context.Context) []Tool {
	ctx, cancel := context.WithTimeout(ctx, toolTime)
	defer cancel()
	tools := []Tool{{Name: ToolBash}, {Name: ToolSandbox}, {Name: ToolSSH}, {Name: ToolGit}, {Name: ToolNvidiaSMI}}
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
		t.lacks = session.CheckSandbox(ctx)
		t.Found = t.lacks == nil
	case ToolBash:
		if path, err := exec.LookPath("bash"); err == nil {
			t.Version = tools.BashVersion(ctx, environment.Environment{}, path, os.Environ())
			t.Found = t.Version != ""
		}
	case ToolNvidiaSMI: // a distribution may have a script of that name, which says which package has the program
		err := exec.CommandContext(ctx, t.Name, "--help").Run()
		var exit *exec.ExitError
		t.Found = err == nil || errors.As(err, &exit) && exit.ExitCode() != 127
	default:
		_, err := exec.LookPath(t.Name)
		t.Found = err == nil
	}
}

// askLimits finds out how sessions would be limited.
func askLimits() Tool {
	bounds := session.NewBounds(session.Limits{})
	defer bounds.Close()
	means := bounds.Means()
	return Tool{Name: ToolLimits, Found: means != "", Detail: means}
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
		p.GPUs = append([]string{}, p.GPUs...) // not null
		s.Partitions = append(s.Partitions, Partition(p))
	}
	return s
}
