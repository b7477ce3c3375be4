package cli

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/project"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// flagError ends the program because of an error of pflag.
func flagError(c *cobra.Command, err error) error {
	hint := diag.Say("cli.help-hint", "see", c.CommandPath())
	suggest := func(name string) {
		var known []string
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				known = append(known, f.Name)
			}
		})
		if near := diag.Nearest(name, known); near != "" {
			hint = diag.Say("diag.did-you-mean-hint", "name", "--"+near)
		}
	}
	switch e := err.(type) { // pflag does not wrap its errors
	case *pflag.NotExistError:
		err = diag.Say("cli.flag-unknown", "flag", "--"+e.GetSpecifiedName())
		if among := e.GetSpecifiedShortnames(); among == "" {
			suggest(e.GetSpecifiedName())
		} else {
			err = diag.Say("cli.flag-unknown-letter", "letter", e.GetSpecifiedName(), "flags", among)
			suggest(among) // -strict
		}
	case *pflag.ValueRequiredError:
		err = diag.Say("cli.flag-value-missing", "flag", "--"+e.GetSpecifiedName())
		if among := e.GetSpecifiedShortnames(); among != "" {
			err = diag.Say("cli.flag-value-missing-letter", "letter", e.GetSpecifiedName(), "flags", among)
		}
	case *pflag.InvalidValueError:
		f := e.GetFlag()
		name := "--" + f.Name
		if f.Shorthand != "" && f.ShorthandDeprecated == "" {
			name = "-" + f.Shorthand + ", " + name
		}
		err = diag.Say("cli.flag-value", "value", e.GetValue(), "flag", name, "why", valueError(f.Value.Type(), e.Unwrap()))
	case *pflag.InvalidSyntaxError:
		err = diag.Say("cli.flag-syntax", "flag", e.GetSpecifiedFlag())
	}
	return diag.Wrong(diag.Plain(err).WithHint(hint))
}

// valueError says which values a flag takes, in place of an error of package strconv or time.
func valueError(kind string, err error) error {
	switch kind {
	case "int", "intSlice":
		return diag.Say("cli.flag-want-int")
	case "duration":
		return diag.Say("cli.flag-want-duration")
	case "bool":
		return diag.Say("cli.flag-want-bool")
	}
	return err
}

// prepare does for a command and those below it what their declarations imply: the arguments that Use names, flags that exclude
// each other, what a group of commands does by itself, and completion of machines. Wrong usage has its own exit code, and
// cobra's errors are in English and without a type.
func prepare(a *env.Env, c *cobra.Command) {
	for _, sub := range c.Commands() {
		prepare(a, sub)
	}
	if c.Name() == "help" {
		return
	}
	if c.HasSubCommands() && c.RunE == nil {
		c.RunE = func(c *cobra.Command, _ []string) error {
			_ = c.Help()
			return diag.Wrong(diag.Say("cli.command-missing"))
		}
	}
	if c.Flag("machine") != nil {
		_ = c.RegisterFlagCompletionFunc("machine", func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return project.Machines(a.Site), cobra.ShellCompDirectiveNoFileComp
		})
	}
	c.Args = func(c *cobra.Command, args []string) error {
		err := checkArgs(c, args)
		switch {
		case err == nil:
			return checkFlagGroups(c)
		case !c.HasSubCommands() || len(args) == 0:
			return diag.Wrong(diag.Plain(err).WithHint(diag.Say("cli.help-hint", "see", c.CommandPath())))
		default:
			return unknownCommand(c, args[0])
		}
	}
}

// checkArgs compares arguments with those that Use names: NAME is one, [NAME] one or none, NAME... one or more, [NAME...] any.
func checkArgs(c *cobra.Command, args []string) error {
	least, most := 0, 0
	names := strings.Fields(c.Use)[1:]
	for _, name := range names {
		if !strings.HasPrefix(name, "[") {
			least++
		}
		most++
		if strings.HasSuffix(strings.TrimSuffix(name, "]"), "...") {
			most = math.MaxInt
		}
	}
	wrong := func(key string, n int) error {
		return diag.Say(key, "n", n, "given", len(args), "use", c.CommandPath()+" "+strings.Join(names, " "))
	}
	switch given := len(args); {
	case given > 0 && most == 0:
		return diag.Say("cli.args-none", "name", args[0], "command", c.CommandPath())
	case given != least && most == least:
		return wrong("cli.args-exact", least)
	case given < least:
		return wrong("cli.args-minimum", least)
	case given > most:
		return wrong("cli.args-maximum", most)
	}
	for _, value := range args {
		if len(c.ValidArgs) > 0 && !slices.Contains(c.ValidArgs, value) {
			return diag.Say("cli.args-invalid", "value", value, "command", c.CommandPath())
		}
	}
	return nil
}

func unknownCommand(c *cobra.Command, name string) error {
	var names []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	hint := diag.Suggest(name, names, diag.Say("cli.help-hint", "see", c.CommandPath()))
	return diag.Wrong(diag.Say("cli.command-unknown", "name", name).WithHint(hint))
}

func checkFlagGroups(c *cobra.Command) error {
	err := c.ValidateFlagGroups()
	if err == nil {
		return nil
	}
	if m := allSet.FindStringSubmatch(err.Error()); m != nil {
		return diag.Wrong(diag.Say("cli.flags-exclusive", "name", m[1], "other", m[2]))
	}
	return diag.Wrong(diag.Plain(err).WithHint(diag.Say("cli.help-hint", "see", c.CommandPath())))
}

// allSet matches cobra's message about flags that exclude each other.
var allSet = regexp.MustCompile(`\[(\S+) (\S+)[^\[\]]*\] were all set$`)
