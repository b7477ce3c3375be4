package feeds

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/gpudocs/gpudocs/test/rendertest"
)

// launched is a site whose notebooks have the outputs of m1.
const launched = `
-- gpudocs.toml --
[languages.pt]
[launch]
outputs = "m1"
-- content/pt/index.md --
# A
~~~bash {run name=ok}
echo 1
~~~
~~~bash {run name=failed}
echo 2
~~~
~~~bash {run name=stale}
echo 3
~~~
~~~bash {run name=skipped needs="gpus >= 9"}
echo 4
~~~
-- content/pt/A.md --
~~~bash {run}
echo
~~~
-- content/pt/a.md --
---
slug: other
---
~~~bash {run}
echo
~~~
-- content/pt/none.md --
~~~gpu
gpus >= 1
~~~
-- content/pt/left.md --
~~~python {run}
1
~~~
~~~r {run kernel=ir}
2
~~~
-- results/m0.json --
{"schema": 1, "machine": {"name": "m0"}, "checks": [{"id": "ok", "kind": "bash", "page": "index", "name": "ok", "outcome": "passed", "ran": "2026-11-21T10:00:00Z", "stdout": {"text": "other\n"}}]}
-- results/m1.json --
{"schema": 1, "machine": {"name": "m1"}, "checks": [
 {"id": "ok", "kind": "bash", "page": "index", "name": "ok", "outcome": "passed", "ran": "2026-11-21T10:00:00Z", "stdout": {"text": "one\n"}},
 {"id": "failed", "kind": "bash", "page": "index", "name": "failed", "outcome": "failed", "ran": "2026-11-21T10:00:00Z", "stderr": {"text": "two\n"}},
 {"id": "1234567890abcdef1234567890abcdef", "kind": "bash", "page": "index", "name": "stale", "outcome": "passed", "ran": "2026-11-21T10:00:00Z", "stdout": {"text": "three\n"}},
 {"id": "skipped", "kind": "bash", "page": "index", "name": "skipped", "outcome": "skipped", "ran": "2026-11-21T10:00:00Z", "stdout": {"text": "four\n"}}]}
`

// TestNotebookOutputs checks that notebooks have outputs of the named machine only, and none that do not belong to the code, or
// whose signature does not match.
func TestNotebookOutputs(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"", "", "ok stdout one, failed stderr two, stale, skipped"},
		{"[launch]\noutputs = \"m1\"", "", "ok, failed, stale, skipped"},
		{"outputs = \"m1\"", "outputs = \"m9\"", "ok, failed, stale, skipped"},
		{"-- signed/m0 --", "-- signed/m1 --", "ok, failed, stale, skipped"},
	} {
		lab := rendertest.Make(t, txtar.Parse([]byte(strings.Replace(launched+"-- signed/m0 --\naltered\n", c.from, c.to, 1))))
		var list []string
		for _, n := range feedsOf(t, lab, "").Notebooks().List {
			if n.Name != "pt/index.ipynb" {
				continue
			}
			data, err := n.Make()
			var book struct {
				Cells []struct {
					ID      string
					Outputs []struct {
						Name string
						Text []string
					}
				}
			}
			if err == nil {
				err = json.Unmarshal(data, &book)
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, cell := range book.Cells {
				if cell.Outputs == nil || cell.ID == "setup" {
					continue
				}
				text := cell.ID
				for _, o := range cell.Outputs {
					text += " " + o.Name + " " + strings.TrimSpace(strings.Join(o.Text, ""))
				}
				list = append(list, text)
			}
		}
		if got := strings.Join(list, ", "); got != c.want {
			t.Errorf("%q: %s, want %s", c.to, got, c.want)
		}
	}
}

// TestNotebookNames checks which pages have notebooks, and what is told of the others.
func TestNotebookNames(t *testing.T) {
	all := feedsOf(t, rendertest.Make(t, txtar.Parse([]byte(launched))), "").Notebooks()
	got := ""
	for _, n := range all.List {
		got += n.Name + "\n"
	}
	for _, d := range all.Diags {
		got += fmt.Sprintln(d.Error())
	}
	const want = `pt/A.ipynb
pt/index.ipynb
pt/left.ipynb
content/pt/a.md: warning: no notebook of this page: pt/a.ipynb is that of content/pt/A.md
content/pt/left.md:4:1: notice: this block stays text in the page's notebook, which runs in Python 3
content/pt/none.md:1:1: notice: the page has no notebook: none of its blocks can run in one
`
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestNotebookPages checks that a notebook that is a page is published without the metadata of gpudocs, if it can be read.
func TestNotebookPages(t *testing.T) {
	s := newFeeds(t, map[string]string{"content/pt/a.ipynb": `{"cells": [], "metadata": {"gpudocs": {"title": "A"}, "x": 1}, "nbformat": 4, "nbformat_minor": 5}`})
	n := s.Notebooks().List[0]
	if data, err := n.Make(); err != nil || n.Name != "pt/a.ipynb" || strings.Contains(string(data), "gpudocs") || !strings.Contains(string(data), `"x": 1`) {
		t.Errorf("%s: %v\n%s", n.Name, err, data)
	}
	s.Content.FS = fstest.MapFS{}
	if _, err := n.Make(); err == nil {
		t.Error("no error for a file that is gone")
	}
}
