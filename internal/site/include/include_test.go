package include_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/include"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

func TestInclude(t *testing.T) {
	tests := []struct {
		name, page string
		want       string // the text after the front matter
	}{
		{"in its place", "a\n\n:::include _n.md\n:::\n\nb\n", "a\n\n\nUm *aviso*.\n\nDois.\n\n\nb\n"},
		{"behind a paragraph", "a\n:::include _n.md {lines=1}\n:::\nb\n", "a\n\nUm *aviso*.\n\nb\n"},
		{"in a quote", "> a\n> :::include _n.md {lines=1}\n> :::\n", "> a\n>\n> Um *aviso*.\n>\n"},
		{"in a list", "1. a\n\n   :::include _n.md\n   :::\n", "1. a\n\n\n   Um *aviso*.\n\n   Dois.\n\n"},
		{"more colons", "::::include _n.md {lines=1}\n::::\n", "\nUm *aviso*.\n\n"},
		{"a region", ":::include _r.md {region=b}\n:::\n", "\nB\n\n"},
		{"from the site's folder", ":::include README.md\n:::\n", "\nO sítio.\n\n"},
		{"from content/", ":::include /pt/_n.md {lines=1}\n:::\n", "\nUm *aviso*.\n\n"},
		{"its front matter is not its text", ":::include _f.md\n:::\n", "\nF\n\n"},
		{"in code it is text", "```text\n:::include _n.md\n:::\n```\n", "```text\n:::include _n.md\n:::\n```\n"},
		{"behind code in a line it is not", "``` a ``` b\n:::include _r.md {region=b}\n:::\n", "``` a ``` b\n\nB\n\n"},
		{"behind code it is not", "~~~\nx\n~~~\n:::include _r.md {region=b}\n:::\n", "~~~\nx\n~~~\n\nB\n\n"},
		{"includes in what is included", ":::include sub/_d.md\n:::\n", "\nD\n\nE\n\n\n"},
		{"without the dialect a snippet is text", "---\ndialects: []\n---\n--8<-- \"_n.md\"\n", "   \n            \n   \n--8<-- \"_n.md\"\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, out := sitetest.PageIn(t, "", map[string]string{
				"content/pt/p.md": tt.page, "content/pt/_n.md": "Um *aviso*.\n\nDois.\n", "README.md": "O sítio.\r\n",
				"content/pt/_r.md": "<!-- region a -->\nA\n<!-- endregion -->\n<!-- region b -->\nB\n<!-- endregion -->\n",
				"content/pt/_f.md": "---\ntitle: x\n---\nF", "content/pt/sub/_d.md": "D\n:::include _e.md\n:::\n", "content/pt/sub/_e.md": "E\n",
			})
			for line := range strings.Lines(out) {
				if strings.Contains(line, ": error:") || strings.Contains(line, ": warning:") {
					t.Errorf("unexpected: %s", line)
				}
			}
			if got := string(p.Source.Data); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestMystDirectives(t *testing.T) {
	tests := []struct{ name, page, want, says string }{
		{"a file", "a\n```{include} n.txt\n```\nb\n", "a\n\none\ntwo\nthree\n\nb\n", ""},
		{"parts", "```{include} n.txt\n:start-after: on\n:end-before: \"three\"\n\n```\n:::{include} n.txt\n:start-line: 1\n:end-line: -1\n:::\n", "\ntwo\n\n\ntwo\n\n", ""},
		{"lines with texts", "```{include} n.txt\n:start-at: two\n:end-at: three\n```\n", "\ntwo\nthree\n\n", ""},
		{"a text that is missing", "```{include} n.txt\n:start-after: four\n```\n", "```{include} n.txt\n:start-after: four\n```\n", `no line with "four"`},
		{"in a list, in a directive", "- > ````{note}\n  > ```{include} sub/_e.md\n  > ```\n  > ````\n", "- > ````{note}\n  >\n  > E\n  >\n  > ````\n", ""},
		{"relative to its file", "```{include} sub/_d.md\n```\n", "\n\nE\n\n\n", ""},
		{"from the folder of the language", "```{include} /sub/_e.md\n```\n", "\nE\n\n", ""},
		{"in code it is text", "```{csv-table} md\n:::{include} n.txt\n:::\n```\n", "```{csv-table} md\n:::{include} n.txt\n:::\n```\n", ""},
		{"behind a directive", "````{note}\n```text\n```\n````\n```\n:::{include} n.txt\n:::\n```\n", "````{note}\n```text\n```\n````\n```\n:::{include} n.txt\n:::\n```\n", ""},
		{"code of a file is read later", "```{include} n.txt\n:literal:\n```\n", "```{include} n.txt\n:literal:\n```\n", ""},
		{"not closed", "```{include} n.txt\na\n```\n", "```{include} n.txt\na\n```\n", ""},
		{"missing", ":::{include} m.txt\n:::\n", ":::{include} m.txt\n:::\n", "m.txt"},
		{"outside of the site", ":::{include} ../../../m.txt\n:::\n", ":::{include} ../../../m.txt\n:::\n", "leads out of"},
		{"a circle", ":::{include} sub/_c.md\n:::\n", "\n\n\n\n", "circle"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, out := sitetest.PageIn(t, "myst", map[string]string{
				"content/pt/p.md": tt.page, "content/pt/n.txt": "one\ntwo\nthree\n", "content/pt/sub/_d.md": "```{include} _e.md\n```\n",
				"content/pt/sub/_e.md": "E\n", "content/pt/sub/_c.md": "```{include} _c.md\n```\n",
			})
			if got := strings.SplitN(string(p.Source.Data), "\n", 4)[3]; got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
			if said := strings.Contains(out, ": error:") || strings.Contains(out, ": warning:"); said != (tt.says != "") || !strings.Contains(out, tt.says) {
				t.Errorf("it says %s", out)
			}
		})
	}
}

