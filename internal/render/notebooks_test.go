package render

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/gpudocs/gpudocs/internal/render/feeds"
	"github.com/gpudocs/gpudocs/themes"
)

// A cell is a cell of a notebook.
type cell struct {
	Type     string `json:"cell_type"`
	ID       string
	Source   []string
	Outputs  []map[string]any
	Metadata struct{ Tags []string }
}

// cells returns the cells of a site's notebook.
func cells(t *testing.T, s *Site, name string) []cell {
	t.Helper()
	at := slices.IndexFunc(s.Notebooks.List, func(n feeds.Notebook) bool { return n.Name == name })
	if at < 0 {
		t.Fatalf("no notebook %s", name)
	}
	data, err := s.Notebooks.List[at].Make()
	var n struct{ Cells []cell }
	if err == nil {
		err = json.Unmarshal(data, &n)
	}
	if err != nil {
		t.Fatal(err)
	}
	return n.Cells
}

// listing returns cells as text, each after a line with its id and tags.
func listing(list []cell) string {
	var b strings.Builder
	for _, c := range list {
		b.WriteString("[" + strings.Join(append([]string{c.ID}, c.Metadata.Tags...), " ") + "]\n" + strings.Join(c.Source, "") + "\n")
	}
	return b.String()
}

// notebookOf returns the cells of a page as text.
func notebookOf(t *testing.T, page string) string {
	t.Helper()
	return listing(cells(t, newSite(t, map[string]string{"content/pt/index.md": page, "content/pt/f.png": ""}, themes.Default(), Options{}), "pt/index.ipynb"))
}

// TestNotebookReadsBack checks that the text of a notebook shows what its page does.
func TestNotebookReadsBack(t *testing.T) {
	bareTheme := overDefault(fstest.MapFS{"layouts/page.html": bare["layouts/page.html"]})
	for _, text := range written {
		page, _ := readBack(t, "# T\n\n"+text+"\n")
		s := newSite(t, map[string]string{"content/pt/index.md": "# T\n\n" + text + "\n\n---\n\n```bash {run}\n```\n", "content/pt/f.png": ""}, bareTheme, Options{})
		if strings.Contains(text, "[^1]:") {
			continue // numbers of footnotes are no links
		}
		var again []string
		for _, c := range cells(t, s, "pt/index.ipynb") {
			if c.Type == "markdown" {
				again = append(again, strings.Join(c.Source, ""))
			}
		}
		back, _ := readBack(t, strings.TrimSuffix(strings.TrimSpace(strings.Join(again, "\n\n")), "---"))
		if page != back {
			t.Errorf("%q\nshows %s\nagain %s\n%s", text, page, back, strings.Join(again, "\n\n"))
		}
	}
}

// TestNotebooks compares notebooks with testdata/notebooks/cells.txtar: each page NAME.md is followed by its cells.
func TestNotebooks(t *testing.T) {
	const name = "testdata/notebooks/cells.txtar"
	a, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(a.Files); i += 2 {
		got := notebookOf(t, string(a.Files[i].Data))
		if *update {
			a.Files[i+1].Data = []byte(got)
		} else if diff := cmp.Diff(string(a.Files[i+1].Data), got); diff != "" {
			t.Errorf("%s:\n%s", a.Files[i].Name, diff)
		}
	}
	if *update {
		if err := os.WriteFile(name, txtar.Format(a), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
