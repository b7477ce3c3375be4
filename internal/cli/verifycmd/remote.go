package verifycmd

import (
	"context"
	"slices"

	"github.com/spf13/pflag"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/workspace"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/verify"
	"github.com/gpudocs/gpudocs/internal/verify/remote"
)

// A remoteRun is a run of verify on other machines, and how the terminal shows it.
type remoteRun struct {
	targets []remote.Target
	// labels are those of the reports, as far as they are known before.
	labels []string
	// work is the key of the text for the progress.
	work string
	// Observer shows all events except reports, which verifyRemote writes. wrote, if not nil, shows
	// that one is written.
	remote.Observer
	wrote func(label, text string)
}

// verifyRemote runs the plan on other machines and writes their reports as they arrive. Reports are
// signed here: no key leaves this machine.
func verifyRemote(ctx context.Context, a *env.Env, f *verifyFlags, run remoteRun, site *site.Site, plan *verify.Plan, paths []string) ([]remote.Result, error) {
	reports, err := newClaim(ctx, a, f, site, run.labels...)
	if err != nil {
		return nil, err
	}
	defer reports.release()
	request := remote.NewRequest(site, plan, verify.Options{Generator: "gpudocs " + env.Version(), Root: a.Site, Timeout: f.timeout,
		Shared: shared(a), QueueWait: a.Slurm.Wait, Keep: f.keeps()})
	request.Args, request.Previous = ArgsThere(a, f.hosts.all, paths), reports.previous
	busy := a.NewBusy()
	defer busy.End()
	count := a.Counted(busy, run.work, len(run.targets))
	o := run.Observer
	o.Report = func(label string, r *report.Report) error {
		file, signer := workspace.ReportFile(a, f.report, label), reports.signerOf(label)
		a.Outputs.AddRemote(plan.Of(r), file)
		err := workspace.Write(a, file, r, signer)
		if err == nil && run.wrote != nil {
			run.wrote(label, signer.Wrote(a.Text, file))
		}
		return err
	}
	o.Ended = func(results []remote.Result) {
		if run.Ended != nil {
			run.Ended(results)
		}
		count()
	}
	results := remote.Run(ctx, request, run.targets, o)
	if ctx.Err() != nil {
		return results, nil
	}
	var pairs []pair
	for i, r := range results {
		if r.Report == nil {
			continue
		}
		now := pair{reports.previous[r.Label].Report, r.Report}
		pairs = append(pairs, now)
		failed := r.Code == env.ExitFailed && plan.Failed(r.Report)
		switch fails := f.news.fails(a, now, failed); {
		case failed && !fails:
			results[i].Code = env.ExitFine
		case fails:
			results[i].Code = max(r.Code, env.ExitFailed)
		}
	}
	return results, f.news.printSummary(a, pairs...)
}

// ArgsThere returns the flags and paths for another machine, which uses the language of this
// terminal.
func ArgsThere(a *env.Env, flags *pflag.FlagSet, paths []string) []string {
	return slices.Concat([]string{"--" + env.LanguageFlag + "=" + a.Text.Code()}, PassedOn(flags, append(FlagsThere, "slurm-wait")), []string{"--"}, paths)
}

// PassedOn returns the flags of the list that are set, for the command line of a
// run on another machine.
func PassedOn(all *pflag.FlagSet, list []string) (out []string) {
	all.Visit(func(set *pflag.Flag) {
		if !slices.Contains(list, set.Name) {
			return
		}
		values := []string{set.Value.String()}
		if repeated, ok := set.Value.(pflag.SliceValue); ok {
			values = repeated.GetSlice()
		}
		for _, v := range values {
			out = append(out, "--"+set.Name+"="+v)
		}
	})
	return out
}

// worst returns the error with the worst exit code of all results. A machine without a report is
// worse than a failed check, because results are missing.
func worst(ctx context.Context, results []remote.Result) error {
	code := env.ExitFine
	for _, r := range results {
		code = max(code, r.Code)
	}
	switch {
	case ctx.Err() != nil:
		return env.ExitCode(env.ExitSignal)
	case code != env.ExitFine:
		return env.ExitCode(code)
	}
	return nil
}
