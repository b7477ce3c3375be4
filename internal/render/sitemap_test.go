package render

import (
	"encoding/xml"
	"fmt"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/gpudocs/gpudocs/themes"
)

// beside is a site with all features that add files beside its pages.
var beside = map[string]string{
	"content/pt/index.md":       "---\nupdated: 2026-11-02\n---\n# Início\n\n[a](gpu/a.md#x) ![f](f.png) <a href=\"gpu/\">pasta</a> [es](../es/index.md) [so](so.md)\n",
	"content/pt/gpu/index.md":   "---\nredirect_from: /pt/velha\n---\n# GPU\n\n[B](b.md) [fora](../index.md)\n",
	"content/pt/gpu/a.md":       "# A {#topo}\n\n## X\n\n[b](b.md#x) [aqui](#x) [topo](b.md#topo) uma nota[^1].\n\n:::tab Um\nA\n:::\n:::tab Dois\nB\n:::\n\n[^1]: Nota.\n",
	"content/pt/gpu/b.md":       "# B {#topo}\n\n## X\n\n### Y\n\n[a](a.md) uma nota[^1].\n\n[^1]: Nota.\n",
	"content/pt/gpu/fundo/c.md": "# C\n",
	"content/pt/so.md":          "# Só em português\n",
	"content/pt/a+b (1).md":     "# Nome estranho\n",
	"content/es/index.md":       "# Inicio\n\n[a](gpu/a.md) <a href=\"../pt/\">pt</a>\n",
	"content/es/gpu/a.md":       "# A\n\n## X\n",
	"content/pt/f.png":          "",
	"content/pt/velho.html":     "<a href='gpu/a/'>x</a>",
}

type readMap struct {
	URLs []struct {
		Loc     string `xml:"loc"`
		LastMod string `xml:"lastmod"`
		Links   []struct {
			Rel  string `xml:"rel,attr"`
			Lang string `xml:"hreflang,attr"`
			Href string `xml:"href,attr"`
		} `xml:"http://www.w3.org/1999/xhtml link"`
	} `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 url"`
	Maps []struct {
		Loc string `xml:"loc"`
	} `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 sitemap"`
}

