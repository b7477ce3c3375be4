package main

import "github.com/spf13/cobra"

// newCompletion replaces cobra's own command, which takes any argument and has
// no examples.
func newCompletion(a *app) *cobra.Command {
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
		Args:      cobra.MatchAll(cobra.ExactArgs(1), cobra.OnlyValidArgs),
		RunE: func(c *cobra.Command, args []string) error {
			root := c.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(a.stdout, true)
			case "fish":
				return root.GenFishCompletion(a.stdout, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(a.stdout)
			default:
				return root.GenZshCompletion(a.stdout)
			}
		},
	}
}
