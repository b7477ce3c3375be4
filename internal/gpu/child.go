package gpu

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
)

// askChild starts the probe and returns what it told. What it did not come to
// is a fault: of the driver where NVML gave no answer, and else of CUDA.
func askChild(ctx context.Context, o Options) told {
	a := runOn(ctx, o.Timeout, childEnv(o.Env), o.Executable, o.Args...)
	t, ok := parse(a.out)
	f := a.fault(o)
	switch {
	case !ok && f == nil:
		t.inventory = inventory{Fault: crashed("the probe ended without an answer")}
	case !ok:
		t.inventory = inventory{Fault: f}
	case t.cuda == nil && f != nil:
		t.cuda = &cudaAnswer{Error: f.Detail}
	}
	return t
}

// fault says what became of a probe that did not end well; nil if it did.
func (a answer) fault(o Options) *fault {
	switch {
	case a.err == nil:
		return nil
	case timedOut(a.err):
		return late(a.err, o.Timeout)
	}
	detail := a.err.Error()
	if words := lastWords(a.words); words != "" {
		detail += ": " + words
	}
	if dir := filepath.Dir(o.Executable); dir != "." {
		// Here and not in anonymous, which cannot know where a path with spaces ends.
		detail = strings.ReplaceAll(detail, dir+string(filepath.Separator), "")
	}
	return crashed(detail)
}

// childEnv is env for the probe. LD_BIND_NOW must go: it has every function of
// NVML resolved at start, before the library is loaded, and that ends the
// process.
func childEnv(env []string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(e string) bool {
		return strings.HasPrefix(e, "LD_BIND_NOW=")
	})
}

// lastWords returns the line of standard error that says why a process died:
// the last, which is what the dynamic linker writes, or the one by which the Go
// runtime names a signal, before it writes pages of stacks and registers.
func lastWords(stderr string) (last string) {
	for line := range strings.Lines(stderr) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "SIG"):
			return line
		case line != "":
			last = line
		}
	}
	return last
}

func crashed(detail string) *fault {
	return &fault{Status: report.GPUBroken, Code: report.CodeProbeCrashed, Detail: detail}
}

// timedOut tells whether err is that of a context.
func timedOut(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
}

// late is the fault of a process that timedOut.
func late(err error, limit time.Duration) *fault {
	detail := fmt.Sprintf("no answer in time (limit %v)", limit)
	if errors.Is(err, context.Canceled) {
		detail = "cancelled before there was an answer"
	}
	return &fault{Status: report.GPUBroken, Code: report.CodeProbeTimeout, Detail: detail}
}
