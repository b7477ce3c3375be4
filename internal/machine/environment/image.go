package environment

import (
	"cmp"
	"context"
	"errors"
	"os"

	"github.com/gpudocs/gpudocs/internal/machine/container"
	"github.com/gpudocs/gpudocs/internal/machine/pyenv"
	"github.com/gpudocs/gpudocs/internal/machine/subprocess"
	"github.com/gpudocs/gpudocs/internal/report"
)

// kept are the variables of this machine that programs in an image see as well: they say which
// GPUs belong to this job, and how programs reach the network.
var kept = []string{"CUDA_VISIBLE_DEVICES", "http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"}

// findImage finds the image and its programs. base are the variables after modules and setup.
func (e *Environment) findImage(ctx context.Context, s Spec, root string, base []string) {
	image, err := container.Find(ctx, s.Container, hostOf(root, base))
	names, paths := append(pythonsOf(s), "bash"), []string{}
	if err == nil {
		paths, err = image.Programs(ctx, names...)
	}
	known, ok := errors.AsType[*report.Reason](err)
	switch e.Unmade = errors.Is(err, container.ErrNotHere); {
	case e.Unmade:
		e.Unavailable = fault(report.EnvNoImage, s.Container, "")
		return
	case ok:
		e.Unavailable = known
		return
	case err != nil:
		e.Unavailable = fault(report.EnvImage, s.Container, err.Error())
		return
	}
	e.Image, e.programs = image, map[string]string{}
	for i, name := range names {
		e.programs[name] = paths[i]
	}
}

func hostOf(root string, base []string) container.Host {
	if base == nil {
		base = os.Environ()
	}
	return container.Host{Root: root, Env: base, LookPath: func(program string) string {
		path, _ := pyenv.LookPath(program, base)
		return path
	}}
}

// pythonsOf returns the names of the Python in an image.
func pythonsOf(s Spec) []string {
	if s.Python != "" {
		return []string{s.Python}
	}
	return []string{"python3", "python"}
}

// pythonInImage returns the Python of the image.
func (e *Environment) pythonInImage(name string, s Spec) pyenv.Python {
	p := pyenv.Python{Name: name, Kind: pyenv.KindConfigured, From: pyenv.FromConfig, Run: e.Run, Base: []string{}}
	names := pythonsOf(s)
	for _, name := range names {
		p.Path = cmp.Or(p.Path, e.programs[name])
	}
	if p.Path == "" {
		p.Missing = &report.Reason{Code: report.ReasonNoInterpreter, Why: report.LacksInImage, Program: names[0]}
	}
	for _, name := range kept {
		if value, is := os.LookupEnv(name); is {
			p.Base = append(p.Base, name+"="+value)
		}
	}
	return p
}

// Run runs a program of the environment that answers a question.
func (e Environment) Run(ctx context.Context, c subprocess.Command) subprocess.Result {
	if e.Image != nil {
		return e.Image.Run(ctx, c)
	}
	return subprocess.Run(ctx, c)
}
