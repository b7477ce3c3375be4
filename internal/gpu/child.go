package gpu

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/child"
	"github.com/gpudocs/gpudocs/internal/report"
)

// askChild starts the probe and returns its answer, or what became of it.
func askChild(ctx context.Context, o Options) report.GPU {
	a := child.Run(ctx, child.Command{Program: o.Executable, Args: o.Args, Env: child.ForDriver(o.Env), Limit: o.Timeout})
	var g report.GPU
	switch err := json.Unmarshal(a.Out, &g); {
	case child.TimedOut(a.Err):
		return late(a.Err, o.Timeout).addTo(report.GPU{})
	case a.Err != nil:
		detail := a.Err.Error()
		if words := child.LastWords(a.Words); words != "" {
			detail += ": " + words
		}
		if dir := filepath.Dir(o.Executable); dir != "." {
			// Here and not in anonymous, which cannot know where a path with spaces ends.
			detail = strings.ReplaceAll(detail, dir+string(filepath.Separator), "")
		}
		return crashed(detail).addTo(report.GPU{})
	case err != nil || g.Status == "":
		return crashed("the probe ended without an answer").addTo(report.GPU{})
	}
	return g
}

func crashed(detail string) *fault {
	return &fault{report.GPUBroken, report.CodeProbeCrashed, detail}
}

// late is the fault of a process that ran out of time.
func late(err error, limit time.Duration) *fault {
	detail := fmt.Sprintf("no answer in time (limit %v)", limit)
	if errors.Is(err, context.Canceled) {
		detail = "cancelled before there was an answer"
	}
	return &fault{report.GPUBroken, report.CodeProbeTimeout, detail}
}
