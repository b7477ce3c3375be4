package layout

import (
	"bytes"
	"html/template"
	"io/fs"
	"strings"
	"sync"
	"testing"

	"github.com/gpudocs/gpudocs/internal/text"
)

type item struct {
	Title, URL, Lang string
	Current          bool
	N                int
	HTML             template.HTML
	Children         []item
	Next             *item
	Any              any
	Map              map[string]any
	T                text.Catalog
}

func (i item) Rest() int        { return len(i.Children) + i.N }
func (i *item) Pointer() string { return "p" }
func (i item) Fails() (string, error) {
	return "", fs.ErrInvalid
}

type outer struct {
	item
	Item item
	Own  string
}

var portuguese = sync.OnceValue(func() text.Catalog { return text.Of("pt") })

func data(t testing.TB, text, url string, n int) outer {
	t.Helper()
	texts := portuguese()
	i := item{Title: text, URL: url, Lang: url, N: n, HTML: template.HTML(text), Current: n > 0, Any: text, T: texts, Map: map[string]any{"a": url, "n": n}}
	for k := range max(0, min(n, 3)) {
		i.Children = append(i.Children, item{Title: url, URL: text, N: k, T: texts})
	}
	if n > 1 {
		i.Next = &item{Title: text, HTML: template.HTML(url)}
	}
	return outer{item{}, i, text}
}

// quick are templates that need nothing of html/template, slow some that do.
var quick = []string{
	`<p title="{{.Own}}">{{.Own}}</p><title>{{.Own}}</title>`,
	`{{with .Item}}<a href="{{.URL}}" id="{{.Lang}}">{{.HTML}}</a><a href="#{{.Title}}">{{.N}}</a><a href="x?y={{.URL}}">{{.Rest}}</a>{{end}}`,
	`{{range .Item.Children}}<li{{if .Current}} class="c"{{end}}>{{.Title}}{{with .Children}}{{template "list" .}}{{else}}{{$.Own}}{{end}}</li>{{else}}none{{end}}`,
	`{{with .Item.Next}}{{.Title}}{{.HTML}}{{with .Next}}never{{end}}{{else}}{{.Own}}{{end}}`,
	`{{$n := .Item.N}}{{$t := .Item.T}}{{range $i, $c := .Item.Children}}{{if gt $n $i}}{{$c.Title}}{{$i}}{{end}}{{end}}{{$t.Get "a"}}`,
	`{{if or .Own .Item.N}}a{{end}}{{if and .Own (not .Item.Current)}}b{{end}}{{or .Own "x"}}{{and .Own "x"}}{{if eq .Own "a"}}c{{else if ne .Own .Item.URL}}d{{end}}{{if le .Item.N 2}}e{{end}}`,
	`{{.Item.T.Get "status_passed"}}{{.Item.T.Get "image_missing" "name" .Own}}{{.Item.T.Count "checks_total" .Item.N}}{{.Item.T.Count "checks_total" (len .Item.Children)}}{{.Item.T.Count "mine_more" .Item.Rest}}`,
	`{{template "icon" "a&b"}}{{template "icon" .Own}}{{template "fixed"}}`,
	`<meta http-equiv="refresh" content="0; url={{.Own}}">`,
	`{{/* nothing */ -}} {{.Title}}`,
	`{{.Item.Any}}{{.Item.Map.a}}<a href="{{.Item.Map.a}}">{{with .Item.Any}}{{.}}{{end}}</a>{{if .Item.Map.a}}x{{end}}{{or .Item.Any .Own}}`,
	`<p title="{{.Item.HTML}}">`, `<title>{{.Item.HTML}}</title>`, `{{.Item.Current}}`,
	`{{.Item.Map.b}}`, `{{.Item.Map.n}}`, `{{with .Item.Map.n}}{{$.Own}}{{end}}`, `{{template "begin" .}}">{{.Own}}</p>`, `{{.Item.Next.Title}}`, `{{template "endless" .}}`,
}

var slow = []string{
	`{{template "begin" .}}{{.Own}}{{template "end" .}}`, `<p title="{{if .Own}}"{{end}}>`, `<a href="x`, `<a href="{{template "begin" .}}">`, `{{.Item.Map.a.b}}`, `{{range .Item.Any}}{{end}}`, `{{printf "%q" .Own}}`, `{{.Own | len}}`, `{{range $k, $v := .Item.Map}}{{$k}}{{end}}`, `{{slice .Own 0 0}}`,
	`<p title={{.Own}}>`, `<script>x = {{.Own}}</script>`, `<style>a { color: {{.Own}} }</style>`, `<p onclick="{{.Own}}">`, `<p style="{{.Own}}">`, `<img srcset="{{.Own}}">`,
	`<p title="{{template "icon" .Own}}">`, `{{range .Item.Children}}{{break}}{{end}}`, `{{$x := 1}}{{$x = 2}}{{$x}}`, `{{eq 1 1 2}}`, `{{1.5}}`, `{{with $x := .Own}}{{$x}}{{end}}`,
	// In the list behind else a variable of range is the whole of what there was to go through.
	`{{$c := .Own}}{{range $c := .Item.Children}}{{else}}{{$c}}{{end}}`, `{{range $i, $c := .Item.Children}}{{else}}{{if $c}}x{{end}}{{$i}}{{end}}`,
	`{{.Item.Fails}}`, `{{.Item.Pointer}}`, `{{range 3}}x{{end}}`, `{{.Own.Nothing}}`, `{{nil}}`, `{{define "other"}}{{end}}{{template "slow" .}}`,
}

