package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// A kind of edit changes one file so that a page shows a mark.
type kind struct {
	name string
	// of returns the file, below the site's folder, for an edit that a page shows.
	of     func(page string) string
	change func(old, mark string) string
}

// Names of the theme and the page that madeFor adds to a site.
const (
	benchTheme = "bench-edits"
	benchPage  = "bench-edits.md"
)

var titleLine = regexp.MustCompile(`(?m)\Atitle: .*$|^title: .*$`)

// kinds are the edits of authors, translators, authors of themes and machines. An edit of a string, a
// template or a title changes many pages, of which the browser has one open.
var kinds = []kind{
	{"body", inContent, func(old, mark string) string { return old + "\n\n" + mark + "\n" }},
	{"title", inContent, retitled},
	{"string", func(page string) string {
		return "themes/" + benchTheme + "/i18n/" + languageOf(page) + ".toml"
	}, func(old, mark string) string { return old + "toc = \"" + mark + "\"\n" }},
	{"template", func(string) string { return "themes/" + benchTheme + "/layouts/footer.html" },
		func(old, mark string) string { return strings.Replace(old, "<p>", "<p>"+mark+" ", 1) }},
	{"report", func(string) string { return "results/bench.json" },
		func(old, mark string) string { return strings.Replace(old, "bench says", mark, 1) }},
}

func inContent(page string) string { return "content/" + page }

func languageOf(page string) string { return strings.SplitN(page, "/", 2)[0] }

// retitled sets the title of a page.
func retitled(old, mark string) string {
	head, text, ok := strings.Cut(strings.TrimPrefix(old, "---\n"), "\n---\n")
	if !ok || !strings.HasPrefix(old, "---\n") {
		return "---\ntitle: " + mark + "\n---\n\n" + old
	}
	if !titleLine.MatchString(head) {
		head = "title: " + mark + "\n" + head
	}
	return "---\n" + titleLine.ReplaceAllString(head, "title: "+mark) + "\n---\n" + text
}

// madeFor adds to a site what edits need: a theme of its own, and a page with a block that has run.
// undo removes them.
func madeFor(ctx context.Context, program, site string, pages []string) (undo func() error, err error) {
	config := filepath.Join(site, "gpudocs.toml")
	before, err := os.ReadFile(config)
	if err != nil {
		return nil, err
	}
	if strings.Contains(string(before), "theme ") {
		return nil, fmt.Errorf("%s has a theme; measure a site without one", config)
	}
	language := languageOf(pages[0])
	page := filepath.Join(site, "content", language, benchPage)
	theme := filepath.Join(site, "themes", benchTheme)
	report := filepath.Join(site, "results", "bench.json")
	undo = func() error {
		err := errors.Join(os.WriteFile(config, before, 0o600), os.RemoveAll(theme), os.RemoveAll(page), os.RemoveAll(report))
		for _, made := range []string{theme, report} {
			_ = os.Remove(filepath.Dir(made)) // where nothing else is in it
		}
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, undo())
		}
	}()
	files := map[string]string{
		config: "theme = \"" + benchTheme + "\"\n" + string(before),
		page:   "---\ntitle: Edits\n---\n\n```bash {run name=bench-edits}\necho bench says\n```\n",
		filepath.Join(theme, "layouts", "footer.html"): `{{define "footer"}}<footer class="foot"><p>{{.T.Get "toc"}}</p></footer>{{end}}`,
	}
	seen := map[string]bool{}
	for _, p := range pages {
		if l := languageOf(p); !seen[l] {
			seen[l] = true
			files[filepath.Join(theme, "i18n", l+".toml")] = "[strings]\n"
		}
	}
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return nil, err
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	c := exec.CommandContext(ctx, program, "verify", "--site", site, "--machine", "bench", path.Join("content", language, benchPage))
	if out, err := c.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("gpudocs verify: %w\n%s", err, out)
	}
	return undo, nil
}
