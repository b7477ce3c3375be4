package load_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

// TestCourseChanges checks that a loader follows the files of other tools: dialects, title and order.
func TestCourseChanges(t *testing.T) {
	fsys := sitetest.FS(map[string]string{"content/pt/index.md": "# I\n", "content/pt/a.md": "# A\n\n==x==\n", "content/pt/b/c.md": "# C\n"})
	l := load.NewLoader(fsys, load.Options{})
	for _, step := range []struct{ file, text, want string }{
		{"", "", `"" a:: c:: index::`},
		{"mkdocs.yml", "site_name: M\nnav: [b/c.md, a.md]\n", `"M" a:mkdocs:mkdocs.yml c:mkdocs:mkdocs.yml index:mkdocs:mkdocs.yml`},
		{"content/pt/b/myst.yml", "project: {title: N}\n", `"M" a:mkdocs:mkdocs.yml c:myst:content/pt/b/myst.yml index:mkdocs:mkdocs.yml`},
		{"content/pt/a.md", "---\ndialects: []\n---\n# A\n", `"M" a:: c:myst:content/pt/b/myst.yml index:mkdocs:mkdocs.yml`},
		{"gpudocs.toml", "title = \"T\"\n[markdown]\ndialects = [\"d2l\"]\n", `"T" a:: c:d2l: index:d2l:`},
	} {
		var changed []string
		if step.file != "" {
			fsys[step.file] = &fstest.MapFile{Data: []byte(step.text)}
			changed = []string{step.file}
		}
		s, diags := l.Load(changed)
		got := fmt.Sprintf("%q", s.Config.Title)
		for _, p := range s.Pages {
			got += fmt.Sprintf(" %s:%s:%s", strings.TrimSuffix(p.Path[strings.LastIndex(p.Path, "/")+1:], ".md"), p.Dialects, p.RecognisedBy)
		}
		clean, _ := load.Load(fsys, load.Options{})
		same := slices.EqualFunc(s.Pages, clean.Pages, func(a, b *site.Page) bool { return a.URL == b.URL && bytes.Equal(a.Source.Data, b.Source.Data) })
		if len(diags) > 0 || got != step.want || !same {
			t.Errorf("after %s: %v\n got %s\nwant %s, as a clean load: %v", step.file, diags, got, step.want, same)
		}
	}
}

// TestListed checks where the entries of a course are looked for: below its folder, with or without the folder of
// its pages.
func TestListed(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"en/index.md en/e/b.Rmd.md en/e/a.md": {"content/en/mkdocs.yml": "nav: [index.md, e/b.Rmd.md, 'e/*']\n"},
		"en/e/a.md en/index.md":               {"mkdocs.yml": "docs_dir: docs\nnav: [e/a.md, index.md]\n"},
		"en/e/a.md en/e/b.Rmd.md":             {"content/en/myst.yml": "project: {toc: [{file: src/e/a.md}, {file: src/e/b.Rmd.md}]}\n"},
		"en/e/b.Rmd.md":                       {"content/en/config.yaml": "carpentry: x\nepisodes:\n- b.Rmd.md\n"},
	} {
		all := map[string]string{"content/en/index.md": "# I\n", "content/en/e/a.md": "# A\n", "content/en/e/b.Rmd.md": "# B\n"}
		for file, text := range files {
			all[file] = text
		}
		if strings.Contains(fmt.Sprint(files), "carpentry") {
			delete(all, "content/en/e/a.md")
			delete(all, "content/en/e/b.Rmd.md")
			all["content/en/episodes/b.Rmd.md"], name = "# B\n", "en/episodes/b.Rmd.md"
		}
		s, _ := load.Load(sitetest.FS(all), load.Options{})
		var got []string
		for _, l := range s.Courses[0].Listed {
			got = append(got, l.File)
		}
		if strings.Join(got, " ") != name {
			t.Errorf("%v: %v", files, got)
		}
	}
}

// TestUnreadableCourse checks that a mistake in the configuration of a course does not publish the pages that it
// leaves out: the other keys are read, and without them no page of the course is published.
func TestUnreadableCourse(t *testing.T) {
	for _, tt := range []struct{ name, file, text, want string }{
		{"another key", "mkdocs.yml", "exclude_docs: |\n  private/\nnav:\n- a: b: c\n", "index other: warning"},
		{"a list", "mkdocs.yml", "exclude_docs:\n- private/\n", "index other: none"},
		{"the key itself", "mkdocs.yml", "site_name: x\nexclude_docs: [private\n", "other: error"},
		{"a key around it", "myst.yml", "project:\n  exclude: private\n  title: a: b\n", "other: error"},
		{"a title in _config.yml", "_config.yml", "title: a: b\nexclude_patterns: [private]\n", "index other: warning"},
		{"a file without such keys", "myst.yml", "project:\n  title: a: b\n", "index private/a other: warning"},
	} {
		files := map[string]string{"content/en/index.md": "# I\n", "content/en/private/a.md": "# A\n", "content/pt/other.md": "# O\n", "content/en/" + tt.file: tt.text}
		if tt.file == "_config.yml" {
			files["content/en/_toc.yml"] = "root: index\n"
		}
		s, diags := load.Load(sitetest.FS(files), load.Options{})
		got, severity := "", "none"
		for _, p := range s.Pages {
			got += strings.TrimSuffix(p.Path, ".md") + " "
		}
		for _, d := range diags {
			if strings.HasSuffix(d.File, ".yml") {
				severity = d.Severity.String()
			}
		}
		if got = strings.TrimSpace(got) + ": " + severity; got != tt.want {
			t.Errorf("%s: %s, want %s\n%s", tt.name, got, tt.want, sitetest.Print(diags))
		}
	}
}
