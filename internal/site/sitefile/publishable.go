package sitefile

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// IsHidden reports whether a path has a name that begins with a dot.
func IsHidden(name string) bool {
	return slices.ContainsFunc(strings.Split(name, "/"), func(e string) bool { return len(e) > 1 && e[0] == '.' })
}

// maxLinks bounds the number of symbolic links in a path, as operating systems do.
const maxLinks = 40

// LinksToHidden reports whether the symbolic links of a path lead to a hidden file: a contributed
// link to .git/config must not publish it.
func LinksToHidden(fsys fs.FS, name string) (d diag.Diagnostic, hidden bool) {
	to := name
	for range maxLinks {
		next, ok := FollowLink(fsys, to)
		if !ok {
			return d, false
		}
		if to = next; IsHidden(to) {
			return diag.About(diag.Error, name, diag.Say("page.symlink-hidden", "to", to)), true
		}
	}
	return d, false // reading it fails
}

// FollowLink replaces the first symbolic link of a path by its target. ok is false if there is no
// link, or if it leads out of the site.
func FollowLink(fsys fs.FS, name string) (target string, ok bool) {
	for end := 0; end < len(name); {
		if n := strings.IndexByte(name[end+1:], '/'); n < 0 {
			end = len(name)
		} else {
			end += 1 + n
		}
		info, err := fs.Lstat(fsys, name[:end])
		if err != nil {
			return "", false
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			continue
		}
		link, err := fs.ReadLink(fsys, name[:end])
		target = path.Join(path.Dir(name[:end]), link, name[end:])
		return target, err == nil && !path.IsAbs(link) && fs.ValidPath(target)
	}
	return "", false
}

// Publishable explains why a file below a published folder cannot be published: it is a broken
// link, a link to a folder, out of the site or to a hidden file, or a pipe or device, which never
// ends.
func Publishable(fsys fs.FS, name string) (d diag.Diagnostic, ok bool) {
	info, err := fs.Stat(fsys, name)
	switch {
	case err != nil:
		return diag.Unreadable(name, err), false
	case info.IsDir():
		return diag.About(diag.Error, name, diag.Say("page.symlink-folder").WithHint(diag.Say("page.symlink-replace-hint"))), false
	case !info.Mode().IsRegular():
		return diag.Unreadable(name, diag.Say("report.file-not-regular")), false
	}
	d, hidden := LinksToHidden(fsys, name)
	return d, !hidden
}
