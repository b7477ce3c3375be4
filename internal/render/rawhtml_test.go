package render

import (
	"bytes"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func sanitised(fragments ...string) string {
	r := rawHTML{resolve: func(a string) string { return "R:" + a }, size: func(a string) (int, int) {
		if a == "x.png" {
			return 40, 30
		}
		return 0, 0
	}}
	var out bytes.Buffer
	for _, f := range fragments {
		r.write(&out, []byte(f))
	}
	r.finish(&out)
	return out.String()
}

func TestRawHTML(t *testing.T) {
	for _, c := range []struct {
		name string
		in   []string
		want string
	}{
		{"kept", []string{`<div class="a">b</div>`}, `<div class="a">b</div>`},
		{"script goes", []string{`a<script>alert(1)</script>b`}, `ab`},
		{"handlers and styles go", []string{`<b onclick="x()" style="color:red">b</b>`}, `<b>b</b>`},
		{"javascript goes", []string{`<a href="javascript:alert(1)">b</a>`}, `b`},
		{"addresses are resolved", []string{`<img src="x.png" alt="a">`}, `<img src="R:x.png" alt="a" width="40" height="30" loading="lazy" decoding="async">`},
		{"the author's size stays", []string{`<img src="x.png" width="7">`}, `<img src="R:x.png" width="7" loading="lazy" decoding="async">`},
		{"no size is known", []string{`<img src="y.avif">`}, `<img src="R:y.avif" loading="lazy" decoding="async">`},
		{"ids in every script stay", []string{`<a id="configuração"></a><h2 id="安装">x</h2>`}, `<a id="configuração"></a><h2 id="安装">x</h2>`},
		{"open over several blocks", []string{"<details>\n<summary>s</summary>\n", "text", "</details>"}, "<details>\n<summary>s</summary>\ntext</details>"},
		{"stray end is dropped", []string{`</div></main>a`}, `a`},
		{"left open is closed", []string{`<div><p>a`}, `<div><p>a</p></div>`},
		{"crossed", []string{`<b><i>a</b></i>`}, `<b><i>a</i></b>`},
		{"unknown tags keep their text", []string{`<font color="red">a</font>`}, `a`},
		{"comment goes", []string{`a<!-- c -->b`}, `ab`},
	} {
		if got := sanitised(c.in...); got != c.want {
			t.Errorf("%s: %q gives %q, want %q", c.name, c.in, got, c.want)
		}
	}
}

// FuzzRawHTML holds that what comes out is balanced, and holds no script.
func FuzzRawHTML(f *testing.F) {
	f.Add("<div>", "</b><script>x</script>")
	f.Add("<details open><summary>", "</details></div>")
	f.Fuzz(func(t *testing.T, a, b string) {
		depth := 0
		for z := html.NewTokenizer(strings.NewReader(sanitised(a, b))); z.Next() != html.ErrorToken; {
			token := z.Token()
			if token.Data == "script" || token.Data == "style" || token.Data == "iframe" {
				t.Errorf("%q %q lets %s through", a, b, token.Data)
			}
			for _, at := range token.Attr {
				if strings.HasPrefix(at.Key, "on") || at.Key == "style" {
					t.Errorf("%q %q lets the attribute %s through", a, b, at.Key)
				}
			}
			switch token.Type {
			case html.StartTagToken:
				if !isVoid(token.Data) {
					depth++
				}
			case html.EndTagToken:
				depth--
			}
			if depth < 0 {
				t.Fatalf("%q %q: an end without a beginning", a, b)
			}
		}
		if depth != 0 {
			t.Errorf("%q %q leaves %d elements open", a, b, depth)
		}
	})
}

func TestDangerous(t *testing.T) {
	for address, want := range map[string]bool{
		"javascript:alert(1)": true, " JaVaScRiPt:x": true, "java\nscript:x": true, "vbscript:x": true, "data:text/html,x": true,
		"https://a.b/?q=javascript:x": false, "mailto:a@b.c": false, "a/b:c": false,
	} {
		if got := dangerous(address); got != want {
			t.Errorf("dangerous(%q) = %v", address, got)
		}
	}
}

func isVoid(name string) bool {
	for _, v := range void {
		if v == name {
			return true
		}
	}
	return false
}
