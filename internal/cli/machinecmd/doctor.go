package machinecmd

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/exit"
	"github.com/gpudocs/gpudocs/internal/cli/verifycmd"
	"github.com/gpudocs/gpudocs/internal/project"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/verify/doctor"
)

type doctorFlags struct {
	json, verbose bool
	machine       string
}

// NewDoctor returns the command doctor.
func NewDoctor(a *env.Env) *cobra.Command {
	f := &doctorFlags{}
	c := &cobra.Command{
		Use:  "doctor",
		RunE: func(c *cobra.Command, _ []string) error { return runDoctor(c.Context(), a, f) },
	}
	c.Flags().BoolVar(&f.json, "json", false, "")
	c.Flags().BoolVarP(&f.verbose, "verbose", "v", false, "")
	c.Flags().StringVar(&f.machine, "machine", "", "")
	return c
}

func runDoctor(ctx context.Context, a *env.Env, f *doctorFlags) error {
	o := doctor.Options{Generator: project.Generator(), Probe: verifycmd.Probe, LookupEnv: os.LookupEnv}
	if err := doctorSite(a, f, &o); err != nil {
		return err
	}
	if f.json {
		d, err := doctor.Collect(ctx, o)
		if err != nil {
			return err
		}
		return errors.Join(env.WriteJSON(a.Stdout, d), exitCode(d))
	}
	text := doctor.NewText(a.Stdout, doctor.TextOptions{
		Language: a.Text.Code(),
		Color:    a.Color(a.Stdout),
		Width:    a.TextWidth(a.Stdout),
		Verbose:  f.verbose,
	})
	var b *env.Busy
	o.Waiting = func(s doctor.Section) {
		b.End() // an interrupted section does not end
		b = a.NewBusy()
		b.Set(text.Waiting(s))
	}
	defer func() { b.End() }()
	o.Ready = func(s doctor.Section, d *doctor.Diagnosis) {
		b.End()
		text.Section(s, d)
	}
	d, err := doctor.Collect(ctx, o)
	if err != nil {
		return err
	}
	if err := text.Err(); err != nil && !errors.Is(err, syscall.EPIPE) {
		return err
	}
	return exitCode(d)
}

// exitCode returns the exit code of a diagnosis.
func exitCode(d *doctor.Diagnosis) error {
	if d.Broken() {
		return exit.Code(exit.Failed)
	}
	return nil
}

// doctorSite sets the options that depend on the site, if the folder is one. A folder that --site
// names must be.
func doctorSite(a *env.Env, f *doctorFlags, o *doctor.Options) error {
	o.Machine = cmp.Or(f.machine, os.Getenv(project.MachineVariable), project.LocalMachine)
	if err := report.CheckName(o.Machine); err != nil {
		return diag.Wrong(err)
	}
	p, err := a.Open()
	if err != nil {
		return err
	}
	_, err = fs.Stat(p.FS, "gpudocs.toml")
	switch {
	case errors.Is(err, fs.ErrNotExist) && a.Site != ".":
		return diag.Wrong(diag.Say("cli.site-folder-invalid", "folder", a.Site))
	case errors.Is(err, fs.ErrNotExist):
		return nil
	}
	o.Site, o.Root = p.FS, a.Site
	file := p.ReportFile(o.Machine)
	if o.Machine == project.LocalMachine {
		file = p.LocalFile(o.Machine)
	}
	// verify reports a report that cannot be read.
	if previous, err := project.Previous(file, o.Machine); err == nil && previous.Report != nil {
		o.Previous, o.ReportName = previous.Report, file
	}
	return nil
}
