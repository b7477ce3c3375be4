package render

import (
	"strings"
	"testing"
)

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
	var c workshop
	f.Fuzz(func(t *testing.T, d byte, data []byte) {
		var text strings.Builder
		for _, b := range data[:min(len(data), 60)] {
			text.WriteString(hostilePieces[int(b)%len(hostilePieces)])
		}
		dialect := dialects[int(d)%len(dialects)]
		body := c.pages(t, dialect, text.String())[0]
		if err := checkHTML(body); err != nil {
			t.Errorf("%s %q: %v\n%s", dialect, text.String(), err, body)
		}
	})
}
