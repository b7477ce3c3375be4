package render

import (
	"slices"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// TestDecide checks that the first of several claims gets a name, that no file has the name of a folder, and which loss is reported.
func TestDecide(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, claims, want string }{
		{"the first gets it", "a a", "a=0"},
		{"a folder is taken", "a/b a", "a/b=0"},
		{"a file is no folder", "a a/b a/b/c", "a=0"},
		{"others are not in the way", "a/b a/c ab", "a/b=0 a/c=1 ab=2"},
		{"a loss is reported", "a a! a/b!", "a=0 lost:a lost:a"},
		{"the folder is named", "a/b/c a/b!", "a/b/c=0 lost:a/b"},
		{"what is lost takes no name", "a a/b a/b/c! b/c b", "a=0 b/c=3 lost:a"},
		{"authors have no files among ours", "_theme/x@! _images/y@ pt/_theme@ _theme/z", "_theme/z=3 pt/_theme=2 lost:_theme/x"},
	} {
		var claims []claim
		for i, name := range strings.Fields(c.claims) {
			own := claim{make: always([]byte{byte('0' + i)})}
			if name, reported := strings.CutSuffix(name, "!"); reported {
				own.name, own.lost = name, func(other string) diag.Diagnostic { return diag.Diagnostic{File: other} }
			} else {
				own.name = name
			}
			own.name, own.authors = strings.CutSuffix(own.name, "@")
			claims = append(claims, own)
		}
		p, diags := decide(&inputs{}, claims)
		var got []string
		for name, make := range p.files {
			data, _ := make(p)
			got = append(got, name+"="+string(data))
		}
		slices.Sort(got)
		for _, d := range diags {
			got = append(got, "lost:"+d.File)
		}
		if got := strings.Join(got, " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
