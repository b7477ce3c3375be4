package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/exit"
	"github.com/gpudocs/gpudocs/internal/cli/machinecmd"
	"github.com/gpudocs/gpudocs/internal/cli/reportcmd"
	"github.com/gpudocs/gpudocs/internal/cli/servecmd"
	"github.com/gpudocs/gpudocs/internal/cli/sitecmd"
	"github.com/gpudocs/gpudocs/internal/cli/verifycmd"
	"github.com/gpudocs/gpudocs/internal/project"
	"github.com/gpudocs/gpudocs/internal/text"
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
	a := env.New(stdin, stdout, stderr)
	root := newRoot(a)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	if len(args) > 0 && args[0] == cobra.ShellCompRequestCmd {
		addShellTexts(root, a.Text)
	}
	e := exit.Of(root.ExecuteContext(ctx))
	if err := a.Unwritten(); err != nil && e.Code <= exit.Failed {
		e = exit.Of(err)
	}
	if e.Cause != nil {
		most := a.TextWidth(stderr)
		fmt.Fprintln(stderr, terminal.Hang("gpudocs: "+faultText(a.Text, e.Cause), most, 2))
		if hint := a.Text.Say(e.Hint()); hint != "" {
			fmt.Fprintln(stderr, terminal.Hang("  "+a.Text.Get("hint")+": "+hint, most, 2))
		}
	}
	return e.Code
}

// faultText returns the text of an error that ends a command. A rare error of the system, or one of a library, is
// in English, quoted in a sentence in the language.
func faultText(t text.Catalog, err error) string {
	if m, is := err.(text.Message); is && m.Key() == "" && len(m.Unwrap()) == 1 { //nolint:errorlint // an error with a hint
		err = m.Unwrap()[0]
	}
	var in interface{ In(text.Catalog) string }
	if translated := t.Error(err); translated != err.Error() || errors.As(err, &in) {
		return translated
	}
	return t.Say(text.Say("cli.system-error", "why", err))
}

func newRoot(a *env.Env) *cobra.Command {
	root := &cobra.Command{
		Use:           "gpudocs",
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.PersistentFlags().BoolP("help", "h", false, "") // in place of cobra's, which is English
	root.PersistentFlags().Func(env.LanguageFlag, "", a.SetLanguage)
	_ = root.RegisterFlagCompletionFunc(env.LanguageFlag,
		cobra.FixedCompletions([]cobra.Completion{"en", "es", "pt"}, cobra.ShellCompDirectiveNoFileComp))
	root.PersistentFlags().StringVar(&a.Site, "site", ".", "")
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(
		sitecmd.NewBuild(a),
		servecmd.NewServe(a),
		verifycmd.NewVerify(a),
		sitecmd.NewCheck(a),
		machinecmd.NewBench(a),
		reportcmd.NewReport(a),
		sitecmd.NewTranslations(a),
		sitecmd.NewTheme(a),
		sitecmd.NewSchema(a),
		sitecmd.NewImport(a),
		sitecmd.NewInit(a),
		machinecmd.NewDoctor(a),
		machinecmd.NewEnv(a),
		newVersion(a),
		newCompletion(a),
		newMan(a),
		verifycmd.NewProbe(),
		verifycmd.NewBenchChild(),
		verifycmd.NewRemote(a, Run),
	)
	root.SetHelpCommand(newHelp())
	root.InitDefaultHelpCmd()                             // the manual pages need it
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { // in a pipe it has the usual width of a terminal
		addTexts(c.Root(), a.Text)
		(&helper{a.Stdout, a.Text, cmp.Or(a.TextWidth(a.Stdout), env.UsualWidth)}).show(c)
	})
	root.PersistentPreRun = func(c *cobra.Command, _ []string) { a.FindSite(c) }
	prepare(a, root)
	return root
}

func newVersion(a *env.Env) *cobra.Command {
	return &cobra.Command{
		Use: "version",
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(a.Stdout, "%s (%s, %s/%s)\n", project.Generator(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
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