// TestAlternates checks that a page names the same translations as the sitemap, also generated pages.
func TestAlternates(t *testing.T) {
	files := map[string]string{"content/pt/index.md": "# A\n\n[s](/pt/_status/#x)\n\n```sh {run name=a}\ntrue\n```\n", "content/es/index.md": "# A\n", "content/pt/so.md": "# B\n"}
	o := Options{BaseURL: "https://example.org/docs/"}
	head := regexp.MustCompile(`<link rel="alternate" hreflang="([^"]*)" href="([^"]*)">`)
	for want, s := range map[string]*Site{
		"pt es x-default": newSite(t, files, themes.Default(), o),
		"":                newSite(t, map[string]string{"gpudocs.toml": "[languages.pt]\n", "content/pt/index.md": files["content/pt/index.md"]}, themes.Default(), o),
	} {
		var m readMap
		if err := xml.Unmarshal([]byte(get(t, s, "sitemap.xml")), &m); err != nil {
			t.Fatal(err)
		}
		if len(m.URLs) < 2 {
			t.Errorf("%d addresses: %s", len(m.URLs), want)
		}
		for _, u := range m.URLs {
			var inMap, onPage, codes []string
			for _, l := range u.Links {
				inMap, codes = append(inMap, l.Lang+" "+l.Href), append(codes, l.Lang)
			}
			name := strings.TrimPrefix(u.Loc, o.BaseURL)
			for _, m := range head.FindAllStringSubmatch(get(t, s, name+"index.html"), -1) {
				onPage = append(onPage, m[1]+" "+m[2])
			}
			if !slices.Equal(inMap, onPage) {
				t.Errorf("%s: %q in the map, %q on the page", name, inMap, onPage)
			}
			if got := strings.Join(codes, " "); name != "pt/so/" && got != want || name == "pt/so/" && got != "" {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		}
		if export := get(t, s, "pt/index.html.md"); !strings.Contains(export, "[s](https://example.org/docs/pt/_status/#x)") {
			t.Errorf("the export does not lead to the status: %s", export)
		}
	}
}

func TestContentGoesFirst(t *testing.T) {
	files := map[string]string{"content/pt/index.md": "# A\n", "content/robots.txt": "mine", "content/llms.txt": "mine", "content/404.html": "mine", "content/sitemap.xml": "mine"}
	s := newSite(t, files, themes.Default(), Options{BaseURL: "https://example.org"})
	for name := range files {
		if name = strings.TrimPrefix(name, "content/"); !strings.HasSuffix(name, ".md") && get(t, s, name) != "mine" {
			t.Errorf("%s is not the content's", name)
		}
	}
}

// TestNotFound checks that the 404 page has no relative links, as it is shown at any depth.
func TestNotFound(t *testing.T) {
	for _, c := range []struct {
		o    Options
		root string
	}{{Options{}, "/"}, {Options{BaseURL: "https://example.org/a/b"}, "/a/b/"}, {Options{BaseURL: "https://example.org/a/", Root: "/"}, "/"}} {
		s := newSite(t, beside, themes.Default(), c.o)
		for _, name := range []string{"404.html", "pt/404.html", "es/404.html"} {
			page := get(t, s, name)
			if !strings.Contains(page, `content="noindex"`) || !strings.Contains(page, "notfound-home") {
				t.Errorf("%s has unexpected content", name)
			}
			for _, to := range addresses(page) {
				if strings.HasPrefix(to, "#") {
					continue
				}
				file, ok := strings.CutPrefix(to, c.root)
				if file == "" || strings.HasSuffix(file, "/") {
					file += "index.html"
				}
				if file, _ = url.PathUnescape(file); !ok {
					t.Errorf("%s: %q does not begin at the root", name, to)
				} else if _, there, _ := s.File(file); !there {
					t.Errorf("%s: the target of %q does not exist", name, to)
				}
			}
		}
	}
}

// addresses returns the addresses in a page: links, images, scripts.
func addresses(page string) (list []string) {
	for z := html.NewTokenizer(strings.NewReader(page)); z.Next() != html.ErrorToken; {
		t := z.Token()
		for _, a := range t.Attr {
			if (a.Key == "href" || a.Key == "src" || a.Key == "data-from") && t.Data != "use" {
				list = append(list, a.Val)
			}
		}
	}
	return list
}

// TestOffline checks that every link names a file that exists.
func TestOffline(t *testing.T) {
	for _, base := range []string{"", "https://example.org/docs/"} {
		s := newSite(t, beside, themes.Default(), Options{Offline: true, BaseURL: base})
		seen := 0
		for _, p := range s.Paths() {
			if strings.HasSuffix(p, "404.html") || strings.HasPrefix(p, "sitemap") {
				t.Errorf("%s needs a server", p)
			}
			if !strings.HasSuffix(p, ".html") {
				continue
			}
			page := get(t, s, p)
			all := addresses(page)
			for _, m := range regexp.MustCompile(`(?m)^(?:data-pages=")?\w\w (\S+)$`).FindAllStringSubmatch(page, -1) {
				all = append(all, m[1])
			}
			for _, to := range all {
				if strings.HasPrefix(to, "#") {
					continue
				}
				u, err := url.Parse(to)
				if err != nil {
					t.Fatal(err)
				}
				if u.IsAbs() {
					if !strings.Contains(html.UnescapeString(page), `rel="canonical" href="`+to+`"`) {
						t.Errorf("%s: %q is absolute", p, to)
					}
					continue
				}
				seen++
				if _, ok, _ := s.File(path.Join(path.Dir(p), u.Path)); !ok || strings.HasSuffix(u.Path, "/") {
					t.Errorf("%s: %q is no file", p, to)
				}
			}
		}
		if seen < 100 {
			t.Errorf("only %d links", seen)
		}
		if old := get(t, s, "pt/velha/index.html"); !strings.Contains(old, "url=../gpu/index.html") {
			t.Error("an old address leads to a folder:", old)
		}
		if root := get(t, s, "index.html"); !strings.Contains(root, "pt pt/index.html") {
			t.Error("the root's script leads to a folder:", root)
		}
	}
}

// TestIndexes checks that folders without a page, and languages without a first page, get a list of their
// pages, in each language that shows them.
func TestIndexes(t *testing.T) {
	s := newSite(t, map[string]string{"content/pt/b/c.md": "---\nweight: 1\ndescription: Sobre C\n---\n# C\n", "content/pt/b/d.md": "# D\n", "content/pt/b/x/e.md": "# E\n"}, themes.Default(), Options{})
	for name, want := range map[string][]string{
		"index.html":           {`href="pt/"`, "es es/"},
		"pt/index.html":        {`<a href="b/">B</a>`, `<h1>T</h1>`, `content="noindex"`},
		"pt/b/index.html":      {`<a href="c/">C</a><br>Sobre C</li>`, `<a href="d/">D</a></li>`, `<a href="x/">X</a>`, `<h1>B</h1>`, `href="../../es/b/"`},
		"es/b/index.html":      {`<li lang="pt"><a href="c/">C</a>`},
		"pt/b/d/index.html":    {`class="brand" href="../../"`, `<a href="../">B</a>`},
		"es/404.html":          {`class="brand" href="/es/"`},
		"pt/_print/index.html": {`class="brand" href="../"`},
	} {
		for _, w := range want {
			if html := get(t, s, name); !strings.Contains(html, w) {
				t.Errorf("%s has no %s\n%s", name, w, html)
			}
		}
	}
}

// TestRedirectTargets checks that every address to which _redirects and the pages at old addresses lead is a
// file of the site, also if languages have no first page or no page at all.
func TestRedirectTargets(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"no first page":      {"content/pt/b/c.md": "---\nredirect_from: [velha]\n---\n# C\n", "content/es/d.md": "# D\n"},
		"a course's":         {"content/pt/_toc.yml": "root: intro\n", "content/pt/intro.md": "# I\n", "content/pt/1 - a (b).md": "# A\n"},
		"only one language":  {"content/pt/index.md": "# I\n"},
		"its own index.html": {"content/pt/index.html": "x", "content/pt/a.md": "# A\n"},
	} {
		s := newSite(t, files, themes.Default(), Options{})
		exists := func(to string) bool {
			to, _ = url.PathUnescape(strings.TrimPrefix(to, "/"))
			_, ok, _ := s.File(to)
			if strings.HasSuffix(to, "/") {
				_, ok, _ = s.File(to + "index.html")
			}
			return ok
		}
		rules := 0
		for line := range strings.Lines(get(t, s, "_redirects")) {
			rules++
			if to := strings.Fields(line)[1]; !exists(to) {
				t.Errorf("%s: %q leads to a 404", name, line)
			}
		}
		if rules < 3 {
			t.Errorf("%s: only %d rules", name, rules)
		}
		for _, p := range s.Paths() {
			if to, ok := s.Redirect(p); ok && !exists(to) {
				t.Errorf("%s: %s leads to %s, a 404", name, p, to)
			}
		}
	}
}

