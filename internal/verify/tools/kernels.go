package tools

import (
	"context"
	_ "embed"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/machine/subprocess"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/verify/session"
)

//go:embed kernels.py
var kernelsScript string

// kernelTimeout limits the time that a kernel may take to start and say what it is.
var kernelTimeout = time.Minute

// Kernels are the Jupyter kernels that a Python has.
type Kernels struct {
	// Client is the version of its jupyter_client, or empty if it has none.
	Client  string
	Kernels map[string]Kernel
}

// A Kernel is a Jupyter kernel. Found reports whether its program is on the machine, and Fault is what is wrong with
// its kernel.json, if anything.
type Kernel struct {
	Language, Program, Fault string
	Found                    bool
}

// ListKernels lists the kernels of the interpreter's Python. ok is false if it did not
// answer.
func (i Interpreter) ListKernels(ctx context.Context) (k Kernels, ok bool) {
	a := i.Env.Run(ctx, subprocess.Command{Program: i.Path, Args: []string{"-c", kernelsScript},
		Env: i.Environ(os.TempDir()), Limit: kernelTimeout})
	return k, a.Err == nil && json.Unmarshal(a.Stdout, &k) == nil
}

// probeKernel returns what a kernel lacks on this machine, or else what it is: "R 4.2.2,
// IRkernel 1.3.2, jupyter_client 8.6.0". Only the kernel itself knows, so it is started. One
// that does not answer is missing: each session would wait for it again.
func (i Interpreter) probeKernel(ctx context.Context) (lacks *report.Reason, name string) {
	ctx, cancel := context.WithTimeout(ctx, kernelTimeout)
	defer cancel()
	k, ok := i.ListKernels(ctx)
	if !ok {
		return nil, ""
	}
	kernel, has := k.Kernels[i.Kernel]
	switch {
	case k.Client == "":
		return missing("", "jupyter_client"), ""
	case !has:
		return missing(report.LacksKernel, i.Kernel), ""
	case kernel.Fault != "":
		lacks = missing(report.LacksKernel, i.Kernel)
		lacks.Said = "kernel.json: " + kernel.Fault
		return lacks, ""
	case !kernel.Found:
		return missing("", kernel.Program), ""
	}
	if name = i.askKernel(ctx); name == "" {
		return missing(report.LacksKernelStart, i.Kernel), ""
	}
	return nil, name
}

// askKernel starts the kernel and returns what it says it is, or "".
func (i Interpreter) askKernel(ctx context.Context) string {
	scratch, err := session.NewScratch()
	if err != nil {
		return ""
	}
	defer func() { _ = scratch.Remove() }() // the next run sweeps what is left
	s, err := session.Start(ctx, session.Command{Interpreter: session.Jupyter, Path: i.Path, Kernel: i.Kernel,
		Env: i.Environ(filepath.Join(scratch.Dir, "tmp")), Scratch: scratch.Dir, Container: i.Container()})
	if err != nil {
		return ""
	}
	defer s.Close()
	r, err := s.Run(ctx, session.Step{File: "info", Mode: session.Info})
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(r.Stdout.Text))
}
