package verify

import (
	"context"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/memo"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/verify/buildcache"
	"github.com/gpudocs/gpudocs/internal/verify/session"
)

// A buildInput is what a build depends on: the files of the session's folder, with the source
// among them, the command, the compiler and its version, environment variables, the
// machine, because of -march=native, and the code of the session's earlier blocks, which may have
// defined functions of the shell, or still run. Not in it are files elsewhere, such as the
// system's headers: --rerun compiles again.
type buildInput struct {
	key   memo.Key
	state buildcache.State
}

// buildInput returns the input of a build, or false if it is not known well enough to use the
// cache.
func (x *runner) buildInput(ctx context.Context, b *site.Block, left time.Duration) (buildInput, bool, error) {
	if x.o.Builds == "" {
		return buildInput{}, false, nil
	}
	tool := x.toolOf(b)
	state, err := buildcache.StateOf(x.work())
	if err != nil || !tool.IsKnown() {
		return buildInput{}, false, nil
	}
	command := b.Recipe.Expand(b.Recipe.Build, b.Program(), b.Flags)
	variables := x.tool.Environ(filepath.Join(x.scratch, "tmp"))
	var before []string
	ran := false
	for _, other := range b.Session.Blocks {
		if other == b {
			break
		}
		before = append(before, other.Code)
		ran = ran || other.Recipe == nil // those with a recipe run in a subshell
	}
	if ran { // they may have set variables
		res, err := x.step(ctx, b, "command env -0\n", b.Line, session.Exec, left)
		if err != nil || res.Status != session.Finished || res.Exit != 0 || res.Stdout.Cut > 0 {
			return buildInput{}, false, err
		}
		variables = strings.Split(string(res.Stdout.Text), "\x00")
	}
	h := memo.NewHash("build 1")
	h.Add(state, command, tool.Name, tool.Compiler, tool.Packages, x.relevant(variables, command), before,
		x.machine.OS, x.machine.Arch, x.machine.CPU, x.machine.Sandbox)
	for _, d := range x.machine.GPU.Devices {
		h.Add(d.Name, d.Compute)
	}
	return buildInput{h.Key(), state}, true, nil
}

// volatile matches environment variables that differ from one login or job to the next, and that no
// compiler reads.
var volatile = regexp.MustCompile(`^(?:TMPDIR|PWD|OLDPWD|SHLVL|_|GPUDOCS_.*|(?:SSH|SLURM|PBS|LSB|DBUS|XDG|GITHUB|RUNNER|ACTIONS|CI|TMUX|STY|WINDOW|KONSOLE|VTE|GNOME|VSCODE|GPG|INVOCATION|JOURNAL|SYSTEMD)(?:_.*)?|(?:DISPLAY|WAYLAND_DISPLAY|MAIL|LS_COLORS|HIST.*|GIT_.*|CUDA_VISIBLE_DEVICES|JOB_ID|MANAGERPID))$`)

var variable = lazyregexp.New(`\$\{?([A-Za-z_]\w*)`)

// relevant returns the environment variables that a command may depend on, sorted.
func (x *runner) relevant(variables []string, command string) (list []string) {
	var named []string
	for _, m := range variable.FindAllStringSubmatch(command, -1) {
		named = append(named, m[1])
	}
	for _, kv := range variables {
		name, _, _ := strings.Cut(kv, "=")
		if slices.Contains(named, name) || !volatile.MatchString(name) {
			list = append(list, strings.ReplaceAll(kv, x.scratch, "$SCRATCH"))
		}
	}
	slices.Sort(list)
	return list
}
