package browser

import "testing"

// names is what an author's HTML may hold: the ids and classes by which theme.js finds its own.
const names = `# Nomes

<div id="_copy">a</div><div id="_anchor">b</div><div id="_zoom">c</div><div id="_search">d</div>

<div class="copy-page search-open matrix-filter scheme pick langs side fold age">e</div>
<figure class="code"><pre class="chroma">f</pre></figure>
<div class="toc"><a id="sem">g</a> <a href="#%zz">h</a></div>
<div class="switch-machines switch-tabs diagram-box zoom-button pane mine-of picked">i</div>

## Seção

` + "```python\nprint(1)\n```" + `

## Outra {#_copy}

<details class="fold"><p>j</p></details>
`

// TestNamesOfTheText checks that no id or class in a page's text is mistaken for one that the theme's
// script looks for, or stops the script.
func TestNamesOfTheText(t *testing.T) {
	t.Parallel()
	site := serve(t, func(string) bool { return false }, func(s *server) {
		s.write(t, "gpudocs.toml", "[languages.pt]\n[markdown]\nunsafe_html = true\n") // otherwise most of them would be removed
		s.write(t, "content/pt/index.md", names)
	})
	tb := openTab(t, site.base)
	tb.onNewDocument(`window.faults = []; addEventListener("error", e => faults.push(e.message))`)
	tb.visit("pt/")
	tb.until(`document.readyState === "complete"`)
	is(tb, `faults.join()`, "")
	is(tb, `document.querySelectorAll("article .anchor-link").length`, 2)
	is(tb, `document.querySelectorAll("figure.code > button.copy").length`, 1)
	is(tb, `gpudocs.found instanceof Function`, true)
	tb.click(".search-open")
	tb.until(`document.querySelector("dialog.search")?.open`)
}
