package load

import (
	"slices"
	"strings"
)

// changes are the paths that may have changed since the last load. If there are none, everything
// may have changed.
type changes struct {
	paths []string
	// set holds the same paths if there are many of them.
	set map[string]bool
}

func newChanges(paths []string) changes {
	const few = 8
	c := changes{paths: paths}
	if len(paths) > few {
		c.set = map[string]bool{}
		for _, p := range paths {
			c.set[p] = true
		}
	}
	return c
}

func (c changes) all() bool { return len(c.paths) == 0 }

// mayAffect reports whether a file may have changed.
func (c changes) mayAffect(name string) bool {
	if c.set == nil {
		return c.all() || slices.ContainsFunc(c.paths, func(p string) bool {
			return strings.HasPrefix(name, p) && (len(name) == len(p) || name[len(p)] == '/')
		})
	}
	for i := range len(name) {
		if name[i] == '/' && c.set[name[:i]] {
			return true
		}
	}
	return c.set[name]
}
