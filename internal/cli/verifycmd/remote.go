package verifycmd

import (
	"context"
	"slices"

	"github.com/spf13/pflag"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/exit"
	"github.com/gpudocs/gpudocs/internal/project"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/text"
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
	// Observer shows all events except reports, which remotely writes. wrote, if not nil, shows
	// that one is written.
	remote.Observer
	wrote func(label, text string)
}

// remotely runs the plan on other machines and writes their reports as they arrive. Reports are
// signed here: no key leaves this machine.
func (v *verification) remotely(ctx context.Context, run remoteRun) ([]remote.Result, error) {
	reports, err := v.claim(ctx, run.labels...)
	if err != nil {
		return nil, err
	}
	defer reports.release()
	request := remote.NewRequest(v.site, v.plan, verify.Options{
		Generator: project.Generator(),
		Root:      v.project.Dir,
		Timeout:   v.timeout,
		Shared:    shared(v.project),
		QueueWait: v.slurm.wait,
		Keep:      v.keeps(),
	})
	request.Args, request.Previous = ArgsThere(v.Text, v.all, v.paths), reports.previous
	busy := v.NewBusy()
	defer busy.End()
	count := v.Counted(busy, run.work, len(run.targets))
	o := run.Observer
	o.Report = func(label string, r *report.Report) error {
		file, signer := v.reportFile(label), reports.signerOf(label)
		v.outputs.AddRemote(v.plan.Of(r), file)
		err := WriteReport(v.Env, signer, file, r)
		if err == nil && run.wrote != nil {
			run.wrote(label, v.Text.Say(signer.Wrote(file)))
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
		failed := r.Code == exit.Failed && v.plan.Failed(r.Report)
		switch fails := v.news.fails(v.Env, now, failed); {
		case failed && !fails:
			results[i].Code = exit.Fine
		case fails:
			results[i].Code = max(r.Code, exit.Failed)
		}
	}
	return results, v.news.printSummary(v.Env, pairs...)
}

// ArgsThere returns the flags and paths for another machine, which uses the language of this
// terminal.
func ArgsThere(t text.Catalog, flags *pflag.FlagSet, paths []string) []string {
	language := "--" + env.LanguageFlag + "=" + t.Code()
	return slices.Concat([]string{language}, PassedOn(flags, append(FlagsThere, "slurm-wait")), []string{"--"}, paths)
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
	code := exit.Fine
	for _, r := range results {
		code = max(code, r.Code)
	}
	switch {
	case ctx.Err() != nil:
		return exit.Code(exit.Signal)
	case code != exit.Fine:
		return exit.Code(code)
	}
	return nil
}
