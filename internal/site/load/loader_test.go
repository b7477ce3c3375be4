package load_test

import (
	"io/fs"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// TestLoaderWork checks that a load after an edit does only the necessary work.
func TestLoaderWork(t *testing.T) {
	fsys := sitetest.FS(map[string]string{
		site.ConfigFile:       "title = \"T\"\n",
		"content/pt/index.md": "# Um\n\n[a](a.md)\n",
		"content/es/index.md": "# Uno\n",
		"content/pt/a.md":     "# A\n\n[b](b.md#x)\n",
		"content/pt/b.md":     "# B\n\n## X {#x}\n",
		"content/pt/note.md":  "---\ndialects: [obsidian]\n---\n![[a]]\n",
		"content/pt/image.md": "![i](i.png)\n",
		"content/pt/label.md": "[](:novo)\n",
		"content/pt/i.png":    "",
		"content/pt/part.md":  ":::include _p.md\n:::\n",
		"content/pt/_p.md":    "part\n",
	})
	l := load.NewLoader(fsys, load.Options{})
	for _, tt := range []struct {
		what, file, text string
		want             load.Work
	}{
		{"the first", "", "", load.Work{Parsed: 8, Resolved: 8, Compared: 1, Indexed: true}},
		{"nothing", site.ConfigFile, "title = \"T\"\n", load.Work{}},
		{"the same bytes", "content/pt/b.md", "# B\n\n## X {#x}\n", load.Work{}},
		{"a body: those who link to it too", "content/pt/b.md", "# B\n\n## X {#x}\n\nMore.\n", load.Work{Parsed: 1, Resolved: 2}},
		{"a page that nobody links to", "content/pt/image.md", "More.\n\n![i](i.png)\n", load.Work{Parsed: 1, Resolved: 1}},
		{"an image", "content/pt/i.png", sitetest.PNG(8, 8), load.Work{Resolved: 1}},
		{"a part", "content/pt/_p.md", "another\n", load.Work{Parsed: 1, Resolved: 1}},
		{"a translation's source", "content/es/index.md", "# Uno\n\nMás.\n", load.Work{Parsed: 1, Resolved: 1, Compared: 1}},
		{"a label: all names are indexed", "content/pt/image.md", "## Novo {#novo}\n", load.Work{Parsed: 1, Resolved: 8, Indexed: true}},
		{"a title of the site", site.ConfigFile, "title = \"S\"\n", load.Work{}},
		{"a new page", "content/pt/c.md", "# C\n", load.Work{Parsed: 1, Resolved: 9, Indexed: true}},
		{"an option of how pages are read", site.ConfigFile, "[markdown]\npunctuation = \"smart\"\n", load.Work{Parsed: 9, Resolved: 9, Compared: 1}},
	} {
		var changed []string
		if tt.file != "" {
			fsys[tt.file] = &fstest.MapFile{Data: []byte(tt.text)}
			changed = []string{tt.file}
		}
		if _, diags := l.Load(changed); diags.HasErrors() {
			t.Fatal(diags)
		}
		if got := l.Work(); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.what, got, tt.want)
		}
	}
}

// TestLoaderTwins checks that despite a warning about names, an edit does not index all names again.
func TestLoaderTwins(t *testing.T) {
	fsys := sitetest.FS(map[string]string{site.ConfigFile: "", "content/pt/index.md": "# Um\n", "content/pt/a.md": "# A\n", "content/pt/x.txt": "", "content/pt/X.txt": ""})
	l := load.NewLoader(fsys, load.Options{})
	if _, diags := l.Load(nil); len(diags) != 1 || diags.HasErrors() {
		t.Fatal(diags)
	}
	fsys["content/pt/a.md"] = &fstest.MapFile{Data: []byte("# A\n\nMore.\n")}
	if _, diags := l.Load([]string{"content/pt/a.md"}); len(diags) != 1 || l.Work() != (load.Work{Parsed: 1, Resolved: 1}) {
		t.Errorf("%+v, %v", l.Work(), diags)
	}
}

// TestLoaderSettings checks that diagnostics of links follow what files other than pages say.
func TestLoaderSettings(t *testing.T) {
	const course = "content/pt/config.yaml"
	fsys := sitetest.FS(map[string]string{
		site.ConfigFile:       "",
		course:                "theme: dark\n",
		"content/pt/index.md": "# Um\n",
		"content/es/index.md": "# Uno\n\n<script src=\"x.js\"></script>\n\n[a](https://example.org/es/none/) [g](gpu/) [@silva]\n",
		"content/es/gpu/a.md": "# A\n",
		"a.bib":               "@book{souza, title={T}}\n",
		"b.bib":               "@book{souza, title={T}}\n",
	})
	l := load.NewLoader(fsys, load.Options{})
	for _, edit := range []struct{ file, text string }{
		{site.ConfigFile, ""},
		{site.ConfigFile, "[markdown]\nunsafe_html = true\n"},
		{site.ConfigFile, "base_url = \"https://example.org/\"\n"},
		{site.ConfigFile, "[markdown]\nbibliography = \"a.bib\"\n"},
		{site.ConfigFile, "[markdown]\nbibliography = \"b.bib\"\n"},
		{site.ConfigFile, ""},
		{course, "carpentry: swc\n"}, // a course of another language, in which folders are not sections
		{course, "theme: dark\n"},
	} {
		fsys[edit.file] = &fstest.MapFile{Data: []byte(edit.text)}
		_, got := l.Load([]string{edit.file})
		_, want := load.Load(fsys, load.Options{})
		if len(got) != len(want) || len(want) > 0 && !slices.EqualFunc(got, want, diag.Diagnostic.Equal) {
			t.Errorf("%s, %q: %v, want %v", edit.file, edit.text, got, want)
		}
	}
}

// unreadable is a file system with files that may not be read.
type unreadable struct {
	fstest.MapFS
	names map[string]bool
}

func (u unreadable) Open(name string) (fs.File, error) {
	if u.names[name] {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return u.MapFS.Open(name)
}

func (u unreadable) ReadFile(name string) ([]byte, error) {
	if u.names[name] {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return u.MapFS.ReadFile(name)
}

// TestLoaderReadsAgain checks that an unreadable file is read again at each load, as there is no event
// when its permissions change.
func TestLoaderReadsAgain(t *testing.T) {
	fsys := unreadable{sitetest.FS(map[string]string{
		site.ConfigFile:       "",
		"content/pt/index.md": "# Um\n\n```python {file=\"x.py\"}\n```\n\n![i](i.png)\n",
		"content/pt/a.md":     "# A\n",
		"content/pt/i.png":    sitetest.PNG(4, 3),
		"x.py":                "print(1)\n",
	}), map[string]bool{}}
	for _, name := range []string{"content/pt/a.md", "x.py", "content/pt/i.png"} {
		l := load.NewLoader(fsys, load.Options{})
		fsys.names[name] = true
		if _, diags := l.Load(nil); len(diags) == 0 {
			t.Errorf("%s: no diagnostic", name)
		}
		delete(fsys.names, name)
		if _, diags := l.Load([]string{site.ConfigFile}); len(diags) > 0 {
			t.Errorf("%s: %v", name, diags)
		}
	}
}
