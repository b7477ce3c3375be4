package verifycmd

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/machine/bench"
	"github.com/gpudocs/gpudocs/internal/machine/environment"
	"github.com/gpudocs/gpudocs/internal/machine/pyenv"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/verify/tools"
)

// BenchCommand is the hidden command of the subprocess that measures.
const BenchCommand = "internal-bench"

func NewBenchChild() *cobra.Command {
	return &cobra.Command{
		Use:    BenchCommand,
		Hidden: true,
		RunE: func(c *cobra.Command, _ []string) error {
			return bench.RunSubprocess(c.Context(), c.InOrStdin(), c.OutOrStdout())
		},
	}
}

// BenchOptions returns how to measure on this machine.
func BenchOptions(dir string, all map[string]site.Environment) bench.MeasureOptions {
	self, err := os.Executable()
	if err != nil {
		self = os.Args[0] // if that cannot be started, the measurement says so
	}
	return bench.MeasureOptions{Executable: self, Args: []string{BenchCommand}, Folders: pythonRoots(dir, all)}
}

// pythonRoots returns the folders of Python environments, whose wheels contain libraries.
func pythonRoots(dir string, all map[string]site.Environment) (roots []string) {
	specs := map[string]environment.Spec{}
	for name, e := range all {
		e.Modules, e.Setup = nil, "" // which only a block asks for
		specs[name] = tools.SpecOf(name, e)
	}
	for _, p := range pyenv.Find(dir, environment.Pythons(context.Background(), specs, dir)) {
		if p.Path != "" {
			roots = append(roots, filepath.Dir(filepath.Dir(p.Path)))
		}
	}
	if home, err := os.UserHomeDir(); err == nil {
		roots = append(roots, filepath.Join(home, ".local")) // pip install --user
	}
	return slices.Compact(roots)
}

// measurer returns the function with which verify measures.
func measurer(dir string, all map[string]site.Environment) func(context.Context, ask.Measure, int) (*report.Measurement, error) {
	return func(ctx context.Context, s ask.Measure, gpus int) (*report.Measurement, error) {
		o := BenchOptions(dir, all)
		o.GPUs = gpus
		return bench.Measure(ctx, s, o)
	}
}
