package page_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/gpudocs/gpudocs/internal/complexitytest"
	"github.com/gpudocs/gpudocs/internal/markdown/rawhtml"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
	"github.com/gpudocs/gpudocs/test/rendertest"
)

// checkHTML returns an error if the text of a page, as a browser parses it, has scripts or addresses that run, or
// closes elements around it.
func checkHTML(body string) error {
	const frame = `<!doctype html><html><body><main id="frame"><div><div id="inner">`
	doc, err := html.Parse(strings.NewReader(frame + body + `</div></div></main><aside id="behind"></aside></body></html>`))
	if err != nil {
		return err
	}
	places := map[string]*html.Node{}
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if slices.Contains([]string{"script", "style", "iframe", "frame", "object", "embed", "base", "meta", "link", "form", "textarea", "template", "noscript", "plaintext", "xmp"}, n.Data) {
			return fmt.Errorf("<%s>", n.Data)
		}
		for _, a := range n.Attr {
			switch {
			case a.Key == "id" && (a.Val == "frame" || a.Val == "inner" || a.Val == "behind") && places[a.Val] == nil:
				places[a.Val] = n
			case strings.HasPrefix(a.Key, "on"), a.Key == "srcdoc", a.Key == "formaction", a.Key == "action":
				return fmt.Errorf("<%s %s>", n.Data, a.Key)
			case a.Key == "style" && n.Namespace == "" && n.Data != "span" && n.Data != "svg":
				return fmt.Errorf("<%s %s=%q>", n.Data, a.Key, a.Val)
			case slices.Contains([]string{"href", "src", "poster", "cite", "xlink:href"}, a.Key) && rawhtml.DangerousImage(rawhtml.Address(a.Val)):
				return fmt.Errorf("<%s %s=%q>", n.Data, a.Key, a.Val)
			}
		}
	}
	frameAt, behind := places["frame"], places["behind"]
	if frameAt == nil || behind == nil || behind.Parent.Data != "body" || frameAt.Parent.Data != "body" {
		return fmt.Errorf("it escapes its place")
	}
	if n := frameAt.LastChild; n != frameAt.FirstChild || n.FirstChild != n.LastChild || n.FirstChild != places["inner"] {
		return fmt.Errorf("it ends elements around it")
	}
	return nil
}

var hostile = []string{
	"<script>alert(1)</script>", "a <b onclick=x>b</b>", "[x](javascript:alert(1))", "<javascript:alert(1)>", "![x](javascript:x \"t\")",
	"[x]: javascript:alert(1)\n\n[x]", "[x](java&#115;cript:x)", "[x](<java\tscript:x>)", "<a href=\"java\nscript:x\">y</a>", "[x](&#1;javascript:x)",
	"<img src=x onerror=alert(1)>", "<img srcset='javascript:x 2x'>", "<svg><script>x</script></svg>", "<svg onload=x><a xlink:href='javascript:x'>",
	"<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=alert(1)&gt;\">", "<noscript><p title=\"</noscript><img src=x onerror=x>\">",
	"- <div>\n\ntext\n</div></div></div>", "> <div>\n\n</div></main>", "- <li><div><li>x</li></div></li>", "<table>\n\n| a |\n|---|\n| <div><td>b |\n\n</table></div>",
	"<table><div>\n\n| a |\n|---|\n\n</div>", "<h1><div><h2>\n\n### x\n\n</h2></div></h1>", "# <h2><div>x</h2>", "*<table>*<tr>", "**<div>**</div>", "[<div>](x)</div>",
	"<details><summary>s</summary>\n\n**b**\n\n</details>", "<p>\n\n# x\n\n</p></div>", "<textarea>\n\n</textarea><script>x</script>", "<title></title><plaintext>", "<xmp><script>x</script></xmp>",
	"<!--><script>x</script>", "<![CDATA[<script>x</script>]]>", "<?php <script>x</script> ?>", "<div\n\nonclick=x>", "<a/href=javascript:x>", "<iframe srcdoc='<script>x</script>'>",
	"```mermaid\ngraph LR\nclick a \"javascript:x\"\n```", "$\\href{javascript:x}{y}$", ":::note <script>\n</div>\n:::", ":::tab <b>\n<div>\n:::\n:::tab b\n</div>\n:::",
	"<div markdown>\n<table>\n\n</div>", "/// html | script\nx\n///", "/// html | div[onclick=\"x\"]\nx\n///", "/// html | table\n| a |\n|--|\n///\n</div>", "![[x.md|<script>]]", "[[javascript:x]]", "*[x]: \"><script>\n\nx",
	"<form><input formaction=javascript:x></form>", "<body onload=x>", "<base href=//x>", "<meta http-equiv=refresh content='0;javascript:x'>", "<link rel=stylesheet href=x>",
	"a[^1]\n\n[^1]: <div>\n\n    </div></div>", "| <ul><li>a</ul> | </td></table> |\n|--|--|", "term\n: <dd><div>\n", "<td markdown>\n\nx\n\n</td></div>", "<ul>\n<li markdown>\n\n</ul>\n\n</li></div>",
	strings.Repeat("<div>", 600) + "x", strings.Repeat("> ", 300) + "<div>", strings.Repeat("- ", 200) + "<b>",
}

