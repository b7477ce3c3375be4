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
	"github.com/gpudocs/gpudocs/internal/cli/workspace"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/verify"
	"github.com/gpudocs/gpudocs/internal/verify/remote"
	"github.com/gpudocs/gpudocs/internal/verify/remote/ssh"
)

func printHosts(a *env.Env, hosts []ssh.Host) error {
	for _, h := range hosts {
		fmt.Fprintln(a.Stdout, a.Text.Get("plan_host", "label", h.Label, "destination", h.Destination))
	}
	return nil
}

// verifyHosts runs the plan on other machines, prints their output behind their labels, and at the end
// the outcome of each.
func verifyHosts(ctx context.Context, a *env.Env, f *verifyFlags, hosts []ssh.Host, site *site.Site, plan *verify.Plan, paths []string) error {
	programs, err := f.hosts.binaries()
	if err != nil {
		return err
	}
	targets, err := ssh.Targets(hosts, programs, f.hosts.patience)
	if errors.Is(err, ssh.ErrNoSSH) {
		return env.EndWith(env.ExitBroken, err, diag.Say("verify.ssh-missing-hint"))
	}
	if err != nil {
		return err
	}
	run := remoteRun{targets: targets, work: "work_hosts"}
	width := 0
	for _, h := range hosts {
		run.labels = append(run.labels, h.Label)
		width = max(width, len(h.Label))
	}
	run.Line = func(label, line string) {
		line = colored(a, line)
		a.Around(func() { fmt.Fprintf(a.Stdout, "%-*s | %s\n", width, label, line) })
	}
	results, err := verifyRemote(ctx, a, f, run, site, plan, paths)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
	for _, r := range results {
		fmt.Fprintf(table, "%s\t%s\n", r.Label, hostOutcome(a, r, workspace.ReportFile(a, f.report, r.Label)))
	}
	_ = table.Flush()
	if ctx.Err() == nil {
		for _, r := range results {
			explainHost(a, r)
		}
	}
	return worst(ctx, results)
}

// colored gives the outcome at the beginning of a line its colour.
func colored(a *env.Env, line string) string {
	word, _, _ := strings.Cut(line, "  ")
	if color := env.Colors[a.Text.OutcomeOf(word)]; color != "" && a.Color(a.Stdout) {
		return "\x1b[" + color + "m" + word + "\x1b[0m" + line[len(word):]
	}
	return line
}

// hostOutcome returns the outcome of a machine.
func hostOutcome(a *env.Env, r remote.Result, file string) string {
	var text string
	if r.Report != nil {
		text = a.Text.TallyText(standing.Report(r.Report)) + "\t" + file
	}
	switch {
	case r.Err == nil:
		return text
	case r.Report == nil && errors.Is(r.Err, context.Canceled):
		return a.Text.Get("host_interrupted")
	case r.Report == nil:
		return a.Text.Get("host_no_report")
	}
	return a.Text.Get("host_part", "tally", text)
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
			fmt.Fprintf(a.Stderr, "  %s: %s\n", a.Text.Get("hint"), fault.Hint.In(a.Text.Catalog))
		}
	}
	if n := r.Omitted.Lines; n > 0 {
		a.Warn(diag.Say("diag.message-at", "place", r.Label, "what", a.Text.Get("host_omitted", "lines", a.Text.Count("host_lines", n), "kb", strconv.FormatInt((r.Omitted.Bytes+1023)>>10, 10))))
	}
}

// NewRemote is the hidden command that runs on the other machine.
func NewRemote(a *env.Env, run func(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int) *cobra.Command {
	return &cobra.Command{
		Use:    ssh.Command + " TOKEN FOLDER",
		Hidden: true,
		Args:   env.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			verifyThere := func(ctx context.Context, args []string, stdout, stderr io.Writer) int {
				return run(ctx, args, strings.NewReader(""), stdout, stderr)
			}
			code, err := ssh.Serve(c.Context(), a.Stdin, a.Stdout, args[0], args[1], verifyThere)
			if err != nil || code == env.ExitFine {
				return err
			}
			return env.ExitCode(code)
		},
	}
}