const parts = `{{define "list"}}<ul>{{range .}}<li>{{.Title}}{{with .Children}}{{template "list" .}}{{end}}</li>{{end}}</ul>{{end}}
{{define "icon"}}<svg><use href="#_i-{{.}}"/></svg>{{end}}{{define "fixed"}}<b>fixed</b>{{end}}{{define "begin"}}<p class="a{{end}}{{define "end"}}{{.Own}}">{{.Own}}</p>{{end}}{{define "endless"}}{{template "endless" .}}{{end}}
{{define "slow"}}{{printf "%s" .Own}}{{end}}`

func set(t testing.TB, text string) *template.Template {
	return template.Must(template.Must(template.New("parts").Parse(parts)).New("t").Option("missingkey=error").Parse(text))
}

// same compares the output of a set with that of html/template.
func same(t *testing.T, text string, s *Set, h *template.Template, d any) {
	t.Helper()
	var want, got bytes.Buffer
	got.WriteString("before")
	wantErr := h.ExecuteTemplate(&want, "t", d)
	gotErr := s.Execute(&got, "t", d)
	if wantErr != nil {
		want.Reset()
	}
	if (wantErr == nil) != (gotErr == nil) || wantErr != nil && wantErr.Error() != gotErr.Error() {
		t.Fatalf("%s: error %v, want %v", text, gotErr, wantErr)
	}
	if got.String() != "before"+want.String() {
		t.Fatalf("%s\n got %q\nwant %q", text, got.String(), "before"+want.String())
	}
}

// texts have the characters that escapers change, in every place.
var texts = []string{"", "a", "a b", `"&'+<>`, "\x00\r\n\t\x7f\x01", "é 漢 \u2028 \U0001f680 \xff\xc3", "../é/?a=b&c#d", "https://a.b/c%20d:e", "https://a.b/c", "javascript:alert(1)", "mailto:x", "a%zz(b)", "%C3%A7/", "{{.}}", "--><!--</title></script>"}

func TestSame(t *testing.T) {
	for i, text := range append(quick, slow...) {
		s, h := New(set(t, text)), set(t, text)
		if isQuick := s.Quick("t", outer{}); isQuick != (i < len(quick)) {
			t.Errorf("%s: quick is %v", text, isQuick)
		}
		if strings.Contains(text, "endless") {
			same(t, text, s, h, data(t, "", "", 0)) // it is slow
			continue
		}
		for k, a := range texts {
			d := data(t, a, texts[(k+3)%len(texts)], k%5-1)
			same(t, text, s, h, d)
			same(t, text, s, h, &d)
		}
		same(t, text, s, h, nil)
		same(t, text, s, h, (*outer)(nil))
		same(t, text, s, h, item{Title: "another type"})
	}
}

// TestTogether checks that a template may be executed directly and from other templates, also concurrently.
func TestTogether(t *testing.T) {
	const text = `{{define "a"}}{{template "list" .Item.Children}}{{end}}{{define "b"}}{{template "a" .}}{{end}}{{define "c"}}{{template "b" .}}{{end}}`
	d := data(t, "a", "b", 3)
	for range 500 {
		s := New(set(t, text))
		var g sync.WaitGroup
		for _, name := range []string{"a", "b", "c"} {
			g.Go(func() {
				if err := s.Execute(&bytes.Buffer{}, name, d); err != nil {
					t.Error(err)
				}
			})
		}
		g.Wait()
	}
}

func TestUnknownTemplate(t *testing.T) {
	if err := New(set(t, "")).Execute(&bytes.Buffer{}, "nothing", 1); err == nil {
		t.Error("no error for a template that does not exist")
	}
}

// TestLearned checks that the escapers of all places in samples are learned: an unknown place would only make a
// template slow, which no other test notices.
func TestLearned(t *testing.T) {
	known := escapers()
	if len(known) != len(samples) {
		t.Errorf("%d of %d places are known", len(known), len(samples))
	}
	for chain, e := range known {
		if e.become['a'] != "a" || e.become['/'] == "" {
			t.Errorf("%s: an address goes to html/template", chain)
		}
	}
}

func FuzzSame(f *testing.F) {
	for _, a := range texts {
		f.Add(a, "b", 1)
		f.Add("b", a, 2)
	}
	var sets []*Set
	var by []*template.Template
	all := append(quick, slow...)
	for _, text := range all {
		sets, by = append(sets, New(set(f, text))), append(by, set(f, text))
	}
	f.Fuzz(func(t *testing.T, a, b string, n int) {
		d := data(t, a, b, n)
		for i, text := range all {
			if strings.Contains(text, "endless") {
				continue
			}
			same(t, text, sets[i], by[i], d)
		}
	})
}

func BenchmarkExecute(b *testing.B) {
	text := strings.Join(quick[:8], "\n")
	d := data(b, "Texto com d'água", "../a/b/", 3)
	for _, name := range []string{"quick", "html"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			s, h := New(set(b, text)), set(b, text)
			var out bytes.Buffer
			for b.Loop() {
				out.Reset()
				var err error
				if name == "quick" {
					err = s.Execute(&out, "t", d)
				} else {
					err = h.ExecuteTemplate(&out, "t", d)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkFirst measures the first execution of a set, as in each rebuild of serve.
func BenchmarkFirst(b *testing.B) {
	text := strings.Join(quick[:8], "\n")
	d := data(b, "Texto com d'água", "../a/b/", 3)
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		h := set(b, text)
		b.StartTimer()
		if err := New(h).Execute(&bytes.Buffer{}, "t", d); err != nil {
			b.Fatal(err)
		}
	}
}
