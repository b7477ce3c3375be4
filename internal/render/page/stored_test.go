package page_test

import (
	"strings"
	"testing"
)

// storedPage renders a notebook of one code cell with these outputs and metadata.
func storedPage(t *testing.T, metadata, outputs string) string {
	t.Helper()
	return rendered(t, map[string]string{"content/pt/x.ipynb": `{"nbformat": 4, "metadata": {}, "cells": [
		{"cell_type": "markdown", "metadata": {}, "source": "# X\n\n![onda](attachment:a%20b.svg)", "attachments": {"a b.svg": {"image/svg+xml": "<svg xmlns='http://www.w3.org/2000/svg'/>"}}},
		{"cell_type": "code", "id": "abc", "metadata": ` + metadata + `, "source": "segredo = 1", "outputs": [` + outputs + `]}]}`})["pt/x/"]
}

const png1x1 = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="

func TestStored(t *testing.T) {
	data := func(d string) string {
		return `{"output_type": "display_data", "metadata": {}, "data": ` + d + `}`
	}
	for _, tt := range []struct {
		name, metadata, output string
		want                   []string
		not                    []string
	}{
		{"text", `{}`, data(`{"text/plain": "<b>&\u202e"}`), []string{"Guardado no notebook", "<samp>&lt;b&gt;&amp;\ufffd</samp>", `id="code-abc"`}, []string{"code-name", "expected"}},
		{"colours", `{}`, `{"output_type": "stream", "name": "stdout", "text": "\u001b[31m<i>\u001b[0m"}`, []string{`<span class="ansi-red">&lt;i&gt;</span>`}, []string{"\x1b"}},
		{"a table", `{}`, data(`{"text/html": "<table border=1 class='panel panel-passed' id=nav onclick=x() style='position:fixed'><tr><td>9</td></tr></table></div></article>", "text/plain": "9"}`),
			[]string{"<table", "<td>9</td>"}, []string{"panel-passed", `id="nav"`, "onclick", "position:fixed", "</article></"}},
		{"a title that turns the text", `{}`, data(`{"text/html": "<b title='x\u202ey\u001b'>9</b>"}`), []string{"<b title=\"x\ufffdy\ufffd\">9</b>"}, []string{"\u202e"}},
		{"a script alone", `{}`, data(`{"text/html": "<div id='p'></div><script>alert(1)</script>", "text/plain": "Figure()"}`), []string{"<samp>Figure()</samp>"}, []string{"alert"}},
		{"what loads", `{}`, data(`{"text/html": "<img src=https://example.org/a.png><a href='javascript:alert(1)'>a</a> <a href=local.csv>b</a><iframe src=//example.org></iframe><form><input></form>"}`),
			[]string{"a <a>b</a>"}, []string{"example.org", "javascript", "local.csv", "iframe", "<form"}},
		{"a picture", `{}`, data(`{"image/png": "` + png1x1 + `"}`), []string{`width="1" height="1" alt="Imagem 1, guardada no notebook"`, `src="../../_figures/`}, []string{"data:image"}},
		{"an SVG that runs", `{}`, data(`{"image/svg+xml": "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>", "text/plain": "curva"}`), []string{"<samp>curva</samp>"}, []string{"alert"}},
		{"a formula", `{}`, data(`{"text/latex": "$\\displaystyle \\frac{a}{2}$", "text/plain": "a/2"}`), []string{`<div class="math"><math display="block"`, "<mfrac>"}, []string{"<samp>"}},
		{"an environment", `{}`, data(`{"text/latex": ["\\begin{align}\n", "a &= b\\\\ c &= d\n\\end{align}\n"]}`), []string{`<div class="math"><math display="block"`}, []string{"<samp>", "(1)"}},
		{"LaTeX that is text", `{}`, data(`{"text/latex": "A soma $x$ e <b>"}`), []string{"<samp>A soma $x$ e &lt;b&gt;</samp>"}, []string{"<math"}},
		{"two formulas", `{}`, data(`{"text/latex": "$x$ e $y$"}`), []string{"<samp>$x$ e $y$</samp>"}, []string{"<math"}},
		{"a formula that cannot be read", `{}`, data(`{"text/latex": "$\\frac{a$"}`), []string{`<samp>$\frac{a$</samp>`}, []string{"<math"}},
		{"folded code", `{"tags": ["hide-input"]}`, data(`{"text/plain": "9"}`), []string{`<details class="code-folded">`, "Mostrar o código"}, nil},
		{"folded output", `{"jupyter": {"outputs_hidden": true}}`, data(`{"text/plain": "9"}`), []string{`<details class="stored">`}, []string{"code-folded"}},
		{"no code", `{"tags": ["remove-input"]}`, data(`{"text/plain": "9"}`), []string{"<samp>9</samp>"}, []string{"segredo"}},
		{"no output", `{"tags": ["remove-output"]}`, data(`{"image/png": "` + png1x1 + `"}`), []string{"segredo"}, []string{".png", "Guardado"}},
		{"no cell", `{"tags": ["remove-cell"]}`, data(`{"text/plain": "9"}`), []string{`<span id="code-abc"></span>`}, []string{"segredo", "<samp>", "<figure"}},
		{"a name of the author's", `{"gpudocs": {"name": "soma"}}`, "", []string{`<span class="code-name">soma</span>`}, []string{"Guardado"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			page := storedPage(t, tt.metadata, tt.output)
			code := page[strings.Index(page, `alt="onda"`):]
			for _, w := range tt.want {
				if !strings.Contains(code, w) {
					t.Errorf("no %s in\n%s", w, code)
				}
			}
			for _, w := range tt.not {
				if strings.Contains(code, w) {
					t.Errorf("%s in\n%s", w, code)
				}
			}
			balanced(t, tt.name, page)
		})
	}
}

func TestAttachedSize(t *testing.T) {
	pages := rendered(t, map[string]string{"content/pt/x.ipynb": `{"nbformat": 4, "metadata": {}, "cells": [{"cell_type": "markdown", "metadata": {},
		"source": "![a](attachment:a.png)\n\n<img src=\"attachment:a.png\" alt=\"b\">", "attachments": {"a.png": {"image/png": "` + png1x1 + `"}}}]}`})
	if page := pages["pt/x/"]; strings.Count(page, ` width="1" height="1"`) != 2 {
		t.Error(page)
	}
}
