package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
)

//go:embed starter
var starter embed.FS

func newInit(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "init DIR",
		Short: "Make a new site",
		Long: `Init makes a folder with a small site in Portuguese and Spanish that builds and
verifies at once. It refuses a folder that is not empty.`,
		Example: `  gpudocs init tutorials
  gpudocs serve --site tutorials --verify`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.init(args[0]) },
	}
}

func (a *app) init(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case err == nil && len(entries) > 0:
		return usage("name a folder that does not exist yet", "%s is not empty", dir)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return usage("", "%v", err)
	}
	if err := writeStarter(dir); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "made a site in %s; now:\n  gpudocs serve --site %s --verify\n", dir, dir)
	return nil
}

// writeStarter makes the folder beside its place and renames it, so that there
// is never half a site.
func writeStarter(dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(filepath.Dir(dir), ".gpudocs-init-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	files, err := fs.Sub(starter, "starter")
	if err != nil {
		return err
	}
	if err := os.CopyFS(tmp, files); err != nil {
		return err
	}
	// A .gitignore inside of this repository would hide files of the starter itself.
	err = errors.Join(
		os.Rename(filepath.Join(tmp, "gitignore"), filepath.Join(tmp, ".gitignore")),
		os.Mkdir(filepath.Join(tmp, resultsDir), 0o755),
		os.Chmod(tmp, 0o755),
	)
	if err != nil {
		return err
	}
	return os.Rename(tmp, dir) // over an empty folder too
}
