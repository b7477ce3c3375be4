package verifycmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/exit"
	"github.com/gpudocs/gpudocs/internal/cli/words"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/verify/remote"
	"github.com/gpudocs/gpudocs/internal/verify/remote/ssh"
)

// planHosts lists the machines on which the plan would run.
func (v *verification) planHosts() error {
	for _, h := range v.hosts {
		fmt.Fprintln(v.Stdout, v.Text.Get("plan_host", "label", h.Label, "destination", h.Destination))
	}
	return nil
}

// onHosts runs the plan on other machines, prints their output behind their labels, and at the end
// the outcome of each.
func (v *verification) onHosts(ctx context.Context) error {
	programs, err := v.host.binaries()
	if err != nil {
		return err
	}
	targets, err := ssh.Targets(v.hosts, programs, v.host.patience)
	if errors.Is(err, ssh.ErrNoSSH) {
		return exit.With(exit.Broken, diag.Plain(err).WithHint(diag.Say("verify.ssh-missing-hint")))
	}
	if err != nil {
		return err
	}
	run := remoteRun{targets: targets, work: "work_hosts"}
	width := 0
	for _, h := range v.hosts {
		run.labels = append(run.labels, h.Label)
		width = max(width, len(h.Label))
	}
	run.Line = func(label, line string) {
		line = colored(v.Env, line)
		v.Around(func() { fmt.Fprintf(v.Stdout, "%-*s | %s\n", width, label, line) })
	}
	results, err := v.remotely(ctx, run)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(v.Stdout, 0, 0, 2, ' ', 0)
	for _, r := range results {
		fmt.Fprintf(table, "%s\t%s\n", r.Label, hostOutcome(v.Text, r, v.reportFile(r.Label)))
	}
	_ = table.Flush()
	if ctx.Err() == nil {
		for _, r := range results {
			explainHost(v.Env, r)
		}
	}
	return worst(ctx, results)
}

// colored gives the outcome at the beginning of a line its colour.
func colored(a *env.Env, line string) string {
	outcome, _, _ := strings.Cut(line, "  ")
	for _, w := range words.Outcomes {
		if words.Outcome(a.Text, w) == outcome {
			return a.Paint(words.Colors[w], outcome) + line[len(outcome):]
		}
	}
	return line
}

// hostOutcome returns the outcome of a machine.
func hostOutcome(t text.Catalog, r remote.Result, file string) string {
	var tally string
	if r.Report != nil {
		tally = words.Tally(t, standing.Report(r.Report)) + "\t" + file
	}
	switch {
	case r.Err == nil:
		return tally
	case r.Report == nil && errors.Is(r.Err, context.Canceled):
		return t.Get("host_interrupted")
	case r.Report == nil:
		return t.Get("host_no_report")
	}
	return t.Get("host_part", "tally", tally)
}

// explainHost prints why a run did not finish, and how much of its output was left out.
func explainHost(a *env.Env, r remote.Result) {
	if r.Err != nil {
		why, rest := r.Err, ""
		if first, more, cut := strings.Cut(a.Text.Error(r.Err), "\n"); cut { // what a program printed
			why, rest = text.Plain(first), more
		}
		a.Warn(text.Say("verify.host-fault", "host", r.Label, "why", why))
		var fault *remote.Error
		if errors.As(r.Err, &fault) && fault.Output != "" {
			rest = strings.TrimPrefix(rest+"\n"+fault.Output, "\n")
		}
		for line := range strings.Lines(rest) {
			fmt.Fprintf(a.Stderr, "  %s\n", strings.TrimRight(line, "\n"))
		}
		if fault != nil && !fault.Hint.IsZero() {
			fmt.Fprintf(a.Stderr, "  %s: %s\n", a.Text.Get("hint"), fault.Hint.In(a.Text))
		}
	}
	if n := r.Omitted.Lines; n > 0 {
		omitted := a.Text.Get("host_omitted", "lines", a.Text.Count("host_lines", n), "kb", strconv.FormatInt((r.Omitted.Bytes+1023)>>10, 10))
		a.Warn(diag.Say("diag.message-at", "place", r.Label, "what", omitted))
	}
}

// NewRemote is the hidden command that runs on the other machine.
func NewRemote(a *env.Env, run func(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int) *cobra.Command {
	return &cobra.Command{
		Use:    ssh.Command + " TOKEN FOLDER",
		Hidden: true,
		RunE: func(c *cobra.Command, args []string) error {
			verifyThere := func(ctx context.Context, args []string, stdout, stderr io.Writer) int {
				return run(ctx, args, strings.NewReader(""), stdout, stderr)
			}
			code, err := ssh.Serve(c.Context(), a.Stdin, a.Stdout, args[0], args[1], verifyThere)
			if err != nil || code == exit.Fine {
				return err
			}
			return exit.Code(code)
		},
	}
}
