package verify

import (
	"cmp"
	"context"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/verify/session"
)

// A block with a recipe is written to a file in the folder of its bash session. The
// commands that build and run it are steps of that bash, in a subshell in that folder.
// They share the time limit of the block. Without what the recipe or the block needs, it
// is built and not run.

// buildsAnyway reports whether a block that is skipped is built: there are a compiler and a
// sandbox, and its requirements are not met, or the first skipped block of the session was
// built.
func (x *runner) buildsAnyway(b *site.Block, c *report.Check) bool {
	can := b.Recipe != nil && b.Recipe.Build != "" && c.Outcome == report.Skipped && x.confinement.sandboxFault == nil &&
		x.tool.Missing == nil && x.toolOf(b).Missing == nil && x.tool.Env.Unavailable == nil
	if x.endedBy == c {
		x.builtOnly = can
	}
	if !can || !x.builtOnly {
		return false
	}
	if v := b.Needs.Judge(x.facts(b)); !v.Met() {
		c.Reason = x.unmet(v, b.Session.Env)
	}
	return true
}

// recipe builds and runs a block. If c is skipped, the block is only built.
func (x *runner) recipe(ctx context.Context, b *site.Block, c *report.Check) error {
	left := x.timeLimit(b)
	if err := session.CreateFile(x.session.Folder(), b.Recipe.Source(b.Program()), []byte(b.Code), 0o600); err != nil {
		return err
	}
	if b.Recipe.Build != "" {
		began := time.Now()
		if built, err := x.build(ctx, b, c, left); err != nil || !built {
			return err
		}
		left = max(left-time.Since(began), time.Millisecond)
	}
	if c.Outcome == report.Skipped {
		return nil
	}
	if b.Recipe.Run == "" {
		x.judge(b, c, session.Result{})
		return nil
	}
	res, err := x.command(ctx, b, b.Recipe.Run, left)
	if err != nil {
		return err
	}
	c.Stdout, c.Stderr = x.stream(res.Stdout), x.stream(res.Stderr)
	x.judge(b, c, res)
	x.locate(b, c, c.Stderr)
	return nil
}

// build compiles a block, and reports whether it is to be run. If not, and c is not
// skipped, it sets the outcome.
func (x *runner) build(ctx context.Context, b *site.Block, c *report.Check, left time.Duration) (built bool, err error) {
	res, err := x.command(ctx, b, b.Recipe.Build, left)
	if err != nil {
		return false, err
	}
	out := &report.Build{Outcome: report.Passed, Tool: x.toolOf(b).Program, DurationMS: milliseconds(res.Duration),
		Stdout: x.stream(res.Stdout), Stderr: x.stream(res.Stderr)}
	c.Build = out
	if res.Status == session.Finished && res.Exit == 0 {
		if b.NoBuild {
			c.Outcome, c.Reason = report.Failed, &report.Reason{Code: report.ReasonBuilt}
		}
		return !b.NoBuild, nil
	}
	out.Outcome = report.Failed
	switch {
	case b.NoBuild:
		x.judgeFailedBuild(b, c, res)
	case x.ended(b, c, res, 0) && c.Reason.Code == report.ReasonExit:
		c.Reason = &report.Reason{Code: report.ReasonBuild, Exit: &res.Exit}
	}
	if x.endedBy == c && !res.Ended {
		x.endedBy = nil // like any block that fails
	}
	if c.Outcome == report.Failed {
		x.locate(b, c, out.Stderr, out.Stdout, c.Stderr, c.Stdout)
	}
	return false, nil
}

// judgeFailedBuild judges a block that must not compile: its outputs and its exit code are
// those of the compiler. Any exit code but 0 is expected, unless the author has set one.
func (x *runner) judgeFailedBuild(b *site.Block, c *report.Check, res session.Result) {
	c.Stdout, c.Stderr, c.Build.Stdout, c.Build.Stderr = c.Build.Stdout, c.Build.Stderr, nil, nil
	c.Outcome, c.Reason = "", nil
	expected := *b
	if expected.Exit == 0 {
		expected.Exit = res.Exit
	}
	x.judge(&expected, c, res)
}

// command runs a command of a recipe in the session. Bash names the line of the fence in
// its messages.
func (x *runner) command(ctx context.Context, b *site.Block, command string, left time.Duration) (session.Result, error) {
	quoted := "'" + strings.ReplaceAll(x.work(), "'", `'\''`) + "'"
	res, err := x.step(ctx, b, "(\ncd -- "+quoted+"\n"+b.Recipe.Expand(command, b.Program(), b.Flags)+"\n)\n", b.Line, session.Exec, left)
	res.FailLine = 0
	return res, err
}

// locate sets the place of a failure: the line of the block, or of a saved one, that the compiler
// or the program names. For a failed build it adds the compiler's message.
func (x *runner) locate(b *site.Block, c *report.Check, outputs ...*report.Stream) {
	if c.Reason == nil || c.Reason.Place != nil {
		return
	}
	files := []site.SavedFile{{Name: b.Recipe.Source(b.Program()), Block: b}}
	saved := b.SavedFiles()
	for _, name := range slices.Sorted(maps.Keys(saved)) {
		files = append(files, saved[name])
	}
	var found fault
	for _, file := range files {
		for _, s := range outputs {
			f := faultIn(s.String(), path.Base(file.Name))
			if f.line > 0 && f.line <= len(site.CodeLines(file.Block.Code)) && (found.line == 0 || f.isError && !found.isError) {
				at := file.Place(f.line)
				found, c.Reason.Place = f, &at
			}
		}
	}
	if c.Reason.Code == report.ReasonBuild {
		message := found.message
		for _, s := range outputs {
			message = cmp.Or(message, firstError(s.String()))
		}
		c.Reason.Said = diag.Clip(strings.TrimSpace(message), maxMessage)
	}
}

// maxMessage limits the message of a compiler in a reason, in bytes.
const maxMessage = 300

// work returns the folder of the session.
func (x *runner) work() string { return filepath.Join(x.scratch, "work") }

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
