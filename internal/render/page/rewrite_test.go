package page

import (
	"strings"
	"testing"
)

// longBody is the body of a page with much code.
func longBody() []byte {
	code := strings.Repeat(`<span class="n">x</span> <span class="o">=</span> <span class="mi">1</span>`+"\n", 20)
	return []byte(strings.Repeat(`<h2 id="a">A</h2>`+"\n"+`<p>Text with <a href="#a">a link</a> and <code>code</code>.</p>`+"\n"+`<pre class="chroma" tabindex="0"><code>`+code+"</code></pre>\n", 20))
}

func BenchmarkRewrite(b *testing.B) {
	body := longBody()
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		rewrite(body, "n.", "../p/", 2)
	}
}

func TestRewrite(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{`<h2 id="a">A</h2><h4>B</h4><a href="#a">a</a>`, `<h4 id="n.a">A</h4><h6>B</h6><a href="#n.a">a</a>`},
		{`<h1>A</h1>`, `<h4>A</h4>`},
		{`<h6>A</h6>`, `<h4>A</h4>`},
		{`<a href="#b">b</a> <a href="x#b">c</a> <a href="#">d</a>`, `<a href="../p/#b">b</a> <a href="x#b">c</a> <a href="#">d</a>`},
		{`<svg><use href="#icon"/></svg>`, `<svg><use href="#icon"/></svg>`},
		{`<input type="radio" name="r" id="i"><label for="i">`, `<input type="radio" name="n.r" id="n.i"><label for="n.i">`},
		{`<b id="i"></b><c id="j"></c><d aria-labelledby="i k j">`, `<b id="n.i"></b><c id="n.j"></c><d aria-labelledby="n.i k n.j">`},
		{`<svg><g id="g"/><path fill="url(#g)" stroke="url(#z)"/></svg>`, `<svg><g id="n.g"/><path fill="url(#n.g)" stroke="url(#z)"/></svg>`},
		{`<p>a &lt; b &amp; <!-- c --> "d"</p>`, `<p>a &lt; b &amp; <!-- c --> "d"</p>`},
		{`<script>"<h2 id=a>"</script><textarea><p id="a"></textarea><a href="#a">`, `<script>"<h2 id=a>"</script><textarea><p id="a"></textarea><a href="../p/#a">`},
		{``, ``},
	} {
		if got := string(rewrite([]byte(tt.in), "n.", "../p/", 3)); got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.in, got, tt.want)
		}
	}
}
