package content

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/diag"
)

// isHidden tells whether a path has a name that begins with a dot.
func isHidden(name string) bool {
	return slices.ContainsFunc(strings.Split(name, "/"), func(e string) bool { return len(e) > 1 && e[0] == '.' })
}

// maxLinks bounds the symbolic links of a path, as systems do.
const maxLinks = 40

// linksToHidden tells of a path whose symbolic links lead to a hidden file: who sends
// a change with a link to .git/config must not have it published.
func linksToHidden(fsys fs.FS, name string) (d diag.Diagnostic, hidden bool) {
	to := name
	for range maxLinks {
		next, ok := followOne(fsys, to)
		if !ok {
			return d, false
		}
		if to = next; isHidden(to) {
			return diag.Diagnostic{File: name, Message: diag.Say("a symbolic link to %s, which is hidden, and is not shown", to),
				Hint: diag.Say("a name that begins with a dot is private; copy the file into the site under another")}, true
		}
	}
	return d, false // reading it fails
}

// followOne puts its target in the place of the first symbolic link of a path.
func followOne(fsys fs.FS, name string) (target string, ok bool) {
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
