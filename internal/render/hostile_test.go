package render

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/tools/txtar"

	"github.com/gpudocs/gpudocs/internal/markdown/rawhtml"
	"github.com/gpudocs/gpudocs/internal/render/diagram"
	"github.com/gpudocs/gpudocs/internal/render/highlight"
	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/page"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/render/tex"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/themes"
)

// checkHTML returns an error if the text of a page, as a browser parses it, has scripts or addresses that run, or
// closes elements around it.
func checkHTML(body string) error {
	const frame = `<!doctype html><html><body><main id="frame"><div><div id="inner">`
	doc, err := html.Parse(strings.NewReader(frame + body + `</div></div></main><aside id="behind"></aside></body></html>`))
	if err != nil {
		return err
	}
	places := map[string]*html.Node{}
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if slices.Contains([]string{"script", "style", "iframe", "frame", "object", "embed", "base", "meta", "link", "form", "textarea", "template", "noscript", "plaintext", "xmp"}, n.Data) {
			return fmt.Errorf("<%s>", n.Data)
		}
		for _, a := range n.Attr {
			switch {
			case a.Key == "id" && (a.Val == "frame" || a.Val == "inner" || a.Val == "behind") && places[a.Val] == nil:
				places[a.Val] = n
			case strings.HasPrefix(a.Key, "on"), a.Key == "srcdoc", a.Key == "formaction", a.Key == "action":
				return fmt.Errorf("<%s %s>", n.Data, a.Key)
			case a.Key == "style" && n.Namespace == "" && n.Data != "span" && n.Data != "svg":
				return fmt.Errorf("<%s %s=%q>", n.Data, a.Key, a.Val)
			case slices.Contains([]string{"href", "src", "poster", "cite", "xlink:href"}, a.Key) && rawhtml.DangerousImage(rawhtml.Address(a.Val)):
				return fmt.Errorf("<%s %s=%q>", n.Data, a.Key, a.Val)
			}
		}
	}
	frameAt, behind := places["frame"], places["behind"]
	if frameAt == nil || behind == nil || behind.Parent.Data != "body" || frameAt.Parent.Data != "body" {
		return fmt.Errorf("it escapes its place")
	}
	if n := frameAt.LastChild; n != frameAt.FirstChild || n.FirstChild != n.LastChild || n.FirstChild != places["inner"] {
		return fmt.Errorf("it ends elements around it")
	}
	return nil
}

var hostile = []string{
	"<script>alert(1)</script>", "a <b onclick=x>b</b>", "[x](javascript:alert(1))", "<javascript:alert(1)>", "![x](javascript:x \"t\")",
	"[x]: javascript:alert(1)\n\n[x]", "[x](java&#115;cript:x)", "[x](<java\tscript:x>)", "<a href=\"java\nscript:x\">y</a>", "[x](&#1;javascript:x)",
	"<img src=x onerror=alert(1)>", "<img srcset='javascript:x 2x'>", "<svg><script>x</script></svg>", "<svg onload=x><a xlink:href='javascript:x'>",
	"<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=alert(1)&gt;\">", "<noscript><p title=\"</noscript><img src=x onerror=x>\">",
	"- <div>\n\ntext\n</div></div></div>", "> <div>\n\n</div></main>", "- <li><div><li>x</li></div></li>", "<table>\n\n| a |\n|---|\n| <div><td>b |\n\n</table></div>",
	"<table><div>\n\n| a |\n|---|\n\n</div>", "<h1><div><h2>\n\n### x\n\n</h2></div></h1>", "# <h2><div>x</h2>", "*<table>*<tr>", "**<div>**</div>", "[<div>](x)</div>",
	"<details><summary>s</summary>\n\n**b**\n\n</details>", "<p>\n\n# x\n\n</p></div>", "<textarea>\n\n</textarea><script>x</script>", "<title></title><plaintext>", "<xmp><script>x</script></xmp>",
	"<!--><script>x</script>", "<![CDATA[<script>x</script>]]>", "<?php <script>x</script> ?>", "<div\n\nonclick=x>", "<a/href=javascript:x>", "<iframe srcdoc='<script>x</script>'>",
	"```mermaid\ngraph LR\nclick a \"javascript:x\"\n```", "$\\href{javascript:x}{y}$", ":::note <script>\n</div>\n:::", ":::tab <b>\n<div>\n:::\n:::tab b\n</div>\n:::",
	"<div markdown>\n<table>\n\n</div>", "/// html | script\nx\n///", "/// html | div[onclick=\"x\"]\nx\n///", "/// html | table\n| a |\n|--|\n///\n</div>", "![[x.md|<script>]]", "[[javascript:x]]", "*[x]: \"><script>\n\nx",
	"<form><input formaction=javascript:x></form>", "<body onload=x>", "<base href=//x>", "<meta http-equiv=refresh content='0;javascript:x'>", "<link rel=stylesheet href=x>",
	"a[^1]\n\n[^1]: <div>\n\n    </div></div>", "| <ul><li>a</ul> | </td></table> |\n|--|--|", "term\n: <dd><div>\n", "<td markdown>\n\nx\n\n</td></div>", "<ul>\n<li markdown>\n\n</ul>\n\n</li></div>",
	strings.Repeat("<div>", 600) + "x", strings.Repeat("> ", 300) + "<div>", strings.Repeat("- ", 200) + "<b>",
}

