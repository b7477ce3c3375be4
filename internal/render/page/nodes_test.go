package page_test

import (
	"strings"
	"testing"
)

// TestSharedNodes checks the HTML of the nodes that several dialects have, with the directives of MyST.
func TestSharedNodes(t *testing.T) {
	const front = "---\ndialects: [myst]\n---\n"
	pages := rendered(t, map[string]string{
		"content/pt/a.md": front + "# A\n\n[](#thm-a) [](b.md#ex-a) [](#thm-b) [](#term-gpu) [](#proof-a)\n\n" +
			":::{prf:theorem} De $x$ *y*\n:label: thm-a\nc\n:::\n\n:::{prf:theorem}\n:label: thm-b\n:::\n\n:::{lemma}\nl\n:::\n\n:::{prf:proof}\n:label: proof-a\np\n:::\n\n" +
			":::{glossary}\nGPU\n: x\n:::\n\n```{csv-table}\n1,2\n```\n\n" +
			"::::{grid} 2\n:::{card} T *t*\n:link: b.md\n:columns: 4\nc\n:::\n:::{card}\n:link: b.md\n:::\n::::\n\n:::{button-link} https://example.org\nB\n:::\n",
		"content/pt/b.md": front + "# B\n\n:::{exercise}\n:label: ex a\n:::\n\n:::{solution} ex a\n:label: sol\ns\n:::\n\n:::{solution} thm-a\n:::\n\n{ref}`sol`\n",
		"content/pt/d.md": "# D\n\n:::exercise Um {#um}\na\n:::\n\n:::solution\nx\n:::\n\n:::solution Outra\nx\n:::\n\n:::solution {for=dois}\nx\n:::\n\n::::exercise {#dois}\n:::solution\nx\n:::\n:::solution Dentro\nx\n:::\n::::\n\n[](#um) [](#dois)\n",
		"content/es/c.md": front + "# C\n\n:::{solution} thm-a\n:::\n",
	})
	for page, wants := range map[string][]string{
		"pt/a/": {
			`<a href="#thm-a">Teorema 1</a> <a href="../b/#ex-a">Exercício 1 de “B”</a> <a href="#thm-b">Teorema 2</a> <a href="#term-gpu">GPU</a> <a href="#proof-a">Demonstração</a>`,
			`<span>Teorema 1 (De `, `<em>y</em>)</span>`, `<span>Teorema 2</span>`, `<span>Lema 1</span>`, `<span>Demonstração</span>`, `class="callout callout-abstract statement theorem" id="thm-a"`,
			`<dt id="term-gpu">GPU</dt>`, "<table>\n<tbody>\n<tr>\n<td>1</td>", `class="grid-twelfths"`, `class="grid-card grid-linked grid-span-4"`,
			`<a href="../b/">T <em>t</em></a>`, `<a href="../b/">B</a>`, `<a href="https://example.org" class="button">B</a>`,
		},
		"pt/b/": {`<span>Exercício 1</span>`, `<span>Solução: Exercício 1</span>`, `<span>Solução: Teorema 1 de “A”</span>`, "<details class=\"callout callout-success statement solution\" id=\"sol\">", `<a href="#sol">Solução</a>`, `<p class="callout-see"><a href="#ex-a">Exercício 1</a></p>`},
		"pt/d/": {`<a href="#um">Exercício 1</a> <a href="#dois">Exercício 2</a>`, `<span>Solução: Exercício 1</span>`, `<span>Solução: Exercício 1 (Outra)</span>`, `<span>Solução: Exercício 2</span>`,
			`<span>Solução</span>`, `<span>Dentro</span>`, `<p class="callout-see"><a href="#_solution.2">Solução 1</a><a href="#_solution.3">Solução 2</a></p>`, "<p>x</p>\n" + `<p class="callout-see"><a href="#dois">Exercício 2</a></p>`},
		"es/c/": {`Solución: Teorema 1`},
	} {
		html := pages[page]
		for _, want := range wants {
			if !strings.Contains(html, want) {
				t.Errorf("%s lacks %s", page, want)
			}
		}
	}
}