func TestSnippets(t *testing.T) {
	tests := []struct{ name, page, want string }{
		{"a file", "--8<-- \"n.txt\"\n", "one\ntwo\nthree\n"},
		{"in quotes of the other kind", "-8<- 'n.txt:2:2'\n", "two\n"},
		{"lines", "--8<-- \"n.txt:2\"\n", "two\nthree\n"},
		{"up to a line", "--8<-- \"n.txt::2\"\n", "one\ntwo\n"},
		{"several ranges", "--8<-- \"n.txt:1:1,3:3\"\n", "one\nthree\n"},
		{"lines that are not there", "--8<-- \"n.txt:3:9\"\n", "three\n"},
		{"ranges out of order, and one that is none", "--8<-- \"n.txt:2:3,1:1,3:2,:1\"\n", "two\nthree\none\none\n"},
		{"a section", "--8<-- \"r.py:mid\"\n", "  y\n"},
		{"in code, indented", "- a\n\n  ```text\n  --8<-- \"n.txt:1:2\"\n  ```\n", "- a\n\n  ```text\n  one\n  two\n  ```\n"},
		{"a block", "a\n--8<--\nn.txt:1:1\n\n; n.txt\n  r.py:mid\n--8<--\nb\n", "a\none\n\n    y\nb\n"},
		{"escaped", ";--8<-- \"n.txt\"\n", "--8<-- \"n.txt\"\n"},
		{"twice escaped", " ;;--8<--\n", " ;--8<--\n"},
		{"no snippet", "text --8<-- \"n.txt\"\n", "text --8<-- \"n.txt\"\n"},
		{"a snippet in a snippet", "--8<-- \"outer.txt\"\n", "<\n  one\n  two\n  three\n>\n"},
		{"below the language", "--8<-- \"l.txt\"\n", "L\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, out := sitetest.PageIn(t, "mkdocs", map[string]string{
				"content/pt/p.md": tt.page, "n.txt": "one\ntwo\nthree\n", "r.py": "x\n# --8<-- [start:mid]\n  y\n# --8<-- [end:mid]\n",
				"outer.txt": "<\n  --8<-- \"n.txt\"\n>\n", "content/pt/l.txt": "L\n",
			})
			if out != "" {
				t.Error(out)
			}
			_, got, _ := strings.Cut(string(p.Source.Data), "\n   \n")
			if strings.TrimLeft(got, " ") != strings.TrimLeft(tt.want, " ") {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

// TestIncludedPlaces checks that places, links and blocks of included Markdown are
// those of its file.
func TestIncludedPlaces(t *testing.T) {
	s, out := sitetest.Load(t, map[string]string{
		"content/pt/p.md":        "# P\n\n> :::include parts/_x.md\n> :::\n\n[gone](gone.md)\n\n```bash {run}\necho b\n```\n",
		"content/pt/parts/_x.md": "[p](../p.md) [lost](lost.md)\n\n```bash {run}\necho a\n```\n```text {expect}\na\n```\n",
	})
	want := `content/pt/p.md:6:8: warning: there is no page "gone.md"
    6 | [gone](gone.md)
      |        ^~~~~~~
content/pt/parts/_x.md:1:21: warning: there is no page "lost.md"
    1 | [p](../p.md) [lost](lost.md)
      |                     ^~~~~~~
`
	if out != want {
		t.Errorf("got\n%s\nwant\n%s", out, want)
	}
	p := s.Page("p", "pt")
	a, b := p.Blocks[0], p.Blocks[1]
	got := fmt.Sprint(a.Place(a.Line), " ", a.CodePlace(a.CodeLine), " ", a.Expects[0].File, ":", a.Expects[0].Line, " ", b.Place(b.Line), " ", a.Opening)
	if want := "content/pt/parts/_x.md:3 content/pt/parts/_x.md:4 content/pt/parts/_x.md:7 content/pt/p.md:8 > ```bash {run}"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := s.Links(p).All[0].Target.Page; got == nil || got != p {
		t.Errorf("the link leads to %v", got)
	}
}

// TestIncludedTwins checks that a duplicate in an included file is reported with its place in that file.
func TestIncludedTwins(t *testing.T) {
	p, out := sitetest.PageIn(t, "", map[string]string{
		"content/pt/p.md":  "# P\n\n:::include _x.md\n:::\n\n[a]: https://b.example/\n\n*[GPU]: Two\n\nx[^n]\n\n[^n]: Two.\n\n```bash {run name=n}\n1\n```\n",
		"content/pt/_x.md": "## X\n\n[a] GPU\n\n*[GPU]: One\n\n[a]: https://a.example/\n\n[^n]: One.\n\n```bash {run name=n}\n0\n```\n",
	})
	for _, want := range []string{
		"content/pt/p.md:6:1: warning: [a] is defined already in line 7 of content/pt/_x.md, and",
		"content/pt/p.md:8:1: warning: this definition of GPU is not used, for the abbreviation is defined already in line 5 of content/pt/_x.md\n",
		"content/pt/p.md:12:1: warning: the footnote [^n] is defined already in line 9 of content/pt/_x.md, and",
		`content/pt/p.md:14:14: error: the name "n" is taken by the block in line 11 of content/pt/_x.md`,
	} {
		if !strings.Contains(out, want) {
			t.Errorf("got\n%s\nwant %s", out, want)
		}
	}
	if got := p.Sections[len(p.Sections)-1]; got.Title != "X" || p.Source.NameLine(got.Line).String() != "line 1 of content/pt/_x.md" {
		t.Errorf("%+v, %s", got, p.Source.NameLine(got.Line))
	}
}

// TestIncludeBounds checks the limits on the size of a page and the depth of includes.
func TestIncludeBounds(t *testing.T) {
	big := strings.Repeat(strings.Repeat("x", 63)+"\n", 1<<14) // 1 MiB
	many := func(n int, file string) string {
		return strings.Repeat(":::include "+file+"\n:::\n", n)
	}
	deep := map[string]string{"content/pt/p.md": many(1, "_0.md")}
	for i := range 20 {
		deep[fmt.Sprintf("content/pt/_%d.md", i)] = many(1, fmt.Sprintf("_%d.md", i+1))
	}
	tests := []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"a loop", map[string]string{"content/pt/p.md": many(1, "_a.md"), "content/pt/_a.md": "x\n" + many(1, "_b.md"), "content/pt/_b.md": many(1, "_a.md")},
			"content/pt/_b.md:1:12: error: files include each other in a circle: content/pt/p.md:1 > content/pt/_a.md:2 > content/pt/_b.md:1 > content/pt/_a.md"},
		{"itself", map[string]string{"content/pt/p.md": many(1, "p.md")}, "content/pt/p.md:1:12: error: files include each other in a circle: content/pt/p.md:1 > content/pt/p.md"},
		{"depth", deep, "content/pt/_15.md:1:12: error: files include files more than 16 deep"},
		{"size", map[string]string{"content/pt/p.md": many(100, "_big.md"), "content/pt/_big.md": big}, "content/pt/p.md:1:1: error: a page of more than 16 MiB, with all that it includes"},
		{"ranges", map[string]string{"content/pt/p.md": "---\ndialects: [mkdocs]\n---\n--8<-- \"n.txt:1:" + strings.Repeat(",1:", 1<<17) + "\"\n", "n.txt": strings.Repeat("x\n", 1<<20)},
			"content/pt/p.md:4:1: warning: these ranges have more than 16777216 lines"},
		{"number", map[string]string{"content/pt/p.md": many(1001, "_x.md"), "content/pt/_x.md": "x\n"}, "content/pt/p.md:2001:12: error: a page includes files more than 1000 times"},
		{"branching", map[string]string{"content/pt/p.md": many(10, "_1.md"), "content/pt/_1.md": many(10, "_2.md"), "content/pt/_2.md": many(10, "_3.md"), "content/pt/_3.md": "x\n"},
			"error: a page includes files more than 1000 times"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, out := sitetest.Load(t, tt.files)
			if !strings.Contains(out, tt.want) || strings.Count(out, ": error:")+strings.Count(out, ": warning:") != 1 {
				t.Errorf("got\n%.600s\nwant %s", out, tt.want)
			}
		})
	}
}