// dialects are those in which hostile pages are read.
var dialects = []string{"[]", "[obsidian]", "[d2l]", "[mkdocs]"}

// A workshop holds what many sites of a test share and what is slow to create.
type workshop struct{ base *Site }

// pages returns the headings and texts of pages with this Markdown; a rejected page has none.
func (c *workshop) pages(t testing.TB, dialects string, texts ...string) map[int]string {
	t.Helper()
	if c.base == nil {
		c.base = newSite(t, map[string]string{"content/pt/x.md": "# X\n"}, themes.Default(), Options{Lazy: true})
	}
	fsys := fstest.MapFS{"gpudocs.toml": file(config)}
	for i, text := range texts {
		fsys[fmt.Sprintf("content/pt/%d.md", i)] = file("---\ndialects: " + dialects + "\n---\n" + text)
	}
	site, _ := load.Load(fsys, load.Options{})
	in := *c.base.plan.inputs
	in.content, in.reports = site, results.NewIndex(site, nil, nil, &results.Cache{})
	in.nav = &nav.Map{Content: site, Trees: in.nav.Trees}
	out := map[int]string{}
	for i := range texts {
		p := site.Page(strconv.Itoa(i), "pt")
		if p == nil {
			continue
		}
		body, err := page.Render(t.Context(), in.input(nav.Placed{Page: p, Language: p.Language}, p, nil))
		if err != nil {
			t.Fatal(err)
		}
		out[i] = string(body.Heading + body.HTML)
	}
	return out
}

func TestHostileMarkdown(t *testing.T) {
	var c workshop
	for _, d := range dialects {
		for i, body := range c.pages(t, d, hostile...) {
			if err := checkHTML(body); err != nil {
				t.Errorf("%s %.300q: %v\n%.600s", d, hostile[i], err, body)
			}
		}
	}
}

// FuzzPage checks for any text in any dialect that nothing on its page runs, links to a script or closes elements
// around it.
func FuzzPage(f *testing.F) {
	for _, text := range hostile {
		f.Add(byte(3), text)
	}
	var c workshop
	f.Fuzz(func(t *testing.T, d byte, text string) {
		if len(text) > 4<<10 || strings.Contains(text, "mermaid") || strings.ContainsAny(text, "$\\") {
			return // Mermaid and KaTeX are interpreted, which takes long; they have targets of their own
		}
		body := c.pages(t, dialects[int(d)%len(dialects)], text)[0]
		if err := checkHTML(body); err != nil {
			t.Errorf("%v\n%s", err, body)
		}
	})
}

// spoil replaces every free text in a value.
func spoil(v reflect.Value, with string) {
	spoilBut(v, with, "Name", "ID", "Kind", "Page", "Status", "Outcome", "Op", "Code", "Schema", "File", "Limits", "Sandbox", "Containment", "Why", "DType", "Unit", "Quantity", "What")
}

