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

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/verify/remote"
	"github.com/gpudocs/gpudocs/internal/verify/remote/ssh"
)

type verifyFlags struct {
	machine, report   string
	run               []string
	sign              string
	plan, rerun, sync bool
	jobs              int
	timeout           time.Duration
	drift             string
	outputs           env.OutputFlags
	updateFlags
	hosts hostFlags
	news  newsFlags
}

// keeps reports whether passed checks may be kept. A block that the user names is run.
func (f *verifyFlags) keeps() bool { return !f.rerun && len(f.run) == 0 }

// updateFlags are the flags of verify for updates.
type updateFlags struct{ update, yes bool }

func (f updateFlags) check(plan bool) error {
	switch {
	case f.yes && !f.update:
		return env.Usage(diag.Text{}, diag.Say("verify.yes-without-update"))
	case f.update && plan:
		return env.Usage(diag.Say("verify.plan-excludes-update-hint"), diag.Say("verify.plan-excludes-update"))
	}
	return nil
}

// hostFlags are the flags of verify for other machines.
type hostFlags struct {
	names, programs []string
	patience        time.Duration
	all             *pflag.FlagSet // of verify
}

// maxPatience is the highest value of --host-timeout.
const maxPatience = time.Hour

func (f *hostFlags) add(c *cobra.Command) {
	f.all = c.Flags()
	f.all.StringArrayVar(&f.names, "host", nil, "")
	f.all.StringArrayVar(&f.programs, "host-binary", nil, "")
	f.all.DurationVar(&f.patience, "host-timeout", 30*time.Second, "")
}

func (f *hostFlags) parse() ([]ssh.Host, error) {
	hosts, err := ssh.ParseHosts(f.names)
	if fault := (*remote.Error)(nil); errors.As(err, &fault) {
		return nil, env.Usage(fault.Hint, diag.Say("verify.host-invalid", "why", fault.Message))
	}
	f.all.Visit(func(set *pflag.Flag) {
		switch {
		case err != nil:
		case len(hosts) == 0 && strings.HasPrefix(set.Name, "host-"):
			err = env.Usage(diag.Say("verify.flag-needs-host-hint"), diag.Say("verify.flag-needs-host", "name", set.Name))
		case len(hosts) > 0 && !slices.Contains(FlagsThere, set.Name) && !slices.Contains(FlagsHere, set.Name):
			hint := cmp.Or(map[string]diag.Text{
				"machine": diag.Say("verify.host-names-report-hint"),
				"report":  diag.Say("verify.host-names-report-hint"),
				"json":    diag.Say("verify.show-reports-hint"),
			}[set.Name], diag.Say("verify.leave-one-out-hint"))
			err = env.Usage(hint, diag.Say("verify.flag-excludes-host", "name", set.Name))
		}
	})
	if err == nil && (f.patience <= 0 || f.patience > maxPatience) {
		err = env.Usage(diag.Say("verify.host-timeout-invalid-hint"), diag.Say("verify.host-timeout-invalid", "patience", f.patience))
	}
	return hosts, err
}

// binaries returns the programs that may be sent: those of --host-binary, then this program.
func (f *hostFlags) binaries() ([]*ssh.Program, error) {
	var out []*ssh.Program
	for _, file := range f.programs {
		p, err := ssh.OpenProgram(file)
		if err != nil {
			return nil, env.Usage(diag.Say("verify.host-binary-invalid-hint"), diag.Say("verify.host-binary-invalid", "why", err))
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

// FlagsThere are passed to another machine, with --host and with --slurm. FlagsHere are the other
// flags that go with --host.
var (
	FlagsThere = []string{"run", "timeout", "rerun", "sync", "jobs", "drift"}
	FlagsHere  = []string{"host", "host-binary", "host-timeout", "junit", "plan", "sign", "site", "notify-if-changed", "fail-on"}
)
