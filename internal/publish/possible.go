package publish

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// possible reports whether files of these names can lie in one folder, before any is
// written. What authors name has been looked at long before; this is about
// what is made beside it.
func possible(paths []string) error {
	files := make(map[string]bool, len(paths))
	for _, p := range paths {
		if !fs.ValidPath(p) || p == "." {
			return fmt.Errorf("%q is no path of a file: it escapes the output, or is no text", p)
		}
		files[p] = true
	}
	for _, p := range paths {
		for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
			if files[dir] {
				return fmt.Errorf("%s would be a file, and the folder of %s", dir, path.Base(p))
			}
		}
		for part := range strings.SplitSeq(p, "/") {
			if len(part) > 255 {
				return fmt.Errorf("%s: a name of %d bytes, and 255 is the most that file systems take", p, len(part))
			}
		}
	}
	return nil
}
