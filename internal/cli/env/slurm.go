package env

import (
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gpudocs/gpudocs/internal/verify/remote/slurmjob"
)

// SlurmFlags are the flags of verify for Slurm.
type SlurmFlags struct {
	Options []string
	Wait    time.Duration
	// InJob: this process is what a job of --slurm runs.
	InJob bool
	all   *pflag.FlagSet
}

// queueWait is the default of --slurm-wait.
const queueWait = 30 * time.Minute

func (f *SlurmFlags) Register(c *cobra.Command) {
	f.all = c.Flags()
	f.all.StringArrayVar(&f.Options, "slurm", nil, "help.verify.--slurm")
	f.all.DurationVar(&f.Wait, "slurm-wait", queueWait, "help.verify.--slurm-wait")
	f.all.BoolVar(&f.InJob, slurmjob.Flag, false, "")
	_ = f.all.MarkHidden(slurmjob.Flag) // it exists
}

func (f *SlurmFlags) Asked() bool { return len(f.Options) > 0 }
