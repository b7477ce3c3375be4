package verifycmd

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gpudocs/gpudocs/internal/atomicfile"
	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/workspace"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/verify/remote/slurmjob"
)

// A claim is the right to write the reports of a run: their locks and signers.
type claim struct {
	// previous are the reports that the run continues, by machine.
	previous map[string]report.File
	signers  map[string]*workspace.ReportSigner
	unnamed  *workspace.ReportSigner // for machines that were not known before
	release  func()
}

// newClaim makes sure, before anything is run, that the reports of machines can be continued, signed
// and written. It holds their locks until it is released.
func newClaim(ctx context.Context, a *env.Env, f *verifyFlags, site *site.Site, machines ...string) (_ *claim, err error) {
	c := &claim{previous: map[string]report.File{}, signers: map[string]*workspace.ReportSigner{}, release: func() {}}
	if c.unnamed, err = workspace.NewReportSigner(ctx, a, site.FS, site.Config, f.sign); err != nil {
		return nil, err
	}
	for _, machine := range machines {
		if err := c.unnamed.MayCount(machine); err != nil {
			return nil, err
		}
	}
	if !a.Slurm.InJob { // the process that submitted the job holds the lock
		if c.release, err = workspace.LockAll(a, machines); err != nil {
			return nil, err
		}
	}
	for _, machine := range machines {
		if err := c.add(workspace.ReportFile(a, f.report, machine), machine); err != nil {
			c.release()
			return nil, err
		}
	}
	return c, nil
}

// add prepares the report of a machine whose lock is held.
func (c *claim) add(file, machine string) error {
	previous, err := workspace.PreviousFile(file, machine)
	if err != nil {
		return err
	}
	s := *c.unnamed
	if err := s.MayContinue(file, previous); err != nil {
		return err
	}
	atomicfile.Sweep(file)
	if err := atomicfile.Writable(file, 0o644); err != nil {
		return diag.Say("verify.report-not-writable", "why", err)
	}
	c.previous[machine], c.signers[machine] = previous, &s
	return nil
}

func (c *claim) signerOf(machine string) *workspace.ReportSigner {
	return cmp.Or(c.signers[machine], c.unnamed)
}

// checkReportFlag refuses a file in the site's results/ that is not named after its machine: no build
// would accept it.
func checkReportFlag(a *env.Env, file, machine string) error {
	dir, err := filepath.Abs(filepath.Dir(file))
	if err != nil || file == "" {
		return err
	}
	results, err := filepath.Abs(a.Path(workspace.ResultsDir))
	if err == nil && dir == results && filepath.Base(file) != machine+".json" {
		return env.Usage(diag.Say("verify.report-flag-name-wrong-hint"),
			diag.Say("verify.report-flag-name-wrong", "file", file, "folder", workspace.ResultsDir, "name", machine))
	}
	return err
}

// machineName returns the label of this machine. The host name is never used, because a lab may not
// want to publish it.
func machineName(ctx context.Context, a *env.Env, flag string) (string, error) {
	name := cmp.Or(flag, os.Getenv(workspace.MachineVariable))
	if name == "" && a.Terminal(a.Stdin) {
		var err error
		if name, err = Ask(ctx, a, a.Text.Get("ask_name")); err != nil {
			return "", err
		}
	}
	if name == "" {
		return "", env.Usage(diag.Say("cli.fault-no-name-hint", "variable", workspace.MachineVariable), diag.Say("cli.fault-no-name"))
	}
	if err := report.CheckName(name); err != nil {
		return "", env.Usage(diag.Text{}, err)
	}
	return name, nil
}

// Ask asks a question on the terminal. A read cannot be interrupted, so it is abandoned when ctx
// ends.
func Ask(ctx context.Context, a *env.Env, question string) (string, error) {
	fmt.Fprint(a.Stderr, question)
	answer := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(a.Stdin).ReadString('\n') // without a newline at the end too
		answer <- strings.TrimSpace(line)
	}()
	select {
	case s := <-answer:
		return s, nil
	case <-ctx.Done():
		fmt.Fprintln(a.Stderr)
		return "", ctx.Err()
	}
}

// shared returns a folder that all nodes share, if they share the site.
func shared(a *env.Env) string { return a.Path(workspace.PrivateDir, "slurm") }

// unfinished returns the reason of checks that a run on a node does not finish, nil for other runs.
func unfinished(f *env.SlurmFlags) *report.Reason {
	if !f.InJob {
		return nil
	}
	why := slurmjob.Unfinished
	return &why
}
