package render

import (
	"bytes"
	"html/template"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/gpudocs/gpudocs/themes"
)

// settleWhole is settle as the tokenizer alone does it.
func settleWhole(body []byte, prefix, page string, level int) template.HTML {
	s := settler{prefix: prefix, page: page, ids: map[string]bool{}}
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

var settleSeeds = []string{
	`<h2 id="a">A</h2><p>x <a href="#a">to</a> <a href="#b">away</a> <a href="../q/#a">far</a></p>`,
	`<H1 ID=a>A</H1><h3/><use href="#a"/><svg viewBox="0 0 1 1" fill="url(#a)" stroke="url(&#35;a)"><path id="a" d="M1 1"/></svg>`,
	`<input type="radio" name="r" id="i" checked><label for="i" hidden>l</label><td headers="i  j"></td>`,
	`<!-- <h2 id="a"> --><script><h2 id=a></script><textarea><p id="a"></textarea><a href="#a">`,
	`</><?x <p id="a">?></ p><p id='a' class=x>a < b <3 <</p><p aria-labelledby="a b"`,
	`<p id="a" id="b"><a href="#_p.3">x</a><a xlink:href="#a&amp;b" title="a &amp; b">`, "<p\tid=\"a\"><p id=\"a\r\"><a href=\"#a\"><a  href=\"#a\" /><a / href=\"#a\"><p\x00 id=\"a\">",
	`<xmp><a href="#a"></xmp><plaintext><a href="#a">`, `<p class="a`, `<p class="a"`, `<p class`, `<p `, `</p`, `<`, ``, `<a href="#a"/ id="a"><b c="d"e="f"/>`, `<a ="#x" id="a"><a b = "c"><a b= id="c">`,
}

func TestSettleScanned(t *testing.T) {
	for _, in := range settleSeeds {
		same(t, []byte(in))
		same(t, []byte(`<h2 id="a">`+in+`</h2>`))
	}
}

func same(t *testing.T, body []byte) {
	t.Helper()
	for level := range 3 {
		if got, want := settle(body, "n.", "../p/", level), settleWhole(body, "n.", "../p/", level); got != want {
			t.Fatalf("%q\n got %q\nwant %q", body, got, want)
		}
	}
}

func FuzzSettle(f *testing.F) {
	for _, in := range settleSeeds {
		f.Add([]byte(in))
	}
	s := newSite(f, generated(2), themes.Default(), Options{})
	page, _, err := s.File("pt/s0/p0/index.html")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(page)
	f.Fuzz(func(t *testing.T, body []byte) { same(t, body) })
}

func BenchmarkSettle(b *testing.B) {
	code := strings.Repeat(`<span class="n">x</span> <span class="o">=</span> <span class="mi">1</span>`+"\n", 20)
	body := []byte(strings.Repeat(`<h2 id="a">A</h2>`+"\n"+`<p>Text with <a href="#a">a link</a> and <code>code</code>.</p>`+"\n"+`<pre class="chroma" tabindex="0"><code>`+code+"</code></pre>\n", 20))
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		settle(body, "n.", "../p/", 2)
	}
}

func BenchmarkPrint(b *testing.B) {
	s := newSite(b, generated(200), themes.Default(), Options{})
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := s.File("pt/_print/s3/index.html"); err != nil {
			b.Fatal(err)
		}
	}
}
