//go:build unix

package session

import (
	"testing"

	"github.com/gpudocs/gpudocs/internal/report"
)

// Whatever a line of the FIFO holds, an accepted record is one that a driver can have written.
func FuzzRecord(f *testing.F) {
	for _, line := range []string{
		`{"nonce":"N","kind":"done","exit":0}`,
		`{"nonce":"N","kind":"done","exit":1,"line":70,"exception":"NameError: name 'x' is not defined"}`,
		`{"nonce":"N","kind":"exit","exit":3,"line":0}`,
		`{"nonce":"N","kind":"figure","png":"iVBORw0KGgo="}`,
		`{"nonce":"N","kind":"figure","svg":"<svg/>","html":"<b>"}`, `{"nonce":"N","kind":"figure","latex":"$x$"}`,
		`{"NONCE":"N","nonce":"M","Kind":"done","exit":-1,"line":-5}`,
		`{"nonce":"N","kind":"done","exit":1e99}`, `{"nonce":"N","kind":"figure","png":"%"}`, `[]`, `null`, `{"nonce":`, "\x00\xff",
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		r, ok := parseRecord(line)
		for _, interpreter := range []string{Bash, Python} {
			if !ok || r.check(interpreter, 100) != nil {
				continue
			}
			switch r.Kind {
			case kindFigure:
				if n := len(r.PNG) + len(r.JPEG) + len(r.SVG) + len(r.HTML) + len(r.LaTeX); n == 0 || n > report.MaxFigure || n > report.MaxMarkup && len(r.HTML)+len(r.LaTeX) > 0 {
					t.Errorf("a figure of %d bytes", n)
				}
			case kindDone, kindExit:
				if r.Exit < 0 || r.Exit > 255 || r.Line < 0 || r.Line > 100 || r.Kind == kindExit && interpreter == Python {
					t.Errorf("%s: %+v", interpreter, r)
				}
			default:
				t.Errorf("kind %q", r.Kind)
			}
		}
	})
}
