package rawhtml

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func filter(tag string) string {
	z := html.NewTokenizer(strings.NewReader(tag))
	z.Next()
	filtered, lost, ok := Tag(z.Token())
	out := ""
	if ok {
		out = filtered.String()
	}
	for _, l := range lost {
		out += fmt.Sprintf(" -%s.%s", l.Element, l.Attribute)
	}
	return out
}

func TestTag(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`<kbd>`: `<kbd>`, `<br/>`: `<br/>`, `<summary>`: `<summary>`, `<picture>`: `<picture>`,
		`<details open name="x">`:                                          `<details open="" name="x">`,
		`<div markdown="1" align="center">`:                                `<div align="center">`,
		`<img src="a b.png" alt="1 < 2 🚀" width="300px">`:                  `<img src="a b.png" alt="1 &lt; 2 🚀" width="300px">`,
		`<video src="a.mp4" poster="b.png" controls muted>`:                `<video src="a.mp4" poster="b.png" controls="" muted="">`,
		`<source srcset="a.png, b.png 2x" media="(min-width: 9em)">`:       `<source srcset="a.png, b.png 2x" media="(min-width: 9em)">`,
		`<img src="data:image/png;base64,iVBORw0KGgo=">`:                   `<img src="data:image/png;base64,iVBORw0KGgo=">`,
		`<a href="tel:+551199" target="_blank" rel="noopener noreferrer">`: `<a href="tel:+551199" target="_blank" rel="noopener noreferrer">`,
		`<td colspan="2" aria-label="x" lang="pt">`:                        `<td colspan="2" aria-label="x" lang="pt">`,
		`<script>`: ` -script.`, `<iframe src="https://x.org">`: ` -iframe.`, `<form>`: ` -form.`, `<svg onload=x()>`: ` -svg.`, `<math>`: ` -math.`,
		`<style>`: ` -style.`, `<object data="x">`: ` -object.`, `<embed src=x>`: ` -embed.`, `<base href="//x">`: ` -base.`, `<meta http-equiv=refresh>`: ` -meta.`,
		`<link rel=stylesheet href=x>`: ` -link.`, `<input>`: ` -input.`, `<template>`: ` -template.`, `<x-y>`: ` -x-y.`,
		`<b onclick="x()" style="color:red">`:                                `<b> -b.onclick -b.style`,
		`<b ONCLICK=x>`:                                                      `<b> -b.onclick`,
		`<b data-x="1">`:                                                     `<b> -b.data-x`,
		`<a href="javascript:x()">`:                                          ` -a.href`,
		`<a href="//x" target="_blank" rel="Opener nofollow">`:               `<a href="//x" target="_blank"> -a.rel`,
		`<a href="x" rel="nofollow external">`:                               `<a href="x" rel="nofollow external">`,
		`<a>`:                                                                ``,
		"<a href=\" java\tscr\nipt:x()\">":                                   ` -a.href`,
		`<a href="&#106;avascript&colon;x()">`:                               ` -a.href`,
		"<a href=\"\x01javascript:x()\">":                                    ` -a.href`,
		`<a href="JaVaScRiPt:x()" id="y">`:                                   `<a id="y"> -a.href`,
		`<a href="vbscript:x">`:                                              ` -a.href`,
		`<a href="data:image/png;base64,iVBORw0KGgo=">`:                      ` -a.href`,
		`<img src="data:image/svg+xml;base64,PHN2Zy8+">`:                     `<img src="data:image/svg+xml;base64,PHN2Zy8+">`,
		`<img src="data:text/html,x">`:                                       ` -img.src`,
		`<img src="javascript:x()" alt="y">`:                                 `<img alt="y"> -img.src`,
		`<img srcset="a.png, javascript:x() 2x" alt="y">`:                    `<img alt="y"> -img.srcset`,
		"<video poster=\"java\tscript:x()\">":                                `<video> -video.poster`,
		"<video poster=\"\n java\r\nscript:x()\">":                           `<video> -video.poster`,
		`<video poster="DATA:text/html,x">`:                                  `<video> -video.poster`,
		`<video poster="https://x.org/a.png">`:                               `<video poster="https://x.org/a.png">`,
		`<video poster="HTTP://x.org/a.png">`:                                `<video poster="HTTP://x.org/a.png">`,
		`<img srcset="https://x.org/a.png 2x">`:                              `<img srcset="https://x.org/a.png 2x">`,
		`<p dir="rtl" translate="no" hidden tabindex="0">`:                   `<p dir="rtl" translate="no" hidden="" tabindex="0">`,
		`<p class="x" lang="pt" title="t" role="note">`:                      `<p class="x" lang="pt" title="t" role="note">`,
		`<img src="attachment:a.png">`:                                       `<img src="attachment:a.png">`,
		`<track src="a.vtt" kind="captions" srclang="pt" label="l" default>`: `<track src="a.vtt" kind="captions" srclang="pt" label="l" default="">`,
		`<data value="3">`:                                                   `<data value="3">`, `<nav>`: `<nav>`, `<progress>`: `<progress>`,
		`<p dir="x" tabindex="1">`:                            `<p> -p.dir -p.tabindex`,
		`<a id="x" name="y" href="z" hreflang="pt" download>`: `<a id="x" name="y" href="z" hreflang="pt" download="">`,
		`<ol start="3" reversed>`:                             `<ol start="3" reversed="">`,
		`<ol start="x">`:                                      `<ol> -ol.start`,
		`<img src="a.png" loading="lazy" decoding="async">`:   `<img src="a.png" loading="lazy" decoding="async">`,
		`<audio src="a.mp3" preload="none">`:                  `<audio src="a.mp3" preload="none">`,
		`<video poster="javascript:x()">`:                     `<video> -video.poster`,
		`<blockquote cite="javascript:x()">`:                  `<blockquote> -blockquote.cite`,
		`<a href="a.md" href="javascript:x()">`:               `<a href="a.md">`,
	} {
		if got := filter(in); got != want {
			t.Errorf("%s\n got %s\nwant %s", in, got, want)
		}
	}
}

