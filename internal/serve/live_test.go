package serve

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/render/hosting"
)

func TestWithScript(t *testing.T) {
	t.Parallel()
	const script = "<script src=\"/_gpudocs/live.js?build=x-1\" data-scripts=\"\" data-images=\"{}\"></script>\n"
	s, st := New(Preview{}), &state{build: "x-1"}
	for page, want := range map[string]string{
		"":                                  "|",
		"text":                              "text|",
		"<p>a</p></body></html>":            "<p>a</p>|</body></html>",
		"<p>a</p></BoDy></html>":            "<p>a</p>|</BoDy></html>",
		"<!-- </body> --><p>a</p></body>\n": "<!-- </body> --><p>a</p>|</body>\n",
		"</body><":                          "|</body><",
		"a</bod":                            "a</bod|",
	} {
		if got := string(s.withScript(st, "index.html", []byte(page))); got != strings.Replace(want, "|", script, 1) {
			t.Errorf("%q: %q", page, got)
		}
	}
}

// What the assets show comes from files, and the policy allows no inline code
// or style: neither may creep in.
func TestAssetsKeepThePolicy(t *testing.T) {
	t.Parallel()
	risky := regexp.MustCompile(`innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|\.style\b|cssText|\bstyle=|\son[a-z]+=|<script>|https?:`)
	for name, asset := range map[string][]byte{"live.js": liveJS(), "live.css": liveCSS, "notice.html": []byte(noticeHTML),
		"run.js": buttonsJS(), "open.js": openerJS, "run.html": []byte(openHTML)} {
		if found := risky.Find(asset); found != nil {
			t.Errorf("%s has %s", name, found)
		}
	}
	for _, path := range []string{eventsPath, stylePath} {
		if !bytes.Contains(liveJS(), []byte("'"+path)) {
			t.Errorf("live.js does not use %s", path)
		}
	}
	for script, paths := range map[string][]string{"run.js": {actionsPath, tokenHeader}, "open.js": {actionsPath, tokenHeader}, "run.html": {openerPath, stylePath}} {
		for _, path := range paths {
			if !bytes.Contains(map[string][]byte{"run.js": buttonsJS(), "open.js": openerJS, "run.html": []byte(openHTML)}[script], []byte(path)) {
				t.Errorf("%s does not use %s", script, path)
			}
		}
	}
	if strings.Contains(hosting.Policy, "unsafe") {
		t.Error(hosting.Policy)
	}
}

// An image is identified by its content, under the address that the page uses for it.
func TestImages(t *testing.T) {
	t.Parallel()
	of := func(f files, page string) string {
		return (&state{snapshot: f}).images("pt/a/index.html", []byte(page))
	}
	f := files{"pt/x.svg": "one", "pt/y&z.svg": "one", "pt/a/x.svg": "two"}
	const page = `<img alt="src" src="../x.svg"><IMG loading=lazy src='../y&amp;z.svg'><img data-src="../none.svg" src=x.svg><img src="none.svg"><img src="https://a.example/x.svg"><img src="data:,">`
	one, other := of(f, page), of(files{"pt/x.svg": "two", "pt/y&z.svg": "one", "pt/a/x.svg": "two"}, page)
	sums := func(text string) (m map[string]string) {
		if err := json.Unmarshal([]byte(text), &m); err != nil {
			t.Fatal(err)
		}
		return m
	}
	a, b := sums(one), sums(other)
	if len(a) != 3 || a["../x.svg"] != a["../y&z.svg"] || a["../x.svg"] == a["x.svg"] || a["../x.svg"] == b["../x.svg"] || a["x.svg"] != b["x.svg"] {
		t.Errorf("%s, then %s", one, other)
	}
}

// The version of a page's scripts depends on their content and tags, not on their addresses.
func TestScripts(t *testing.T) {
	t.Parallel()
	of := func(f files, name, page string) string { return (&state{snapshot: f}).scripts(name, []byte(page)) }
	f := files{"_theme/a/x.js": "one", "_theme/b/x.js": "one", "_theme/c/x.js": "two"}
	one := of(f, "pt/a/index.html", `<script src="../../_theme/a/x.js" defer></script>`)
	for _, same := range []string{`<SCRIPT src='/_theme/b/x.js' defer>`, `<script src=../../_theme/b/x.js defer>`} {
		if of(f, "pt/a/index.html", same) != one {
			t.Errorf("%s: got a different version, want the same", same)
		}
	}
	for _, other := range []string{"", `<script src="../../_theme/c/x.js" defer>`, `<script src="../../_theme/a/x.js">`,
		`<script src="../../_theme/nowhere.js" defer>`, `<script data-src="../../_theme/a/x.js" src="../../_theme/c/x.js" defer>`, `<script src="https://a.example/x.js" defer>`,
		`<script src="../../_theme/a/x.js" defer></script><script src="../../_theme/a/x.js" defer></script>`} {
		if of(f, "pt/a/index.html", other) == one {
			t.Errorf("%s: got the same version, want a different one", other)
		}
	}
}
