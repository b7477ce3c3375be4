package project

import (
	"os"
	"path/filepath"
	"runtime"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Find looks for gpudocs.toml in the folders above the current one if that is not a site, as git does for a repository.
// It returns "" if no folder has one, and an error if the folder belongs to another user.
func Find() (string, error) {
	given, err := os.Getwd()
	if err != nil {
		return "", nil
	}
	here, err := filepath.EvalSymlinks(given)
	if err != nil {
		return "", nil
	}
	dir := siteAbove(here)
	if dir == here {
		return "", nil
	}
	if info, err := os.Stat(filepath.Join(dir, "gpudocs.toml")); err != nil || ofOtherUser(info) { // verify would run its code
		return "", diag.Say("cli.site-above-foreign", "folder", dir)
	}
	if rel, err := filepath.Rel(here, dir); err == nil && here == given { // ".." of a link leads elsewhere
		dir = rel
	}
	return dir, nil
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
