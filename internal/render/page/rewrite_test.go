package page

import (
	"bytes"
	"html/template"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// rewriteWhole is rewrite with the tokenizer only.
func rewriteWhole(body []byte, prefix, page string, level int) template.HTML {
	s := rewriter{prefix: prefix, page: page, ids: map[string]bool{}}
	highest := 7
	each(body, func(_ []byte, t html.Token) {
		for _, a := range t.Attr {
			if a.Key == "id" {
				s.ids[a.Val] = true
			}
		}
		if l := headingLevel(t.Data); l > 0 && t.Type == html.StartTagToken {
			highest = min(highest, l)
		}
	})
	s.deeper = level + 1 - highest
	var out bytes.Buffer
	each(body, func(raw []byte, t html.Token) {
		if s.token(&t) {
			out.WriteString(t.String())
		} else {
			out.Write(raw)
		}
	})
	return template.HTML(out.String())
}

var rewriteSeeds = []string{
	`<h2 id="a">A</h2><p>x <a href="#a">to</a> <a href="#b">away</a> <a href="../q/#a">far</a></p>`,
	`<H1 ID=a>A</H1><h3/><use href="#a"/><svg viewBox="0 0 1 1" fill="url(#a)" stroke="url(&#35;a)"><path id="a" d="M1 1"/></svg>`,
	`<input type="radio" name="r" id="i" checked><label for="i" hidden>l</label><td headers="i  j"></td>`,
	`<!-- <h2 id="a"> --><script><h2 id=a></script><textarea><p id="a"></textarea><a href="#a">`,
	`</><?x <p id="a">?></ p><p id='a' class=x>a < b <3 <</p><p aria-labelledby="a b"`,
	`<p id="a" id="b"><a href="#_p.3">x</a><a xlink:href="#a&amp;b" title="a &amp; b">`, "<p\tid=\"a\"><p id=\"a\r\"><a href=\"#a\"><a  href=\"#a\" /><a / href=\"#a\"><p\x00 id=\"a\">",
	`<xmp><a href="#a"></xmp><plaintext><a href="#a">`, `<p class="a`, `<p class="a"`, `<p class`, `<p `, `</p`, `<`, ``, `<a href="#a"/ id="a"><b c="d"e="f"/>`, `<a ="#x" id="a"><a b = "c"><a b= id="c">`,
}

func TestRewriteScanned(t *testing.T) {
	for _, in := range rewriteSeeds {
		same(t, []byte(in))
		same(t, []byte(`<h2 id="a">`+in+`</h2>`))
	}
}

func same(t *testing.T, body []byte) {
	t.Helper()
	for level := range 3 {
		if got, want := rewrite(body, "n.", "../p/", level), rewriteWhole(body, "n.", "../p/", level); got != want {
			t.Fatalf("%q\n got %q\nwant %q", body, got, want)
		}
	}
}

func FuzzRewrite(f *testing.F) {
	for _, in := range rewriteSeeds {
		f.Add([]byte(in))
	}
	f.Add(longBody())
	f.Fuzz(func(t *testing.T, body []byte) { same(t, body) })
}

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
		{``, ``},
	} {
		if got := string(rewrite([]byte(tt.in), "n.", "../p/", 3)); got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.in, got, tt.want)
		}
	}
}
