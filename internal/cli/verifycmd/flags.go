package verifycmd

import (
	"cmp"
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gpudocs/gpudocs/internal/cli/outputs"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/verify/remote"
	"github.com/gpudocs/gpudocs/internal/verify/remote/slurmjob"
	"github.com/gpudocs/gpudocs/internal/verify/remote/ssh"
)

type verifyFlags struct {
	machine, report   string
	run               []string
	sign              string
	plan, rerun, sync bool
	update, yes       bool
	jobs              int
	timeout           time.Duration
	drift             string
	outputs           outputs.Outputs
	host              hostFlags
	slurm             slurmFlags
	news              newsFlags
	all               *pflag.FlagSet // of verify
}

// hostFlags are the flags of verify for other machines.
type hostFlags struct {
	names, programs []string
	patience        time.Duration
}

// slurmFlags are the flags of verify for Slurm.
type slurmFlags struct {
	options []string
	wait    time.Duration
	// inJob is set if this process runs in a job of --slurm.
	inJob bool
}

// queueWait is the default of --slurm-wait, and how long a block waits in the queue.
const queueWait = 30 * time.Minute

// maxPatience is the highest value of --host-timeout.
const maxPatience = time.Hour

func (f *verifyFlags) add(c *cobra.Command) {
	f.all = c.Flags()
	f.all.StringVar(&f.machine, "machine", "", "")
	f.all.StringVar(&f.report, "report", "", "")
	f.all.StringVar(&f.sign, "sign", "", "")
	f.all.BoolVar(&f.plan, "plan", false, "")
	f.all.BoolVar(&f.update, "update", false, "")
	f.all.BoolVar(&f.yes, "yes", false, "")
	f.all.StringArrayVar(&f.run, "run", nil, "")
	f.all.DurationVar(&f.timeout, "timeout", 0, "")
	f.all.BoolVar(&f.rerun, "rerun", false, "")
	f.all.BoolVar(&f.sync, "sync", false, "")
	f.all.StringVar(&f.drift, "drift", "", "")
	f.all.IntVar(&f.jobs, "jobs", 0, "")
	f.all.StringVar(&f.outputs.JUnit, "junit", "", "")
	f.all.BoolVar(&f.outputs.JSON, "json", false, "")
	f.all.StringArrayVar(&f.slurm.options, "slurm", nil, "")
	f.all.DurationVar(&f.slurm.wait, "slurm-wait", queueWait, "")
	f.all.BoolVar(&f.slurm.inJob, slurmjob.Flag, false, "")
	_ = f.all.MarkHidden(slurmjob.Flag) // it exists
	f.all.StringArrayVar(&f.host.names, "host", nil, "")
	f.all.StringArrayVar(&f.host.programs, "host-binary", nil, "")
	f.all.DurationVar(&f.host.patience, "host-timeout", 30*time.Second, "")
	f.news.add(c)
}

// check refuses values and combinations of flags, and returns the machines of --host.
func (f *verifyFlags) check() ([]ssh.Host, error) {
	switch {
	case f.timeout < 0 || f.timeout > site.MaxTimeout:
		return nil, diag.Wrong(diag.Say("verify.timeout-invalid", "timeout", f.timeout))
	case f.yes && !f.update:
		return nil, diag.Wrong(diag.Say("verify.yes-without-update"))
	case f.update && f.plan:
		return nil, diag.Wrong(diag.Say("verify.plan-excludes-update"))
	case !slices.Contains(failOn, f.news.failOn):
		return nil, diag.Wrong(diag.Say("verify.fail-on-invalid", "value", f.news.failOn))
	case f.jobs < 0:
		return nil, diag.Wrong(diag.Say("verify.jobs-invalid", "n", f.jobs))
	}
	hosts, err := ssh.ParseHosts(f.host.names)
	if fault := (*remote.Error)(nil); errors.As(err, &fault) {
		return nil, diag.Wrong(diag.Say("verify.host-invalid", "why", fault.Message).WithHint(fault.Hint))
	}
	f.all.Visit(func(set *pflag.Flag) {
		switch {
		case err != nil:
		case len(hosts) == 0 && strings.HasPrefix(set.Name, "host-"):
			err = diag.Wrong(diag.Say("verify.flag-needs-host", "name", set.Name))
		case len(hosts) > 0 && !slices.Contains(FlagsThere, set.Name) && !slices.Contains(FlagsHere, set.Name):
			hint := cmp.Or(map[string]diag.Text{
				"machine": diag.Say("verify.host-names-report-hint"),
				"report":  diag.Say("verify.host-names-report-hint"),
				"json":    diag.Say("verify.show-reports-hint"),
			}[set.Name], diag.Say("verify.leave-one-out-hint"))
			err = diag.Wrong(diag.Say("verify.flag-excludes-host", "name", set.Name).WithHint(hint))
		}
	})
	if t := f.host.patience; err == nil && (t <= 0 || t > maxPatience) {
		err = diag.Wrong(diag.Say("verify.host-timeout-invalid", "patience", t))
	}
	return hosts, err
}

// keeps reports whether passed checks may be kept. A block that the user names is run.
func (f *verifyFlags) keeps() bool { return !f.rerun && len(f.run) == 0 }

// reportFile returns the file of a machine's report.
func (v *verification) reportFile(machine string) string {
	return cmp.Or(v.report, v.project.ReportFile(machine))
}

// binaries returns the programs that may be sent: those of --host-binary, then this program.
func (f *hostFlags) binaries() ([]*ssh.Program, error) {
	var out []*ssh.Program
	for _, file := range f.programs {
		p, err := ssh.OpenProgram(file)
		if err != nil {
			return nil, diag.Wrong(diag.Say("verify.host-binary-invalid", "why", err))
		}
		out = append(out, p)
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	running, err := ssh.OpenProgram(self)
	if err != nil {
		return nil, err
	}
	return append(out, running), nil
}

// NeedsVerify returns an error if --machine of another command would have no effect.
func NeedsVerify(c *cobra.Command, verify bool) error {
	if c.Flags().Changed("machine") && !verify {
		return diag.Wrong(diag.Say("cli.machine-without-verify"))
	}
	return nil
}

// FlagsThere are passed to another machine, with --host and with --slurm. FlagsHere are the other
// flags that go with --host.
var (
	FlagsThere = []string{"run", "timeout", "rerun", "sync", "jobs", "drift"}
	FlagsHere  = []string{"host", "host-binary", "host-timeout", "junit", "plan", "sign", "site", "notify-if-changed", "fail-on"}
)
