package browser

import (
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOffline opens every page of build --offline from its folder. A tab fails by itself when
// it logs an error or cannot load a file.
func TestOffline(t *testing.T) {
	t.Parallel()
	site := shared(t)
	dir := filepath.Join(t.TempDir(), "com espaço")
	site.gpudocs(t, "build", "--offline", "--output", dir, "--base-url", "https://lab.example/docs/")
	base := (&url.URL{Scheme: "file", Path: filepath.ToSlash(dir) + "/"}).String()
	tb, seen := openTab(t, base), 0
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(dir, p)
		if err != nil || !strings.HasSuffix(name, ".html") || name == "index.html" {
			return err
		}
		seen++
		tb.visit((&url.URL{Path: filepath.ToSlash(name)}).EscapedPath())
		found := eval[audited](tb, audit)
		for _, fault := range found.Faults {
			t.Errorf("%s: %s", name, fault)
		}
		for _, link := range found.Links {
			u, err := url.Parse(link[0])
			if err != nil || u.Scheme != "file" {
				if strings.HasPrefix(link[0], "https://lab.example/") && !strings.HasPrefix(eval[string](tb, `document.querySelector("link[rel=canonical]")?.href || ""`), link[0]) {
					t.Errorf("%s: %q is absolute", name, link[1])
				}
				continue
			}
			info, err := os.Stat(filepath.FromSlash(u.Path))
			if err != nil || info.IsDir() || !strings.HasPrefix(u.Path, filepath.ToSlash(dir)) {
				t.Errorf("%s: %q is no file of the site", name, link[1])
			}
		}
		return nil
	})
	if err != nil || seen < 8 {
		t.Fatalf("%d pages, %v", seen, err)
	}

	// The root redirects, links work, and features that need a server are not offered.
	tb.visit("index.html")
	tb.until(`/\/(pt|es)\/index\.html$/.test(location.pathname)`)
	is(tb, `document.querySelectorAll(".copy-page").length`, 0)
	tb.visit("pt/index.html")
	tb.click(`.side a[href*="medir-tempo"]`)
	tb.until(`/pt\/medir-tempo\/index\.html$/.test(location.pathname) && document.readyState === "complete"`)
	// A link that a script makes has no index.html.
	eval[bool](tb, `(() => { const a = document.createElement("a"); a.id = "made"; a.href = "../"; a.textContent = "made"; document.querySelector("h1").append(a); return true })()`)
	tb.click("#made")
	tb.until(`/\/pt\/index\.html$/.test(location.pathname)`)
}

// TestCopyPage copies a page as Markdown.
func TestCopyPage(t *testing.T) {
	t.Parallel()
	tb := openTab(t, shared(t).base)
	tb.onNewDocument(`window.copied = []; ClipboardItem = undefined;
		navigator.clipboard.writeText = text => { copied.push(text); return Promise.resolve() }`)
	tb.visit("pt/medir-tempo/")
	label := eval[string](tb, `document.querySelector(".copy-page span").textContent`)
	tb.click(".actions > summary")
	tb.click(".copy-page")
	tb.until(`window.copied.length === 1 && document.querySelector(".copy-page.copy-done span").textContent !== ` + "`" + label + "`")
	text := eval[string](tb, `copied[0]`)
	for _, want := range []string{"title: \"Medir tempo sem se enganar\"", "\n# Medir tempo", "```pycon\n>>> import time", "> **Resultados por máquina**"} {
		if !strings.Contains(text, want) {
			t.Errorf("what was copied lacks %q", want)
		}
	}
	tb.withoutScripts()
	tb.visit("pt/medir-tempo/")
	is(tb, `getComputedStyle(document.querySelector(".copy-page").parentElement).display`, "none")
	is(tb, `document.querySelector(".actions a").getAttribute("href")`, "index.html.md")
}

// TestLanguageCookie checks that a server that answers the root learns the chosen language by a cookie.
func TestLanguageCookie(t *testing.T) {
	t.Parallel()
	tb := openTab(t, shared(t).base)
	tb.visit("pt/")
	is(tb, `document.cookie`, "")
	tb.click(".langs summary")
	tb.click(`.langs a[data-language="es"]`)
	tb.at("es/")
	is(tb, `document.cookie`, "nf_lang=es")
	tb.visit("")
	tb.at("es/")
}

// TestNotFoundPage checks that the 404 page works at any depth, in the language of the address.
func TestNotFoundPage(t *testing.T) {
	t.Parallel()
	tb := openTab(t, shared(t).base)
	tb.expect("404")
	tb.visit("es/no/hay/nada/")
	is(tb, `document.documentElement.lang`, "es")
	is(tb, `getComputedStyle(document.querySelector(".bar")).display`, "flex")
	tb.click(".notfound-home")
	tb.at("es/")
}
