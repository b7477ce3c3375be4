package browser

import "testing"

const partly = `---
title: Partes
---

## Começo

Um parágrafo com [uma ligação](https://example.org/).

:::details Mais
Dobrado.
:::

:::tab Um
um
:::

:::tab Dois
dois
:::

## Meio

` + "```python\nprint(1)\n```\n" + `

` + longText + `

## Fim

O último parágrafo.
`

const longText = `Linha um.

- um
- dois
- três

Outra linha, e mais uma.

| a | b |
|---|---|
| 1 | 2 |

` + "```text\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n21\n22\n23\n24\n25\n26\n27\n28\n29\n30\n31\n32\n33\n34\n35\n36\n37\n38\n39\n40\n```\n"

// After an edit only the changed parts are replaced: what the reader has opened and selected, and the
// scroll position, stay, and the scripts' additions work in the new parts.
func TestEditReplacesParts(t *testing.T) {
	t.Parallel()
	const page = "content/pt/index.md"
	site := serve(t, func(p string) bool { return false }, func(s *server) {
		s.write(t, page, partly)
		s.write(t, "themes/default/assets/style.css/99-own.css", "article { --mark: one; }\n")
	})
	tb := openTab(t, site.base)
	tb.visit("pt/")
	tb.until("document.querySelectorAll('.copy').length === 2")
	eval[any](tb, "window.marked = true")
	eval[any](tb, "document.querySelector('article details').open = true")
	eval[any](tb, "document.querySelectorAll('.switch-tabs input')[1].click()")
	eval[any](tb, "document.querySelector('article p a').focus()")
	eval[any](tb, "scrollTo({top: 500, behavior: 'instant'})")
	tb.until("Math.abs(scrollY - 500) < 2")
	kept := func(when string) {
		t.Helper()
		t.Log(when)
		is(tb, "window.marked", true)
		is(tb, "document.querySelector('article details').open", true)
		is(tb, "document.querySelectorAll('.switch-tabs input')[1].checked", true)
		is(tb, "document.activeElement.textContent", "uma ligação")
		is(tb, "document.querySelectorAll('.copy').length === document.querySelectorAll('figure.code').length", true)
	}

	site.edit(t, page, "O último parágrafo.", "O último parágrafo é outro.\n\n## Novo fim\n\nMais.")
	tb.until("document.querySelector('article').innerText.includes('é outro')")
	kept("behind what is read")
	is(tb, "Math.abs(scrollY - 500) < 2", true)
	tb.until("[...document.querySelectorAll('.toc a')].some(a => a.textContent === 'Novo fim')")

	// Above the window: the text in the window does not move.
	eval[any](tb, "window.was = document.querySelectorAll('figure.code')[1].getBoundingClientRect().top")
	site.edit(t, page, "## Começo\n", "Uma linha nova.\n\nE outra.\n\n## Começo\n")
	tb.until("document.querySelector('article').innerText.includes('E outra.')")
	kept("before what is read")
	tb.until("Math.abs(document.querySelectorAll('figure.code')[1].getBoundingClientRect().top - window.was) < 2 && scrollY > 500")

	// In parts that are open, selected and focused.
	site.edit(t, page, "Dobrado.", "Dobrado duas vezes.")
	tb.until("document.querySelector('article details').textContent.includes('duas vezes')")
	kept("in a fold")
	site.edit(t, page, "[uma ligação]", "hoje [uma ligação]")
	tb.until("document.querySelector('article').innerText.includes('hoje')")
	kept("in the paragraph that has the focus")
	site.edit(t, page, "print(1)", "print(2)")
	tb.until("document.querySelector('figure.code').innerText.includes('print(2)')")
	kept("in code")
	site.edit(t, page, "dois\n:::", "dois e meio\n:::")
	tb.until("document.querySelector('article').textContent.includes('dois e meio')")
	kept("in a tab")
	site.edit(t, page, "title: Partes", "title: Pedaços")
	tb.until("document.title.startsWith('Pedaços') && document.querySelector('h1').textContent === 'Pedaços'")
	kept("the title")

	// A style is replaced in place; a script makes the page reload.
	site.write(t, "themes/default/assets/style.css/99-own.css", "article { --mark: two; }\n")
	tb.until("getComputedStyle(document.querySelector('article')).getPropertyValue('--mark').trim() === 'two'")
	tb.until("document.querySelectorAll('link[rel=stylesheet][href*=\"style.css\"]').length === 1")
	kept("the style")
	site.write(t, "themes/default/assets/theme.js/99-own.js", "document.documentElement.setAttribute('data-own', '');\n")
	tb.until("document.documentElement.hasAttribute('data-own') && !window.marked")
}

// A changed image is drawn again although its address and the page are the same, both where it was
// already and where the same edit inserts it.
func TestEditOfAnImage(t *testing.T) {
	t.Parallel()
	const page = "content/pt/index.md"
	square := func(colour string) string {
		return `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><rect width="20" height="20" fill="` + colour + `"/></svg>`
	}
	site := serve(t, func(p string) bool { return false }, func(s *server) {
		s.write(t, page, "# Imagem\n\n![Um quadrado](q.svg)\n")
		s.write(t, "content/pt/q.svg", square("#f00"))
	})
	tb := openTab(t, site.base)
	tb.visit("pt/")
	const colours = `[...document.querySelectorAll('article img')].map(n => {
		const c = document.createElement('canvas').getContext('2d');
		if (!n.complete) return 'none';
		c.drawImage(n, 0, 0);
		return [...c.getImageData(5, 5, 1, 1).data].slice(0, 3).join();
	}).join(' ')`
	tb.until(colours + " === '255,0,0'")
	eval[any](tb, "window.marked = true")
	site.write(t, "content/pt/q.svg", square("#00f"))
	tb.until(colours + " === '0,0,255'")
	site.write(t, "content/pt/q.svg", square("#0f0"))
	site.write(t, page, "# Imagem\n\n![Um quadrado](q.svg)\n\nE:\n\n![Outro](q.svg)\n")
	tb.until(colours + " === '0,255,0 0,255,0'")
	is(tb, "window.marked", true)
}
