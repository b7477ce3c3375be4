package load_test

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
)

// TestLinksToHidden checks that symbolic links to hidden files are not published, and that others are
// followed.
func TestLinksToHidden(t *testing.T) {
	link := func(to string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(to), Mode: fs.ModeSymlink} }
	text := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	fsys := fstest.MapFS{
		"gpudocs.toml": text("title = \"t\"\n"), ".git/config": text("token\n"), "a.py": text("x\n"),
		"content/pt/p.md":     text("# P\n\n```text {file=\"code/cfg\"}\n```\n\n```text {file=\"code/far\"}\n```\n\n```text {file=\"git/config\"}\n```\n\n```python {file=\"code/a.py\"}\n```\n"),
		"content/pt/cfg.txt":  link("../../.git/config"),
		"content/pt/a.txt":    link("../../a.py"),
		"content/pt/_s/b.png": link("../../../.git/config"),
		"code/cfg":            link("../.git/config"),
		"code/far":            link("cfg"),
		"code/a.py":           link("../a.py"),
		"code/loop":           link("loop"),
		"git":                 link(".git"),
		"content/pt/plain.md": text("# Q\n\n`_s/b.png`\n"),
	}
	s, diags := load.Load(fsys, load.Options{})
	var got []string
	for _, d := range diags {
		got = append(got, d.Error())
	}
	want := `content/pt/_s/b.png: error: a symbolic link to .git/config, which is hidden, and is not shown
content/pt/cfg.txt: error: a symbolic link to .git/config, which is hidden, and is not shown
content/pt/p.md:3:10: error: code/cfg: a symbolic link to .git/config, which is hidden, and is not shown
content/pt/p.md:6:10: error: code/far: a symbolic link to .git/config, which is hidden, and is not shown
content/pt/p.md:9:10: error: git/config: a symbolic link to .git/config, which is hidden, and is not shown`
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
	if strings.Join(s.Assets, " ") != "pt/a.txt" {
		t.Errorf("files %v", s.Assets)
	}
	if _, hidden := sitefile.LinksToHidden(fsys, "code/loop"); hidden {
		t.Error("a link to itself leads nowhere")
	}
}

// TestContentIsNoLink checks that content/ may not be a symbolic link: a link to the site's own folder or
// to .git would publish files that are not pages.
func TestContentIsNoLink(t *testing.T) {
	fsys := fstest.MapFS{
		"gpudocs.toml": {Data: []byte("title = \"t\"\n")}, ".git/pt/config.txt": {Data: []byte("token\n")},
		"content": {Data: []byte(".git"), Mode: fs.ModeSymlink},
	}
	s, diags := load.Load(fsys, load.Options{})
	if !diags.HasErrors() || len(s.Assets) > 0 || diags[0].File != "content" {
		t.Errorf("%v %v", s.Assets, diags)
	}
}
