package blocks_test

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

// files are the files of a site with a page in two languages.
func files(pt, es string, more ...string) map[string]string {
	all := map[string]string{"content/pt/p.md": "# P\n\n" + pt, "content/es/p.md": "# P\n\n" + es}
	for i := 0; i < len(more); i += 2 {
		all[more[i]] = more[i+1]
	}
	return all
}

const uses = "```bash {run name=a files=\"d/*.csv\"}\ntrue\n```\n"

// TestFilesInID checks that a check's ID holds the names and contents of the files of its session, and
// not where in the site they are.
func TestFilesInID(t *testing.T) {
	id := func(page string, more ...string) string {
		s := sitetest.LoadValid(t, files(page, page, more...))
		pt, es := s.Page("p", "pt").Blocks, s.Page("p", "es").Blocks
		last := pt[len(pt)-1]
		if last.ID != es[len(es)-1].ID {
			t.Error("translations have other IDs")
		}
		return string(last.ID)
	}
	plain := id("```bash {run name=a}\ntrue\n```\n", "content/pt/d/x.csv", "1", "content/es/d/x.csv", "1")
	seen := map[string]string{plain: "without files"}
	const save, use = "```c {save=k.h session=s}\nint a;\n```\n", "```bash {run name=b session=s}\ntrue\n```\n"
	for name, got := range map[string]string{
		"a file":       id(uses, "content/pt/d/x.csv", "1", "content/es/d/x.csv", "1"),
		"content":      id(uses, "content/pt/d/x.csv", "2", "content/es/d/x.csv", "2"),
		"name":         id(uses, "content/pt/d/y.csv", "1", "content/es/d/y.csv", "1"),
		"one more":     id(uses, "content/pt/d/x.csv", "1", "content/es/d/x.csv", "1", "content/pt/d/y.csv", "1", "content/es/d/y.csv", "1"),
		"saved":        id(save + use),
		"saved name":   id(strings.Replace(save, "k.h", "l.h", 1) + use),
		"saved code":   id(strings.Replace(save, "int a", "int b", 1) + use),
		"saved before": id(save + use + strings.Replace(use, "name=b", "name=c", 1)),
	} {
		if other, is := seen[got]; is {
			t.Errorf("%s has the ID of %s", name, other)
		}
		seen[got] = name
	}
	if got := id(uses, "content/pt/d/x.csv", "1", "content/es/d/x.csv", "1", "content/pt/d/x.txt", "1"); seen[got] != "a file" {
		t.Error("another file changes the ID")
	}
}

// TestSavedFiles checks to which block a saved file is given, and where its lines are.
func TestSavedFiles(t *testing.T) {
	text := "```c {save=k.h session=s}\nint a;\nint b;\n```\n\n" + "```bash {run session=s}\n1\n```\n\n```python {run session=s}\n2\n```\n\n" +
		"```bash {run}\n3\n```\n\n```c {save=k.h session=s title=new}\nint c;\n```\n\n" + "```bash {run session=s}\n4\n```\n"
	p := sitetest.Page(t, text)
	want := []string{"int a;\nint b;\n", "int a;\nint b;\n", "", "int c;\n"}
	for i, b := range p.Blocks {
		f, is := b.SavedFiles()["k.h"]
		if is != (want[i] != "") || is && f.Block.Code != want[i] {
			t.Errorf("block %d has %+v", i, f)
		}
	}
	if at := p.Blocks[0].SavedFiles()["k.h"].Place(2); at.String() != "content/pt/p.md:3" {
		t.Error(at)
	}
	if at := p.Blocks[3].SavedFiles()["k.h"].Place(1); at.String() != "content/pt/p.md:19" {
		t.Error(at)
	}
	fences := sitetest.Fences(p)
	if fences[0].Title != "k.h" || fences[4].Title != "new" || fences[0].Block != nil {
		t.Errorf("titles %q, %q", fences[0].Title, fences[4].Title)
	}
}

func TestFilesOfTranslations(t *testing.T) {
	_, out := sitetest.Load(t, files(uses, uses, "content/pt/d/x.csv", "1", "content/es/d/x.csv", "2"))
	if !strings.Contains(out, "files") || !strings.Contains(out, "content/pt/p.md:3") {
		t.Error(out)
	}
	const use = "```bash {run name=b session=s}\ntrue\n```\n"
	_, out = sitetest.Load(t, files("```c {save=k.h session=s}\nint a;\n```\n"+use, "```c {save=k.h session=s}\nint b;\n```\n"+use))
	if !strings.Contains(out, "content/pt/p.md:4:") || !strings.Contains(out, "`int b;`") {
		t.Error(out)
	}
}

func TestNameOfSource(t *testing.T) {
	_, out := sitetest.Load(t, map[string]string{"content/pt/p.md": "# P\n\n```c {save=main.c session=s}\nint a;\n```\n\n```c {run session=s}\nint main() {}\n```\n\n" +
		"```c {run session=s name=other}\nint main() {}\n```\n"})
	if !strings.HasPrefix(out, `content/pt/p.md:7:1: error: the session has another file "main.c"`) || strings.Count(out, "error") != 1 {
		t.Error(out)
	}
}

// TestFilesOfNotebook checks files in the metadata of a notebook, and modules that its cells import.
func TestFilesOfNotebook(t *testing.T) {
	nb := sitetest.Notebook(`{"kernelspec": {"name": "python3", "language": "python"}, "gpudocs": {"blocks": {"files": ["a.csv", "b c.csv"]}}}`, ">import util", ">1")
	s := sitetest.LoadValid(t, map[string]string{"content/pt/n.ipynb": nb, "content/pt/a.csv": "", "content/pt/b c.csv": "", "content/pt/util.py": ""})
	var names []string
	for _, f := range s.Page("n", "pt").Blocks[0].Files {
		names = append(names, f.Name)
	}
	if got := strings.Join(names, "|"); got != "a.csv|b c.csv|util.py" || len(s.Page("n", "pt").Blocks[1].Files) != 0 {
		t.Error(got)
	}
}
