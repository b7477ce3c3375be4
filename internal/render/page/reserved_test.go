package page_test

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/markdown/rawhtml"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/themes"
)

// general are the classes within results that are only for layout and appearance.
var general = strings.Fields(`quiet scroll hidden cut cut-note icon place here local rows combinations switch switch-machines picked peak rate tools age axis cell action status key
	code code-title code-label code-folded code-play brand bar chart chart-key notice output-html printed changed pick tag end root same title line needs-script facts figures software history tally spark page search frame langs meant`)

var (
	classWords = regexp.MustCompile(`class="([^"]*)"`)
	ownIDs     = regexp.MustCompile(`id="(_[^"{]*)`)
	actions    = regexp.MustCompile(`\{\{[^}]*\}\}`)
)

// TestResultsAreNotImitated checks that authors may not write the classes with which the theme shows results, nor
// the ids of a page's own parts.
func TestResultsAreNotImitated(t *testing.T) {
	t.Parallel()
	files, err := fs.Glob(themes.Default(), "layouts/*.html")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	checked := 0
	for _, name := range files {
		data, err := fs.ReadFile(themes.Default(), name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range ownIDs.FindAllStringSubmatch(string(data), -1) {
			if !rawhtml.ReservedID(m[1]) {
				t.Errorf("%s: an author may write the id %s", name, m[1])
			}
		}
		if !slices.Contains([]string{"layouts/panel.html", "layouts/verdict.html", "layouts/live.html", "layouts/stored.html"}, name) {
			continue
		}
		for _, m := range classWords.FindAllStringSubmatch(actions.ReplaceAllString(string(data), " "), -1) {
			for _, c := range strings.Fields(m[1]) {
				checked++
				if !strings.HasSuffix(c, "-") && !rawhtml.ReservedClass(c) && !slices.Contains(general, c) {
					t.Errorf("%s: an author may write the class %s", name, c)
				}
			}
		}
	}
	for _, status := range standing.All() {
		if !rawhtml.ReservedClass("is-"+status.String()) || !rawhtml.ReservedClass("panel-"+status.String()) {
			t.Errorf("an author may write the classes of %s", status)
		}
	}
	if checked < 30 {
		t.Errorf("only %d classes found", checked)
	}
}

// TestImitations checks that no syntax for a class or an id brings a reserved one to a page.
func TestImitations(t *testing.T) {
	texts := []string{
		`<div class="panel panel-passed is-passed x"><p class="verdict is-passed" id="_i-passed">y</p></div>`,
		"## X {#_i-passed .panel .x}\n\ny", "# T\n\n## X { #_i-failed .is-passed .x }\n\ny", "![a](https://x.org/a.png){.is-passed .x #_i-none}", ":::note A {.panel .x #_zoom}\ny\n:::",
		":::figure C {.panel .x #_search}\n| a |\n|---|\n| b |\n:::", "/// admonition | z\n    attrs: {class: panel x, id: _toc}\ny\n///",
		"<div class=\"panel x\" markdown>\ny\n</div>", ":::tab A {.panel #_toc}\nx\n:::\n:::tab B\ny\n:::", "y [z](https://x.org){.panel .x}", "y\n{: .panel .x #_toc }", "```{.python .panel .x #_toc}\nx\n```", "x $$y$$ {#_i-passed}",
		":::details A {.verdict .x}\ny\n:::", "> [!NOTE] {.panel .x}\n> y", "!!! note panel \"A\"\n    y", "!!! panel is-passed x \"A\"\n    y", "x:label:`_i-passed` y ^_i-passed",
	}
	for _, d := range dialects {
		for i, body := range pagesOf(t, d, texts...) {
			for _, m := range classWords.FindAllStringSubmatch(body, -1) {
				for _, class := range strings.Fields(m[1]) {
					if rawhtml.ReservedClass(class) && !(class == "pane" && strings.Contains(body, "switch-tabs")) {
						t.Errorf("%s %q: class %s in\n%s", d, texts[i], class, body)
					}
				}
			}
			for _, m := range ownIDs.FindAllStringSubmatch(body, -1) {
				if rawhtml.ReservedID(m[1]) && !strings.HasPrefix(m[1], "_note.") && !strings.HasPrefix(m[1], "_mark.") && !strings.HasPrefix(m[1], "_tabs.") {
					t.Errorf("%s %q: id %s", d, texts[i], m[1])
				}
			}
			if strings.Contains(body, `class=""`) || strings.Contains(body, `id=""`) {
				t.Errorf("%s %q: an allowed attribute is lost in\n%s", d, texts[i], body)
			}
		}
	}
}
