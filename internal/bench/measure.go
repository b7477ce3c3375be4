package bench

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/child"
	"github.com/gpudocs/gpudocs/internal/measure"
	"github.com/gpudocs/gpudocs/internal/report"
)

// What may do a product.
const (
	Auto   = "auto" // cuBLAS where one is found, else the kernels
	CUBLAS = "cublas"
	PTX    = "ptx"
)

// Backends lists them.
func Backends() []string { return []string{Auto, CUBLAS, PTX} }

// Options say how to measure.
type Options struct {
	// Executable and Args start the child: a program that calls [Child] when it
	// gets these arguments.
	Executable string
	Args       []string
	// Env is the environment to measure in; nil means os.Environ().
	Env []string
	// Backend does the products, Auto if empty.
	Backend string
	// Folders are roots of Python environments, in which cuBLAS and a BLAS of the
	// processor may be, beside the places where the system keeps them.
	Folders []string
	// GPUs is how many the machine is known to have, at least one: each of them
	// gets a result, also where none could be asked. Only are those to measure; nil
	// means all.
	GPUs int
	Only []int
	// NoCPU leaves the processor out, NoGPU the GPUs.
	NoCPU, NoGPU bool
	// Silence is how long the child may say nothing before it counts as stuck.
	// By default it is what the slowest GPU needs for one product, and a minute.
	Silence time.Duration
	// copyBytes bounds the size of a copy, hurry shortens the times, for tests.
	copyBytes uint64
	hurry     bool
	// Began is told which GPU is measured now; nil is not told.
	Began func(gpu int)
}

// slowest is the rate, in operations a second, below which a GPU counts as stuck:
// a tenth of what the first card with compute capability 5.0 does.
const slowest = 1e11

func (o Options) silence(s measure.Spec) time.Duration {
	if o.Silence > 0 {
		return o.Silence
	}
	n := float64(s.N)
	return time.Minute + time.Duration(2*n*n*n/slowest*float64(time.Second))
}

// Measure measures, on every GPU in turn, what a line asks for. What could not be
// measured stands in the result with its reason; the error is ctx's.
func Measure(ctx context.Context, s measure.Spec, o Options) (*report.Measurement, error) {
	if o.Env == nil {
		o.Env = os.Environ()
	}
	o.GPUs = max(o.GPUs, 1)
	m := &report.Measurement{What: s.What, N: s.N, DType: s.DType, Unit: s.Unit(), GPUs: []report.Measured{}}
	if !o.NoGPU {
		m.GPUs = o.gpus(ctx, s)
	}
	if s.What == measure.Matmul && !o.NoCPU && ctx.Err() == nil {
		m.CPU = o.cpu(ctx, s)
	}
	return m, ctx.Err()
}

// gpus asks a child, and another one for those that are left where it came to a
// bad end with one of them.
func (o Options) gpus(ctx context.Context, s measure.Spec) []report.Measured {
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
			return append(all, o.unseen(a.gpus)...)
		case a.begun == nil: // no GPU is to blame
			return append(all, o.none(q, a.fault)...)
		}
		all = append(all, report.Measured{Device: *a.begun, Why: a.fault.Why, Detail: a.fault.Detail})
		q.First = *a.begun + 1
	}
	return all
}

// unseen is the result of GPUs that the machine is known to have, and that CUDA
// does not show: of cards that are divided it shows one part at most.
func (o Options) unseen(shown int) []report.Measured {
	return o.none(request{First: shown, Only: o.Only}, &fault{report.WhyNotSupported, fmt.Sprintf("CUDA shows %d of %d GPUs", shown, o.GPUs)})
}

// none is the result of GPUs of which none could be asked.
func (o Options) none(q request, f *fault) []report.Measured {
	var out []report.Measured
	for i := q.First; i < o.GPUs; i++ {
		if q.Only == nil || slices.Contains(q.Only, i) {
			out = append(out, report.Measured{Device: i, Why: f.Why, Detail: f.Detail})
		}
	}
	return out
}

// cpu measures the processor, in a process of its own.
func (o Options) cpu(ctx context.Context, s measure.Spec) *report.MeasuredCPU {
	a := o.ask(ctx, request{Spec: s, CPU: true, Folders: o.Folders})
	if a.cpu != nil {
		return a.cpu
	}
	return &report.MeasuredCPU{Why: a.fault.Why, Detail: a.fault.Detail}
}

// An answer is what a child said, to its end or to a bad one.
type answer struct {
	gpus  int // that CUDA shows
	done  []report.Measured
	cpu   *report.MeasuredCPU
	begun *int // the GPU at work when it came to an end
	ended bool
	// fault is why it came to a bad end, and never nil then.
	fault *fault
}

// ask starts a child and listens to it, as long as it says something.
func (o Options) ask(ctx context.Context, q request) (a answer) {
	stdin, err := json.Marshal(q)
	if err != nil {
		return answer{fault: &fault{report.WhyFailed, err.Error()}}
	}
	silence := o.silence(q.Spec)
	r := child.Run(ctx, child.Command{Program: o.Executable, Args: o.Args, Env: childEnv(o.Env), Stdin: stdin, Silence: silence,
		Line: func(text []byte) { a.hear(text, o.Began) }})
	switch {
	case a.fault != nil || a.ended:
	case ctx.Err() != nil:
		a.fault = &fault{report.WhyFailed, "cancelled"}
	case errors.Is(r.Err, context.DeadlineExceeded):
		a.fault = &fault{report.WhyFailed, fmt.Sprintf("no answer for %v", silence.Round(time.Second/10))}
	default:
		a.fault = &fault{report.WhyFailed, o.death(r)}
	}
	return a
}

// hear takes a line of the child; one that is no JSON is a library's own.
func (a *answer) hear(text []byte, began func(int)) {
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
	case l.CPU != nil:
		a.cpu = l.CPU
	case l.Fault != nil:
		a.fault = l.Fault
	case l.End:
		a.ended = true
	}
}

// death says of what a child died.
func (o Options) death(r child.Answer) string {
	words := child.LastWords(r.Words)
	if dir := filepath.Dir(o.Executable); dir != "." {
		words = strings.ReplaceAll(words, dir+string(filepath.Separator), "")
	}
	switch {
	case r.Err == nil:
		return "the process that measures ended without an answer"
	case words == "":
		return "the process that measures ended: " + r.Err.Error()
	}
	return tidy(fmt.Sprintf("the process that measures ended: %v: %s", r.Err, words))
}

// misleading are variables by which a measurement would be of something else:
// cuBLAS multiplies in TF32 for FP32, or the other way round
// (https://docs.nvidia.com/cuda/cublas/#tensor-core-usage), or makes FP32 of BF16
// (https://docs.nvidia.com/cuda/cublas/#floating-point-emulation), and a launch waits
// (https://docs.nvidia.com/cuda/cuda-c-programming-guide/#cuda-environment-variables).
var misleading = []string{"NVIDIA_TF32_OVERRIDE=", "CUBLAS_EMULATE_SINGLE_PRECISION=", "CUDA_LAUNCH_BLOCKING="}

// childEnv is env for the child. CUDA orders GPUs by their speed unless it is
// told to do as NVML, whose order a report has.
func childEnv(env []string) []string {
	env = slices.DeleteFunc(child.ForDriver(env), func(e string) bool {
		return slices.ContainsFunc(misleading, func(m string) bool { return strings.HasPrefix(e, m) })
	})
	return append(env, "CUDA_DEVICE_ORDER=PCI_BUS_ID")
}