// FuzzCompose checks that a composed page consists of lines of its files: each line ends with the line
// that its place names, unless it replaces that line.
func FuzzCompose(f *testing.F) {
	f.Add("a\n:::include n.md\n:::\n  --8<-- \"n.md:a\"\n", "x\n<!-- region a -->\ny\n<!-- endregion -->\n")
	f.Add("> - :::include n.md {lines=\"1-\"}\n>   :::\n;--8<-- \"x\"\n", "```\n--8<--\nn.md\n")
	f.Add("--8<--\nn.md\n--8<--\r\n~~~\n:::include n.md", "\r\n")
	f.Fuzz(func(t *testing.T, text, part string) {
		l := include.NewLibrary(include.NewCache(sitetest.FS(map[string]string{"content/pt/n.md": part}), nil))
		page := &site.Page{Path: "p.md", Language: &site.Language{Code: "pt"}, Dialects: markdown.MkDocs, Source: diag.NewFile("content/pt/p.md", []byte(text))}
		diags, _ := include.Compose(page, l)
		file := page.Source
		if file == page.File {
			return
		}
		for line := 1; line <= file.Line(len(file.Data)); line++ {
			of, at := file.Origin(line)
			if at < 1 || at > of.Line(len(of.Data)) {
				t.Fatalf("line %d comes from line %d of %s", line, at, of.Name)
			}
			composed, source := file.Text(line), of.Text(at)
			if composed != "" && !strings.HasSuffix(composed, strings.TrimLeft(source, " \t;")) && !strings.Contains(source, ":::include") && !strings.Contains(source, "8<") {
				t.Fatalf("line %d is %q, and comes from %q", line, composed, source)
			}
			file.Warning(file.Offset(line, 1), file.Offset(line, 1)+3, diag.Plain("m"), diag.Text{})
		}
		if len(l.Includes) == 0 && !bytes.Contains([]byte(text), []byte("8<")) && len(diags) == 0 {
			t.Fatalf("%q was composed of nothing", text)
		}
	})
}

// TestSameFileOfLaterCache checks that a file with the same content is in memory once, however often a site
// is loaded.
func TestSameFileOfLaterCache(t *testing.T) {
	fsys := fstest.MapFS{"a.txt": {Data: []byte("a")}, "b.txt": {Data: []byte("b")}}
	find := func(c *include.Cache, name string) *diag.File {
		f, problem := include.NewLibrary(c).Find(name, ".")
		if problem != nil {
			t.Fatal(problem)
		}
		return f
	}
	cache := include.NewCache(fsys, nil)
	a, b := find(cache, "a.txt"), find(cache, "b.txt")
	fsys["b.txt"] = &fstest.MapFile{Data: []byte("B")}
	for range 3 {
		cache = include.NewCache(fsys, cache)
		if find(cache, "a.txt") != a {
			t.Error("a file that is the same was read into memory again")
		}
		if got := find(cache, "b.txt"); got == b || string(got.Data) != "B" {
			t.Errorf("the changed file is %q", got.Data)
		}
	}
}
