// Command gpudocs builds multilingual GPU tutorials whose snippets prove
// themselves. See gpudocs --help, and docs/ for the manual.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/diag"
)

// Exit codes, a contract.
const (
	exitFine   = 0
	exitFailed = 1 // a check or a strict rule failed
	exitUsage  = 2 // wrong use, or broken content
	exitBroken = 3 // gpudocs itself failed
	exitSignal = 130
)

func main() {
	// SIGHUP: the terminal or the ssh connection is gone.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	// From the second Ctrl-C on the program ends at once, swept or not.
	context.AfterFunc(ctx, stop)
	// Who read our output may be gone before us (verify | head): without a handler
	// that would kill us, and leave children and folders behind. Ignoring the
	// signal would be inherited by snippets; a handler is not.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// An exit is an error that carries its code. A nil cause has been said already.
type exit struct {
	code  int
	cause error
	hint  string
}

func (e *exit) Error() string {
	if e.cause == nil {
		return fmt.Sprintf("exit %d", e.code)
	}
	return e.cause.Error()
}

func (e *exit) Unwrap() error { return e.cause }

func usage(hint, format string, args ...any) error {
	return &exit{exitUsage, fmt.Errorf(format, args...), hint}
}

// said ends the program with a code whose reason is on the screen already.
func said(code int) error { return &exit{code: code} }

// run is the whole program on injected streams.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRoot(&app{stdin: stdin, stdout: stdout, stderr: stderr})
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	e := exitOf(root.ExecuteContext(ctx))
	if e.cause != nil {
		fmt.Fprintf(stderr, "gpudocs: %v\n", e.cause)
		if e.hint != "" {
			fmt.Fprintf(stderr, "  hint: %s\n", e.hint)
		}
	}
	return e.code
}

// exitOf says how the program ends on an error.
func exitOf(err error) *exit {
	var e *exit
	switch {
	case err == nil:
		return &exit{code: exitFine}
	case errors.As(err, &e):
		return e
	case errors.Is(err, context.Canceled):
		return &exit{code: exitSignal}
	}
	return &exit{code: exitBroken, cause: err}
}

// An app is what all commands share.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	site           string // --site
	slurm          slurmFlags
	// live is the progress that has a live line on the screen, or nil.
	live atomic.Pointer[progress]
	// outlets are who else is told of a run, or nil.
	outlets *outlets
}

func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "gpudocs",
		Short: "Multilingual GPU tutorials whose snippets prove themselves",
		Long: `gpudocs builds a static site from Markdown tutorials in several languages.
It runs the snippets that are marked with run on the machines of a lab, and
shows under each of them what really happened, where and when.

Exit codes: 0 fine, 1 a check or a strict rule failed, 2 wrong use or broken
content, 3 gpudocs itself failed, 130 interrupted.`,
		Example: `  gpudocs init tutorials           make a new site
  gpudocs serve --verify           write, with results of this machine
  gpudocs verify --machine lab1    run all checks here, write results/lab1.json
  gpudocs build                    write the site to public/`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE:          whichCommand,
	}
	root.PersistentFlags().StringVar(&a.site, "site", ".", "the site's `folder`, where gpudocs.toml is")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usage("see "+c.CommandPath()+" --help", "%v", err)
	})
	root.AddCommand(newBuild(a), newServe(a), newVerify(a), newCheck(a), newBench(a), newReport(a), newTranslations(a), newTheme(a), newImport(a), newInit(a), newDoctor(a), newVersion(a), newCompletion(a), newProbe(), newBenchChild(), newRemote(a))
	root.SetHelpCommand(newHelp())
	wrapArgs(root)
	return root
}

// whichCommand ends a command that only holds others.
func whichCommand(c *cobra.Command, _ []string) error {
	_ = c.Help()
	return usage("", "which command?")
}

// newHelp replaces cobra's own command, which takes an unknown command for none.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "Show the help of a command",
		Long:    "Help shows what gpudocs COMMAND --help shows.",
		Example: "  gpudocs help verify",
		RunE: func(c *cobra.Command, args []string) error {
			of, rest, err := c.Root().Find(args)
			if err != nil {
				return err
			}
			if len(rest) > 0 {
				if !of.HasSubCommands() {
					of = c.Root()
				}
				return unknownCommand(of, rest[0])
			}
			of.InitDefaultHelpFlag()
			return of.Help()
		},
	}
}

func unknownCommand(c *cobra.Command, name string) error {
	var names []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	return usage(diag.DidYouMean(name, names, "see "+c.CommandPath()+" --help"), "unknown command %q", name)
}

// wrapArgs makes wrong arguments, and flags that do not go together, end with the
// code for wrong use, on every command. cobra itself looks at the flags later, and
// its error would pass for one of gpudocs.
func wrapArgs(c *cobra.Command) {
	for _, sub := range c.Commands() {
		wrapArgs(sub)
	}
	check := c.Args
	if check == nil {
		return
	}
	c.Args = func(c *cobra.Command, args []string) error {
		err := check(c, args)
		switch {
		case err == nil:
			return checkFlagGroups(c)
		case !c.HasSubCommands() || len(args) == 0:
			return usage("see "+c.CommandPath()+" --help", "%v", err)
		default:
			return unknownCommand(c, args[0])
		}
	}
}

func checkFlagGroups(c *cobra.Command) error {
	err := c.ValidateFlagGroups()
	if err == nil {
		return nil
	}
	if m := allSet.FindStringSubmatch(err.Error()); m != nil {
		return usage("leave out one of them", "--%s do not go together", strings.Join(strings.Fields(m[1]), " and --"))
	}
	return usage("see "+c.CommandPath()+" --help", "%v", err)
}

// allSet is how cobra ends the message about flags that exclude each other.
var allSet = regexp.MustCompile(`\[([^\[\]]*)\] were all set$`)
