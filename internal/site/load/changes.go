package load

// changes are the paths that may have changed since the last load. If there are none, everything
// may have changed.
type changes map[string]bool

func newChanges(paths []string) changes {
	c := changes{}
	for _, p := range paths {
		c[p] = true
	}
	return c
}

// mayAffect reports whether a file may have changed, itself or as part of a folder.
func (c changes) mayAffect(name string) bool {
	for i := range len(name) {
		if name[i] == '/' && c[name[:i]] {
			return true
		}
	}
	return len(c) == 0 || c[name]
}