// spoilBut is spoil without the fields of some names.
func spoilBut(v reflect.Value, with string, keep ...string) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			spoilBut(v.Elem(), with, keep...)
		}
	case reflect.Slice:
		for i := range v.Len() {
			spoilBut(v.Index(i), with, keep...)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if !f.IsExported() || f.Type.Kind() == reflect.String && slices.Contains(keep, f.Name) {
				continue
			}
			spoilBut(v.Field(i), with, keep...)
		}
	case reflect.String:
		v.SetString(with)
	}
}

// labSite is a site with everything that a report can have.
func labSite(t testing.TB) (map[string]string, []results.Source) {
	t.Helper()
	a, err := txtar.ParseFile("testdata/results.txtar")
	if err != nil {
		t.Fatal(err)
	}
	return labOf(t, a)
}

const evil = "<script>alert(1)</script>\"'><img src=x onerror=y>&lt;\x1b[31m\x1b]8;;javascript:x\x07\u202e\u2066\x00\x7f\u2028\u061c\u200f\U000e0041"

// acts reports whether a text has a character that texts of a machine may not have.
func acts(c rune) bool {
	return unicode.IsControl(c) && c != '\n' && c != '\t' || unicode.Is(unicode.Bidi_Control, c) || c == '\u2028' || c == '\u2029' || c >= 0xe0000 && c <= 0xe007f
}

// TestHostileReports checks that texts from reports are escaped in every file of the site, and have no invisible
// or bidirectional characters.
func TestHostileReports(t *testing.T) {
	t.Run("texts", func(t *testing.T) { hostileReports(t, func(r *report.Report) { spoil(reflect.ValueOf(r), evil) }) })
	t.Run("names", func(t *testing.T) { // of what is captured and installed, codes, units
		hostileReports(t, func(r *report.Report) {
			machine, checks := r.Machine.Name, slices.Clone(r.Checks)
			spoilBut(reflect.ValueOf(r), evil, "ID", "Kind", "Page", "Status", "Outcome", "Op", "Schema", "File", "Limits", "Sandbox", "Containment")
			r.Machine.Name = machine
			for i, c := range checks {
				r.Checks[i].Name = c.Name
			}
			data, err := json.Marshal(r)
			if err == nil {
				_, err = report.Parse(machine+".json", data)
			}
			if err != nil {
				t.Errorf("the report is rejected, so the test checks nothing: %v", err)
			}
		})
	})
}

func hostileReports(t *testing.T, spoil func(*report.Report)) {
	files, sources := labSite(t)
	for i := range sources {
		copied := *sources[i].Report
		data, err := json.Marshal(copied)
		if err != nil {
			t.Fatal(err)
		}
		own := &report.Report{}
		if err := json.Unmarshal(data, own); err != nil {
			t.Fatal(err)
		}
		spoil(own)
		sources[i].Report = own
	}
	s := newSite(t, files, themes.Default(), Options{BaseURL: "https://example.org/"}, sources...)
	shown := 0
	for _, name := range s.Paths() {
		if !slices.ContainsFunc([]string{".html", ".md", ".txt", ".xml", ".svg", ".json"}, func(e string) bool { return strings.HasSuffix(name, e) }) {
			continue
		}
		text := get(t, s, name)
		if strings.Contains(text, "alert(1)") {
			shown++
		}
		if strings.HasPrefix(name, "_results/") {
			continue // the report itself, for programs
		}
		if i := strings.IndexFunc(text, acts); i >= 0 {
			t.Errorf("%s: %q", name, text[max(0, i-80):min(len(text), i+20)])
		}
		if !utf8.ValidString(text) {
			t.Errorf("%s is not UTF-8", name)
		}
		if !strings.HasSuffix(name, ".md") && !strings.HasSuffix(name, ".txt") && !strings.HasSuffix(name, ".json") && (strings.Contains(text, "<script>alert") || strings.Contains(text, "<img src=x")) {
			t.Errorf("%s has a tag of a report's", name)
		}
	}
	if shown == 0 {
		t.Error("no text of the reports is shown anywhere")
	}
}