// TestPrint checks that a print page has all pages of a section, each id once, and that links between them
// stay on the page.
func TestPrint(t *testing.T) {
	s := newSite(t, beside, themes.Default(), Options{})
	page := get(t, s, "pt/_print/gpu/index.html")
	balanced(t, "print", page)
	for _, want := range []string{`href="#_p.3.x"`, `href="#_p.2.x"`, `href="#_p.3.topo"`, `id="_p.3.topo"`, `id="_p.2.x"`, `<h3 id="_p.3.x"`, `<h4 id="_p.3.y"`, `href="../../">fora`,
		`id="_p.2.fn:1"`, `href="#_p.2.fn:1"`, `content="noindex"`, `name="_p.2._tabs.1-r"`, `href="../../../es/_print/gpu/"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	ids := map[string]bool{}
	for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		ids[m[1]] = true
	}
	for _, to := range addresses(page) {
		if id, ok := strings.CutPrefix(to, "#"); ok && id != "" && !ids[id] {
			t.Errorf("%s leads nowhere", to)
		}
	}
	if strings.Index(page, `id="_p.1"`) > strings.Index(page, `id="_p.2"`) || !strings.Contains(page, `id="_p.4"`) {
		t.Error("the page does not have all pages in order")
	}
	for name, want := range map[string]string{"pt/gpu/a/index.html": "../../_print/gpu/", "pt/gpu/index.html": "../_print/gpu/", "pt/so/index.html": "../_print/", "pt/gpu/fundo/c/index.html": "../../../_print/gpu/"} {
		if !strings.Contains(get(t, s, name), `href="`+want+`"`) {
			t.Errorf("%s does not lead to %s", name, want)
		}
	}
}

// TestPrintIsNamed checks the names of print pages: that of all pages is not named after a section.
func TestPrintIsNamed(t *testing.T) {
	s := newSite(t, beside, themes.Default(), Options{})
	for name, want := range map[string]string{"pt/gpu/a/index.html": "Seção em uma página", "pt/so/index.html": "Todas as páginas em uma", "es/so/index.html": "Todas las páginas en una"} {
		if !strings.Contains(get(t, s, name), "/\">"+want+"</a>") {
			t.Errorf("%s does not offer %q", name, want)
		}
	}
}

// TestPrintIsBounded checks that the print page of a large section only lists the pages beyond the limit.
func TestPrintIsBounded(t *testing.T) {
	files := map[string]string{}
	for i := range maxPrinted + 20 {
		files[fmt.Sprintf("content/pt/s/p%04d.md", i)] = "# Page\n"
	}
	s := newSite(t, files, themes.Default(), Options{})
	page := get(t, s, "pt/_print/s/index.html")
	if n := strings.Count(page, `<section class="printed" id=`); n != maxPrinted {
		t.Errorf("%d pages", n)
	}
	if !strings.Contains(page, `href="../../s/p0119/"`) {
		t.Error("the last is not named")
	}
	if _, ok, _ := s.File("pt/_print/index.html"); ok {
		t.Error("all of a large site on one page")
	}
	if strings.Contains(get(t, newSite(t, map[string]string{"content/pt/index.md": "# A\n"}, themes.Default(), Options{}), "pt/index.html"), "_print") {
		t.Error("one page is no section")
	}
}

// TestImageOfPages: other sites show the image of a page, or else that of the site, if its address is known.
func TestImageOfPages(t *testing.T) {
	t.Parallel()
	files := map[string]string{"gpudocs.toml": config + "[site]\nimage = \"img/cover.png\"\n", "content/img/cover.png": string(pngOf(t, 2, 1).PNG), "content/pt/a b.png": string(pngOf(t, 1, 1).PNG),
		"content/pt/index.md": "# A\n", "content/pt/own.md": "---\nimage: a b.png\n---\n# B\n", "content/pt/far.md": "---\nimage: https://cdn.example/x.png\n---\n# C\n"}
	o := Options{BaseURL: "https://example.org/docs/"}
	meta := regexp.MustCompile(`property="og:image" content="([^"]*)"`)
	far := map[string]string{"gpudocs.toml": config + "[site]\nimage = \"https://cdn.example/site.png\"\n", "content/pt/index.md": "# A\n"}
	for _, c := range []struct {
		s          *Site
		page, want string
	}{
		{newSite(t, files, themes.Default(), o), "pt/index.html", "https://example.org/docs/img/cover.png"},
		{newSite(t, files, themes.Default(), o), "pt/own/index.html", "https://example.org/docs/pt/a%20b.png"},
		{newSite(t, files, themes.Default(), o), "es/own/index.html", "https://example.org/docs/pt/a%20b.png"},
		{newSite(t, files, themes.Default(), o), "pt/far/index.html", "https://cdn.example/x.png"},
		{newSite(t, files, themes.Default(), Options{}), "pt/index.html", ""},
		{newSite(t, files, themes.Default(), Options{BaseURL: o.BaseURL, Offline: true}), "pt/index.html", ""},
		{newSite(t, far, themes.Default(), Options{}), "pt/index.html", "https://cdn.example/site.png"},
		{newSite(t, beside, themes.Default(), o), "pt/index.html", ""},
	} {
		got := ""
		if m := meta.FindStringSubmatch(get(t, c.s, c.page)); m != nil {
			got = m[1]
		}
		if got != c.want {
			t.Errorf("%s has the image %q, want %q", c.page, got, c.want)
		}
	}
}

