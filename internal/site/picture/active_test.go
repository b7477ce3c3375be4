package picture_test

import (
	"bytes"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gpudocs/gpudocs/internal/complexitytest"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/site/picture"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

func TestDrawings(t *testing.T) {
	t.Parallel()
	const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">`
	for body, want := range map[string]string{
		`<path d="M0 0" style="fill:url(#a)"/><use xlink:href="#a"/><text>script onload= href="x"</text></svg>`:                   "",
		`<style>path { fill: red } @font-face { src: url(data:font/woff2;base64,AA) }</style><!-- <script> --><g id="on"/></svg>`: "",
		`<a href="https://example.org/"><text>x</text></a><image href="data:image/png;base64,AA=="/></svg>`:                       "",
		`<metadata><rdf:li xmlns:rdf="x" rdf:resource="http://creativecommons.org/"/></metadata><desc>a > b</desc></svg>`:         "",
		"\n<script>x</script></svg>":                             "2:1 the SVG holds <script>",
		"\n<svg:script xmlns:svg='http://www.w3.org/2000/svg'/>": "2:1 the SVG holds <script>",
		`<g><path onload="x()"/></g>`:                            "1:87 the SVG runs something: onload of <path>",
		"<g\nonclick = 'x'>":                                     "1:84 the SVG runs something: onclick of <g>",
		`<switch><foreignObject width="1"><div xmlns="http://www.w3.org/1999/xhtml" style="color: red"><a href="https://example.org/">x</a></div></foreignObject><text>x</text></switch></svg>`: "",
		`<foreignObject><h:script xmlns:h="http://www.w3.org/1999/xhtml">x</h:script></foreignObject>`:                                                                                          "1:99 the SVG holds <script>",
		`<foreignObject><img xmlns="http://www.w3.org/1999/xhtml" src="https://example.org/a.png"/></foreignObject>`:                                                                            `1:99 the SVG refers to "https://example.org/a.png"`,
		`<foreignObject><img xmlns="http://www.w3.org/1999/xhtml" srcset="a.png 2x"/></foreignObject>`:                                                                                          "1:99 the attribute srcset of <img> loads something",
		`<foreignObject><input xmlns="http://www.w3.org/1999/xhtml" onfocus="x()" autofocus=""/></foreignObject>`:                                                                               "1:99 the SVG runs something: onfocus of <input>",
		`<foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>`:                                                                                                         "1:99 the SVG holds <iframe>",
		`<foreignObject><div xmlns="http://www.w3.org/1999/xhtml" style="background: url(//example.org)"/></foreignObject>`:                                                                     "1:99 the attribute style of <div> loads something",
		`<foreignObject><area xmlns="http://www.w3.org/1999/xhtml" HREF="javascript:x()"/></foreignObject>`:                                                                                     `1:99 the SVG refers to "javascript:x()"`,
		`<foreignObject><button xmlns="http://www.w3.org/1999/xhtml" formaction="javascript:x()"/></foreignObject>`:                                                                             "1:99 the attribute formaction of <button> loads something",
		`<a href="&x;"><text>x</text></a>`:                          `1:84 the SVG refers to "&x;"`,
		`<image href="https://example.org/a.png"/>`:                 `1:84 the SVG refers to "https://example.org/a.png"`,
		`<use xlink:href="outro.svg#a"/>`:                           `1:84 the SVG refers to "outro.svg#a"`,
		`<a xlink:href="java&#115;cript:x()"><text>x</text></a>`:    `1:84 the SVG refers to "javascript:x()"`,
		`<image href="data:image/svg+xml,<svg/>"/>`:                 `1:84 the SVG refers to "data:image/svg+xml,<svg/>"`,
		`<a><set attributeName="xlink:href" to="javascript:x"/>`:    "1:87 the SVG changes where a link of it leads",
		`<style>@import "x.css";</style>`:                           "1:91 the style of the SVG loads something",
		`<style><![CDATA[a { b: url(//example.org) }]]></style>`:    "1:91 the style of the SVG loads something",
		`<rect style="fill: URL( 'a.svg#b' )"/>`:                    "1:84 the attribute style of <rect> loads something",
		`<rect filter="url(&quot;https://example.org/f#x&quot;)"/>`: "1:84 the attribute filter of <rect> loads something",
		"\xff": "1:1 the SVG is not in UTF-8, and nothing here reads what it holds",
	} {
		fsys := sitetest.FS(map[string]string{"content/pt/x.md": "# X\n"})
		fsys["content/pt/a.SVG"] = &fstest.MapFile{Data: []byte(svg + body)}
		_, diags := load.Load(fsys, load.Options{})
		got := ""
		for _, d := range diags {
			if d.Rule != site.RuleDrawing || d.Severity != diag.Warning || d.File != "content/pt/a.SVG" {
				t.Errorf("%s: %v", body, d)
			}
			_, got, _ = strings.Cut(d.Error(), "a.SVG:")
			got = strings.Replace(got, ": warning:", "", 1)
		}
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", body, got, want)
		}
	}
	for head, want := range map[string]string{
		`<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">`: "",
		`<!DOCTYPE svg [<!ENTITY ns_svg "http://www.w3.org/2000/svg">]>`:                                                          "",
		`<!DOCTYPE svg [<!ENTITY x "<script>y</script>">]>`:                                                                       "the SVG declares entities that hold markup",
		`<!DOCTYPE svg [<!ENTITY x "&#60;script>">]>`:                                                                             "the SVG declares entities that hold markup",
		`<?xml-stylesheet href="x.css"?>`:                                                                                         "the SVG loads a style",
	} {
		if _, got := picture.ActiveContent([]byte(head + svg + "</svg>")); got.String() != want {
			t.Errorf("%s: %q", head, got)
		}
	}
}

