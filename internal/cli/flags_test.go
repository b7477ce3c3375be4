package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/exit"
	"github.com/gpudocs/gpudocs/internal/cli/verifycmd"
	"github.com/gpudocs/gpudocs/internal/cli/words"
	"github.com/gpudocs/gpudocs/internal/verify/remote/slurmjob"
)

// TestCommands checks what --help promises of every command.
func TestCommands(t *testing.T) {
	t.Parallel()
	root := newRoot(&env.Env{Stdout: io.Discard, Stderr: io.Discard})
	addTexts(root, words.English())
	for _, c := range shown(root) {
		t.Run(c.CommandPath(), func(t *testing.T) {
			if !strings.Contains(c.Example, "gpudocs ") {
				t.Error("no example")
			}
			if c.Args == nil && c.Name() != "help" {
				t.Error("wrong arguments are accepted")
			}
			if c.Flag("site") == nil {
				t.Error("no flag --site")
			}
			for line := range strings.Lines(c.Example) {
				checkExample(t, strings.TrimSpace(line))
			}
		})
	}
}

// TestExclusiveFlags: flags that exclude each other are wrong use, on every command that has
// such flags.
func TestExclusiveFlags(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"translations", "--stamp", "--json"}, {"translations", "--strict", "--stamp"}, {"import", "--check", "--to", "x"}, {"import", "--stdout", "--force", "a.md"},
	} {
		var stderr strings.Builder
		if code := Run(t.Context(), args, strings.NewReader(""), io.Discard, &stderr); code != exit.Usage || !strings.Contains(stderr.String(), "exclude each other") {
			t.Errorf("%q: exit code %d, %s", args, code, &stderr)
		}
	}
}

// TestFlagsOfFleets: for every flag of verify it is decided whether it is passed on to another
// machine.
func TestFlagsOfFleets(t *testing.T) {
	t.Parallel()
	staysHere := []string{"help", "machine", "report", "json", "update", "yes", "slurm", "slurm-wait", slurmjob.Flag}
	c, _, err := newRoot(&env.Env{Stdout: io.Discard, Stderr: io.Discard}).Find([]string{"verify"})
	if err != nil {
		t.Fatal(err)
	}
	decided := slices.Concat(verifycmd.FlagsThere, verifycmd.FlagsHere, staysHere)
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !slices.Contains(decided, f.Name) {
			t.Errorf("add --%s to FlagsThere, FlagsHere or the list of this test", f.Name)
		}
	})
	for _, name := range decided {
		if c.Flag(name) == nil && name != "help" {
			t.Errorf("unknown flag --%s", name)
		}
	}
	if err := c.ParseFlags([]string{"--run", "a b", "--run", "c,d", "--timeout", "5s"}); err != nil {
		t.Fatal(err)
	}
	if got, want := verifycmd.PassedOn(c.Flags(), verifycmd.FlagsThere), []string{"--run=a b", "--run=c,d", "--timeout=5s"}; !slices.Equal(got, want) {
		t.Errorf("flags for another machine: got %q, want %q", got, want)
	}
}

// all returns a command and all its subcommands.
func all(c *cobra.Command) []*cobra.Command {
	out := []*cobra.Command{c}
	for _, sub := range c.Commands() {
		out = append(out, all(sub)...)
	}
	return out
}

// checkExample checks that an example's command and flags exist.
func checkExample(t *testing.T, line string) {
	t.Helper()
	if strings.HasPrefix(line, "grep ") || strings.HasPrefix(line, "jq ") || strings.HasPrefix(line, "~/") { // they read what gpudocs wrote
		return
	}
	root := newRoot(&env.Env{Stdout: io.Discard, Stderr: io.Discard}) // flags stay set
	_, line, _ = strings.Cut(line, "gpudocs ")                        // after "source <("
	line, _, _ = strings.Cut(line, "  ")                              // before the explanation
	line, _, _ = strings.Cut(line, " >")
	line, _, _ = strings.Cut(line, " |")
	line = strings.TrimSuffix(line, ")")
	c, args, err := root.Find(strings.Fields(line))
	if err == nil {
		err = c.ParseFlags(args)
	}
	if err == nil && c.Args != nil {
		err = c.Args(c, c.Flags().Args())
	}
	if err != nil || c == root {
		t.Errorf("example %q: %v", line, err)
	}
}

