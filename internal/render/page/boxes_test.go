package page_test

import (
	"strings"
	"testing"
)

// TestBlocks checks what pages show of blocks and references of authors.
func TestBlocks(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"a caption behind a table", "| a |\n|---|\n| b |\n\n/// table-caption\n    attrs: {id: t, class: x}\nC *d*\n///\n\n[](#t)\n",
			"</table></div>\n<figcaption><span class=\"figure-number\">Tabela\u00a01.</span> C <em>d</em></figcaption>\n</figure>\n<p><a href=\"#t\">Tabela\u00a01</a></p>"},
		{"a caption of several blocks", "a\n\n/// caption\nB\n\n- c\n///\n", "</span> B\n<ul>\n<li>c</li>\n</ul>\n</figcaption>"},
		{"a figure's class", ":::figure A {.wide}\n> b\n:::\n", `<figure class="figure figure-figure wide">`},
		{"text in an element", "<details markdown>\n<summary markdown>Vê *isto*</summary>\na\n</details>\n", "<summary>Vê <em>isto</em>\n</summary>"},
		{"the title of an image", "b ![a](https://e.org/a.png \"T \\* u\")\n", ` title="T * u"`},
		{"a reference to nothing", "[](#nada)\n", `<a href="#nada">nada</a>`},
	} {
		t.Run(c.name, func(t *testing.T) {
			pages := rendered(t, map[string]string{"content/pt/index.md": "---\ndialects: [mkdocs]\n---\n# T\n\n" + c.source})
			if html := pages["pt/"]; !strings.Contains(html, c.want) {
				_, article, _ := strings.Cut(html, "<h1")
				t.Errorf("%s is not in\n%s", c.want, article)
			}
		})
	}
}
