package verifycmd

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/exit"
	"github.com/gpudocs/gpudocs/internal/machine/environment"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/verify/tools"
)

// maxToolLines limits the lines of a tool that are shown if it fails.
const maxToolLines = 60

// Sync makes those of the named environments that are made from a lock or have an image, and are not there yet. It
// tries all, and shows on standard error what it makes and what a tool said that failed.
func Sync(ctx context.Context, a *env.Env, all map[string]site.Environment, names []string) (err error) {
	for _, name := range names {
		spec := tools.SpecOf(name, all[name])
		tool, source := spec.Tool, spec.File
		if spec.Container != "" {
			tool, source = "container", diag.Printable(spec.Container)
		}
		if tool == "" {
			continue
		}
		busy := a.NewBusy()
		busy.Set(a.Text.Get("env_making", "name", diag.Printable(name), "tool", tool, "file", source))
		created, fault := environment.Sync(ctx, spec, a.Site)
		busy.End()
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case fault != nil:
			if e, is := errors.AsType[*environment.ToolError](fault); is && e.Output != "" {
				lines := strings.Split(strings.TrimSpace(e.Output), "\n")
				for _, line := range lines[max(0, len(lines)-maxToolLines):] {
					fmt.Fprintln(a.Stderr, strings.TrimRight("  "+diag.Printable(strings.ReplaceAll(line, "\t", "    ")), " "))
				}
			}
			code := exit.Broken
			if errors.As(fault, new(*environment.ToolError)) && !errors.Is(fault, environment.ErrNoTool) {
				code = exit.Usage // the tool rejects what the site asks for
			}
			err = exit.With(code, diag.Say("verify.sync-failed", "name", name, "why", fault))
			if len(names) > 1 {
				a.Warn(err)
				err = exit.Code(code)
			}
		case created:
			fmt.Fprintln(a.Stderr, a.Text.Get("env_made", "name", diag.Printable(name), "tool", tool, "file", source))
		}
	}
	return err
}