// dialects are those in which hostile pages are read.
var dialects = []string{"[]", "[obsidian]", "[d2l]", "[mkdocs]"}

// pagesOf returns the texts of pages with this Markdown, read in these dialects; a rejected page has none.
func pagesOf(t testing.TB, dialects string, texts ...string) map[int]string {
	t.Helper()
	files := map[string]string{"gpudocs.toml": "[languages.pt]\n"}
	for i, text := range texts {
		files[fmt.Sprintf("content/pt/%d.md", i)] = "---\ndialects: " + dialects + "\n---\n" + text
	}
	s, _ := load.Load(sitetest.FS(files), load.Options{})
	all, out := textsOf(t, s, nil, nil), map[int]string{}
	for i := range texts {
		if body, ok := all[fmt.Sprintf("pt/%d/", i)]; ok {
			out[i] = body
		}
	}
	return out
}

func TestHostileMarkdown(t *testing.T) {
	for _, d := range dialects {
		for i, body := range pagesOf(t, d, hostile...) {
			if err := checkHTML(body); err != nil {
				t.Errorf("%s %.300q: %v\n%.600s", d, hostile[i], err, body)
			}
		}
	}
}

// FuzzPage checks for any text in any dialect that nothing on its page runs, links to a script or closes elements
// around it.
func FuzzPage(f *testing.F) {
	for _, text := range hostile {
		f.Add(byte(3), text)
	}
	f.Fuzz(func(t *testing.T, d byte, text string) {
		if len(text) > 4<<10 || strings.Contains(text, "mermaid") || strings.ContainsAny(text, "$\\") {
			return // Mermaid and KaTeX are interpreted, which takes long; they have targets of their own
		}
		body := pagesOf(t, dialects[int(d)%len(dialects)], text)[0]
		if err := checkHTML(body); err != nil {
			t.Errorf("%v\n%s", err, body)
		}
	})
}

// hostilePieces are the parts of pages that try to close elements around them: tags that close or require others,
// and Markdown whose nodes begin and end elsewhere.
var hostilePieces = []string{
	"x", " ", "\n", "\n\n", "\n\n    ", "    ", "  ", "\t",
	"<div>", "</div>", "<p>", "</p>", "<b>", "</b>", "<i>", "</i>", `<a href="y">`, "</a>", "<span>", "</span>", "<h2>", "</h2>", "<h3>", "</h3>",
	"<ul>", "</ul>", "<ol>", "</ol>", "<li>", "</li>", "<dl>", "</dl>", "<dt>", "<dd>", "</dd>", "<details>", "</details>", "<summary>", "</summary>",
	"<table>", "</table>", "<caption>", "</caption>", "<colgroup>", "<col>", "<thead>", "<tbody>", "</tbody>", "<tr>", "</tr>", "<td>", "</td>", "<th>", "<tfoot>",
	"<pre>", "</pre>", "<blockquote>", "</blockquote>", "<figure>", "</figure>", "<figcaption>", "<ruby>", "<rt>", "<rp>", "</ruby>", "<center>", "<hr>", "<br>", "<img src=x>", "<main>", "</main>", "<article>", "</article>",
	"<section>", "</section>", "<picture>", "<source srcset=x>", "<video>", "</video>", "<map>", "</map>", "<menu>", "</menu>", "<nobr>", "<tt>", "</tt>", "<s>", "</s>", "<q>", "</q>", "<sub>", "</sub>",
	"<svg>", "</svg>", "<math>", "</math>", "<script>", "</script>", "<style>", "</style>", "<title>", "</title>", "<textarea>", "</textarea>", "<template>", "</template>", "<noscript>", "</noscript>", "<select>", "<option>",
	"<plaintext>", "<xmp>", "<iframe>", "</iframe>", "<button>", "<form>", "<body>", "</body>", "</html>", "<frameset>", "<!--", "-->", "<![CDATA[", "]]>", "<?", "?>", "<!x", "<", ">", "\"", "'", "\x00", "<img src=x onerror=y>", "onclick=x ", "<b ",
	"- ", "1. ", "> ", "# ", "### ", "---\n", "===\n", "*", "**", "_", "~~", "==", "`", "``", "\n```\n", "\n```html\n", "\n~~~\n", "[", "](y)", "](<", "![", "](x.png)", "](x.png \"t\")\n\n", "{#i .c}", "{width=9}",
	"| a | b |\n|---|---|\n| ", " | ", " |\n", "[^1]", "\n\n[^1]: ", "\n: ", "\n\n*[x]: ", "- [ ] ", "\n:::note t\n", "\n::::note t\n", "\n:::\n", "\n::::\n", "\n:::tab t\n", "\n:::details s\n", "\n:::figure c\n", "\n> [!NOTE]\n> ", "&lt;", "&#60;", "\\",
	"<div markdown>", "<table markdown>", "<td markdown>", "<li markdown=1>", "<span markdown>", "\n/// html | div\n", "\n/// html | table\n", "\n/// details | s\n", "\n///\n", "\n!!! note\n    ", "\n??? note\n    ", "\n=== \"t\"\n    ",
	"[[x]]", "![[x]]", "%%", "==", "^^", "++x++", ":rocket:", "\n:begin_tab:`pytorch`\n", "\n:end_tab:\n", ":label:`x`", ":numref:`x`", "(**", "**)",
}

