package environment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/atomicfile"
	"github.com/gpudocs/gpudocs/internal/filelock"
	"github.com/gpudocs/gpudocs/internal/machine/container"
	"github.com/gpudocs/gpudocs/internal/machine/pyenv"
	"github.com/gpudocs/gpudocs/internal/machine/subprocess"
)

// A ToolError is the error of a tool that could not make an environment.
type ToolError struct {
	// Command is what was run, without the path of the tool. Output is what it wrote.
	Command, Output string
	Err             error
}

func (e *ToolError) Error() string { return e.Command + ": " + e.Err.Error() }
func (e *ToolError) Unwrap() error { return e.Err }

// ErrNoTool is the error if none of the tools is installed that could make an environment.
var ErrNoTool = errors.New("is not installed")

// Sync makes the environment from its lock, or downloads its image, if it is not there yet, and
// reports whether it has done so. If another process is making it, Sync waits. What a failed or
// killed Sync leaves does not count as made, and the next one removes it.
func Sync(ctx context.Context, s Spec, root string) (created bool, err error) {
	if s.Container != "" {
		return s.pull(ctx, root)
	}
	if s.Tool == "" {
		return false, nil
	}
	l, err := s.locate(root)
	if err != nil || l.isComplete() {
		return false, err
	}
	env, err := s.variables(ctx, root)
	if err != nil {
		return false, err
	}
	if err := os.MkdirAll(l.dir, 0o700); err != nil {
		return false, err
	}
	unlock, err := l.lock(ctx)
	if err != nil {
		return false, err
	}
	defer unlock()
	if l.isComplete() {
		return false, nil
	}
	if err := errors.Join(os.RemoveAll(l.stamp()), os.RemoveAll(filepath.Join(l.dir, "env")), ctx.Err()); err != nil {
		return false, err
	}
	if err := l.make(ctx, env); err != nil {
		return false, errors.Join(err, os.RemoveAll(filepath.Join(l.dir, "env")))
	}
	return true, atomicfile.Write(l.stamp(), []byte(l.sum+"\n"), 0o600)
}

// variables returns those of the tools: packages may be compiled, with the modules of the
// environment, and a module may have the runtime of containers.
func (s Spec) variables(ctx context.Context, root string) (env []string, err error) {
	if s.loads() {
		if env, _, err = s.load(ctx, root); err != nil {
			return nil, err
		}
	}
	return s.withVars(env), nil
}

// pull downloads the image if it is not there.
func (s Spec) pull(ctx context.Context, root string) (created bool, err error) {
	env, err := s.variables(ctx, root)
	if err != nil {
		return false, err
	}
	host := hostOf(root, env)
	if _, err = container.Find(ctx, s.Container, host); errors.Is(err, container.ErrNotHere) {
		_, err = container.Pull(ctx, s.Container, host)
		created = err == nil
	}
	return created, err
}

// lock waits until no other process makes the environment.
func (l locked) lock(ctx context.Context) (unlock func(), err error) {
	f, err := os.OpenFile(filepath.Join(l.dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	for {
		err := filelock.TryLock(f)
		if err == nil || errors.Is(err, errors.ErrUnsupported) { // then two at once are the user's risk
			return func() { f.Close() }, nil
		}
		if !errors.Is(err, filelock.ErrLocked) || ctx.Err() != nil {
			f.Close()
			return nil, errors.Join(ctx.Err(), err)
		}
		time.Sleep(200 * time.Millisecond)
	}
}

// make runs the tool.
func (l locked) make(ctx context.Context, env []string) error {
	t := tools[l.Tool]
	if l.Tool == UV && l.Lock == l.File {
		t.commands = []string{"venv --no-project $PREFIX", "pip install --python $PREFIX -r $FILE"}
	}
	env = append(append(env, t.env...), "UV_PROJECT_ENVIRONMENT="+l.prefix())
	file := l.file
	if l.Tool == Pixi { // makes environments beside its project
		if err := l.copyProject(); err != nil {
			return err
		}
		file = filepath.Join(l.dir, "env", filepath.Base(l.file))
	}
	program := ""
	for _, name := range t.programs {
		if program == "" {
			program, _ = pyenv.LookPath(name, env)
		}
	}
	if program == "" {
		return &ToolError{Command: strings.Join(t.programs, ", "), Err: ErrNoTool}
	}
	for _, command := range t.commands {
		args := strings.Fields(command)
		for i, arg := range args {
			args[i] = map[string]string{"$PREFIX": l.prefix(), "$FILE": file}[arg]
			args[i] = cmp.Or(args[i], arg)
		}
		a := subprocess.Run(ctx, subprocess.Command{Program: program, Args: args, Env: env, Dir: filepath.Dir(l.file)})
		if a.Err != nil {
			command = strings.NewReplacer("$PREFIX", "$ENV", "$FILE", l.File).Replace(command)
			return &ToolError{Command: filepath.Base(program) + " " + command, Output: string(a.Stdout) + a.Stderr, Err: short(ctx, a.Err)}
		}
	}
	if info, err := os.Stat(l.prefix()); err != nil || !info.IsDir() {
		return &ToolError{Command: filepath.Base(program), Err: errors.New("it has made no environment")}
	}
	return nil
}

// tools are the programs that make environments, the first that is there, with their variables and commands.
var tools = map[string]struct{ programs, env, commands []string }{
	UV:   {[]string{"uv"}, []string{"UV_NO_PROGRESS=1"}, []string{"sync --locked"}},
	Pixi: {[]string{"pixi"}, nil, []string{"install --locked --manifest-path $FILE"}},
	Conda: {[]string{"mamba", "micromamba", "conda"}, []string{"CONDA_ALWAYS_YES=true", "MAMBA_ALWAYS_YES=true"},
		[]string{"env create -p $PREFIX -f $FILE"}},
}

// short returns an error without what the tool itself has said.
func short(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if e, is := errors.AsType[*exec.ExitError](err); is {
		return fmt.Errorf("exit code %d", e.ExitCode())
	}
	return err
}

// copyProject copies the files of a pixi project.
func (l locked) copyProject() error {
	for _, name := range []string{l.File, l.Lock} {
		data, err := os.ReadFile(filepath.Join(l.root, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		if err := atomicfile.Write(filepath.Join(l.dir, "env", filepath.Base(name)), data, 0o600); err != nil {
			return err
		}
	}
	return nil
}
