// Package sitepath judges the paths of files that a site is made of. A site's folder is
// opened so that no path and no symbolic link leads out of it (os.Root); what lies within
// may still be none of its readers' business, or no file at all.
package sitepath

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/diag"
)

// Hidden tells whether a path has a name that begins with a dot.
func Hidden(name string) bool {
	return slices.ContainsFunc(strings.Split(name, "/"), func(e string) bool { return len(e) > 1 && e[0] == '.' })
}

// maxLinks bounds the symbolic links of a path, as systems do.
const maxLinks = 40

// LinksToHidden tells of a path whose symbolic links lead to a hidden file: who sends
// a change with a link to .git/config must not have it published.
func LinksToHidden(fsys fs.FS, name string) (d diag.Diagnostic, hidden bool) {
	to := name
	for range maxLinks {
		next, ok := Follow(fsys, to)
		if !ok {
			return d, false
		}
		if to = next; Hidden(to) {
			return diag.Diagnostic{File: name, Message: diag.Say("a symbolic link to %s, which is hidden, and is not shown", to),
				Hint: diag.Say("a name that begins with a dot is private; copy the file into the site under another")}, true
		}
	}
	return d, false // reading it fails
}

// Follow puts its target in the place of the first symbolic link of a path.
func Follow(fsys fs.FS, name string) (target string, ok bool) {
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

// Publishable tells why a file that lies below a published folder is not what readers may
// get: it is a link to nothing, to a folder, out of the site or to what is hidden, or it is
// a pipe or a device, which could be read for ever.
func Publishable(fsys fs.FS, name string) (d diag.Diagnostic, ok bool) {
	info, err := fs.Stat(fsys, name)
	switch {
	case err != nil:
		return diag.Unreadable(name, err), false
	case info.IsDir():
		return diag.Diagnostic{File: name, Message: diag.Say("a symbolic link to a folder is not followed"),
			Hint: diag.Say("put the folder itself in its place")}, false
	case !info.Mode().IsRegular():
		return diag.Unreadable(name, diag.Say("it is not a regular file")), false
	}
	d, hidden := LinksToHidden(fsys, name)
	return d, !hidden
}
