package env

import (
	"os"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// FindSite looks for gpudocs.toml in the folders above if neither the current folder nor --site has a site,
// as git does for a repository. The command says on standard error which folder it uses.
func (a *Env) FindSite(c *cobra.Command) {
	if c.Flags().Changed("site") || c.Hidden {
		return
	}
	given, err := os.Getwd()
	if err != nil {
		return
	}
	here, err := filepath.EvalSymlinks(given)
	if err != nil {
		return
	}
	dir := siteAbove(here)
	if dir == here {
		return
	}
	if info, err := os.Stat(filepath.Join(dir, "gpudocs.toml")); err != nil || ofOtherUser(info) { // verify would run its code
		a.Warn(diag.Say("cli.site-above-foreign", "folder", dir))
		return
	}
	a.Site = dir
	if rel, err := filepath.Rel(here, dir); err == nil && here == given { // ".." of a link leads elsewhere
		a.Site = rel
	}
	a.above = true
}

// SayAbove says once which folder the command works on, if that is one above the current folder.
func (a *Env) SayAbove() {
	if a.above {
		a.Warn(diag.Say("cli.site-above", "folder", a.Site))
	}
	a.above = false
}

// siteAbove returns the nearest folder with a gpudocs.toml, or here itself. It does not look in folders in which
// everyone may write, such as /tmp: verify would run the code of whoever put a file there.
func siteAbove(here string) string {
	if exists(filepath.Join(here, "content")) {
		return here // a site whose gpudocs.toml is missing
	}
	for dir := here; ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		if dir != here && (err != nil || info.Mode().Perm()&0o002 != 0 && runtime.GOOS != "windows") {
			return here
		}
		if exists(filepath.Join(dir, "gpudocs.toml")) {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return here
		}
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
