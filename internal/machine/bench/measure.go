package bench

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/machine/gpu"
	"github.com/gpudocs/gpudocs/internal/machine/subprocess"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
)

// The backends of a matmul.
const (
	Auto   = "auto" // cuBLAS if it is found, else the kernel for fp32
	CUBLAS = "cublas"
	PTX    = "ptx"
)

// Backends lists them.
func Backends() []string { return []string{Auto, CUBLAS, PTX} }

// MeasureOptions are the options of [Measure].
type MeasureOptions struct {
	// Executable and Args start the subprocess: a program that calls [RunSubprocess] if
	// it gets these arguments.
	Executable string
	Args       []string
	// Env is the environment of the subprocess. If nil, it is os.Environ().
	Env []string
	// Backend does the matmul. If empty, Auto.
	Backend string
	// Folders are roots of Python environments that may contain cuBLAS, searched in
	// addition to the system's folders.
	Folders []string
	// GPUs is how many GPUs the machine is known to have, at least one. Each gets a
	// result, even if it could not be measured. Only are the GPUs to measure. If nil,
	// all are.
	GPUs int
	Only []int
	// NoGPU skips them: none can be used.
	NoGPU bool
	// Silence limits the time between two lines of the subprocess. If 0, it is what the
	// slowest GPU needs for one matmul, and a minute.
	Silence time.Duration
	// copyBytes limits the size of a copy, and hurry shortens times, for tests.
	copyBytes uint64
	hurry     bool
	// Began is called with the GPU that is measured next. It may be nil.
	Began func(gpu int)
}

// slowest is the rate, in operations a second, below which a GPU counts as stuck:
// a tenth of what the first GPU with compute capability 5.0 does.
const slowest = 1e11

func (o MeasureOptions) silence(s ask.Measure) time.Duration {
	if o.Silence > 0 {
		return o.Silence
	}
	n := float64(s.N)
	return time.Minute + time.Duration(2*n*n*n/slowest*float64(time.Second))
}

// Measure measures what a line asks for, on one GPU after the other. Failures are in
// the result with their reason; the error is that of ctx.
func Measure(ctx context.Context, s ask.Measure, o MeasureOptions) (*report.Measurement, error) {
	if o.Env == nil {
		o.Env = os.Environ()
	}
	o.GPUs = max(o.GPUs, 1)
	m := &report.Measurement{What: s.What, N: s.N, DType: s.DType, Unit: s.Unit(), GPUs: []report.Measured{}}
	if !o.NoGPU {
		m.GPUs = o.gpus(ctx, s)
	}
	return m, ctx.Err()
}

// gpus measures in a subprocess, and in another one for the remaining GPUs if it failed
// on one of them.
func (o MeasureOptions) gpus(ctx context.Context, s ask.Measure) []report.Measured {
	all := []report.Measured{}
	q := request{Spec: s, Backend: cmp.Or(o.Backend, Auto), Folders: o.Folders, Only: o.Only, CopyBytes: o.copyBytes, Hurry: o.hurry}
	for ctx.Err() == nil {
		a := o.ask(ctx, q)
		all = append(all, a.done...)
		if n := len(a.done); n > 0 {
			q.First = a.done[n-1].Device + 1
		}
		switch {
		case a.ended:
			// GPUs that the machine has and CUDA does not list. Of divided GPUs it lists at
			// most one part.
			q.First = a.gpus
			return append(all, o.noGPUs(q, &fault{report.WhyNotSupported, fmt.Sprintf("CUDA shows %d of %d GPUs", a.gpus, o.GPUs)})...)
		case a.begun == nil: // no GPU is to blame
			return append(all, o.noGPUs(q, a.fault)...)
		}
		all = append(all, report.Measured{Device: *a.begun, Why: a.fault.Why, Detail: a.fault.Detail})
		q.First = *a.begun + 1
	}
	return all
}

// noGPUs returns results for the requested GPUs if none of them could be measured.
func (o MeasureOptions) noGPUs(q request, f *fault) []report.Measured {
	var out []report.Measured
	for i := q.First; i < o.GPUs; i++ {
		if q.Only == nil || slices.Contains(q.Only, i) {
			out = append(out, report.Measured{Device: i, Why: f.Why, Detail: f.Detail})
		}
	}
	return out
}

// An answer is the output of a subprocess.
type answer struct {
	gpus  int // that CUDA lists
	done  []report.Measured
	begun *int // the GPU that was measured when it failed
	ended bool
	// fault is why the subprocess failed; nil if it did not.
	fault *fault
}

// ask starts a subprocess and reads its output.
func (o MeasureOptions) ask(ctx context.Context, q request) (a answer) {
	stdin, err := json.Marshal(q)
	if err != nil {
		return answer{fault: &fault{report.WhyFailed, err.Error()}}
	}
	silence := o.silence(q.Spec)
	r := subprocess.Run(ctx, subprocess.Command{Program: o.Executable, Args: o.Args, Env: environ(o.Env), Stdin: stdin, Silence: silence,
		Line: func(text []byte) { a.handle(text, o.Began) }})
	switch {
	case a.fault != nil || a.ended:
	case ctx.Err() != nil:
		a.fault = &fault{report.WhyFailed, "cancelled"}
	case r.Err == nil:
		a.fault = &fault{report.WhyFailed, "the process that measures ended without an answer"}
	case errors.Is(r.Err, context.DeadlineExceeded):
		a.fault = &fault{report.WhyFailed, fmt.Sprintf("no answer for %v", silence.Round(time.Second/10))}
	default:
		a.fault = &fault{report.WhyFailed, gpu.Redact("the process that measures ended: " + r.Failure(o.Executable))}
	}
	return a
}

// handle handles a line of the subprocess. Lines that are not JSON are printed by
// libraries and ignored.
func (a *answer) handle(text []byte, began func(int)) {
	var l line
	if json.Unmarshal(text, &l) != nil {
		return
	}
	switch {
	case l.GPUs != nil:
		a.gpus = *l.GPUs
	case l.Begin != nil:
		a.begun = l.Begin
		if began != nil {
			began(*l.Begin)
		}
	case l.Done != nil:
		a.done, a.begun = append(a.done, *l.Done), nil
	case l.Fault != nil:
		a.fault = l.Fault
	case l.End:
		a.ended = true
	}
}

// misleading are variables that would distort a measurement: cuBLAS would use TF32 for
// FP32, or the other way round
// (https://docs.nvidia.com/cuda/cublas/#tensor-core-usage), or emulate FP32 with BF16
// (https://docs.nvidia.com/cuda/cublas/#floating-point-emulation), or launches would
// block
// (https://docs.nvidia.com/cuda/cuda-c-programming-guide/#cuda-environment-variables).
var misleading = []string{"NVIDIA_TF32_OVERRIDE=", "CUBLAS_EMULATE_SINGLE_PRECISION=", "CUDA_LAUNCH_BLOCKING="}

// environ returns the environment of the subprocess. CUDA orders GPUs by speed unless
// it is told to use NVML's order, which reports use.
func environ(env []string) []string {
	env = slices.DeleteFunc(subprocess.ForDriver(env), func(e string) bool {
		return slices.ContainsFunc(misleading, func(m string) bool { return strings.HasPrefix(e, m) })
	})
	return append(env, "CUDA_DEVICE_ORDER=PCI_BUS_ID")
}
