package resolve_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/frontmatter"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
	"github.com/gpudocs/gpudocs/internal/site/translate"
)

// stamped is a translation of a page as it is in a site.
func stamped(t *testing.T, files map[string]string, file, from string) string {
	t.Helper()
	s, _ := load.Load(sitetest.FS(files), load.Options{})
	for _, p := range s.Pages {
		if p.Source.Name != file {
			continue
		}
		out, err := frontmatter.WriteStamp([]byte(files[file]), translate.NewStamp(from, s.Source(p.Key).Sections))
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	t.Fatalf("no page %s", file)
	return ""
}

func TestTranslationState(t *testing.T) {
	const source = "---\ntitle: T\n---\nlead\n\n# A\none\ntwo\n\n## B\n```sh\nx  y\n```\n"
	tests := []struct {
		name, edited string
		want         site.State
		changed      string
	}{
		{"as it was", source, site.Current, ""},
		{"wrapped and spaced", "---\ntitle: T\nweight: 3\n---\r\nlead  \n\n\n# A\none two\n## B\n\n```sh\nx  y  \n```", site.Current, ""},
		{"the title", strings.Replace(source, "T", "U", 1), site.Outdated, "=(top)"},
		{"a word", strings.Replace(source, "two", "three", 1), site.Outdated, "=a"},
		{"a blank in code", strings.Replace(source, "x  y", "x y", 1), site.Outdated, "=b"},
		{"a section more", source + "### C\n", site.Outdated, "+c"},
		{"a section less", strings.Split(source, "## B")[0], site.Outdated, "-b"},
		{"another heading", strings.Replace(source, "# A", "# Z", 1), site.Outdated, "+z -a"},
		{"the same with an id", strings.Replace(source, "# A", "# A {#a}", 1), site.Outdated, "=a"},
	}
	before := map[string]string{"content/pt/p.md": source, "content/es/p.md": "hola\n\n## A {#a}\n"}
	before[site.ConfigFile] = "[languages.pt]\nweight = 1\n[languages.es]\nweight = 2\n"
	es := stamped(t, before, "content/es/p.md", "pt")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, _ := sitetest.Load(t, map[string]string{site.ConfigFile: before[site.ConfigFile], "content/pt/p.md": tt.edited, "content/es/p.md": es})
			state, c := s.Translation(s.Page("p", "es"))
			var got []string
			for _, x := range c.Changed {
				got = append(got, "="+x.Anchor)
			}
			for _, x := range c.Added {
				got = append(got, "+"+x.Anchor)
			}
			for _, x := range c.Removed {
				got = append(got, "-"+x)
			}
			if state != tt.want || strings.Join(got, " ") != tt.changed {
				t.Errorf("%s %q, want %s %q", state, got, tt.want, tt.changed)
			}
		})
	}
}

// TestSource: which page the others are translated from.
func TestSource(t *testing.T) {
	const languages = "[languages.pt]\nweight = 1\n[languages.es]\nweight = 2\n[languages.en]\nweight = 3\n"
	tests := []struct {
		name, config, es, want string
	}{
		{"the default language", languages, "# p\n", "pt"},
		{"the site's", languages + "[translations]\nsource = 'en'\n", "# p\n", "en"},
		{"the page's", languages + "[translations]\nsource = 'en'\n", "---\noriginal: true\n---\n# p\n", "es"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := sitetest.LoadValid(t, map[string]string{site.ConfigFile: tt.config, "content/pt/p.md": "# p\n", "content/es/p.md": tt.es, "content/en/p.md": "# p\n", "content/es/q.md": "# q\n"})
			if got := s.Source("p").Language.Code; got != tt.want {
				t.Errorf("the source is %s, want %s", got, tt.want)
			}
			if got := s.Source("q").Language.Code; got != "es" { // no other has it
				t.Errorf("the source of q is %s", got)
			}
			if s.Source("r") != nil {
				t.Error("there is no page r")
			}
			if state, _ := s.Translation(s.Source("p")); state != site.IsSource {
				t.Errorf("the source is %s", state)
			}
		})
	}
}

