package sitecmd

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/workspace"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

//go:embed starter
var starter embed.FS

func NewInit(a *env.Env) *cobra.Command {
	return &cobra.Command{
		Use:  "init DIR",
		Args: env.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return runInit(a, args[0]) },
	}
}

func runInit(a *env.Env, dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case err == nil && len(entries) > 0:
		return env.Usage(diag.Say("cli.init-folder-hint"), diag.Say("cli.init-folder-not-empty", "folder", dir))
	case err == nil || errors.Is(err, fs.ErrNotExist):
		err = writeStarter(dir, err == nil)
	}
	switch {
	case errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS):
		return env.Usage(diag.Say("cli.init-permission-hint"), err)
	case err != nil:
		return env.Usage(diag.Say("cli.init-folder-hint"), err)
	}
	a.Println(a.Text.Get("made_site", "folder", dir))
	fmt.Fprintf(a.Stdout, "  gpudocs serve --site %s --verify\n", dir)
	return nil
}

// writeStarter makes the site in a temporary folder and moves it to its place, so that there is
// never half a site.
func writeStarter(dir string, exists bool) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	parent := filepath.Dir(dir)
	if exists {
		// It stays the same folder: it may be where the user's shell is, a link
		// or a mount.
		parent = dir
	} else if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(parent, ".gpudocs-init-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if err := copyStarter(tmp); err != nil {
		return err
	}
	if exists {
		return moveEntries(tmp, dir)
	}
	return os.Rename(tmp, dir)
}

func copyStarter(dir string) error {
	files, err := fs.Sub(starter, "starter")
	if err != nil {
		return err
	}
	if err := os.CopyFS(dir, files); err != nil {
		return err
	}
	// The starter's .gitignore has another name in this repository, where it would hide files.
	return errors.Join(
		os.Rename(filepath.Join(dir, "gitignore"), filepath.Join(dir, ".gitignore")),
		os.Mkdir(filepath.Join(dir, workspace.ResultsDir), 0o755),
		os.Chmod(dir, 0o755),
	)
}

// moveEntries moves all entries of a folder into another, or none.
func moveEntries(from, to string) error {
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for i, e := range entries {
		if err := os.Rename(filepath.Join(from, e.Name()), filepath.Join(to, e.Name())); err != nil {
			for _, moved := range entries[:i] {
				err = errors.Join(err, os.RemoveAll(filepath.Join(to, moved.Name())))
			}
			return err
		}
	}
	return nil
}
