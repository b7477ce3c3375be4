package reportcmd

import (
	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/cli/env"
)

func NewReport(a *env.Env) *cobra.Command {
	c := &cobra.Command{
		Use:   "report",
		Short: "Look at reports, compare, merge and prune them",
		Long: `Report works on the reports that verify has written: those in results/, and those
of build --verify and serve --verify in .gpudocs/results/. It runs no check.`,
		Example: `  gpudocs report show deepnine
  gpudocs report diff deepnine deepten
  gpudocs report merge deepnine
  gpudocs report prune --dry-run`,
		Args: env.NoArgs,
		RunE: env.WhichCommand,
	}
	c.AddCommand(newReportShow(a), newReportDiff(a), newReportMerge(a), newReportPrune(a))
	return c
}