// TestForeignStamp checks that a stamp of another source language is not compared with this source.
func TestForeignStamp(t *testing.T) {
	s := sitetest.LoadValid(t, map[string]string{"content/en/p.md": "# p\n", "content/pt/p.md": "---\ntranslated:\n  from: es\n  sections:\n    p: aaaaaaaaaa\n---\n# p\n"})
	if state, _ := s.Translation(s.Page("p", "pt")); state != site.Unstamped {
		t.Errorf("it is %s", state)
	}
}

// TestSlug checks that a slug changes the address of a page, and that links to its file lead there.
func TestSlug(t *testing.T) {
	s := sitetest.LoadValid(t, map[string]string{
		"content/pt/gpu/uso.md": "# p\n", "content/pt/index.md": "[x](gpu/uso.md#p)\n",
		"content/es/gpu/uso.md": "---\nslug: utilización\n---\n# p\n", "content/es/index.md": "[x](gpu/uso.md#p)\n",
	})
	p := s.Page("gpu/uso", "es")
	if p == nil || p.URL != "es/gpu/utilización/" {
		t.Fatalf("%+v", p)
	}
	if s.Page("gpu/uso", "pt").URL != "pt/gpu/uso/" {
		t.Error("the source has another address")
	}
	if target := s.Links(s.Page("index", "es")).Target(s.Page("index", "es").Doc().FirstChild().FirstChild()); target.Page == nil || target.Page != p {
		t.Errorf("the link leads to %+v", target)
	}
}

// TestEditing checks that serve accepts a translation that is edited later than the other language.
func TestEditing(t *testing.T) {
	fsys := sitetest.FS(map[string]string{"content/pt/p.md": "```bash {run}\n1\n```\n", "content/es/p.md": "```bash {run}\n2\n```\n"})
	if _, diags := load.Load(fsys, load.Options{}); !diags.HasErrors() {
		t.Error("no error")
	}
	if _, diags := load.Load(fsys, load.Options{Editing: true}); diags.HasErrors() || len(diags) == 0 {
		t.Errorf("%v", diags)
	}
}

// TestDiffersKeepsIDs checks that the attribute differs does not change IDs.
func TestDiffersKeepsIDs(t *testing.T) {
	a := sitetest.Page(t, "```bash {run name=a}\n1\n```\n").Blocks[0]
	b := sitetest.Page(t, "```bash {run name=a differs}\n1\n```\n").Blocks[0]
	if a.ID != b.ID || a.Differs || !b.Differs {
		t.Errorf("%+v\n%+v", a, b)
	}
}

// TestOptionsDiffer checks what makes the checks of the same code differ, and how different code is
// allowed.
func TestOptionsDiffer(t *testing.T) {
	const saved = "```c {save=a.h session=s}\n%s\n```\n```c {run name=a session=s%s}\nint x;\n```\n"
	for _, c := range []struct{ pt, es, want string }{
		{"```c {run name=a}\nx\n```\n", "```c {run name=a flags=-O3}\nx\n```\n", "another flags= or build= in"},
		{"```c {run name=a}\nx\n```\n", "```c {run name=a build=fails}\nx\n```\n", "another flags= or build= in"},
		{"```r {run name=a kernel=ir}\nx\n```\n", "```r {run name=a kernel=xr}\nx\n```\n", "another session, environment or kernel in"},
		{fmt.Sprintf(saved, "1", ""), fmt.Sprintf(saved, "2", ""), "in the braces of the next block of the session that runs"},
		{fmt.Sprintf(saved, "1", ""), fmt.Sprintf(saved, "2", " differs"), ""},
	} {
		_, out := sitetest.Load(t, map[string]string{"gpudocs.toml": "[languages.pt]\nweight = 1\n[languages.es]\nweight = 2\n",
			"content/pt/p.md": "# P\n\n" + c.pt, "content/es/p.md": "# P\n\n" + c.es})
		if !strings.Contains(out, c.want) || c.want == "" && out != "" {
			t.Errorf("no %q in\n%s", c.want, out)
		}
	}
}

