package page

import (
	"bytes"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/gpudocs/gpudocs/internal/markdown/rawhtml"
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
	r.Finish(&out)
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

// FuzzRawHTML checks that the output is balanced, and has no script.
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
				if !rawhtml.Void(token.Data) {
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

// TestNesting checks that elements end where a browser would end them.
func TestNesting(t *testing.T) {
	for _, c := range []struct {
		name string
		in   []string
		want string
	}{
		{"an item ends the one before", []string{`<ul><li><div>a<li>b</ul>`}, `<ul><li><div>a</div></li><li>b</li></ul>`},
		{"an item without a list", []string{`<li><div>a</div></li>`}, `<div>a</div>`},
		{"a cell without a row", []string{`<table><td>a</table>`}, `<table><tr><td>a</td></tr></table>`},
		{"a row ends cells", []string{`<table><tr><td><div>a<tr><td>b</table>`}, `<table><tr><td><div>a</div></td></tr><tr><td>b</td></tr></table>`},
		{"nothing but rows in a table", []string{`<table><div><tr><td>a</td></tr></div></table>`}, `<table><tr><td>a</td></tr></table>`},
		{"a table in a cell", []string{`<table><tr><td><table><tr><td>a</table></table>`}, `<table><tr><td><table><tr><td>a</td></tr></table></td></tr></table>`},
		{"a heading in a heading", []string{`<h1><div><h2>a</h2></div></h1>`}, `<h1><div>a</div></h1>`},
		{"a block ends a paragraph", []string{`<p>a<div>b</div></p>`}, `<p>a</p><div>b</div>`},
		{"a link in a link", []string{`<a href="x">a<a href="y">b</a></a>`}, `<a href="R:x">a</a><a href="R:y">b</a>`},
		{"no slash closes", []string{`<div/>a`}, `<div>a</div>`},
		{"what is hidden goes whole", []string{`a<svg><text>b</text></svg><iframe>c</iframe>d`}, `ad`},
		{"terms", []string{`<dl><dt>a<dd>b<dt>c</dl>`}, `<dl><dt>a</dt><dd>b</dd><dt>c</dt></dl>`},
		{"sources are resolved", []string{`<img srcset="x.png, y.png 2x" alt=""><video poster="x.png"></video>`}, `<img srcset="R:x.png, R:y.png 2x" alt="" loading="lazy" decoding="async"><video poster="R:x.png"></video>`},
		{"no deeper than that", []string{strings.Repeat("<div>", 200) + "a"}, strings.Repeat("<div>", 100) + "a" + strings.Repeat("</div>", 100)},
	} {
		if got := sanitised(c.in...); got != c.want {
			t.Errorf("%s: %q gives %q, want %q", c.name, c.in, got, c.want)
		}
	}
}

// TestUnsafeHTML checks that unsafe_html preserves the author's HTML, and that its elements are still closed.
func TestUnsafeHTML(t *testing.T) {
	r := rawHTML{unsafe: true, resolve: func(a string) string {
		if a == "x.png" {
			return "R:x.png"
		}
		return a
	}}
	var out bytes.Buffer
	const kept = `<script type=module>if (a < b) {}</script><!-- c --><b STYLE='color:red' onclick=x>d</b><a href=javascript:x>e</a>`
	r.write(&out, []byte(kept+`<img src=x.png><div></p>`))
	r.Finish(&out)
	if want := kept + `<img src="R:x.png"><div></div>`; out.String() != want {
		t.Errorf("%s", out.String())
	}
}
