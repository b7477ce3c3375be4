package env

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/verify/remote/slurmjob"
)

// SlurmFlags are the flags of verify for Slurm.
type SlurmFlags struct {
	Options []string
	Wait    time.Duration
	// InJob is set if this process runs in a job of --slurm.
	InJob bool
}

// queueWait is the default of --slurm-wait.
const queueWait = 30 * time.Minute

func (f *SlurmFlags) Register(c *cobra.Command) {
	c.Flags().StringArrayVar(&f.Options, "slurm", nil, "")
	c.Flags().DurationVar(&f.Wait, "slurm-wait", queueWait, "")
	c.Flags().BoolVar(&f.InJob, slurmjob.Flag, false, "")
	_ = c.Flags().MarkHidden(slurmjob.Flag) // it exists
}
