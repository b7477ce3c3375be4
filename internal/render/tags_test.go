package render

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/site/sitetest"
	"github.com/gpudocs/gpudocs/themes"
)

// fileOf makes a file of a site.
func fileOf(t *testing.T, s *Site, name string) string {
	t.Helper()
	data, ok, err := s.File(name)
	if !ok || err != nil {
		t.Fatalf("%s: %v, %v", name, ok, err)
	}
	return string(data)
}

func TestTags(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{
		"gpudocs.toml":     config,
		"content/pt/a.md":  "---\ntags: [Memória, CUDA, c/c++, '???']\n---\n# A\n",
		"content/pt/b.md":  "---\ntags: [memoria]\n---\n# B\n",
		"content/pt/c.md":  "---\ndialects: obsidian\n---\n# C\n\nSobre #CUDA.\n",
		"content/pt/h.md":  "---\ntags: [só aqui]\nhidden: true\n---\n# H\n",
		"content/pt/x.md":  "# X\n",
		"content/es/a.md":  "---\ntags: [memoria, nada]\n---\n# A es\n",
		"content/es/so.md": "---\ntags: [hilos]\n---\n# Hilos\n",
	}, themes.Default(), Options{BaseURL: "https://example.org/"})
	for _, c := range []struct{ file, want string }{
		{"pt/a/index.html", `<a class="tag" href="../_tags/memoria/">#Memória</a>`},
		{"pt/a/index.html", `<a class="tag" href="../_tags/c-c&#43;&#43;/">#c/c&#43;&#43;</a>`},
		{"pt/a/index.html", `<span class="tag">#???</span>`},
		{"pt/c/index.html", `Sobre <a class="tag" href="../_tags/cuda/">#CUDA</a>.`},
		{"pt/h/index.html", `<span class="tag">#só aqui</span>`},
		{"pt/_tags/memoria/index.html", "Páginas com a etiqueta “Memória”"},
		{"pt/_tags/memoria/index.html", `<a href="../../a/">A</a>`},
		{"pt/_tags/memoria/index.html", `<a href="../../b/">B</a>`},
		{"pt/_tags/memoria/index.html", `href="../../../es/_tags/memoria/"`},
		{"pt/_tags/cuda/index.html", `<a href="../../c/">C</a>`},
		{"es/_tags/nada/index.html", `href="../../../pt/_tags/"`}, // Portuguese has no such tag
		{"pt/_tags/index.html", `<a href="memoria/">Memória</a><br>2 páginas`},
		{"pt/_tags/index.html", `<meta name="robots" content="noindex">`},
		{"pt/_tags/hilos/index.html", `<li lang="es"><a href="../../so/">Hilos</a>`},
	} {
		if got := fileOf(t, s, c.file); !strings.Contains(got, c.want) {
			t.Errorf("%s lacks %s", c.file, c.want)
		}
	}
	if strings.Contains(fileOf(t, s, "pt/_tags/memoria/index.html"), `<a href="../../c/">C</a>`+"\n</li>") || strings.Contains(fileOf(t, s, "pt/x/index.html"), "_tags") {
		t.Error("a page without the tag is on its page, or leads to it")
	}
	for _, name := range s.Paths() {
		if strings.Contains(name, "aqui") || strings.Contains(name, "_tags/index.html/") || strings.Contains(name, "_tags//") {
			t.Error(name)
		}
	}
}

func TestTooManyTags(t *testing.T) {
	t.Parallel()
	files := map[string]string{"gpudocs.toml": config}
	for i := range 3 {
		tags := "comum"
		for j := range 800 {
			tags += fmt.Sprintf(", t%dx%d", i, j)
		}
		files[fmt.Sprintf("content/pt/p%d.md", i)] = "---\ntags: [" + tags + "]\n---\n# P\n"
	}
	content, _ := sitetest.Load(t, files)
	s, diags, err := New(t.Context(), content, nil, themes.Default(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, name := range s.Paths() {
		if strings.HasPrefix(name, "pt/_tags/") && name != "pt/_tags/index.html" {
			count++
		}
	}
	if got := fmt.Sprint(diags); count != maxTags || !strings.Contains(got, "2401") || !strings.Contains(fileOf(t, s, "pt/p0/index.html"), "_tags/comum/") {
		t.Errorf("%d pages of tags: %s", count, got)
	}
}

func TestNoIndexAndContents(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{
		"gpudocs.toml":        config,
		"content/pt/1.md":     "---\nnoindex: true\n---\n# Um\n\n## H\n",
		"content/pt/2.md":     "---\ntoc: false\n---\n# Dois\n\n## H\n",
		"content/pt/3.md":     "# Três\n\n## H\n",
		"content/es/1.md":     "# Uno\n",
		"content/es/3.md":     "# Tres\n",
		"content/es/index.md": "# Inicio\n",
		"content/pt/index.md": "# Início\n",
	}, themes.Default(), Options{BaseURL: "https://example.org/"})
	for _, c := range []struct {
		file, text string
		want       bool
	}{
		{"pt/1/index.html", `content="noindex"`, true},
		{"es/1/index.html", `content="noindex"`, true},
		{"pt/2/index.html", `content="noindex"`, false},
		{"pt/2/index.html", `class="toc"`, false},
		{"es/2/index.html", `class="toc"`, false},
		{"pt/3/index.html", `class="toc"`, true},
		{"sitemap.xml", "/pt/1/</loc>", false},
		{"sitemap.xml", "/es/1/</loc>", false},
		{"sitemap.xml", "/pt/2/</loc>", true},
	} {
		if got := fileOf(t, s, c.file); strings.Contains(got, c.text) != c.want {
			t.Errorf("%s: %s is %v", c.file, c.text, !c.want)
		}
	}
}