func TestAsk(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"lab1\n": "lab1", "  lab1 \r\n": "lab1", "": "", "lab1": "lab1", "\n": ""} {
		var prompt strings.Builder
		a := &env.Env{Stdin: strings.NewReader(in), Stderr: &prompt}
		got, err := verifycmd.Ask(t.Context(), a, "Name? ")
		if err != nil || got != want || prompt.String() != "Name? " {
			t.Errorf("answer %q: %q, %v, prompt %q", in, got, err, prompt.String())
		}
	}
}

// TestAskInterrupted: Ctrl-C ends a question that waits for an answer.
func TestAskInterrupted(t *testing.T) {
	t.Parallel()
	silent, end := io.Pipe()
	defer end.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	a := &env.Env{Stdin: silent, Stderr: io.Discard}
	if _, err := verifycmd.Ask(ctx, a, "Name? "); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}

// TestWrongUse: exit code 2, one line with the error, and a hint.
func TestWrongUse(t *testing.T) {
	t.Parallel()
	site := t.TempDir() + "/site"
	if code := Run(t.Context(), []string{"init", site}, strings.NewReader(""), io.Discard, io.Discard); code != exit.Fine {
		t.Fatalf("init: exit code %d", code)
	}
	for _, c := range []struct{ args, message, hint string }{
		{"frobnicate", `unknown command "frobnicate"`, "see gpudocs --help"},
		{"help verfy", `unknown command "verfy"`, `did you mean "verify"?`},
		{"help build more", `unknown command "more"`, "see gpudocs --help"},
		{"internal-prob", `unknown command "internal-prob"`, "see gpudocs --help"},

		{"--frobnicate", "unknown flag: --frobnicate", "see gpudocs --help"},
		{"init --frobnicate", "unknown flag: --frobnicate", "see gpudocs init --help"},
		{"build --frobnicate", "unknown flag: --frobnicate", "see gpudocs build --help"},
		{"serve --frobnicate", "unknown flag: --frobnicate", "see gpudocs serve --help"},
		{"verify --frobnicate", "unknown flag: --frobnicate", "see gpudocs verify --help"},
		{"version --frobnicate", "unknown flag: --frobnicate", "see gpudocs version --help"},
		{"completion --frobnicate", "unknown flag: --frobnicate", "see gpudocs completion --help"},
		{"build --output", "flag needs an argument: --output", "see gpudocs build --help"},
		{"build --strict=perhaps", `invalid argument "perhaps" for "--strict" flag`, "see gpudocs build --help"},
		{"verify --timeout soon", `invalid argument "soon" for "--timeout" flag`, "see gpudocs verify --help"},

		{"doctor --frobnicate", "unknown flag: --frobnicate", "see gpudocs doctor --help"},
		{"doctor site", `unknown command "site" for "gpudocs doctor"`, "see gpudocs doctor --help"},
		{"check --externl", "unknown flag: --externl", `did you mean "--external"?`},
		{"check -strict", "unknown shorthand flag: 's' in -strict", `did you mean "--strict"?`},
		{"verify --jobs x", `invalid argument "x" for "--jobs" flag: it must be a whole number, such as 4`, "see gpudocs verify --help"},
		{"init", "1 argument is expected, not 0: gpudocs init DIR", "see gpudocs init --help"},
		{"init a b", "1 argument is expected, not 2: gpudocs init DIR", "see gpudocs init --help"},
		{"build site", `unknown command "site" for "gpudocs build"`, "see gpudocs build --help"},
		{"serve site", `unknown command "site" for "gpudocs serve"`, "see gpudocs serve --help"},
		{"version site", `unknown command "site" for "gpudocs version"`, "see gpudocs version --help"},
		{"completion", "1 argument is expected, not 0: gpudocs completion SHELL", "see gpudocs completion --help"},
		{"completion tcsh", `invalid argument "tcsh" for "gpudocs completion"`, "see gpudocs completion --help"},
		{"completion bash zsh", "1 argument is expected, not 2: gpudocs completion SHELL", "see gpudocs completion --help"},

		{"build --machine m --site " + site, "--machine names the results of --verify", "add --verify, or leave --machine out"},
		{"serve --machine m --site " + site, "--machine names the results of --verify", "add --verify, or leave --machine out"},
		{"build --base-url example.org --site " + site, `base URL "example.org" is not an absolute http or https address`, "write it as --base-url https://example.org/docs/"},
		{"verify --timeout -5s --machine m --site " + site, "--timeout -5s is not a time limit", "write it as 30s or 5m, at most 24h"},
		{"verify --run none --machine m --site " + site, `no block is named "none"`, "gpudocs verify --plan lists all blocks"},
		{"verify --machine m --site " + site + " nowhere.md", "no page of the site is nowhere.md", "gpudocs verify --plan lists all blocks"},
		{"verify --timeout 3q", `invalid argument "3q" for "--timeout" flag: it must be a duration, such as 90s, 10m or 1h30m`, "see gpudocs verify --help"},
		{"bench matmul --n 0", "n=0 is not a number from 1 to 65536", "see gpudocs bench matmul --help"},
		{"bench matmul --dtype fp99", `unknown dtype "fp99"`, `did you mean "fp32"?`},
		{"bench matmul --backend gpu", `unknown backend "gpu"`, "known are auto, cublas, ptx"},
		{"report shwo", `unknown command "shwo"`, `did you mean "show"?`},
		{"help report xyz", `unknown command "xyz"`, "see gpudocs report --help"},
		{"report diff a", "2 arguments are expected, not 1: gpudocs report diff A B", "see gpudocs report diff --help"},
		{"report show --frobnicate", "unknown flag: --frobnicate", "see gpudocs report show --help"},
		{"report show --site " + site, "there is no report in " + site + "/results", "gpudocs verify writes one"},
		{"report show A --site " + site, `"A" cannot name a machine`, "a file is named with a slash or with .json"},
		{"report show none --site " + site, "there is no report in " + site + "/results", "gpudocs verify writes one"},
		{"report show ./none --site " + site, "there is no file ./none", "name a machine, or the file of a report"},
		{"report prune --older soon", `invalid argument "soon" for "--older" flag: write it as 365d, 8w or 2y`, "see gpudocs report prune --help"},
		{"report prune --older -1h", `invalid argument "-1h" for "--older" flag: write it as 365d, 8w or 2y`, "see gpudocs report prune --help"},
		{"report prune --history -1 --site " + site, "--history -1 is no number of outcomes", "0 keeps none"},
		{"report prune a/b.json --site " + site, `"a/b.json" cannot name a machine`, "prune takes names of machines, no files"},
		{"verify --plan --junit " + site + "/j.xml --site " + site, "--plan runs nothing, so --junit has nothing to write", "leave one of them out"},
		{"verify --junit " + site + " --machine m --site " + site, "--junit " + site + " is not a regular file", "name a regular file"},
		{"verify --host=", `--host: "" names no machine`, "write it as --host deepnine or --host deepnine=user@address"},
		{"verify --host lab=", `--host: "lab=" names no machine`, "write it as --host deepnine or --host deepnine=user@address"},
		{"verify --host lab=-oProxyCommand=id", `--host: "-oProxyCommand=id" is no destination for ssh`, "an alias of ~/.ssh/config, user@address, or ssh://user@address:port"},
		{"verify --host Lab.A", `--host: "Lab.A" cannot name a machine`, "give it a label for its report: --host LABEL=Lab.A"},
		{"verify --host ana@lab", `--host: "ana@lab" cannot name a machine`, "give it a label for its report: --host LABEL=ana@lab"},
		{"verify --host a --host b --host a=c", `--host: two hosts are named "a"`, "each has a report of its own: --host LABEL=c"},
		{"verify --host a --machine b", "--machine does not go with --host", "a host's label names its report: --host LABEL=DESTINATION"},
		{"verify --host a --report b", "--report does not go with --host", "a host's label names its report: --host LABEL=DESTINATION"},
		{"verify --host-binary b --machine m", "--host-binary works only with --host", "name the machines with --host"},
		{"verify --host a --host-timeout 0s", "--host-timeout 0s is not a time limit", "write it as 30s or 2m, at most 1h"},
		{"verify --host a --run none --site " + site, `no block is named "none"`, "gpudocs verify --plan lists all blocks"},
		{"init " + site, site + " is not empty", "name a folder that does not exist yet"},
	} {
		t.Run(c.args, func(t *testing.T) {
			t.Parallel()
			args := strings.Fields(strings.ReplaceAll(c.args, site, "SITE")) // its name may hold spaces
			for i := range args {
				args[i] = strings.ReplaceAll(args[i], "SITE", site)
			}
			var out, problems strings.Builder
			code := Run(t.Context(), args, strings.NewReader(""), &out, &problems)
			first, rest, _ := strings.Cut(problems.String(), "\n")
			if code != exit.Usage || !strings.HasPrefix(first, "gpudocs: "+c.message) || !strings.HasSuffix(rest, "  hint: "+c.hint+"\n") || out.Len() > 0 {
				t.Errorf("exit code %d\n%s%s", code, out.String(), problems.String())
			}
			for _, language := range []string{"es", "pt"} {
				var own strings.Builder
				Run(t.Context(), append([]string{"--language", language}, args...), strings.NewReader(""), io.Discard, &own)
				if strings.Contains(own.String(), c.message) || strings.Contains(own.String(), c.hint) {
					t.Errorf("not in %s:\n%s", language, &own)
				}
			}
		})
	}
}

