package tools

import (
	"context"
	"os"
	"slices"
	"sync"

	"github.com/gpudocs/gpudocs/internal/machine/container"
	"github.com/gpudocs/gpudocs/internal/machine/pyenv"
	"github.com/gpudocs/gpudocs/internal/machine/subprocess"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/verify/session"
)

// Answers asks for the programs, modules, environments and packages that requirements name, by the
// environment of their blocks. What is not known has no answer. The set holds the Python of each of
// these environments, and of those that env(...) names.
func (site Finder) Answers(ctx context.Context, s Set, asks map[string][]ask.Fact) map[[2]string]report.Answer {
	all := map[[2]string]report.Answer{}
	var mu sync.Mutex
	var probes sync.WaitGroup
	for env, facts := range asks {
		add := func(f ask.Fact, has bool, version string) {
			a := report.Answer{Env: env, Ask: string(f), Has: has}
			if has {
				a.Version = version
			}
			mu.Lock()
			defer mu.Unlock()
			all[a.Key()] = a
		}
		var programs, modules, packages []string
		for _, f := range facts {
			switch function, name := f.Call(); function {
			case ask.Has:
				programs = append(programs, name)
			case ask.Module:
				modules = append(modules, name)
			case ask.Pip:
				packages = append(packages, name)
			case ask.Env:
				_, is := site.Env[name]
				e := s[Key{Interpreter: session.Python, Env: name}].Env
				add(f, is && e.Unavailable == nil && (e.Python.Missing == nil || !SpecOf(name, site.Env[name]).NamesPython()), "")
			default:
				programs = append(programs, string(ask.NVCC))
			}
		}
		t := s[Key{Interpreter: session.Python, Env: env}]
		if len(programs)+len(modules) > 0 {
			probes.Go(func() {
				found, ok := t.Env.Ask(ctx, programs, modules)
				for _, name := range container.Runtimes { // of which the machine starts none inside an image
					if has := "has " + name; found[has] && t.Env.Image == nil {
						found[has] = container.Starts(ctx, name, container.Host{Env: t.Environ(os.TempDir()), LookPath: t.Env.LookPath}) == nil
					}
				}
				for _, f := range facts {
					switch function, name := f.Call(); {
					case !ok:
					case function == ask.Has, function == ask.Module:
						add(f, found[function+" "+name], "")
					case f == ask.NVCC && found["has nvcc"]:
						add(f, true, t.nvcc(ctx))
					case f == ask.NVCC:
						add(f, false, "")
					}
				}
			})
		}
		if len(packages) > 0 {
			probes.Go(func() {
				found, err := pyenv.Packages(ctx, t.Env.Python, packages)
				for i, name := range packages {
					if f := ask.Call(ask.Pip, name); err == nil {
						add(f, found[i].Has, found[i].Version)
					} else if t.Missing != nil && t.Env.Unavailable == nil {
						add(f, false, "") // without a Python
					}
				}
			})
		}
	}
	probes.Wait()
	return all
}

// nvcc returns the version of the CUDA compiler.
func (t *Tool) nvcc(ctx context.Context) string {
	a := t.Env.Run(ctx, subprocess.Command{Program: t.Env.LookPath("bash"), Env: t.Environ(os.TempDir()), Dir: os.TempDir(),
		Limit: bashTimeout,
		Args:  []string{"--noprofile", "--norc", "-c", "nvcc --version"}})
	if version := versionIn(string(a.Stdout)); a.Err == nil && dotted.MatchString(version) {
		return version
	}
	return ""
}

// KeysOf returns the keys of the tools that [Finder.Answers] needs.
func KeysOf(asks map[string][]ask.Fact) (keys []Key) {
	var names []string
	for env, facts := range asks {
		names = append(names, env)
		for _, f := range facts {
			if function, name := f.Call(); function == ask.Env {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	for _, env := range slices.Compact(names) {
		keys = append(keys, Key{Interpreter: session.Python, Env: env})
	}
	return keys
}
