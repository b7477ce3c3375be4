package env

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gpudocs/gpudocs/internal/text"
)

// FlagError returns the message for an error of pflag.
func FlagError(err error) error {
	switch err := err.(type) { // pflag does not wrap its errors
	case *pflag.NotExistError:
		if among := err.GetSpecifiedShortnames(); among != "" {
			return text.Say("cli.flag-unknown-letter", "letter", err.GetSpecifiedName(), "flags", among)
		}
		return text.Say("cli.flag-unknown", "flag", "--"+err.GetSpecifiedName())
	case *pflag.ValueRequiredError:
		if among := err.GetSpecifiedShortnames(); among != "" {
			return text.Say("cli.flag-value-missing-letter", "letter", err.GetSpecifiedName(), "flags", among)
		}
		return text.Say("cli.flag-value-missing", "flag", "--"+err.GetSpecifiedName())
	case *pflag.InvalidValueError:
		f := err.GetFlag()
		name := "--" + f.Name
		if f.Shorthand != "" && f.ShorthandDeprecated == "" {
			name = "-" + f.Shorthand + ", " + name
		}
		return text.Say("cli.flag-value", "value", err.GetValue(), "flag", name, "why", err.Unwrap())
	case *pflag.InvalidSyntaxError:
		return text.Say("cli.flag-syntax", "flag", err.GetSpecifiedFlag())
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
	return func(_ *cobra.Command, args []string) error {
		if fits(len(args)) {
			return nil
		}
		return text.Say(key, "n", n, "given", len(args))
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
