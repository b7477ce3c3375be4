package env

import (
	"errors"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gpudocs/gpudocs/internal/text"
)

// WrongFlag makes messages of pflag's errors, which are typed.
func WrongFlag(err error) error {
	var unknown *pflag.NotExistError
	var missing *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	var syntax *pflag.InvalidSyntaxError
	switch {
	case errors.As(err, &unknown):
		if among := unknown.GetSpecifiedShortnames(); among != "" {
			return text.Say("cli.flag-unknown-letter", "letter", unknown.GetSpecifiedName(), "flags", among)
		}
		return text.Say("cli.flag-unknown", "flag", "--"+unknown.GetSpecifiedName())
	case errors.As(err, &missing):
		if among := missing.GetSpecifiedShortnames(); among != "" {
			return text.Say("cli.flag-value-missing-letter", "letter", missing.GetSpecifiedName(), "flags", among)
		}
		return text.Say("cli.flag-value-missing", "flag", "--"+missing.GetSpecifiedName())
	case errors.As(err, &invalid):
		f := invalid.GetFlag()
		name := "--" + f.Name
		if f.Shorthand != "" && f.ShorthandDeprecated == "" {
			name = "-" + f.Shorthand + ", " + name
		}
		return text.Say("cli.flag-value", "value", invalid.GetValue(), "flag", name, "why", invalid.Unwrap())
	case errors.As(err, &syntax):
		return text.Say("cli.flag-syntax", "flag", syntax.GetSpecifiedFlag())
	}
	return err
}

// Cobra's own checks of arguments return errors without a type, in English.

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
