package resolve_test

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// TestRawHTMLWarnings checks that HTML that is not shown is reported at its place, once for each kind.
func TestRawHTMLWarnings(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"what stays", "<details open><summary>*a*</summary>\n\n**b**\n\n</details>\n\n<kbd>c</kbd> <div markdown></div>\n", ""},
		{"a script", "a\n\n<div>\n<script>x()</script>\n</div>\n", "4:1: warning: raw HTML is sanitised: <script> is not shown"},
		{"what is hidden goes with it", "<iframe src=\"x.html\"><b style=\"x\">y</b></iframe>\n", "1:1: warning: raw HTML is sanitised: <iframe> is not shown"},
		{"an attribute, once", "a <b\nstyle=\"x\">c</b> <b style=\"y\">d</b>\n", "2:1: warning: raw HTML is sanitised: the attribute style of <b> is left out"},
		{"in a list and a quote", "> - <div>\n>   <p onclick=\"x()\">a</p>\n>   </div>\n", "2:8: warning: raw HTML is sanitised: the attribute onclick of <p> is left out"},
		{"line ends of Windows", "a\r\n\r\n<form>\r\n<p>b</p>\r\n</form>\r\n", "3:1: warning: raw HTML is sanitised: <form> is not shown"},
		{"an address", "<a href=\"javascript:x()\">a</a>\n", "1:10: warning: the address \"javascript:x()\" would run something in a reader's browser, and is left out"},
		{"of Markdown", "[a](javascript:x()) <javascript:y> ![z](data:text/html,z)\n\n[b]\n\n[b]: vbscript:x\n",
			"1:5: warning: the address \"javascript:x()\" would run something in a reader's browser, and is left out\n" +
				"1:22: warning: the address \"javascript:y\" would run something in a reader's browser, and is left out\n" +
				"1:41: warning: the address \"data:text/html,z\" would run something in a reader's browser, and is left out\n" +
				"5:6: warning: the address \"vbscript:x\" would run something in a reader's browser, and is left out"},
		{"a picture in its address", "![z](data:image/png;base64,AA==) <img src=\"data:image/png;base64,AA==\" alt=\"\">\n", ""},
		{"a srcset", "<img src=\"/pt/x.png\" srcset=\"y.png 2x\" alt=\"\">\n", "1:30: warning: there is no file \"y.png\""},
		{"a comment", "<!-- <script> -->\n", ""},
	} {
		files := map[string]string{"content/pt/p.md": c.text, "content/pt/x.png": ""}
		_, diags := load.Load(sitetest.FS(files), load.Options{})
		var got []string
		for _, d := range diags {
			got = append(got, strings.TrimPrefix(d.Error(), "content/pt/p.md:"))
			if d.Hint.IsZero() && d.Rule != site.RuleImage {
				t.Errorf("%s: %v has no hint", c.name, d)
			}
		}
		if strings.Join(got, "\n") != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, strings.Join(got, "\n"), c.want)
		}
	}
}

// TestUnsafeHTML checks that a site that does not sanitise HTML is warned about it at every load.
func TestUnsafeHTML(t *testing.T) {
	_, diags := load.Load(sitetest.FS(map[string]string{site.ConfigFile: "title = \"t\"\n[markdown]\nunsafe_html = true\n", "content/pt/p.md": "<script>x()</script>\n\n<a href=\"javascript:x()\">y</a>\n"}), load.Options{})
	if len(diags) != 1 || diags[0].Severity != diag.Notice || diags[0].Line != 3 || !strings.Contains(diags[0].Message.String(), "is not sanitised") {
		t.Errorf("%v", diags)
	}
}
