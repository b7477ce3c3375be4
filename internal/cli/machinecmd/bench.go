package machinecmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/exit"
	"github.com/gpudocs/gpudocs/internal/cli/verifycmd"
	"github.com/gpudocs/gpudocs/internal/machine/bench"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

type benchFlags struct {
	n, iters int
	dtypes   []string
	gpus     []int
	backend  string
	json     bool
}

// NewBench returns the command bench.
func NewBench(a *env.Env) *cobra.Command {
	c := &cobra.Command{Use: "bench"}
	c.AddCommand(newBenchMatmul(a), newBenchCopies(a, "memory", ask.Bandwidth),
		newBenchCopies(a, "copy", ask.HostToDevice, ask.DeviceToHost))
	return c
}

func newBenchMatmul(a *env.Env) *cobra.Command {
	f := &benchFlags{}
	c := &cobra.Command{
		Use: "matmul",
		RunE: func(c *cobra.Command, _ []string) error {
			specs, err := f.matmuls()
			if err != nil {
				return err
			}
			return runBench(c.Context(), a, f, specs)
		},
	}
	c.Flags().IntVar(&f.n, "n", ask.DefaultN, "")
	c.Flags().StringSliceVar(&f.dtypes, "dtype", []string{ask.FP32}, "")
	c.Flags().IntVar(&f.iters, "iters", 0, "")
	c.Flags().StringVar(&f.backend, "backend", bench.Auto, "")
	f.common(c)
	complete(c, "dtype", append(ask.DTypes(), "all"))
	complete(c, "backend", bench.Backends())
	return c
}

// newBenchCopies returns a command that measures copies of the given kinds.
func newBenchCopies(a *env.Env, name string, kinds ...string) *cobra.Command {
	f := &benchFlags{}
	c := &cobra.Command{
		Use: name,
		RunE: func(c *cobra.Command, _ []string) error {
			var specs []ask.Measure
			for _, kind := range kinds {
				specs = append(specs, ask.Measure{What: kind, Name: kind})
			}
			return runBench(c.Context(), a, f, specs)
		},
	}
	f.common(c)
	return c
}

func (f *benchFlags) common(c *cobra.Command) {
	c.Flags().IntSliceVar(&f.gpus, "gpu", nil, "")
	c.Flags().BoolVar(&f.json, "json", false, "")
}

func complete(c *cobra.Command, flag string, values []string) {
	_ = c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// matmuls returns what the flags ask for, one measurement for each type.
func (f *benchFlags) matmuls() ([]ask.Measure, error) {
	if !slices.Contains(bench.Backends(), f.backend) {
		hint := diag.Known(f.backend, bench.Backends())
		return nil, diag.Wrong(diag.Say("cli.backend-unknown", "name", f.backend).WithHint(hint))
	}
	if slices.Equal(f.dtypes, []string{"all"}) {
		f.dtypes = ask.DTypes()
	}
	var specs []ask.Measure
	for _, dtype := range f.dtypes {
		line := fmt.Sprintf("matmul n=%d dtype=%s", f.n, dtype)
		if f.iters != 0 {
			line += fmt.Sprintf(" iters=%d", f.iters)
		}
		l, err := ask.ParseLine(line)
		if err != nil {
			hint := diag.Plain(err).Hint()
			if hint.IsZero() {
				hint = diag.Say("cli.help-hint", "see", "gpudocs bench matmul")
			}
			return nil, diag.Wrong(diag.Plain(err).WithHint(hint))
		}
		specs = append(specs, *l.Measures())
	}
	if len(specs) == 0 {
		return nil, diag.Wrong(diag.Say("cli.dtype-missing"))
	}
	return specs, nil
}

// runBench measures and prints.
func runBench(ctx context.Context, a *env.Env, f *benchFlags, specs []ask.Measure) error {
	g := verifycmd.Probe(ctx)
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, i := range f.gpus {
		if i < 0 || len(g.Devices) > 0 && i >= len(g.Devices) {
			return diag.Wrong(diag.Say("cli.gpu-unknown", "n", i, "all", len(g.Devices)))
		}
	}
	printer := bench.NewText(a.Stdout, text.FromEnv(os.Getenv), g.Devices)
	o := verifycmd.BenchOptions(a.Site, environments(a))
	o.Backend, o.GPUs, o.NoGPU = f.backend, len(g.Devices), g.Status != report.GPUOk || len(g.Devices) == 0
	if len(f.gpus) > 0 {
		o.Only = f.gpus
	}
	all, err := measureAll(ctx, a, specs, o, printer)
	if err != nil {
		return err
	}
	if err := printBench(a, f, g, all, printer, o.NoGPU); err != nil && !errors.Is(err, syscall.EPIPE) {
		return err
	}
	if !valid(all) {
		return exit.Code(exit.Failed)
	}
	return nil
}

// measureAll measures one thing after the other. On a terminal it shows which GPU is busy.
func measureAll(
	ctx context.Context, a *env.Env, specs []ask.Measure, o bench.MeasureOptions, text *bench.Text,
) (all []*report.Measurement, err error) {
	if a.Terminal(a.Stderr) {
		o.Began = func(gpu int) { fmt.Fprintf(a.Stderr, "\r\x1b[K%s", text.Began(gpu)) }
		defer fmt.Fprint(a.Stderr, "\r\x1b[K")
	}
	for _, s := range specs {
		m, err := bench.Measure(ctx, s, o)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

func printBench(a *env.Env, f *benchFlags, g report.GPU, all []*report.Measurement, text *bench.Text, noGPU bool) error {
	if f.json {
		return a.WriteJSONLine(struct {
			GPU          report.GPU            `json:"gpu"`
			Measurements []*report.Measurement `json:"measurements"`
		}{g, all})
	}
	if noGPU {
		return text.NoGPU(g)
	}
	if all[0].What == ask.Matmul {
		return text.Write(all...)
	}
	for i, m := range all {
		if i > 0 {
			fmt.Fprintln(a.Stdout)
		}
		if err := text.Write(m); err != nil {
			return err
		}
	}
	return nil
}

// valid reports whether each GPU was measured, except for types that it does not support, and
// calculates correctly.
func valid(all []*report.Measurement) bool {
	measured := false
	for _, m := range all {
		for _, g := range m.GPUs {
			if g.Wrong || g.Why != "" && g.Why != report.WhyNotSupported {
				return false
			}
			measured = measured || g.Why == ""
		}
	}
	return measured
}
