package load

import "strings"

// Changes are the paths that may have changed since the last load. If there are none, everything
// may have changed.
type Changes map[string]bool

// NewChanges returns the changes of a list of paths. That of a folder stands for all that is or was in it.
func NewChanges(paths []string) Changes {
	c := Changes{}
	for _, p := range paths {
		c[p] = true
	}
	return c
}

// mayAffect reports whether a file may have changed, itself or as part of a folder.
func (c Changes) mayAffect(name string) bool {
	for i := range len(name) {
		if name[i] == '/' && c[name[:i]] {
			return true
		}
	}
	return len(c) == 0 || c[name]
}

// Touch reports whether a file or folder, or something in it, may have changed.
func (c Changes) Touch(name string) bool {
	for p := range c {
		if strings.HasPrefix(p, name+"/") {
			return true
		}
	}
	return c.mayAffect(name)
}
