package content

import (
	"testing"
	"testing/fstest"
)

// TestLoaderWork holds that a load does no more than an edit asks for.
func TestLoaderWork(t *testing.T) {
	fsys := site(map[string]string{
		ConfigFile:            "title = \"T\"\n",
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
	l := NewLoader(fsys, Options{})
	for _, tt := range []struct {
		what, file, text string
		want             Work
	}{
		{"the first", "", "", Work{Parsed: 8, Resolved: 8, Compared: 1, Indexed: true}},
		{"nothing", ConfigFile, "title = \"T\"\n", Work{}},
		{"the same bytes", "content/pt/b.md", "# B\n\n## X {#x}\n", Work{}},
		{"a body: who links to it, and who shows that", "content/pt/b.md", "# B\n\n## X {#x}\n\nMore.\n", Work{Parsed: 1, Resolved: 3}},
		{"a page that nobody links to", "content/pt/image.md", "More.\n\n![i](i.png)\n", Work{Parsed: 1, Resolved: 1}},
		{"an image", "content/pt/i.png", picture(8, 8), Work{Resolved: 1}},
		{"a part", "content/pt/_p.md", "another\n", Work{Parsed: 1, Resolved: 1}},
		{"a translation's source", "content/es/index.md", "# Uno\n\nMás.\n", Work{Parsed: 1, Resolved: 1, Compared: 1}},
		{"a label", "content/pt/image.md", "## Novo {#novo}\n", Work{Parsed: 1, Resolved: 2}},
		{"a title of the site", ConfigFile, "title = \"S\"\n", Work{}},
		{"a new page", "content/pt/c.md", "# C\n", Work{Parsed: 1, Resolved: 9, Indexed: true}},
		{"an option of how pages are read", ConfigFile, "[markdown]\npunctuation = \"smart\"\n", Work{Parsed: 9, Resolved: 9, Compared: 1, Indexed: true}},
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
