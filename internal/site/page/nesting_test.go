package page_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

// TestNestingWarnings checks that only a tag that is omitted because of its position is reported, with its
// place.
func TestNestingWarnings(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"# X\n\n<ul><li>a</li></ul>\n\n<table><tr><td>b</td></tr></table>\n": "",
		"# X\n\na\n\n<li>b</li>\n":                                                        "5:1 <li>",
		"# X\n\n> - <td>b</td> <li>c</li>\n":                                              "3:5 <td>, 3:16 <li>",
		"# X\n\na <b>c\n\n<b>d</b> <br>\n":                                                "3:3 <b>",
		"# X\n\n<h2>a <h3>b</h3></h2>\n":                                                  "3:7 <h3>",
		"# X\n\n<table><div>a</div></table>\n":                                            "3:8 <div>",
		"# X\n\n<dl>\n\n<dt>a</dt>\n\n</dl>\n":                                            "",
		"# X\n\n<ul>\n\n- a\n\n  <li>b</li>\n\n</ul>\n":                                   "7:3 <li>",
		"# X\n\n<p><a href=\"x.md\">a <a href=\"x.md\">b</a></a></p>\n":                   "",
		"# X\n\n" + strings.Repeat("<div>", 101) + "\n":                                   "3:501 <div>",
		"# X\n\n<div>\n<svg><li></svg> <details><summary>a</summary></details>\n</div>\n": "",
		"---\ndialects: [mkdocs]\n---\n# X\n\n<ul markdown>\n<li markdown>\na\n</li>\n</ul>\n\n<td markdown>\nb\n</td>\n": "12:1 <td>",
	} {
		_, diags := load.Load(sitetest.FS(map[string]string{"content/pt/x.md": text}), load.Options{})
		var got []string
		for _, d := range diags {
			if m := d.Message.String(); d.Rule == site.RuleHTML && strings.HasSuffix(m, "is left out") {
				name, _, _ := strings.Cut(m, " ")
				got = append(got, fmt.Sprintf("%d:%d %s", d.Line, d.Column, name))
			}
		}
		if s := strings.Join(got, ", "); s != want {
			t.Errorf("%q: %s, want %s", text, s, want)
		}
	}
}