// Places are those of the files that authors write, in whatever the page includes.
func TestPlacesElsewhere(t *testing.T) {
	tests := []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"a footnote behind an include", map[string]string{"content/pt/_n.md": "a\n\nb\n", "content/pt/p.md": ":::include _n.md\n:::\n\n[^a]\n\n[^a]: x\n\n[^a]: y\n"},
			"content/pt/p.md:8:1: warning: the footnote [^a] is defined already in line 6,"},
		{"a footnote of an include", map[string]string{"content/pt/_n.md": "a\n\n[^a]: x\n", "content/pt/p.md": ":::include _n.md\n:::\n\n[^a]\n\n[^a]: y\n"},
			"content/pt/p.md:6:1: warning: the footnote [^a] is defined already in line 3 of content/pt/_n.md,"},
		{"a reference of a cell", map[string]string{"content/pt/p.ipynb": sitetest.Notebook(`{}`, "x", "[a]\n\n[a]: b:c\n\n[a]: b:d\n")},
			"cell 2, line 5, column 1: warning: [a] is defined already in line 3, and"},
		{"a name of an include", map[string]string{"content/pt/_n.md": "\n```bash {run name=a}\n1\n```\n", "content/pt/p.md": ":::include _n.md\n:::\n\n```bash {run name=a}\n2\n```\n"},
			"content/pt/p.md:4:14: error: the name \"a\" is taken by the block in line 2 of content/pt/_n.md"},
		{"a heading of an include", map[string]string{"content/pt/_n.md": "a\n\n## N {#n}\n", "content/pt/p.md": "# P\n\n:::include _n.md\n:::\n", "content/es/p.md": "# P\n"},
			"the heading of content/pt/_n.md:3 has the id \"n\""},
		{"a block of a Markdown cell has the name that it is given", map[string]string{"content/pt/p.ipynb": sitetest.Notebook(`{}`, "a\n\n```bash {run name=a}\n1\n```\n"), "content/es/p.md": "a\n"},
			"the block \"a\" of content/pt/p.ipynb, cell 1, line 3 is missing"},
		{"an outdated section", map[string]string{"content/pt/_n.md": "a\n\n## N {#n}\n", "content/pt/p.md": "# P\n\n:::include _n.md\n:::\n\n## Q\n",
			"content/es/p.md": "---\ntranslated:\n  from: pt\n  sections:\n    (top): aaaaaaaaaa\n---\n# P\n\n## N {#n}\n"},
			"P (line 1), N (line 3 of content/pt/_n.md), Q (line 6)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.files["gpudocs.toml"] = "[languages.pt]\nweight = 1\n[languages.es]\nweight = 2\n"
			if _, out := sitetest.Load(t, tt.files); !strings.Contains(out, tt.want) {
				t.Errorf("no %q in\n%s", tt.want, out)
			}
		})
	}
}

// A comment is for authors: it does not make a translation outdated.
func TestCommentsDoNotCount(t *testing.T) {
	sum := func(text string) string {
		p, _ := sitetest.PageIn(t, "obsidian", map[string]string{"content/pt/p.md": text})
		return p.Sections[0].Hash
	}
	want := sum("Um texto aqui[^a], de\nduas linhas.\n\n[^a]: Uma nota.\n")
	for _, text := range []string{
		"Um texto %%x%% aqui[^a], %%y%% de\nduas %%z%% linhas.\n\n[^a]: Uma %%n%% nota.\n",
		"Um texto aqui[^a], de %%x\ny%% duas linhas.\n\n[^a]: Uma nota.\n",
		"Um texto aqui[^a], de\nduas linhas.\n\n%%\nx\n%%\n\n[^a]: Uma nota.\n",
		"Um texto aqui[^a], de\nduas linhas.\n\n%%x%%\n\n[^a]: Uma nota. %%fim%%\n",
	} {
		if got := sum(text); got != want {
			t.Errorf("%q: the comment counts", text)
		}
	}
	if sum("Um texto `%%x%%` aqui.\n") == sum("Um texto `%%y%%` aqui.\n") {
		t.Error("code is no comment")
	}
}