// FuzzPieces is FuzzPage with texts composed of pieces, each selected by a byte.
func FuzzPieces(f *testing.F) {
	index := map[string]byte{}
	for i, p := range hostilePieces {
		index[p] = byte(i)
	}
	if len(hostilePieces) > 256 {
		f.Fatal("a byte names 256 hostilePieces")
	}
	for d, list := range [][]string{
		{"- ", "<li>", "<div>", "\n\n", "</li>", "</div>", "</div>"}, {"| a | b |\n|---|---|\n| ", "<table>", " | ", "<td>", "</table>", "</td>"},
		{"<table>", "\n\n", "| a | b |\n|---|---|\n| ", "</table>"}, {"\n/// html | table\n", "<td>", "\n///\n", "</div>"},
	} {
		var data []byte
		for _, p := range list {
			data = append(data, index[p])
		}
		f.Add(byte(d), data)
	}
	f.Fuzz(func(t *testing.T, d byte, data []byte) {
		var text strings.Builder
		for _, b := range data[:min(len(data), 60)] {
			text.WriteString(hostilePieces[int(b)%len(hostilePieces)])
		}
		dialect := dialects[int(d)%len(dialects)]
		body := pagesOf(t, dialect, text.String())[0]
		if err := checkHTML(body); err != nil {
			t.Errorf("%s %q: %v\n%s", dialect, text.String(), err, body)
		}
	})
}

// TestHostileHTML checks that pages of tags only take time proportional to their length.
func TestHostileHTML(t *testing.T) {
	if testing.Short() {
		t.Skip("large pages take long under the race detector")
	}
	forget()
	for _, unit := range []string{"a <b>b</b>", "<div>\n\n", "<ul><li>\n", "<img src=x onerror=y>\n", "<table>\n\na\n\n", "<b style=x>\n"} {
		complexitytest.Check(t, unit, 64<<10, func(n int) {
			pagesOf(t, "[]", "x\n\n"+strings.Repeat(unit, n/len(unit)))
		})
	}
}

// FuzzReport checks that the HTML of pages is safe for any report.
func FuzzReport(f *testing.F) {
	f.Add("<script>alert(1)</script>\"'><img src=x onerror=y>&lt;\x1b[31m\u202e\x00")
	f.Add("</pre></div>\r\n[x](javascript:x)")
	f.Add("\xff\xfe<b>")
	lab := rendertest.Read(f, "../results/testdata/every-field.txtar")
	var plain [][]byte
	for _, r := range lab.Reports {
		data, err := json.Marshal(r.Report)
		if err != nil {
			f.Fatal(err)
		}
		plain = append(plain, data)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var spoilt []results.Source
		for i, data := range plain {
			r := &report.Report{}
			if err := json.Unmarshal(data, r); err != nil {
				t.Fatal(err)
			}
			rendertest.Spoil(reflect.ValueOf(r), text, rendertest.Codes...)
			for _, c := range r.Checks {
				for i, d := range c.Diff {
					c.Diff[i].Taken = [][2]int{{0, len(d.Text) / 2}} // it may end in the middle of a character
				}
			}
			// As a file it would be read: texts that are too long are refused, others are UTF-8 then.
			file, err := report.Encode(r)
			if err != nil {
				t.Skip(err)
			}
			if r, err = report.Parse(r.Machine.Name+".json", file); err != nil {
				t.Fatal(err)
			}
			spoilt = append(spoilt, results.Source{Report: r, Local: lab.Reports[i].Local})
		}
		for _, body := range textsOf(t, lab.Site, spoilt, nil) {
			if err := checkHTML(body); err != nil {
				t.Errorf("%q: %v\n%s", text, err, body)
			}
		}
	})
}
