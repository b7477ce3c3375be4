package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/machinecmd"
	"github.com/gpudocs/gpudocs/internal/cli/reportcmd"
	"github.com/gpudocs/gpudocs/internal/cli/servecmd"
	"github.com/gpudocs/gpudocs/internal/cli/sitecmd"
	"github.com/gpudocs/gpudocs/internal/cli/verifycmd"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/text/terminal"
)

// Main runs gpudocs with the arguments and streams of the process, and exits.
func Main() {
	// SIGHUP: the terminal or the ssh connection is gone.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	// The second Ctrl-C ends the program at once, without cleaning up.
	context.AfterFunc(ctx, stop)
	// The reader of the output may end first (verify | head). Without a handler that would kill
	// gpudocs, and leave subprocesses and folders behind. Snippets would inherit an ignored signal, but
	// not a handler.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	os.Exit(Run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// Run runs gpudocs on the given streams and returns its exit code.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := &env.Env{Stdin: stdin, Stdout: stdout, Stderr: stderr, Text: env.CatalogFromEnv()}
	root := newRoot(a)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	if len(args) > 0 && args[0] == cobra.ShellCompRequestCmd {
		addShellTexts(root, a.Text)
	}
	e := env.ExitOf(root.ExecuteContext(ctx))
	if e.Cause != nil {
		most := a.TextWidth(stderr)
		fmt.Fprintln(stderr, terminal.Hang("gpudocs: "+a.Text.Fault(e.Cause), most, 2))
		if hint := e.Hint.In(a.Text.Catalog); hint != "" {
			fmt.Fprintln(stderr, terminal.Hang("  "+a.Text.Get("hint")+": "+hint, most, 2))
		}
	}
	return e.Code
}

func newRoot(a *env.Env) *cobra.Command {
	root := &cobra.Command{
		Use:           "gpudocs",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          env.NoArgs,
		RunE:          env.WhichCommand,
	}
	root.PersistentFlags().BoolP("help", "h", false, "") // in place of cobra's, which is English
	root.PersistentFlags().Func(env.LanguageFlag, "", a.SetLanguage)
	_ = root.RegisterFlagCompletionFunc(env.LanguageFlag, cobra.FixedCompletions([]cobra.Completion{"en", "es", "pt"}, cobra.ShellCompDirectiveNoFileComp))
	root.PersistentFlags().StringVar(&a.Site, "site", ".", "")
	root.SetFlagErrorFunc(env.FlagError)
	root.AddCommand(sitecmd.NewBuild(a), servecmd.NewServe(a), verifycmd.NewVerify(a), sitecmd.NewCheck(a), machinecmd.NewBench(a), reportcmd.NewReport(a), sitecmd.NewTranslations(a), sitecmd.NewTheme(a), sitecmd.NewSchema(a), sitecmd.NewImport(a), sitecmd.NewInit(a), machinecmd.NewDoctor(a), machinecmd.NewEnv(a), env.NewVersion(a), newCompletion(a), newMan(a), verifycmd.NewProbe(), verifycmd.NewBenchChild(), verifycmd.NewRemote(a, Run))
	root.SetHelpCommand(newHelp())
	root.InitDefaultHelpCmd()                             // the manual pages need it
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { // in a pipe it has the usual width of a terminal
		addTexts(c.Root(), a.Text)
		(&helper{a.Stdout, a.Text, cmp.Or(a.TextWidth(a.Stdout), env.UsualWidth)}).show(c)
	})
	root.PersistentPreRun = func(c *cobra.Command, _ []string) { a.FindSite(c) }
	wrapArgs(root)
	return root
}

// newHelp replaces cobra's own command, which ignores an unknown command.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]",
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
	return env.Usage(diag.Suggest(name, names, diag.Say("cli.help-hint", "see", c.CommandPath())), diag.Say("cli.command-unknown", "name", name))
}

// wrapArgs makes every command end with the exit code for wrong usage if its arguments are wrong or
// its flags exclude each other. cobra would check the flags later, and return an untyped error.
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
			return env.Usage(diag.Say("cli.help-hint", "see", c.CommandPath()), err)
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
		return env.Usage(diag.Say("cli.flags-exclusive-hint"), diag.Say("cli.flags-exclusive", "name", m[1], "other", m[2]))
	}
	return env.Usage(diag.Say("cli.help-hint", "see", c.CommandPath()), err)
}

// allSet matches cobra's message about flags that exclude each other.
var allSet = regexp.MustCompile(`\[(\S+) (\S+)[^\[\]]*\] were all set$`)