// overflow replaces every number in a value that may have any size.
func overflow(v reflect.Value, float float64, whole int64) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			overflow(v.Elem(), float, whole)
		}
	case reflect.Slice:
		for i := range v.Len() {
			overflow(v.Index(i), float, whole)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && !slices.Contains([]string{"Schema", "DurationMS", "Line", "Cell", "Cut", "Bytes", "Taken"}, f.Name) {
				overflow(v.Field(i), float, whole)
			}
		}
	case reflect.Float64:
		v.SetFloat(float)
	case reflect.Int, reflect.Int64:
		v.SetInt(whole)
	case reflect.Uint64:
		v.SetUint(uint64(whole))
	}
}

// TestHostileNumbers checks that impossible numbers are shown or omitted, and that every file of the site can
// still be generated.
func TestHostileNumbers(t *testing.T) {
	files, sources := labSite(t)
	for _, n := range []struct {
		float float64
		whole int64
	}{{math.MaxFloat64, math.MaxInt64}, {-math.MaxFloat64, math.MinInt64 + 1}, {math.SmallestNonzeroFloat64, -1}, {0, 0}} {
		var own []results.Source
		for _, src := range sources {
			data, err := json.Marshal(src.Report)
			if err != nil {
				t.Fatal(err)
			}
			r := &report.Report{}
			if err := json.Unmarshal(data, r); err != nil {
				t.Fatal(err)
			}
			overflow(reflect.ValueOf(r), n.float, n.whole)
			if data, err = json.Marshal(r); err != nil {
				t.Fatal(err)
			}
			if r, err = report.Parse(r.Machine.Name+".json", data); err != nil {
				t.Fatalf("%v: the report is rejected, so the test checks nothing: %v", n, err)
			}
			own = append(own, results.Source{Report: r, Local: src.Local})
		}
		s := newSite(t, files, themes.Default(), Options{BaseURL: "https://example.org/"}, own...)
		for _, name := range s.Paths() {
			text := get(t, s, name)
			if i := strings.Index(text, "NaN"); i >= 0 && strings.HasSuffix(name, ".html") {
				t.Errorf("%v: %s: %q", n, name, text[max(0, i-80):min(len(text), i+20)])
			}
		}
	}
}

// FuzzReport checks that the HTML of pages is safe for any report.
func FuzzReport(f *testing.F) {
	f.Add(evil)
	f.Add("</pre></div>\r\n[x](javascript:x)")
	f.Add("\xff\xfe<b>")
	files, sources := labSite(f)
	fsys := fstest.MapFS{"gpudocs.toml": file(config)}
	for name, text := range files {
		fsys[name] = file(text)
	}
	site, diags := load.Load(fs.FS(fsys), load.Options{})
	if diags.HasErrors() {
		f.Fatal(diags)
	}
	var plain [][]byte
	for _, src := range sources {
		data, err := json.Marshal(src.Report)
		if err != nil {
			f.Fatal(err)
		}
		plain = append(plain, data)
	}
	o := Options{Highlighter: new(highlight.Highlighter), Math: tex.New(nil), Diagrams: diagram.New(nil)}
	f.Fuzz(func(t *testing.T, text string) {
		var spoilt []results.Source
		for i, data := range plain {
			r := &report.Report{}
			if err := json.Unmarshal(data, r); err != nil {
				t.Fatal(err)
			}
			spoil(reflect.ValueOf(r), text)
			for _, c := range r.Checks {
				for i, d := range c.Diff {
					c.Diff[i].Taken = [][2]int{{0, len(d.Text) / 2}} // it may end in the middle of a character
				}
			}
			// As a file it would be read: texts that are too long are refused, others are UTF-8 then.
			file, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			if r, err = report.Parse(r.Machine.Name+".json", file); err != nil {
				return
			}
			spoilt = append(spoilt, results.Source{Report: r, Local: sources[i].Local})
		}
		s, _, err := New(t.Context(), site, spoilt, themes.Default(), o)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range site.Pages {
			body, err := page.Render(t.Context(), s.plan.input(nav.Placed{Page: p, Language: p.Language}, p, s.plan.reports.Included(p)))
			if err != nil {
				t.Fatal(err)
			}
			if err := checkHTML(string(body.HTML)); err != nil {
				t.Errorf("%q: %v\n%s", text, err, body.HTML)
			}
		}
	})
}