func TestEdit(t *testing.T) {
	files := map[string]string{"gpudocs.toml": config + "[site]\nedit = \"https://git.example/edit/main/docs/{path}\"\n",
		"content/pt/index.md": "# A\n:::include _b.md\n:::\n", "content/pt/_b.md": "b\n", "content/pt/c d.md": "# C\n"}
	s := newSite(t, files, themes.Default(), Options{})
	for page, want := range map[string]string{"pt/index.html": "content/pt/index.md", "es/c-d/index.html": "content/pt/c%20d.md"} {
		if !strings.Contains(get(t, s, page), `href="https://git.example/edit/main/docs/`+want+`"`) {
			t.Errorf("%s does not lead to %s", page, want)
		}
	}
	if strings.Contains(get(t, s, "404.html"), "git.example") {
		t.Error("a generated page has a link to edit it")
	}
}

// TestExportLinks checks that the targets of links in Markdown exports exist.
func TestExportLinks(t *testing.T) {
	s := newSite(t, beside, themes.Default(), Options{})
	links := regexp.MustCompile(`\]\(<?([^)>#]+)[^)]*\)`)
	seen := 0
	for _, p := range s.Paths() {
		if !strings.HasSuffix(p, ".html.md") && !strings.HasSuffix(p, "llms.txt") && !strings.HasSuffix(p, "llms-full.txt") {
			continue
		}
		for _, m := range links.FindAllStringSubmatch(get(t, s, p), -1) {
			to, _ := url.PathUnescape(m[1])
			if strings.Contains(to, "(1") { // the expression above ends there
				continue
			}
			seen++
			if _, ok, _ := s.File(path.Join(path.Dir(p), to)); !ok {
				t.Errorf("%s: %s is not there", p, m[1])
			}
		}
	}
	if seen < 20 {
		t.Errorf("only %d links", seen)
	}
}

func BenchmarkExport(b *testing.B) {
	s := newSite(b, generated(200), themes.Default(), Options{})
	for b.Loop() {
		if _, _, err := s.File("pt/s3/p60/index.html.md"); err != nil {
			b.Fatal(err)
		}
	}
}
