package resolve_test

import (
	"io/fs"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

func redirects(s *site.Site) (list []string) {
	for _, r := range s.Redirects {
		list = append(list, r.File()+" -> "+r.Language.Code+" "+r.Page.URL)
	}
	return list
}

func TestRedirects(t *testing.T) {
	const config = "[languages.pt]\nweight = 1\n[languages.es]\nweight = 2\n"
	for _, test := range []struct{ name, from, want string }{
		{"beside the file", "antigo", "pt/gpu/antigo/index.html -> pt pt/gpu/uso/; es/gpu/antigo/index.html -> es pt/gpu/uso/"},
		{"above it", "../velho/uso/", "pt/velho/uso/index.html -> pt pt/gpu/uso/; es/velho/uso/index.html -> es pt/gpu/uso/"},
		{"from the root", "/docs/uso", "docs/uso/index.html -> pt pt/gpu/uso/"},
		{"a file of pages", "Uso Antigo.md", "pt/gpu/Uso-Antigo/index.html -> pt pt/gpu/uso/; es/gpu/Uso-Antigo/index.html -> es pt/gpu/uso/"},
		{"an index", "/pt/placas/index.md", "pt/placas/index.html -> pt pt/gpu/uso/; es/placas/index.html -> es pt/gpu/uso/"},
		{"a file", "/uso.html", "uso.html -> pt pt/gpu/uso/"},
		{"a folder's file", "/uso/index.html", "uso/index.html -> pt pt/gpu/uso/"},
		{"escaped", "/instala%C3%A7%C3%A3o", "instalação/index.html -> pt pt/gpu/uso/"},
		{"a list", "[a, /b]", "pt/gpu/a/index.html -> pt pt/gpu/uso/; b/index.html -> pt pt/gpu/uso/; es/gpu/a/index.html -> es pt/gpu/uso/"},
		{"nothing", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := sitetest.LoadValid(t, map[string]string{site.ConfigFile: config, "content/es/index.md": "# I\n",
				"content/pt/gpu/uso.md": "---\nredirect_from: " + test.from + "\n---\n# Uso\n"})
			if diff := cmp.Diff(test.want, strings.Join(redirects(s), "; ")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRedirectClashes(t *testing.T) {
	const config = "[languages.pt]\nweight = 1\n[languages.es]\nweight = 2\n"
	for _, test := range []struct{ from, want string }{
		{"/PT/Outra", "/PT/Outra/ is taken: content/pt/outra.md has this address"},
		{"/pt/uso", "/pt/uso/ is the address that this page has"},
		{"/es/outra", "/es/outra/ is taken: content/pt/outra.md, which es shows, has this address"},
		{"/pt/foto.png", "/pt/foto.png/ is taken: content/pt/foto.png has this address"},
		{"/pt/velha.html", "/pt/velha.html is taken: content/pt/velha.html has this address"},
		{"/pt/antes", "/pt/antes/ is taken: content/pt/outra.md (line 2) has this address"},
		{"[a, a]", "/pt/a/ is taken: content/pt/uso.md (line 2) has this address"},
		{"/", `"/" leads to the site's root`},
		{"../../x", `"../../x" leads to the site's root, or out of it`},
		{"https://example.org/x", "is no address of this site"},
		{"a#b", "is no address of this site"},
		{"/_theme/x", `"_theme" is no name of a file`},
		{"a/.b", `".b" is no name of a file`},
		{"'a\\b'", "is no name of a file"},
		{"{a: b}", "a text is expected here"},
	} {
		_, out := sitetest.Load(t, map[string]string{site.ConfigFile: config, "content/es/index.md": "# I\n", "content/pt/foto.png": "", "content/pt/velha.html": "<p>",
			"content/pt/outra.md": "---\nredirect_from: /pt/antes\n---\n# Outra\n",
			"content/pt/uso.md":   "---\nredirect_from: " + test.from + "\n---\n# Uso\n"})
		if !strings.Contains(out, test.want) || !strings.Contains(out, "content/pt/uso.md:2:") {
			t.Errorf("%s: want %q\n%s", test.from, test.want, out)
		}
	}
}

// TestRedirectOfAMark checks that the address that a page had before brackets were left out redirects to it, unless
// an author names another page for it.
func TestRedirectOfAMark(t *testing.T) {
	for head, want := range map[string]string{"": "pt/a-(b)/ > pt/a-b/", "---\nredirect_from: /pt/a-(b)\n---\n": "pt/a-(b)/ > pt/z/"} {
		s := sitetest.LoadValid(t, map[string]string{"content/pt/a (b).md": "# A\n", "content/pt/z.md": head + "# Z\n"})
		var got []string
		for _, r := range s.Redirects {
			got = append(got, r.From+" > "+r.Page.URL)
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%q: %s, want %s", head, got, want)
		}
	}
}

// TestNames checks that tags and aliases need no dialect, and that an alias is not a redirect.
func TestNames(t *testing.T) {
	s := sitetest.LoadValid(t, map[string]string{"content/pt/p.md": "---\ntags: [gpu, 2024]\naliases: [CPU/GPU, driver]\n---\n# P\n",
		"content/pt/q.md": "---\ndialects: obsidian\n---\n[[CPU/GPU]] [[driver]]\n"})
	if p := s.Page("p", "pt"); strings.Join(p.Tags, " ") != "gpu 2024" || len(s.Redirects) > 0 {
		t.Error(p.Tags, s.Redirects)
	}
	_, out := sitetest.Load(t, map[string]string{"content/pt/p.md": "---\naliases:\n  - /pt/old/\ntags: {a: b}\n---\n# P\n"})
	if !strings.Contains(out, "content/pt/p.md:3:5: warning: the alias \"/pt/old/\" looks like an address") || !strings.Contains(out, "a text is expected here") {
		t.Error(out)
	}
}

// TestLinkToOldAddress checks that a link to an old address is an error with a hint, as links name files.
func TestLinkToOldAddress(t *testing.T) {
	_, out := sitetest.Load(t, map[string]string{site.ConfigFile: "base_url = \"https://example.org/\"\n", "content/pt/gpu/uso.md": "---\nredirect_from: [antigo, /pt/velho.html]\n---\n# Uso\n",
		"content/pt/p.md": "[a](gpu/antigo.md) [b](/pt/velho.html) [c](https://example.org/pt/gpu/antigo/)\n"})
	if n := strings.Count(out, `the page that was there is "gpu/uso.md" now`); n != 3 {
		t.Errorf("%d hints\n%s", n, out)
	}
}

// FuzzRedirects checks that an old address becomes the path of a file within the site that is valid on
// every system.
func FuzzRedirects(f *testing.F) {
	for _, s := range []string{"antigo", "../velho/uso/", "/docs/Uso Antigo.md", "/a/index.html", "a%2fb", "%ff", "%e2%80", "%", "..", "/", "x.md.md/", "a//b/./c", "//x", "é\u0301.html", "a?b#c", "con", "a%00", ". /.md"} {
		f.Add("pt/gpu", s)
	}
	f.Fuzz(func(t *testing.T, folder, text string) {
		if !fs.ValidPath(folder) || folder == "." {
			folder = "pt"
		}
		address, fault := site.ParseOldAddress(folder, text)
		if (address == "") == fault.IsZero() {
			t.Fatalf("%q: %q, %q", text, address, fault)
		}
		if !fault.IsZero() {
			return
		}
		file := site.Redirect{From: address}.File()
		if ext := strings.ToLower(path.Ext(file)); !fs.ValidPath(file) || ext != ".html" && ext != ".htm" {
			t.Fatalf("%q: %q is no file of a site", text, file)
		}
		for part := range strings.SplitSeq(file, "/") {
			if part[0] == '.' || strings.HasSuffix(part, ".") || strings.ContainsAny(part, `<>:"|?*\`) || strings.ContainsFunc(part, func(r rune) bool { return r < ' ' || r == 0x7f }) {
				t.Fatalf("%q: %q cannot be a file everywhere", text, part)
			}
		}
	})
}
