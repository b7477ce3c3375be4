// Command gpudocs builds multilingual GPU tutorials whose snippets prove
// themselves. See gpudocs --help, and docs/ for the manual.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/i18n"
	"github.com/gpudocs/gpudocs/internal/terminal"
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
	hint  diag.Text
	// own and ownHint say the same in the language of who reads a terminal, where
	// the catalogs do not; cause and hint, which programs get, are English.
	own, ownHint string
}

func (e *exit) Error() string {
	if e.cause == nil {
		return fmt.Sprintf("exit %d", e.code)
	}
	return e.cause.Error()
}

func (e *exit) Unwrap() error { return e.cause }

// endWith ends the program with a code and a cause.
func endWith[H string | diag.Text](code int, cause error, hint H) error {
	return &exit{code: code, cause: cause, hint: diag.Say("%v", hint)}
}

// usage is wrong use. The arguments keep their own words for other languages.
func usage[H string | diag.Text](hint H, format string, args ...any) error {
	return endWith(exitUsage, diag.Say(format, args...), hint)
}

// fault is wrong use whose texts are fault_NAME and fault_NAME_hint. What fills their
// holes may be a message.
func (a *app) fault(name string, pairs ...string) error {
	own := slices.Clone(pairs)
	for i := 1; i < len(own); i += 2 {
		own[i] = a.w.own(own[i])
	}
	return a.ending(exitUsage, name, pairs, own)
}

// ending ends the program with a text of that name: english are its holes for
// programs, own those for who reads.
func (a *app) ending(code int, name string, english, own []string) error {
	en := inEnglish()
	e := &exit{code: code, cause: errors.New(en.Get("fault_"+name, english...)), own: a.w.Get("fault_"+name, own...)}
	if hint := "fault_" + name + "_hint"; en.Has(hint) {
		e.hint, e.ownHint = diag.Say("%s", en.Get(hint, english...)), a.w.Get(hint, own...)
	}
	return e
}

// warn says on standard error what does not end the program.
func (a *app) warn(format string, args ...any) {
	fmt.Fprintln(a.stderr, terminal.Hang("gpudocs: "+a.w.say(diag.Say(format, args...)), a.textWidth(a.stderr), 2))
}

// said ends the program with a code whose reason is on the screen already.
func said(code int) error { return &exit{code: code} }

// run is the whole program on injected streams.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr, w: ofReader()}
	root := newRoot(a)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	if len(args) > 0 && args[0] == cobra.ShellCompRequestCmd {
		a.w.forShell(root)
	}
	e := exitOf(root.ExecuteContext(ctx))
	if e.cause != nil {
		most := a.textWidth(stderr)
		fmt.Fprintln(stderr, terminal.Hang("gpudocs: "+cmp.Or(e.own, a.w.say(e.cause)), most, 2))
		if hint := cmp.Or(e.ownHint, a.w.say(e.hint)); hint != "" {
			fmt.Fprintln(stderr, terminal.Hang("  "+a.w.Get("hint")+": "+hint, most, 2))
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
	// w is what the terminal says, in the language of who reads there.
	w     words
	site  string // --site
	slurm slurmFlags
	// live is the line on the screen that tells what is going on, or nil.
	live atomic.Pointer[terminal.Line]
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

The terminal speaks Portuguese, Spanish or English: by LC_ALL, LC_MESSAGES, LANG and
LANGUAGE, as every program that uses gettext, or by --language.

Exit codes: 0 fine, 1 a check or a strict rule failed, 2 wrong use or broken
content, 3 gpudocs itself failed, 130 interrupted.`,
		Example: `  gpudocs init tutorials           make a new site
  gpudocs serve --verify           write, with results of this machine
  gpudocs verify --machine lab1    run all checks, write results/lab1.json
  gpudocs build                    write the site to public/`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE:          whichCommand,
	}
	root.PersistentFlags().BoolP("help", "h", false, "show this help") // in place of cobra's, which is English
	root.PersistentFlags().Func(languageFlag, "`language` of the terminal: pt, es or en (default that of the locale)", a.speak)
	_ = root.RegisterFlagCompletionFunc(languageFlag, cobra.FixedCompletions([]cobra.Completion{"en", "es", "pt"}, cobra.ShellCompDirectiveNoFileComp))
	root.PersistentFlags().StringVar(&a.site, "site", ".", "the site's `folder`, where gpudocs.toml is")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usage(diag.Say("see %s --help", c.CommandPath()), "%v", err)
	})
	root.AddCommand(newBuild(a), newServe(a), newVerify(a), newCheck(a), newBench(a), newReport(a), newTranslations(a), newTheme(a), newImport(a), newInit(a), newDoctor(a), newVersion(a), newLicences(a), newCompletion(a), newMan(a), newProbe(), newBenchChild(), newRemote(a))
	root.SetHelpCommand(newHelp())
	root.InitDefaultHelpCmd() // now, and not when it runs: manual pages are written of others too
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { a.showHelp(c) })
	wrapArgs(root)
	return root
}

// languageFlag goes before the locale. By it a run on another machine, or on a node,
// speaks the language of who started it.
const languageFlag = "language"

func (a *app) speak(code string) error {
	spoken := i18n.FromEnv(func(string) string { return code })
	if primary(spoken) != primary(strings.ToLower(code)) {
		return errors.New("gpudocs speaks pt, es and en")
	}
	a.w = wordsOf(spoken)
	return nil
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
	return usage(diag.Suggest(name, names, diag.Say("see %s --help", c.CommandPath())), "unknown command %q", name)
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
			return usage(diag.Say("see %s --help", c.CommandPath()), "%v", err)
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
		return usage("leave out one of them", "--%s and --%s do not go together", m[1], m[2])
	}
	return usage(diag.Say("see %s --help", c.CommandPath()), "%v", err)
}

// allSet is how cobra ends the message about flags that exclude each other.
var allSet = regexp.MustCompile(`\[(\S+) (\S+)[^\[\]]*\] were all set$`)
