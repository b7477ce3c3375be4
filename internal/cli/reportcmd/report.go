package reportcmd

import (
	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/cli/env"
)

func NewReport(a *env.Env) *cobra.Command {
	c := &cobra.Command{
		Use:  "report",
		Args: env.NoArgs,
		RunE: env.WhichCommand,
	}
	c.AddCommand(newReportShow(a), newReportDiff(a), newReportPrune(a))
	return c
}
