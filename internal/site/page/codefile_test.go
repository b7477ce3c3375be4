package page_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

func TestCodeIncludeOfFastAPI(t *testing.T) {
	p, out := sitetest.PageIn(t, "mkdocs", map[string]string{
		"content/pt/p.md": "{* ../../src/a.py ln[2:3,5] hl[3,5] *}\n\n{* ../../src/gone.py *}\n\n{* ../../src/a.py title[\"app/a.py\"] *}\n",
		"src/a.py":        "1\n2\n3\n4\n5\n",
	})
	f := sitetest.Fences(p)
	if got := fmt.Sprintf("%s %q %v %v", f[0].Language, f[0].Code, f[0].Numbers, f[0].Marked); got != `py "2\n3\n5\n" [2 3 5] [[2 2] [3 3]]` {
		t.Error(got)
	}
	if f[1].Missing != "../../src/gone.py" || f[2].Code != "1\n2\n3\n4\n5\n" || f[2].Numbers != nil || f[2].Title != "app/a.py" {
		t.Errorf("%+v %+v", f[1], f[2])
	}
	if want := "content/pt/p.md:6:1: warning: there is no file \"../../src/gone.py\""; !strings.HasPrefix(out, want) {
		t.Error(out)
	}
}
