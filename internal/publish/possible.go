package publish

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"
)

// possible returns an error if a folder cannot hold files of these names. Names that authors choose are checked earlier;
// this is about the files beside them.
func possible(paths []string) error {
	files := make(map[string]bool, len(paths))
	for _, p := range paths {
		if _, err := filepath.Localize(p); err != nil || p == "." {
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
