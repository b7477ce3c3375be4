package workspace

import (
	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// NeedsVerify refuses --machine if it would have no effect.
func NeedsVerify(c *cobra.Command, verify bool) error {
	if c.Flags().Changed("machine") && !verify {
		return env.Usage(diag.Say("cli.machine-without-verify-hint"), diag.Say("cli.machine-without-verify"))
	}
	return nil
}
