package content

import (
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/report"
)

// jobScript reads a block with run=sbatch: the tutorial's own job script. It
// tells whether the block is one; another value of run is a fault.
func (r *blockReader) jobScript(n *ast.FencedCodeBlock, f *Fence, a fenceAttributes, kind Kind) bool {
	run := a.by["run"]
	switch {
	case run.value != report.KindSbatch:
		a.fault(run, diag.Say("run takes no value %q", run.value), diag.Say("write {run}, or {run=sbatch} for a job script of Slurm"))
		return false
	case kind != Bash:
		a.fault(run, diag.Say("a %s block is no job script", f.Language), diag.Say("a job script is a bash block that begins with #!/bin/bash"))
		return false
	case !strings.HasPrefix(f.Code, "#!"):
		a.fault(run, diag.Say("the job script does not begin with #!"), diag.Say("sbatch takes a script that begins with #!/bin/bash"))
	}
	a.only(diag.Say("on a job script"), slices.Concat([]string{"run", "name", "timeout", "needs", "exit", "differs", "file", "region", "lines"}, lookNames)...)
	b := r.block(n, f, a, Sbatch)
	r.limits(b, a)
	b.Session = &Session{Interpreter: report.KindSbatch, Blocks: []*Block{b}}
	r.sessions = append(r.sessions, b.Session)
	return true
}
