package resolve_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark/ast"
	"golang.org/x/text/unicode/norm"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

// targets lists where the links, images and embeds of a page lead, in order.
func targets(s *site.Site, p *site.Page) []string {
	var out []string
	_ = ast.Walk(p.Doc(), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n.(type) {
		case *ast.Link, *ast.Image, *markdown.Embed:
			if entering {
				out = append(out, target(s.Links(p).Target(n)))
			}
		}
		return ast.WalkContinue, nil
	})
	return out
}

func target(t site.Target) string {
	s := ""
	if t.Page != nil {
		s += "page " + t.Page.Source.Name
	}
	if t.Asset != "" {
		s += "asset " + t.Asset
	}
	if t.External != "" {
		s += "external " + t.External
	}
	if t.Missing {
		s += "missing"
	}
	if t.Suffix != "" {
		s += " suffix " + t.Suffix
	}
	if t.OtherLanguage {
		s += " other language"
	}
	return s
}

var linked = map[string]string{
	site.ConfigFile:                       "[languages.pt]\nweight = 1\n[languages.es]\nweight = 2\n",
	"content/pt/p.md":                     "",
	"content/pt/index.md":                 "# Início\n",
	"content/pt/configuração.md":          "# C\n\n## Instalação\n",
	"content/pt/com espaço.md":            "# E\n",
	"content/pt/gpu/index.md":             "# GPU\n\n## Uso\n",
	"content/pt/gpu/matmul.markdown":      "# M\n",
	"content/pt/gpu/x.png":                "",
	"content/images/y.png":                "",
	"content/es/p.md":                     "# P\n\n## Sólo\n",
	"content/es/sólo.md":                  "# S\n\n## Aquí\n",
	norm.NFD.String("content/pt/maçã.md"): "# Maçã\n",
}

