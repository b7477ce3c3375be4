package preview

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/hosting"
)

func TestWithScript(t *testing.T) {
	const script = "<script src=\"/_gpudocs/live.js?build=x-1\" defer></script>\n"
	for page, want := range map[string]string{
		"":                                  "|",
		"text":                              "text|",
		"<p>a</p></body></html>":            "<p>a</p>|</body></html>",
		"<p>a</p></BoDy></html>":            "<p>a</p>|</BoDy></html>",
		"<!-- </body> --><p>a</p></body>\n": "<!-- </body> --><p>a</p>|</body>\n",
		"</body><":                          "|</body><",
		"a</bod":                            "a</bod|",
	} {
		if got := string(withScript([]byte(page), "x-1")); got != strings.Replace(want, "|", script, 1) {
			t.Errorf("%q: %q", page, got)
		}
	}
}

// What the assets show comes from files, and the policy allows no inline code
// or style: neither may creep in.
func TestAssetsKeepThePolicy(t *testing.T) {
	risky := regexp.MustCompile(`innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|\.style\b|cssText|\bstyle=|\son[a-z]+=|<script>|https?:`)
	for name, asset := range map[string][]byte{"live.js": liveJS, "live.css": liveCSS, "notice.html": []byte(noticeHTML)} {
		if found := risky.Find(asset); found != nil {
			t.Errorf("%s has %s", name, found)
		}
	}
	for _, path := range []string{eventsPath, stylePath} {
		if !bytes.Contains(liveJS, []byte("'"+path)) {
			t.Errorf("live.js does not use %s", path)
		}
	}
	if strings.Contains(hosting.Policy, "unsafe") {
		t.Error(hosting.Policy)
	}
}