func TestHostileDrawings(t *testing.T) {
	if testing.Short() {
		t.Skip("large files take long under the race detector")
	}
	for _, mark := range []string{"<", "<!--", "<a b='", "<![CDATA[", "<!D[", "<!D[>", "<style>url(", "<a href='&#", "<!DOCTYPE[<!ENTITY \"", "<a b=c ", "<?"} {
		complexitytest.Check(t, mark, 256<<10, func(n int) {
			picture.ActiveContent(bytes.Repeat([]byte(mark), n/len(mark)))
		})
	}
}

// TestScriptBehindOddXML checks that a script is found behind XML that Go's decoder refuses and browsers read.
func TestScriptBehindOddXML(t *testing.T) {
	for _, before := range []string{
		`<?xml version="1.1"?><svg>`, `<!DOCTYPE svg [<?x it's ?>]><svg>`, `<!DOCTYPE svg [<?x < ?>]><svg>`,
		"<svg><\u2c2fx/>", `<svg><a:b:c xmlns:a="x"/>`, "<svg><?\U00010000x ?>", "<svg xmlns:ontology='http://x.org/'>",
	} {
		at, what := picture.ActiveContent([]byte(before + "<script>x()</script></svg>"))
		if at != len(before) || what.String() != "the SVG holds <script>" {
			t.Errorf("%s: %q at %d, want <script> at %d", before, what, at, len(before))
		}
	}
}

// FuzzDrawing checks that the place of active content is within the file, and that a script is found at
// any position.
func FuzzDrawing(f *testing.F) {
	for _, s := range []string{"<svg><g a='b'/>", "<!DOCTYPE x [", "<style>", "<!-- ", "<![CDATA["} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if at, _ := picture.ActiveContent([]byte(s)); at < 0 || at > len(s) {
			t.Errorf("%q: %d", s, at)
		}
		if at, what := picture.ActiveContent([]byte("<svg><script>" + s)); at != 5 && what.String() != "the SVG is not in UTF-8, and nothing here reads what it holds" {
			t.Errorf("%q: %d", s, at)
		}
	})
}
