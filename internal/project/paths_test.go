package project

import "testing"

func TestInside(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		dir, path string
		want      bool
	}{
		{"/a", "/a", true},
		{"/a", "/a/b", true},
		{"/a", "/a/..b", true},
		{"/a", "/ab", false},
		{"/a/b", "/a", false},
		{"/", "/a", true},
	} {
		if got := Inside(c.dir, c.path); got != c.want {
			t.Errorf("Inside(%q, %q) = %v", c.dir, c.path, got)
		}
	}
}