// TestKnownTag checks that the result for a tag without attributes is not reused for one with attributes.
func TestKnownTag(t *testing.T) {
	t.Parallel()
	for range 2 {
		for in, want := range map[string]string{`<kbd>`: `<kbd>`, `<kbd onclick="x()">`: `<kbd> -kbd.onclick`, `<img src="a.png">`: `<img src="a.png">`, `<img>`: ``, `<script>`: ` -script.`} {
			if got := filter(in); got != want {
				t.Errorf("%s: %s, want %s", in, got, want)
			}
		}
	}
}

// TestFirstAttribute checks that of several attributes of one name only the first counts, as in a browser.
func TestFirstAttribute(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ first, second, want string }{
		{"a.md", "javascript:x()", `<a href="a.md" id="y">`},
		{"javascript:x()", "a.md", `<a id="y">`},
	} {
		filtered, lost, ok := Tag(html.Token{Type: html.StartTagToken, Data: "a", Attr: []html.Attribute{{Key: "href", Val: tt.first}, {Key: "href", Val: tt.second}, {Key: "id", Val: "y"}}})
		if !ok || filtered.String() != tt.want || (len(lost) > 0) != Dangerous(tt.first) {
			t.Errorf("%s, then %s: %s, lost %v; want %s", tt.first, tt.second, filtered, lost, tt.want)
		}
	}
}

// TestLostAddress checks that a removed attribute is reported with its address, as a browser reads it.
func TestLostAddress(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string]string{
		"<img src=\" java\tscript:x() \" alt=y>": "[{img src javascript:x()  }]",
		`<img src="data:text/html,a b" alt=y>`:   "[{img src data:text/html,a%20b  }]",
		`<b onclick="x()">`:                      "[{b onclick   }]",
	} {
		z := html.NewTokenizer(strings.NewReader(tag))
		z.Next()
		_, lost, _ := Tag(z.Token())
		var got []string
		for _, l := range lost {
			got = append(got, fmt.Sprintf("{%s %s %s %s }", l.Element, l.Attribute, l.Address, l.Reserved))
		}
		if s := "[" + strings.Join(got, " ") + "]"; s != want {
			t.Errorf("%s: %s, want %s", tag, s, want)
		}
	}
}

func TestDangerous(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"javascript:alert(1)": true, " JaVaScRiPt:x": true, "java\nscript:x": true, "vbscript:x": true, "data:text/html,x": true, "\x01javascript:x": true,
		"blob:https://x": true, "view-source:x": true, "data:image/png;base64,aaaa": true,
		"https://a.b/?q=javascript:x": false, "mailto:a@b.c": false, "a/b:c": false, "vscode://x": false, "": false,
	} {
		if got := Dangerous(address); got != want {
			t.Errorf("Dangerous(%q) = %v", address, got)
		}
	}
	for address, want := range map[string]bool{
		"data:image/png;base64,aaaa": false, "data:image/svg+xml,x": true, "data:image/png;base64,aa\"x": true, "data:text/html,x": true, "javascript:x": true, "x.png": false,
	} {
		if got := DangerousImage(address); got != want {
			t.Errorf("DangerousImage(%q) = %v", address, got)
		}
	}
}

func TestCandidates(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                              "[]",
		"a.png":                         "[{a.png }]",
		"a.png, b.png 2x":               "[{a.png } {b.png 2x}]",
		" a.png  1.5x ,\n b.png\t480w ": "[{a.png 1.5x} {b.png 480w}]",
		"a,b.png 2x":                    "[{a,b.png 2x}]",
		",,a.png,,":                     "[{a.png }]",
	} {
		if got := fmt.Sprint(Candidates(in)); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

// FuzzTag checks that filtering a tag twice gives the same result, which has neither event handlers nor styles
// nor addresses that run scripts.
func FuzzTag(f *testing.F) {
	for _, s := range []string{`<a href="java&#10;script:x">`, `<img src=x onerror=y>`, `<svg/onload=x>`, `<video poster=' data:x'>`, `<img srcset="a 1x,javascript:b">`, "<a href='\x01javascript:x'>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, tag string) {
		z := html.NewTokenizer(strings.NewReader(tag))
		if k := z.Next(); k != html.StartTagToken && k != html.SelfClosingTagToken {
			return
		}
		filtered, _, ok := Tag(z.Token())
		if !ok {
			return
		}
		again, lost, ok := Tag(filtered)
		if !ok || len(lost) > 0 || again.String() != filtered.String() {
			t.Errorf("%q: %q, then %q %v", tag, filtered, again, lost)
		}
		for _, a := range filtered.Attr {
			if strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "srcdoc" {
				t.Errorf("%q: %q", tag, filtered)
			}
			if DangerousImage(Address(a.Val)) && (a.Key == "href" || a.Key == "src" || a.Key == "poster") {
				t.Errorf("%q leads to %q", tag, a.Val)
			}
		}
	})
}
