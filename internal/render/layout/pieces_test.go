package layout

import (
	"html/template"
	"strings"
	"testing"
)

// fragments are the parts of FuzzTemplates' templates: every place in which a value can be, and every form of an
// action.
var fragments = []string{
	"text ", "<p>", "</p>", `<p title="`, `<p title='`, "<p title=", `">`, "'>", ">", " ", `<a href="`, "<a href='", "<a href=", `<a href="?x=`, `<a href="x/`, `<a href="#`, `<a href="javascript:`, `<img src="`, `<img srcset="`, `<img srcset="a 1x, `,
	`<p style="`, `<p onclick="`, `<p data-x="`, `<p data-url="`, `<p class="a `, "<p ", "<", "</", "<title>", "</title>", "<textarea>", "</textarea>", "<script>", "</script>", `<script type="application/json">`, "<style>", "</style>", "<!--", "-->", "<script>`", "`", "${", "}", "'", `"`, "\\", "var x = ", "/", "//", "/*", "*/", "\n",
	`<meta content="0; url=`, `<meta content="`, `<meta http-equiv="refresh" content="0; url=`, "<svg><a xlink:href=\"", `<object data="`, `<iframe srcdoc="`, `<form action="`, "<template>", "</template>", "&amp;", "=", "?", "#", ":", "url(",
	"{{.Own}}", "{{.}}", "{{.Item.Title}}", "{{.Item.URL}}", "{{.Item.HTML}}", "{{.Item.N}}", "{{.Item.Current}}", "{{.Item.Any}}", "{{.Item.Map.a}}", "{{.Item.Map.n}}", "{{.Item.Map.none}}", "{{.Item.Next}}", "{{.Item.Next.Title}}", "{{.Item.Children}}", "{{.Item.T}}", "{{.Item.Rest}}", "{{.Item.Pointer}}", "{{.Item.Fails}}",
	"{{.Typed.URL}}", "{{.Typed.JS}}", "{{.Typed.CSS}}", "{{.Typed.Attr}}", "{{.Typed.JSStr}}", "{{.Typed.Srcset}}", "{{.Typed.Own}}", "{{.Typed.Text}}", "{{.Typed.Error}}", "{{.Typed.Bytes}}", "{{.Typed.HTML}}", "{{.Typed.Float}}", "{{.Typed.Uint}}",
	"{{with .Item}}", "{{with .Item.Next}}", "{{with .Item.Any}}", "{{with .Item.Map.a}}", "{{with .Typed.HTML}}", "{{with .Own}}", "{{with $x := .Own}}", "{{range .Item.Children}}", "{{range $i, $c := .Item.Children}}", "{{range $c := .Item.Children}}", "{{if .Own}}", "{{if .Item.N}}", "{{if .Item.HTML}}", "{{if and .Own .Item.Any}}", "{{if .Typed.HTML}}",
	"{{if eq .Own .Item.URL}}", "{{if eq .Item.Any \"a\"}}", "{{if not .Item.Next}}", "{{if lt .Item.N 1}}", "{{if eq .Item.N 1 2}}", "{{else}}", "{{else if .Item.Next}}", "{{end}}", "{{end}}", "{{end}}", "{{break}}", "{{continue}}", "{{$x := .Own}}", "{{$x}}", "{{$c.Title}}", "{{$i}}", "{{$.Own}}", "{{$.Item.HTML}}", "{{$x = .Item.URL}}", "{{$.Typed.URL}}",
	`{{template "icon" .Own}}`, `{{template "icon" .}}`, `{{template "icon" .Typed.HTML}}`, `{{template "fixed"}}`, `{{template "list" .Item.Children}}`, `{{template "begin" .}}`, `{{template "end" .}}`, `{{template "slow" .}}`, `{{or .Own .Item.URL}}`, `{{or .Item.HTML .Own}}`, `{{or .Item.Any .Item.HTML}}`, `{{and .Item.Map.a .Own}}`, `{{or .Item.N 1}}`,
	`{{"<b>"}}`, `{{"javascript:x"}}`, "{{1}}", "{{-1}}", "{{'a'}}", "{{0x1}}", "{{017}}", "{{1e3}}", "{{true}}", "{{nil}}", "{{.Own | html}}", "{{.Own | urlquery}}", "{{.Own | js}}", "{{.Own | len}}", "{{len .Own}}", "{{len .Item.Children}}", "{{index .Item.Map \"a\"}}", "{{print .Own}}", "{{(.Item).Title}}", "{{(or .Item .Own).Title}}", "{{- .Own -}}", "{{/* c */}}",
	`{{.Item.T.Get "a"}}`, `{{.Item.T.Get .Own}}`, `{{.Item.T.Get .Item.Any}}`, `{{.Item.T.Get "image_missing" "name" .Own}}`, `{{.Item.T.Count "checks_total" .Item.N}}`, `{{.Item.T.Get .Item.HTML}}`, `{{.Item.T.Count "checks_total" .Item.Any}}`, `{{.Hidden}}`, `{{.Title}}`, `{{.Item.Map}}`, `{{.Item.Map.a.b}}`,
}

// typed are values that html/template treats by their type.
type typed struct {
	HTML, Own, Text, Error any
	URL                    template.URL
	JS                     template.JS
	CSS                    template.CSS
	Attr                   template.HTMLAttr
	JSStr                  template.JSStr
	Srcset                 template.Srcset
	Bytes                  []byte
	Float                  float64
	Uint                   uint8
}

type named string

// stringer implements fmt.Stringer.
type stringer struct{ s string }

func (s stringer) String() string { return s.s }

// wide is outer, and has values of all types.
type wide struct {
	outer
	Typed typed
}

func wideData(t testing.TB, a, b string, n int) wide {
	d := data(t, a, b, n)
	if n%2 != 0 {
		d.Item.Any, d.Item.Map["a"] = template.HTML(a), named(b)
	}
	return wide{d, typed{template.HTML(a), named(b), stringer{a}, &stringer{b}, template.URL(a), template.JS(a), template.CSS(a), template.HTMLAttr(a), template.JSStr(a), template.Srcset(a), []byte(b), 1.5, 3}}
}

// FuzzTemplates is FuzzSame of templates that are made of fragments, each a byte. What html/template
// refuses is refused in the same words.
func FuzzTemplates(f *testing.F) {
	if len(fragments) > 256 {
		f.Fatal("a byte names 256 fragments")
	}
	for i := range fragments {
		f.Add([]byte{1, byte(i)}, "a", "b", i%5-1)
		f.Add([]byte{3, byte(i), 6}, `<">&'javascript:x`, "https://x/<b>", i%5-1)
		f.Add([]byte{10, byte(i), 6}, "javascript:alert(1)", `"><script>`, i%5-1)
	}
	f.Fuzz(func(t *testing.T, pieces []byte, a, b string, n int) {
		var text strings.Builder
		for _, p := range pieces[:min(len(pieces), 40)] {
			text.WriteString(fragments[int(p)%len(fragments)])
		}
		make := func() (*template.Template, error) {
			h, err := template.New("parts").Parse(parts)
			if err != nil {
				return nil, err
			}
			return h.New("t").Option("missingkey=error").Parse(text.String())
		}
		own, err := make()
		if err != nil {
			return
		}
		whole, _ := make()
		same(t, text.String(), New(own), whole, wideData(t, a, b, n))
	})
}
