package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// A sample is the cost of one run of a program.
type sample struct {
	wall, cpu time.Duration
	memory    int64 // the maximum resident set, in bytes; 0 if the system does not report it
}

// measure runs a program to its end. If it fails, the error has its output.
func measure(ctx context.Context, env []string, name string, args ...string) (sample, error) {
	c := exec.CommandContext(ctx, name, args...)
	c.Env = append(os.Environ(), env...)
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	began := time.Now()
	err := c.Run()
	took := time.Since(began)
	if err != nil {
		text := out.Bytes()
		return sample{}, fmt.Errorf("%s %q: %w\n%s", name, args, err, text[max(0, len(text)-2000):])
	}
	return sample{took, c.ProcessState.UserTime() + c.ProcessState.SystemTime(), peak(c.ProcessState)}, nil
}

// median returns the median of each figure.
func median(all []sample) sample {
	return sample{
		wall:   middle(all, func(s sample) time.Duration { return s.wall }),
		cpu:    middle(all, func(s sample) time.Duration { return s.cpu }),
		memory: middle(all, func(s sample) int64 { return s.memory }),
	}
}

func middle[T cmp.Ordered](all []sample, of func(sample) T) T {
	var v []T
	for _, s := range all {
		v = append(v, of(s))
	}
	slices.Sort(v)
	return v[len(v)/2]
}

// built compiles gpudocs from this repository as for a release, into a new temporary folder.
func built(ctx context.Context) (dir, program string, err error) {
	if dir, err = os.MkdirTemp("", "gpudocs-bench-"); err != nil {
		return "", "", err
	}
	program = filepath.Join(dir, "gpudocs")
	c := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", program, "github.com/gpudocs/gpudocs/cmd/gpudocs")
	c.Stderr = os.Stderr
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	return dir, program, c.Run()
}

// hugoVersion is the version that gpudocs is compared with.
const hugoVersion = "v0.165.0"

// hugo returns the given program, or compiles Hugo.
func hugo(ctx context.Context, given, dir string) (string, error) {
	if given != "" {
		return exec.LookPath(given)
	}
	c := exec.CommandContext(ctx, "go", "install", "github.com/gohugoio/hugo@"+hugoVersion)
	c.Stderr = os.Stderr
	c.Env = append(os.Environ(), "GOBIN="+dir, "CGO_ENABLED=0")
	return filepath.Join(dir, "hugo"), c.Run()
}
