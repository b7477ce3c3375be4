package env

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// FlagError ends the program because of an error of pflag.
func FlagError(c *cobra.Command, err error) error {
	hint := text.Say("cli.help-hint", "see", c.CommandPath())
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
		err = text.Say("cli.flag-unknown", "flag", "--"+e.GetSpecifiedName())
		if among := e.GetSpecifiedShortnames(); among == "" {
			suggest(e.GetSpecifiedName())
		} else {
			err = text.Say("cli.flag-unknown-letter", "letter", e.GetSpecifiedName(), "flags", among)
			suggest(among) // -strict
		}
	case *pflag.ValueRequiredError:
		err = text.Say("cli.flag-value-missing", "flag", "--"+e.GetSpecifiedName())
		if among := e.GetSpecifiedShortnames(); among != "" {
			err = text.Say("cli.flag-value-missing-letter", "letter", e.GetSpecifiedName(), "flags", among)
		}
	case *pflag.InvalidValueError:
		f := e.GetFlag()
		name := "--" + f.Name
		if f.Shorthand != "" && f.ShorthandDeprecated == "" {
			name = "-" + f.Shorthand + ", " + name
		}
		err = text.Say("cli.flag-value", "value", e.GetValue(), "flag", name, "why", valueError(f.Value.Type(), e.Unwrap()))
	case *pflag.InvalidSyntaxError:
		err = text.Say("cli.flag-syntax", "flag", e.GetSpecifiedFlag())
	}
	return Usage(hint, err)
}

// valueError says which values a flag takes, in place of an error of package strconv or time.
func valueError(kind string, err error) error {
	switch kind {
	case "int", "intSlice":
		return text.Say("cli.flag-want-int")
	case "duration":
		return text.Say("cli.flag-want-duration")
	case "bool":
		return text.Say("cli.flag-want-bool")
	}
	return err
}

// The functions below replace cobra's own checks of arguments, whose errors have no type and are in
// English.

// NoArgs allows no argument.
func NoArgs(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return text.Say("cli.args-none", "name", args[0], "command", c.CommandPath())
}

// ExactArgs wants n arguments.
func ExactArgs(n int) cobra.PositionalArgs {
	return argCount("cli.args-exact", n, func(given int) bool { return given == n })
}

// MinimumArgs wants n arguments or more.
func MinimumArgs(n int) cobra.PositionalArgs {
	return argCount("cli.args-minimum", n, func(given int) bool { return given >= n })
}

// MaximumArgs wants n arguments or fewer.
func MaximumArgs(n int) cobra.PositionalArgs {
	return argCount("cli.args-maximum", n, func(given int) bool { return given <= n })
}

func argCount(key string, n int, fits func(given int) bool) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if fits(len(args)) {
			return nil
		}
		_, rest, _ := strings.Cut(c.Use, " ")
		return text.Say(key, "n", n, "given", len(args), "use", c.CommandPath()+" "+rest)
	}
}

// ValidArgs allows only the command's ValidArgs.
func ValidArgs(c *cobra.Command, args []string) error {
	for _, a := range args {
		if !slices.Contains(c.ValidArgs, a) {
			return text.Say("cli.args-invalid", "value", a, "command", c.CommandPath())
		}
	}
	return nil
}
