package gpu

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gpudocs/gpudocs/internal/machine/subprocess"
	"github.com/gpudocs/gpudocs/internal/report"
)

// longest is the total time limit of a process, in multiples of its limit of silence.
const longest = 12

// runProbe starts the probe and returns its output. If it failed, that is a fault of the
// driver if NVML gave no answer, and otherwise of CUDA. Its time limit restarts with
// each document.
func runProbe(ctx context.Context, o ProbeOptions) probeOutput {
	a := subprocess.Run(ctx, subprocess.Command{Program: o.Executable, Args: o.Args,
		Env:     append(subprocess.ForDriver(o.Env), "CUDA_DEVICE_ORDER=PCI_BUS_ID"), // NVML's order, as in package bench
		Silence: o.Timeout, Limit: longest * o.Timeout})
	t, ok := parse(a.Stdout)
	var f *fault
	switch {
	case a.Err == nil:
		if !ok {
			f = crashed("the probe ended without an answer")
		}
	case subprocess.TimedOut(a.Err):
		f = timedOut(a.Err, o.Timeout)
	default:
		f = crashed(a.Failure(o.Executable))
	}
	switch {
	case !ok:
		t.inventory = inventory{Fault: f}
	case t.cuda == nil && f != nil:
		t.cuda = &cudaAnswer{Error: f.Detail}
	}
	return t
}

func crashed(detail string) *fault { return brokenGPU(report.CodeProbeCrashed, detail) }

// timedOut returns the fault of a process that was killed.
func timedOut(err error, limit time.Duration) *fault {
	detail := fmt.Sprintf("no answer in time (limit %v)", limit)
	if errors.Is(err, context.Canceled) {
		detail = "cancelled before there was an answer"
	}
	return brokenGPU(report.CodeProbeTimeout, detail)
}
