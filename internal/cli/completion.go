package cli

import (
	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/cli/env"
)

// newCompletion replaces cobra's own command, which accepts any argument and has no examples.
func newCompletion(a *env.Env) *cobra.Command {
	shells := []string{"bash", "fish", "powershell", "zsh"}
	return &cobra.Command{
		Use:       "completion SHELL",
		ValidArgs: shells,
		RunE: func(c *cobra.Command, args []string) error {
			root := c.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(a.Stdout, true)
			case "fish":
				return root.GenFishCompletion(a.Stdout, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(a.Stdout)
			default:
				return root.GenZshCompletion(a.Stdout)
			}
		},
	}
}
