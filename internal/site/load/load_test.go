package load_test

import (
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/unicode/norm"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// TestMain collects garbage less often, which takes a quarter of the time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}

func TestPages(t *testing.T) {
	s := sitetest.LoadValid(t, map[string]string{
		site.ConfigFile:              "[languages.pt]\nname = 'Português'\nweight = 2\n[languages.es]\nweight = 1\n[languages.en]\n",
		"content/pt/index.md":        "# Início\n",
		"content/pt/gpu/index.md":    "# GPU\n",
		"content/pt/gpu/Uso Real.md": "# Uso\n",
		"content/pt/gpu/índice.MD":   "# Índice\n",
		"content/pt/a.markdown":      "# A\n",
		"content/pt/rascunho.md":     "---\ndraft: true\n---\n# R\n",
		"content/es/inicio.md":       "---\ntranslation: index\nweight: 3\n---\n# Inicio\n",
		"content/es/gpu/index.md":    "# GPU\n",
		"content/pt/gpu/foto.png":    "",
		"content/images/x.svg":       "",
		"content/robots.txt":         "",
		"content/.git/x.md":          "# no\n",
		"content/pt/.x.md":           "# no\n",
	})
	var languages, pages []string
	for _, l := range s.Languages {
		languages = append(languages, l.Code+" "+l.Name)
	}
	for _, p := range s.Pages {
		pages = append(pages, strings.Join([]string{p.Language.Code, p.Path, p.Key, p.URL, p.Title}, " | "))
	}
	if diff := cmp.Diff([]string{"es Español", "pt Português", "en English"}, languages); diff != "" {
		t.Errorf("languages (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]string{
		"es | gpu/index.md | gpu/index | es/gpu/ | GPU",
		"es | inicio.md | index | es/inicio/ | Inicio",
		"pt | a.markdown | a | pt/a/ | A",
		"pt | gpu/Uso Real.md | gpu/Uso Real | pt/gpu/Uso-Real/ | Uso",
		"pt | gpu/index.md | gpu/index | pt/gpu/ | GPU",
		"pt | gpu/índice.MD | gpu/índice | pt/gpu/índice/ | Índice",
		"pt | index.md | index | pt/ | Início",
	}, pages); diff != "" {
		t.Errorf("pages (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]string{"images/x.svg", "pt/gpu/foto.png", "robots.txt"}, s.Assets); diff != "" {
		t.Errorf("assets (-want +got)\n%s", diff)
	}
	var translations []string
	for _, p := range s.Translations("index") {
		translations = append(translations, p.Source.Name)
	}
	if diff := cmp.Diff([]string{"content/es/inicio.md", "content/pt/index.md"}, translations); diff != "" {
		t.Errorf("translations (-want +got)\n%s", diff)
	}
	if p := s.Page("index", "es"); p == nil || p.Path != "inicio.md" || p.Weight != 3 {
		t.Errorf("%+v", p)
	}
	if s.Page("index", "en") != nil || s.Page("none", "pt") != nil || s.Translations("none") != nil {
		t.Error("Page returns a page that does not exist")
	}
}

func TestDrafts(t *testing.T) {
	files := sitetest.FS(map[string]string{
		"content/pt/rascunho.md": "---\ndraft: true\n---\n# A\n\n```bash {runn}\n```\n", "content/pt/z.md": "# B\n\n[a](rascunho.md)\n",
	})
	const typo = "content/pt/rascunho.md:6:10: error: unknown attribute \"runn\"\n    6 | ```bash {runn}\n      |          ^~~~\n  hint: did you mean \"run\"?\n"
	s, diags := load.Load(files, load.Options{})
	// A link to a page that is not published leads nowhere.
	if diff := cmp.Diff(typo+"content/pt/z.md:3:5: warning: there is no page \"rascunho.md\"\n    3 | [a](rascunho.md)\n      |     ^~~~~~~~~~~\n", sitetest.Print(diags)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if len(s.Pages) != 1 || s.Page("rascunho", "pt") != nil {
		t.Errorf("%d pages", len(s.Pages))
	}
	s, diags = load.Load(files, load.Options{Drafts: true})
	if diff := cmp.Diff(typo, sitetest.Print(diags)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if len(s.Pages) != 2 || !s.Page("rascunho", "pt").Draft {
		t.Errorf("%d pages", len(s.Pages))
	}
}

// TestDraftsWithErrors checks that a page is not published if its front matter cannot be read and may make it a
// draft.
func TestDraftsWithErrors(t *testing.T) {
	for name, text := range map[string]string{
		"a.md":    "---\ntitle: a: b\ndraft: true\n---\n# A\n",
		"b.md":    "---\n{title: x, draft: true, y: [}\n---\n# A\n",
		"c.md":    "---\n- draft: true\n---\n# A\n",
		"d.md":    "---\n? draft\n: true\ny: [\n---\n# A\n",
		"e.md":    "---\ndraft: yes\n---\n# A\n",
		"f.md":    "---\ntitle: x\n'draft': true\n# A\n",
		"g.ipynb": `{"cells": [], "nbformat": 4, "metadata": {"gpudocs": [{"draft": true}]}}`,
		"h.ipynb": `{"cells": [], "nbformat": 4, "metadata": {"kernelspec": 5, "gpudocs": {"draft": true}}}`,
		"i.ipynb": `{"cells": [], "nbformat": 4, "metadata": [{"gpudocs": {"draft": true}}]}`,
	} {
		s, diags := load.Load(sitetest.FS(map[string]string{"content/pt/" + name: text, "content/pt/index.md": "# B\n"}), load.Options{})
		if len(s.Pages) != 1 || !diags.HasErrors() {
			t.Errorf("%s: %d pages\n%s", name, len(s.Pages), sitetest.Print(diags))
		}
	}
}

func TestLanguages(t *testing.T) {
	tests := []struct{ name, toml, files, want string }{
		{"found, by code", "", "pt/a.md es/a.md", "es Español; pt Português"},
		{"found only where there are pages", "", "pt/a.md images/x.png", "pt Português"},
		{"names that begin with letters of any script", "", "ru/a.md el/a.md ja/a.md pt-br/a.md", "el Ελληνικά; ja 日本語; pt-br Português; ru Русский"},
		{"a code that nobody knows is declared", "[languages.xq]\n", "xq/a.md", "xq xq"},
		{"declared, by weight, then code", "[languages.pt]\n[languages.es]\nweight = 2\n[languages.en]\nweight = -1\nname = 'E'\n[languages.de]\n", "pt/a.md", "en E; es Español; de Deutsch; pt Português"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := map[string]string{site.ConfigFile: tt.toml}
			for _, f := range strings.Fields(tt.files) {
				files["content/"+f] = "x\n"
			}
			var got []string
			for _, l := range sitetest.LoadValid(t, files).Languages {
				got = append(got, l.Code+" "+l.Name)
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, "; ")); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// TestNoPages checks that an empty site is an error, as it would replace a good one, unless another error
// already explains why it is empty.
func TestNoPages(t *testing.T) {
	const empty = "content: error: the site has no pages\n  hint: write content/pt/index.md, or another language's\n"
	const outside = "content/notes/a.md: warning: a page outside of every language's folder is left out\n  hint: move it to content/<language>/\n"
	tests := []struct {
		name string
		fsys fs.FS
		want string
	}{
		{"no Markdown", sitetest.FS(map[string]string{"content/pt/x.png": ""}), empty},
		{"an empty folder", fstest.MapFS{site.ConfigFile: {}, "content": {Mode: fs.ModeDir | 0o755}}, empty},
		{"a language without pages", sitetest.FS(map[string]string{site.ConfigFile: "[languages.pt]\n", "content/x.png": ""}), empty},
		{"Markdown of no language", sitetest.FS(map[string]string{"content/notes/a.md": "# A\n"}), empty + outside},
		{"another error", sitetest.FS(map[string]string{site.ConfigFile: "theme = '.'\n", "content/x.png": ""}), "gpudocs.toml:1:10: error: theme \".\" is not the name of a folder in themes/\n" +
			"    1 | theme = '.'\n      |          ^\n  hint: write theme = \"default\", or the folder's name alone\n"},
		{"nothing but a draft", sitetest.FS(map[string]string{"content/pt/a.md": "---\ndraft: true\n---\n"}), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, diags := load.Load(tt.fsys, load.Options{})
			if diff := cmp.Diff(tt.want, sitetest.Print(diags)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			sitetest.RequireHints(t, diags)
		})
	}
}

func TestFilesThatCannotBeRead(t *testing.T) {
	const hint = "  hint: let the user who runs gpudocs read it: chmod u+r, and u+x for a folder\n"
	good := map[string]string{"content/pt/a.md": "# A\n", "content/pt/b/c.md": "# C\n", "content/es/a.md": "# A\n"}
	tests := []struct {
		name  string
		fsys  fs.FS
		pages int
		want  string
	}{
		{"no content", sitetest.FS(nil), 0, "content: error: the folder is missing\n  hint: pages stand in content/pt, content/es, ...\n"},
		{"no permission for a file", sitetest.Unreadable{FS: sitetest.FS(good), Name: "content/pt/a.md"}, 2, "content/pt/a.md: error: cannot be read: permission denied\n" + hint},
		{"no permission for a folder", sitetest.Unreadable{FS: sitetest.FS(good), Name: "content/pt/b"}, 2, "content/pt/b: error: cannot be read: permission denied\n" + hint},
		{"no permission for all of it", sitetest.Unreadable{FS: sitetest.FS(good), Name: "content"}, 0, "content: error: cannot be read: permission denied\n" + hint},
		{
			"not UTF-8", sitetest.FS(map[string]string{"content/pt/a.md": "# ok\n\nção \xe7\n", "content/pt/b.md": "\xff"}), 0,
			"content/pt/a.md:3:5: error: byte 0xe7 is not valid UTF-8\n    3 | ção \ufffd\n      |     ^\n  hint: save the file as UTF-8\n" +
				"content/pt/b.md:1:1: error: byte 0xff is not valid UTF-8\n    1 | \ufffd\n      | ^\n  hint: save the file as UTF-8\n",
		},
		{
			"U+FFFD itself is valid", sitetest.FS(map[string]string{"content/pt/a.md": "# \ufffd \xc3\n"}), 0,
			"content/pt/a.md:1:5: error: byte 0xc3 is not valid UTF-8\n    1 | # \ufffd \ufffd\n      |     ^\n  hint: save the file as UTF-8\n",
		},
		{
			"too large", sitetest.FS(map[string]string{"content/pt/a.md": strings.Repeat("x", sitefile.MaxPage+1), "content/pt/b.md": "# B\n"}), 1,
			"content/pt/a.md: error: a page of more than 16 MiB\n  hint: part it\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, diags := load.Load(tt.fsys, load.Options{})
			if diff := cmp.Diff(tt.want, sitetest.Print(diags)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			sitetest.RequireHints(t, diags)
			if len(s.Pages) != tt.pages {
				t.Errorf("%d pages, want %d", len(s.Pages), tt.pages)
			}
		})
	}
}

// folder is a site on disk, opened as the commands open it.
func folder(t *testing.T, files map[string]string) (dir string, fsys fs.FS) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "site")
	if err := os.CopyFS(dir, sitetest.FS(files)); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return dir, root.FS()
}

func TestSymbolicLinks(t *testing.T) {
	dir, fsys := folder(t, map[string]string{"content/pt/a.md": "# A\n", "content/shared/x.png": "x", "notes/b.md": "# B\n", "results/r.json": "{}"})
	outside := filepath.Join(filepath.Dir(dir), "secret.md")
	if err := os.WriteFile(outside, []byte("# S\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{
		"pt/b.md": "../../notes/b.md", "pt/x.png": "../shared/x.png", // within the site
		"pt/out.md": "../../../secret.md", "pt/abs.md": outside, // out of it
		"pt/dir": "../shared", "pt/loop.md": "loop.md", "pt/none.md": "nowhere.md",
	} {
		if err := os.Symlink(to, filepath.Join(dir, "content", filepath.FromSlash(name))); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	s, diags := load.Load(fsys, load.Options{})
	const out = ": error: cannot be read: a symbolic link that leads out of the site\n  hint: copy the file into the site\n"
	const plain = "  hint: make it a plain file that can be read, or remove it\n"
	want := "content/pt/abs.md" + out +
		"content/pt/dir: warning: a symbolic link to a folder is not followed\n  hint: move the folder into content/\n" +
		"content/pt/loop.md: error: cannot be read: too many levels of symbolic links\n" + plain +
		"content/pt/none.md: error: cannot be read: no such file or directory\n" + plain +
		"content/pt/out.md" + out
	if diff := cmp.Diff(want, sitetest.Print(diags)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if len(s.Pages) != 2 || s.Page("b", "pt") == nil || s.Page("b", "pt").Title != "B" {
		t.Errorf("%d pages", len(s.Pages))
	}
	if diff := cmp.Diff([]string{"pt/x.png", "shared/x.png"}, s.Assets); diff != "" {
		t.Errorf("assets (-want +got)\n%s", diff)
	}
}

// TestOddFiles checks that special files are not read: reading a socket or a named pipe would block
// forever.
func TestOddFiles(t *testing.T) {
	dir, fsys := folder(t, map[string]string{"content/pt/a.md": "# A\n"})
	t.Chdir(filepath.Join(dir, "content", "pt")) // the address of a socket is short
	listener, err := net.Listen("unix", "socket.md")
	if err != nil {
		t.Skip("no sockets here:", err)
	}
	defer listener.Close()
	if err := os.Symlink("socket.md", "link.md"); err != nil {
		t.Fatal(err)
	}
	s, diags := load.Load(fsys, load.Options{})
	if len(diags) != 0 || len(s.Pages) != 1 || len(s.Assets) != 0 {
		t.Errorf("%d pages, assets %v\n%s", len(s.Pages), s.Assets, sitetest.Print(diags))
	}
}

func TestPermissions(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may read everything")
	}
	dir, fsys := folder(t, map[string]string{"content/pt/a.md": "# A\n", "content/pt/b.md": "# B\n", "content/pt/c/d.md": "# D\n"})
	for name, mode := range map[string]fs.FileMode{"a.md": 0o200, "c": 0o000} {
		if err := os.Chmod(filepath.Join(dir, "content", "pt", name), mode); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { os.Chmod(filepath.Join(dir, "content", "pt", "c"), 0o755) })
	s, diags := load.Load(fsys, load.Options{})
	const denied = ": error: cannot be read: permission denied\n  hint: let the user who runs gpudocs read it: chmod u+r, and u+x for a folder\n"
	if diff := cmp.Diff("content/pt/a.md"+denied+"content/pt/c"+denied, sitetest.Print(diags)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if len(s.Pages) != 1 {
		t.Errorf("%d pages", len(s.Pages))
	}
}

// TestByteOrderMark checks that a byte order mark changes neither the code of a fence on the first line
// nor any place.
func TestByteOrderMark(t *testing.T) {
	const text = "```python {run}\nif x:\n    y\n```\n"
	plain, marked := sitetest.Page(t, text), sitetest.Page(t, "\ufeff"+text)
	if plain.Blocks[0].Code != marked.Blocks[0].Code || plain.Blocks[0].ID != marked.Blocks[0].ID {
		t.Errorf("%q became %q", plain.Blocks[0].Code, marked.Blocks[0].Code)
	}
	_, before := sitetest.Load(t, map[string]string{"content/pt/p.md": "```bash {runn}\n```\n"})
	_, after := sitetest.Load(t, map[string]string{"content/pt/p.md": "\ufeff```bash {runn}\n```\n"})
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("(-without +with)\n%s", diff)
	}
}

func TestDecomposedNames(t *testing.T) {
	s := sitetest.LoadValid(t, map[string]string{"content/pt/" + norm.NFD.String("lição.md"): "# L\n", "content/es/lição.md": "# L\n"})
	if n := len(s.Translations("lição")); n != 2 {
		t.Errorf("%d translations", n)
	}
}

// TestLoadTwice checks that reading changes nothing in the file system, and that
// the same files give the same answer.
func TestLoadTwice(t *testing.T) {
	fsys := sitetest.FS(map[string]string{"content/pt/a.md": "\ufeff---\ntitel: x\n---\n# A\n\n[x](y.md)\n", "content/es/b.md": "```x\n"})
	_, first := load.Load(fsys, load.Options{})
	_, second := load.Load(fsys, load.Options{})
	if diff := cmp.Diff(first, second); diff != "" || len(first) != 3 {
		t.Errorf("%d diagnostics (-first +second)\n%s", len(first), diff)
	}
	if err := fstest.TestFS(fsys, "gpudocs.toml", "content/pt/a.md", "content/es/b.md"); err != nil {
		t.Error(err)
	}
}

// TestSourceHasNoRoom checks that a page's source has no spare capacity: goldmark appends to slices of it,
// and pages are parsed concurrently.
func TestSourceHasNoRoom(t *testing.T) {
	const text = "# Título\n\ntext without an end of its last line"
	for _, start := range []string{"", "\ufeff", "---\ntitle: x\n---\n", "\ufeff---\ntitle: x\n---\n"} {
		s, diags := load.Load(roomy{sitetest.FS(map[string]string{"content/pt/p.md": start + text})}, load.Options{})
		if len(diags) != 0 {
			t.Fatal(sitetest.Print(diags))
		}
		if d := s.Pages[0].Source.Data; cap(d) != len(d) {
			t.Errorf("%q: %d bytes in room for %d", start, len(d), cap(d))
		}
	}
}

// roomy is a file system whose data have spare capacity.
type roomy struct{ fstest.MapFS }

func (r roomy) ReadFile(name string) ([]byte, error) {
	data, err := r.MapFS.ReadFile(name)
	return slices.Grow(data, 1000), err
}

// FuzzPage checks that no page panics, and that every place lies in its file.
func FuzzPage(f *testing.F) {
	for _, s := range []string{
		"---\ntitle: ção\nblocks: {env: x}\n---\n# Um {#x}\n\n```bash {run needs=\"gpu >= 1\"}\nx\n```\n```text {expect}\n```\n",
		"> ```gpu {name=}\n> gpus = 1\n> ```\n\n- :::machines\n  :::\n",
		"# A {id=5}\n{live}`m.x` ![[x|1]] [a](b.md#c) ![c][d] <a href='x'>\n\n[d]: e.png\n",
		"\ufeff---\r\ntitle: [a\r\n", "|a|\n|-|\n|{live}`.`|\n\na\n: ~~~\n[^1]: ```\n\n[^1]",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		const name = "content/pt/p.md"
		_, diags := load.Load(fstest.MapFS{site.ConfigFile: {}, name: {Data: data}}, load.Options{Drafts: true})
		lines := strings.Split(strings.TrimPrefix(string(data), "\ufeff"), "\n")
		for _, d := range diags {
			if d.File != name || d.Message.IsZero() || d.Severity == diag.Error && d.Hint.IsZero() {
				t.Fatalf("%+v", d)
			}
			if d.Line < 1 || d.Line > len(lines) {
				t.Fatalf("line %d of %d: %v", d.Line, len(lines), d)
			}
			n := utf8.RuneCountInString(lines[d.Line-1])
			if d.Column < 1 || d.Width < 0 || d.Column-1+d.Width > n {
				t.Fatalf("columns %d+%d of %d: %v", d.Column, d.Width, n, d)
			}
			if strings.TrimSpace(d.Source) != "" && !strings.HasPrefix(lines[d.Line-1], d.Source) {
				t.Fatalf("line %d is %q, not %q", d.Line, lines[d.Line-1], d.Source)
			}
		}
	})
}

// BenchmarkLoad reads a site of 100 pages in two languages.
func BenchmarkLoad(b *testing.B) {
	files := map[string]string{site.ConfigFile: "[languages.pt]\nweight = 1\n[languages.es]\nweight = 2\n[env.torch]\npython = 'x'\n"}
	bytes := 0
	for i := range 100 {
		for _, language := range []string{"pt", "es"} {
			var page strings.Builder
			fmt.Fprintf(&page, "---\ntitle: Página %d\nweight: %d\n---\n# Configuração %d\n\n", i, i+1, i)
			for j := range 10 {
				fmt.Fprintf(&page, "## Seção %d\n\nTexto com *ênfase*, `código`, {live}`deepnine.gpus` e [um link](p%d.md#seção-%d).\n\n", j, (i+j)%100, j)
				fmt.Fprintf(&page, "```python {run name=b%d session=s env=torch needs=\"gpus >= 1\"}\nimport torch\nprint(torch.ones(%d))\n```\n```text {expect}\n...\n```\n\n", j, j)
			}
			files[fmt.Sprintf("content/%s/p%d.md", language, i)] = page.String()
			bytes += page.Len()
		}
	}
	fsys := sitetest.FS(files)
	b.SetBytes(int64(bytes))
	b.ReportAllocs()
	var loaded *site.Site
	before := retained()
	for b.Loop() {
		var diags diag.List
		if loaded, diags = load.Load(fsys, load.Options{}); len(diags) != 0 || len(loaded.Pages) != 200 {
			b.Fatalf("%d pages\n%s", len(loaded.Pages), sitetest.Print(diags))
		}
	}
	b.ReportMetric(float64(retained()-before)/float64(len(loaded.Pages)), "retained-B/page")
	runtime.KeepAlive(loaded)
}

// retained returns the number of bytes in use.
func retained() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // clears weak pointers
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestFolderLikeALanguage checks that a folder of images with a README is no language.
func TestFolderLikeALanguage(t *testing.T) {
	s, diags := load.Load(fstest.MapFS{site.ConfigFile: {}, "content/pt/a.md": {Data: []byte("# A\n")}, "content/img/readme.md": {Data: []byte("# B\n")}}, load.Options{})
	if len(s.Languages) != 1 || diags.HasErrors() || len(diags) != 1 || diags[0].File != "content/img/readme.md" {
		t.Errorf("%d languages, %v", len(s.Languages), diags)
	}
}
