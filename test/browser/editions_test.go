package browser

import (
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// builtEditions builds a site with an old edition, and opens it from its folder.
func builtEditions(t *testing.T) *tab {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	s := &server{dir: t.TempDir()}
	git := func(args ...string) {
		t.Helper()
		c := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)...)
		c.Dir = s.dir
		c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+filepath.Join(s.dir, "none"))
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	for _, code := range []string{"pt", "es"} {
		s.write(t, "content/"+code+"/index.md", "# Curso\n")
		s.write(t, "content/"+code+"/gpu.md", "# GPU\n\nUma placa antiga.\n")
		s.write(t, "content/"+code+"/velho.md", "# Velho\n\nTexto.\n")
	}
	s.write(t, "gpudocs.toml", "title = \"Curso\"\nbase_url = \"https://lab.example/curso/\"\n[languages.pt]\nweight = 1\n[languages.es]\nweight = 2\n")
	git("init", "-q", "-b", "main")
	git("add", ".")
	git("commit", "-q", "-m", "one")
	git("tag", "2026.1")
	for _, code := range []string{"pt", "es"} {
		if err := os.Remove(filepath.Join(s.dir, "content", code, "velho.md")); err != nil {
			t.Fatal(err)
		}
	}
	s.write(t, "content/pt/gpu.md", "# GPU\n\nUma placa nova.\n")
	s.write(t, "gpudocs.toml", s.read(t, "gpudocs.toml")+"[site]\nedit = \"https://git.example/{path}\"\nedition = \"2026.2\"\n[[editions]]\nname = \"2026.1\"\n"+
		"label = {pt = \"2026, 1º semestre\", es = \"2026, primer semestre\"}\n")
	s.gpudocs(t, "build", "--offline")
	return openTab(t, (&url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(s.dir, "public")) + "/"}).String())
}

// TestEditions goes from one edition to the other and back, with and without scripts.
func TestEditions(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	tb := builtEditions(t)
	const to = `.editions li:nth-child(%) a`
	first, second := strings.Replace(to, "%", "1", 1), strings.Replace(to, "%", "2", 1)
	at := func(path string) {
		t.Helper()
		tb.until(`location.pathname.endsWith("/public/` + path + `index.html") && document.readyState === "complete"`)
	}
	for _, scripts := range []bool{true, false} {
		if !scripts {
			tb.withoutScripts()
		}
		tb.visit("pt/gpu/index.html")
		is(tb, `document.querySelectorAll(".notice-edition").length`, 0)
		is(tb, `document.querySelector(".editions summary").textContent`, "Edição: 2026.2")
		tb.click(".editions summary")
		tb.click(second)
		at("2026.1/pt/gpu/")
		is(tb, `document.querySelector("article").textContent.trim()`, "Uma placa antiga.")
		is(tb, `document.querySelector(".notice-edition").innerText`, "Você está lendo a edição 2026, 1º semestre. Ir para a edição atual: 2026.2")
		is(tb, `document.querySelector("link[rel=canonical]").href`, "https://lab.example/curso/pt/gpu/")
		tb.click(".notice-edition a")
		at("pt/gpu/")
		// A page that is gone leads to the nearest, in its language, and says so.
		tb.visit("2026.1/es/velho/index.html")
		is(tb, `document.querySelector("link[rel=canonical]").href`, "https://lab.example/curso/2026.1/es/velho/")
		is(tb, `document.querySelector(".notice-edition").innerText`, "Estás leyendo la edición 2026, primer semestre. Ir a la edición actual: 2026.2 (sin esta página)")
		tb.click(".editions summary")
		tb.click(first)
		at("es/")
	}
}

// TestEditionsMenu checks that the menu fits, closes with Escape, and has no fault that axe knows.
func TestEditionsMenu(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	source, err := os.ReadFile(needModule(t, "axe-core/axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	tb := builtEditions(t)
	for i, width := range []int64{1440, 768, 390} {
		scheme, path := []string{"light", "dark"}[i%2], []string{"pt/gpu/", "2026.1/es/velho/"}[i%2]+"index.html"
		tb.size(width, 900)
		tb.scheme(scheme)
		tb.visit(path)
		tb.click(".editions summary")
		is(tb, `(r => r.width > 0 && r.left >= 0 && r.right <= innerWidth)(document.querySelector(".editions ul").getBoundingClientRect())`, true)
		is(tb, `document.documentElement.scrollWidth <= innerWidth`, true)
		eval[any](tb, string(source)+"\n;null")
		tb.axe("editions", path, scheme, "main", map[string]string{"light": otherRules, "dark": colourRules}[scheme])
		tb.press(kb.Escape)
		is(tb, `document.querySelector(".editions").open`, false)
	}
}