// fullDisk is standard output that cannot be written.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// TestUnwritten: a command whose output cannot be written has failed, unless it has failed for a graver reason.
func TestUnwritten(t *testing.T) {
	t.Parallel()
	site := t.TempDir() + "/site"
	if code := Run(t.Context(), []string{"init", site}, strings.NewReader(""), io.Discard, io.Discard); code != exit.Fine {
		t.Fatalf("init: exit code %d", code)
	}
	for args, want := range map[string]int{
		"version": exit.Broken, "check": exit.Broken, "check --json": exit.Broken, "translations": exit.Broken, "verify --plan": exit.Broken,
		"theme list": exit.Broken, "env": exit.Broken, "help build": exit.Broken, "report show": exit.Usage, "frobnicate": exit.Usage,
	} {
		var problems strings.Builder
		code := Run(t.Context(), append(strings.Fields(args), "--site", site), strings.NewReader(""), fullDisk{}, &problems)
		if code != want || want == exit.Broken && !strings.Contains(problems.String(), "no space left") {
			t.Errorf("%s: exit code %d, %s", args, code, &problems)
		}
	}
}

// TestInterrupted: with a cancelled context the exit code is 130, and nothing is written.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	site := t.TempDir() + "/site"
	if code := Run(t.Context(), []string{"init", site}, strings.NewReader(""), io.Discard, io.Discard); code != exit.Fine {
		t.Fatalf("init: exit code %d", code)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if code := Run(gone, []string{"build", "--site", site}, strings.NewReader(""), io.Discard, io.Discard); code != exit.Signal {
		t.Errorf("build: exit code %d, want %d", code, exit.Signal)
	}
	if _, err := os.Stat(site + "/public"); err == nil {
		t.Error("an interrupted build leaves a folder")
	}
}