func TestLinks(t *testing.T) {
	const pt, es = "page content/pt/", "page content/es/"
	tests := []struct{ link, want string }{
		{"[x](gpu/index.md)", pt + "gpu/index.md"},
		{"[x](./gpu/../gpu/index.md)", pt + "gpu/index.md"},
		{"[x](gpu/)", pt + "gpu/index.md"},
		{"[x](gpu)", pt + "gpu/index.md"},
		{"[x](gpu/index)", pt + "gpu/index.md"},
		{"[x](gpu/matmul)", pt + "gpu/matmul.markdown"},
		{"[x](gpu/matmul/)", pt + "gpu/matmul.markdown"},
		{"[x](.)", pt + "index.md"},
		{"[x](/pt/gpu/index.md)", pt + "gpu/index.md"},
		{"[x](/pt/)", pt + "index.md"},
		{"[x](configuração.md)", pt + "configuração.md"},
		{"[x](configura%C3%A7%C3%A3o.md)", pt + "configuração.md"},
		{"[x](" + norm.NFD.String("configuração.md") + ")", pt + "configuração.md"},
		{"[x](maçã.md)", pt + norm.NFD.String("maçã.md")},
		{"[x](<com espaço.md>)", pt + "com espaço.md"},
		{"[x](com%20espaço.md)", pt + "com espaço.md"},
		{"[x](gpu/index.md#uso)", pt + "gpu/index.md suffix #uso"},
		{"[x](gpu/?a=1&b=2#uso)", pt + "gpu/index.md suffix ?a=1&b=2#uso"},
		{"[x](configuração.md#instala%C3%A7%C3%A3o)", pt + "configuração.md suffix #instala%C3%A7%C3%A3o"},
		{"[x](gpu/#:~:text=uso)", pt + "gpu/index.md suffix #:~:text=uso"},
		{"[x]()", pt + "p.md"},
		{"# H\n[x](#h)", pt + "p.md suffix #h"},
		{"[x](?a)", pt + "p.md suffix ?a"},
		{"[x][r]\n\n[r]: gpu/index.md 'title'", pt + "gpu/index.md"},
		{"![x](gpu/x.png)", "asset pt/gpu/x.png"},
		{"![x](../images/y.png?v=2)", "asset images/y.png suffix ?v=2"},
		{"![x](/images/y.png)", "asset images/y.png"},
		{"[x](gpu/x.png)", "asset pt/gpu/x.png"},
		{"![[gpu/x.png]]", "asset pt/gpu/x.png"},
		{"![[x.png]]", "asset pt/gpu/x.png"},
		{"![[y.png|300]]", "asset images/y.png"},

		// Languages.
		{"[x](../es/p.md)", es + "p.md other language"},
		{"[x](/es/sólo.md#aquí)", es + "sólo.md suffix #aquí other language"},
		{"[x](sólo.md)", es + "sólo.md"},
		{"[x](sólo/#aquí)", es + "sólo.md suffix #aquí"},

		// Addresses outside of the site.
		{"[x](https://example.org/a.md)", "external https://example.org/a.md"},
		{"[x](//example.org/a.md)", "external //example.org/a.md"},
		{"[x](mailto:a@example.org)", "external mailto:a@example.org"},
		{"![x](data:image/png;base64,AA==)", "external data:image/png;base64,AA=="},
	}
	for _, tt := range tests {
		t.Run(tt.link, func(t *testing.T) {
			files := map[string]string{}
			for name, text := range linked {
				files[name] = text
			}
			files["content/pt/p.md"] = tt.link + "\n"
			s := sitetest.LoadValid(t, files)
			if diff := cmp.Diff([]string{tt.want}, targets(s, s.Page("p", "pt"))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestMissingTargets(t *testing.T) {
	files := map[string]string{}
	for name, text := range linked {
		files[name] = text
	}
	files["gpudocs.toml"] = "[markdown]\ndialects = []\n"
	files["content/pt/p.md"] = "[a](nada.md) ![b](nada.png) ![[nada.gif]] ![[p]] [c](gpu/index.md#nada) [d](../../gpudocs.toml) [e](GPU/) [f](nada.md) [g](50%.md)\n"
	s, out := sitetest.Load(t, files)
	want := []string{"missing", "missing", "missing", "missing", "page content/pt/gpu/index.md suffix #nada", "missing", "missing", "missing", "missing"}
	if diff := cmp.Diff(want, targets(s, s.Page("p", "pt"))); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if n := strings.Count(out, "warning: "); n != 8 || strings.Contains(out, "error: ") {
		t.Errorf("%d warnings, of 8 targets that are missing:\n%s", n, out)
	}
}

// TestLinksBelowADecomposedFolder checks links below a folder with a decomposed name, as macOS writes them.
func TestLinksBelowADecomposedFolder(t *testing.T) {
	dir := norm.NFD.String("content/pt/lição/")
	s := sitetest.LoadValid(t, map[string]string{
		dir + "a.md": "[b](b.md) [up](../lição/b.md) ![x](x.png)\n", dir + "b.md": "# B\n", dir + "x.png": "",
	})
	want := []string{"page " + dir + "b.md", "page " + dir + "b.md", "asset " + norm.NFC.String("pt/lição/x.png")}
	if diff := cmp.Diff(want, targets(s, s.Page("lição/a", "pt"))); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if url := s.Page("lição/a", "pt").URL; url != "pt/lição/a/" {
		t.Errorf("its address is %q", url)
	}
}

func TestRawTargets(t *testing.T) {
	files := map[string]string{}
	for name, text := range linked {
		files[name] = text
	}
	files["content/pt/p.md"] = "<img src=\"gpu/x.png\" alt> <a HREF='gpu/index.md#uso'>x</a> <img src=nada.png alt=n>\n\n" +
		"<div>\n<a href=\"https://example.org/?a=1&amp;b=2\">\n</div>\n\n<!-- <a href=\"comment.md\">\n--> <a href=\"p.md\">\n\n`<a href=\"code.md\">`\n"
	s, out := sitetest.Load(t, files)
	p := s.Page("p", "pt")
	for address, want := range map[string]string{
		"gpu/x.png": "asset pt/gpu/x.png", "gpu/index.md#uso": "page content/pt/gpu/index.md suffix #uso", "nada.png": "missing",
		"https://example.org/?a=1&b=2": "external https://example.org/?a=1&b=2", "p.md": "page content/pt/p.md",
	} {
		if got, ok := s.Links(p).RawTarget(address); !ok || target(got) != want {
			t.Errorf("%s leads to %q, want %q", address, target(got), want)
		}
	}
	for _, address := range []string{"comment.md", "code.md"} {
		if got, ok := s.Links(p).RawTarget(address); ok {
			t.Errorf("%s is a target: %+v", address, got)
		}
	}
	want := "content/pt/p.md:1:69: warning: there is no file \"nada.png\"\n    1 | " + strings.SplitN(files["content/pt/p.md"], "\n", 2)[0] +
		"\n      | " + strings.Repeat(" ", 68) + "^~~~~~~~\n"
	if diff := cmp.Diff(want, out); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestMissingInLongHTML checks that a missing file is reported on its own line, however far it is from the
// beginning of the block.
func TestMissingInLongHTML(t *testing.T) {
	for _, lines := range []int{1, 100, 1000} {
		text := "# A\n\n<div>\n" + strings.Repeat("<p>a line of a long block of HTML</p>\n", lines) + "<p>ção <img src=\"nada.png\" alt=\"\"></p>\n</div>\n"
		_, got := sitetest.Load(t, map[string]string{"content/pt/p.md": text})
		want := fmt.Sprintf("content/pt/p.md:%d:18: warning: there is no file \"nada.png\"\n%5d | <p>ção <img src=\"nada.png\" alt=\"\"></p>\n      |                  ^~~~~~~~\n", lines+4, lines+4)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d lines (-want +got)\n%s", lines, diff)
		}
	}
}

func TestAnchors(t *testing.T) {
	const text = "# Título\n\n## Seção\n\n## Other {#given}\n\n<a id=\"raw\"></a>\n\n```bash {run name=lab}\n```\n\n```gpu\ngpus >= 1\n```\n\n"
	for _, anchor := range []string{"título", "seção", "given", "raw", "code-lab", "block-2"} {
		sitetest.LoadValid(t, map[string]string{"content/pt/p.md": text, "content/pt/q.md": fmt.Sprintf("[x](p.md#%s)\n", anchor)})
	}
	for anchor, hint := range map[string]string{"titulo": "  hint: did you mean \"título\"?\n", "Seção": "  hint: did you mean \"seção\"?\n", "block-1": "  hint: did you mean \"block-2\"?\n", "zzzzzzzz": ""} {
		link := fmt.Sprintf("[x](p.md#%s)", anchor)
		_, out := sitetest.Load(t, map[string]string{"content/pt/p.md": text, "content/pt/q.md": link + "\n"})
		want := fmt.Sprintf("content/pt/q.md:1:5: warning: content/pt/p.md has no heading or anchor %q\n    1 | %s\n      |     ^%s\n%s",
			anchor, link, strings.Repeat("~", len([]rune(link))-6), hint)
		if diff := cmp.Diff(want, out); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	}
}

// TestMissingIsShownWhereItStands checks the place of a missing file whose address is also the end of an
// earlier address.
func TestMissingIsShownWhereItStands(t *testing.T) {
	_, diags := load.Load(fstest.MapFS{site.ConfigFile: {}, "content/pt/a.md": {Data: []byte("<p><img alt src=\"data.png\"> <img alt src=\"a.png\"></p>\n")}, "content/pt/data.png": {Data: []byte(sitetest.PNG(1, 1))}}, load.Options{})
	if len(diags) != 1 || diags[0].Column != 43 {
		t.Errorf("%+v", diags)
	}
}

// TestAnchorForms checks that an address gets the Unicode form of the id, however it was typed: browsers
// distinguish the two forms of an accent.
func TestAnchorForms(t *testing.T) {
	s := sitetest.LoadValid(t, map[string]string{"content/pt/p.md": norm.NFD.String("# Lição\n\n## Seção\n\n[x](#seção) [y](p.md?q#" + "se%C3%A7%C3%A3o)\n")})
	want := []string{"page content/pt/p.md suffix #seção", "page content/pt/p.md suffix ?q#se%C3%A7%C3%A3o"}
	if diff := cmp.Diff(want, targets(s, s.Page("p", "pt"))); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if id := s.Page("p", "pt").Headings[0].ID; id != norm.NFC.String("seção") {
		t.Errorf("the id is %+q", id)
	}
}

// TestPageLinks checks that every address has its place, also a bare one.
func TestLinksToWhatIsMade(t *testing.T) {
	s := sitetest.LoadValid(t, map[string]string{
		"gpudocs.toml":    "[markdown]\ndialects = ['myst']\n",
		"content/pt/p.md": "# P\n\n[a](q.ipynb) [b](q.html) [c](q)\n", "content/pt/q.md": "# Q\n",
	})
	for _, l := range s.Links(s.Page("p", "pt")).All {
		if l.Target.Page != s.Page("q", "pt") {
			t.Errorf("%s: %+v", l.Destination, l.Target)
		}
	}
}

func TestPageLinks(t *testing.T) {
	const text = "# P\n\n[a](https://a.example/x#y) <https://b.example> www.c.example ![i](i.png) <img alt src='i.png'>\n\n[r]: https://d.example\n[r]\n"
	s := sitetest.LoadValid(t, map[string]string{"content/pt/p.md": text, "content/pt/i.png": ""})
	var got []string
	for _, l := range s.Links(s.Page("p", "pt")).All {
		got = append(got, fmt.Sprint(l.Destination, " | ", text[l.Start:l.End], " | ", l.Image, " | ", l.Target.External))
	}
	want := []string{
		"https://a.example/x#y | https://a.example/x#y | false | https://a.example/x#y",
		"https://b.example | https://b.example | false | https://b.example",
		"http://www.c.example | www.c.example | false | http://www.c.example",
		"i.png | i.png | true | ", "i.png | i.png | true | ", "https://d.example | [ | false | https://d.example",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// FuzzLinks checks that each link has a place on the page and exactly one kind of target, and that a
// missing target is reported, for any address.
func FuzzLinks(f *testing.F) {
	for _, s := range []string{"gpu/index.md#uso", "%zz", "../../../x", "//[::1", "mailto:", "mailto:%", "https://example.org/docs/pt/?a#%", "#%C3%A7", "/", ".", "a%2fb", "\u0301#\u0301", "javascript:x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, address string) {
		files := sitetest.FS(linked)
		files[site.ConfigFile] = &fstest.MapFile{Data: []byte("base_url = 'https://example.org/docs/'\n")}
		files["content/pt/p.md"] = &fstest.MapFile{Data: []byte("# P {#p}\n\n[x](<" + address + ">) ![y](<" + address + ">)\n\n<a href=\"" + address + "\">z</a>\n")}
		s, diags := load.Load(files, load.Options{})
		if s == nil || s.Page("p", "pt") == nil {
			return
		}
		p := s.Page("p", "pt")
		for _, l := range s.Links(p).All {
			kinds := 0
			for _, is := range []bool{l.Target.Page != nil, l.Target.Asset != "", l.Target.External != "", l.Target.Missing} {
				if is {
					kinds++
				}
			}
			if kinds != 1 || l.Start < 0 || l.End <= l.Start || l.End > len(p.Source.Data)+1 {
				t.Errorf("%q: %+v", l.Destination, l)
			}
			if l.Target.Missing && len(diags) == 0 {
				t.Errorf("%q is missing, and not reported", l.Destination)
			}
		}
	})
}

// TestHintInLanguage checks that the same path in the page's own language is suggested first, then in another.
func TestHintInLanguage(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"content/en/a/x.png": "", "content/en/img/x.png": "", "content/pt/img/x.png": "", "content/en/only/y.png": "", "content/en/guide.md": "# G\n", "content/es/index.md": "# E\n",
	}
	for link, want := range map[string]string{
		"![a](/img/x.png)": `there is "img/x.png"`, "![a](/es/img/x.png)": `there is "img/x.png"`, "![a](/only/y.png)": `there is "../en/only/y.png"`,
		"![a](/es/only/y.png)": `there is "../en/only/y.png"`, "[a](/guide)": `there is "../en/guide.md"`, "![a](/other/x.png)": `there is "../en/a/x.png"`,
	} {
		files["content/pt/p.md"] = "# P\n\n" + link + "\n"
		_, diags := load.Load(sitetest.FS(files), load.Options{})
		found := ""
		for _, d := range diags {
			if d.File == "content/pt/p.md" {
				found += d.Hint.String()
			}
		}
		if found != want {
			t.Errorf("%s: %s, want %s", link, found, want)
		}
	}
}
