package cli

import (
	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/cli/env"
)

// newCompletion replaces cobra's own command, which takes any argument and has
// no examples.
func newCompletion(a *env.Env) *cobra.Command {
	shells := []string{"bash", "fish", "powershell", "zsh"}
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print the completion script of a shell",
		Long: `Completion prints the script that makes a shell complete the commands and flags
of gpudocs: bash (with its package bash-completion), fish, powershell, or zsh.`,
		Example: `  source <(gpudocs completion bash)      this shell only
  gpudocs completion bash > \
      ~/.local/share/bash-completion/completions/gpudocs
  gpudocs completion fish > ~/.config/fish/completions/gpudocs.fish
  gpudocs completion zsh > "${fpath[1]}/_gpudocs"`,
		ValidArgs: shells,
		Args:      cobra.MatchAll(env.ExactArgs(1), env.ValidArgs),
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
