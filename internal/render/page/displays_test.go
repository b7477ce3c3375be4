package page_test

import (
	"bytes"
	"image"
	"image/jpeg"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/gpudocs/gpudocs/internal/render/page"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

// dataFrame is the HTML of a DataFrame of pandas.
const dataFrame = `<div>
<style scoped>
    .dataframe tbody tr th { vertical-align: top; }
</style>
<table border="1" class="dataframe">
  <thead>
    <tr style="text-align: right;"><th></th><th>gpu</th><th>tflops</th></tr>
  </thead>
  <tbody>
    <tr><th>0</th><td>A100</td><td>19.5</td></tr>
  </tbody>
</table>
</div>`

const curve = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 20"><path d="M0 0L30 20"/></svg>`

// ran renders a page of one block for which a machine reports a check.
func ran(t *testing.T, text string, c report.Check) string {
	t.Helper()
	s, diags := load.Load(sitetest.FS(map[string]string{"gpudocs.toml": config, "content/pt/a.md": text}), load.Options{})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	c.ID, c.Name, c.Outcome, c.Ran = s.Pages[0].Blocks[0].ID, s.Pages[0].Blocks[0].Name, report.Passed, time.Unix(1e9, 0)
	r := &report.Report{Machine: report.Machine{Name: "m0", GPU: report.GPU{Status: report.GPUNone}}, Checks: []report.Check{c}}
	return textsOf(t, s, []results.Source{{Report: r}}, nil)["pt/a/"]
}

// displaying renders a page of one block that displayed these figures.
func displaying(t *testing.T, figures ...report.Figure) string {
	t.Helper()
	return ran(t, "```python {run name=plot}\nplot()\n```\n", report.Check{Figures: figures})
}

// TestExpectedWords: if the page shows what is expected as what was printed, the head of the block says how it is compared.
func TestExpectedWords(t *testing.T) {
	t.Parallel()
	text := ran(t, "```bash {run name=warn}\necho full >&2\n```\n\n```text {expect stream=stderr}\nfull\n```\n", report.Check{Stderr: &report.Stream{Text: "full\n"}})
	_, figure, _ := strings.Cut(text, "<figure")
	head, rest, _ := strings.Cut(figure, "</figcaption>")
	if !strings.Contains(head, `title="stream=stderr">imprime em stderr<`) || !strings.Contains(rest, "<samp>full") || strings.Contains(rest, "code-expected") {
		t.Error(figure)
	}
}

// TestDisplays: each form is shown, in order.
func TestDisplays(t *testing.T) {
	t.Parallel()
	var photo bytes.Buffer
	if err := jpeg.Encode(&photo, image.NewGray(image.Rect(0, 0, 5, 4)), nil); err != nil {
		t.Fatal(err)
	}
	figures := []report.Figure{
		{HTML: dataFrame},
		{SVG: curve},
		{JPEG: photo.Bytes()},
		{LaTeX: `$\frac{a}{2}$`},
		{LaTeX: "uma tabela <b>"},
		{HTML: "<script>alert(1)</script>"},
		{SVG: strings.Replace(curve, ` viewBox="0 0 30 20"`, "", 1)},
	}
	got := displaying(t, figures...)
	for _, want := range []string{
		`<div class="output-html scroll" tabindex="0" role="region" aria-label="Saída 1 exibida pelo bloco plot em só CPU, m0">`,
		"<th>gpu</th>", "<td>19.5</td>",
		`<img src="../../` + results.FigureFile(figures[1]) + `" width="30" height="20" alt="Figura 2 desenhada pelo bloco plot em só CPU, m0"`,
		`<img src="../../` + results.FigureFile(figures[2]) + `" width="5" height="4" alt=`,
		`<div class="math"><math display="block"`,
		"<samp>uma tabela &lt;b&gt;</samp>",
		"O HTML não tem nada a mostrar",
		`<img src="../../` + results.FigureFile(figures[6]) + `" alt=`,
	} {
		_, after, ok := strings.Cut(got, want)
		if !ok {
			t.Fatalf("no %s, or not in order, in\n%s", want, got)
		}
		got = after
	}
}

// inert fails if HTML would run, load or imitate something, or leave its place.
func inert(t *testing.T, source, out string) {
	t.Helper()
	allowed := strings.Fields(`a abbr acronym b bdi bdo big blockquote br caption center cite code col colgroup data dd del details dfn div dl dt em
		figcaption figure hr i ins kbd li mark meter ol p pre progress q rb rp rt rtc ruby s samp section small span strike strong sub summary sup
		table tbody td tfoot th thead time tr tt u ul var wbr article aside hgroup`)
	attributes := strings.Fields("title dir lang rowspan colspan scope href start reversed value open datetime width min max low high optimum rel")
	var open []string
	for z := html.NewTokenizer(strings.NewReader(out)); z.Next() != html.ErrorToken; {
		token := z.Token()
		switch token.Type {
		case html.StartTagToken, html.SelfClosingTagToken:
			if !slices.Contains(allowed, token.Data) {
				t.Errorf("%q: <%s> in %q", source, token.Data, out)
			}
			if !slices.Contains([]string{"br", "col", "hr", "wbr"}, token.Data) {
				open = append(open, token.Data)
			}
			for _, a := range token.Attr {
				switch {
				case a.Key == "class" && token.Data == "div" && a.Val == "output-heading":
				case !slices.Contains(attributes, a.Key):
					t.Errorf("%q: %s= in %q", source, a.Key, out)
				case a.Key == "href" && !strings.HasPrefix(a.Val, "https://") && !strings.HasPrefix(a.Val, "http://"):
					t.Errorf("%q: a link to %q", source, a.Val)
				}
			}
		case html.EndTagToken:
			if len(open) == 0 || open[len(open)-1] != token.Data {
				t.Errorf("%q: </%s> ends nothing in %q", source, token.Data, out)
				return
			}
			open = open[:len(open)-1]
		case html.CommentToken, html.DoctypeToken:
			t.Errorf("%q: a comment in %q", source, out)
		}
	}
	if len(open) > 0 {
		t.Errorf("%q: %q stay open in %q", source, open, out)
	}
}

var hostileHTML = []string{
	dataFrame,
	"<script>alert(1)</script>x", `<b onload="x()" onmouseover=x()>9</b>`, `<svg><foreignObject><p>x</p></foreignObject></svg>y`,
	`<img src=x onerror=alert(1)>x<picture><source srcset=//example.org></picture>`, `<div style="position:fixed;inset:0">covers</div>`,
	`<style>body{display:none}</style>x<link rel=stylesheet href=//example.org>`, `<table><tr><td>1</table></div></article></main><h1>Passed</h1><nav>x</nav>`,
	`<a href="javascript:alert(1)">a</a><a href=" java&#10;script:x">b</a><a href=https://example.org target=_top>c</a>`,
	`<math><mtext><table><mglyph><style><img src=x onerror=x></style></mglyph></table></mtext></math>z`, `<form action=//example.org><input><button>b</button></form>`,
	`<h2 id=_status class="panel panel-passed">t</h2><p role=banner aria-label=x tabindex=0 hidden>u</p>`, "<!--><img src=x>-->v", `<noscript><p title="</noscript><img src=x onerror=x>">`,
	`<base href=//example.org><meta http-equiv=refresh content=0>w`, "<h1>" + strings.Repeat("<div>", 200) + "deep", `<iframe srcdoc="<script>x</script>">k</iframe>l`,
}

// FuzzDisplay checks that whatever HTML a report holds, what the page gets runs, loads and imitates nothing, and
// ends where it begins.
func FuzzDisplay(f *testing.F) {
	for _, s := range hostileHTML {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		inert(t, source, string(page.Sanitised(source)))
	})
}

// TestHostileDisplays checks the same with the text of a page.
func TestHostileDisplays(t *testing.T) {
	for _, source := range hostileHTML {
		out := displaying(t, report.Figure{HTML: source}, report.Figure{LaTeX: "$" + source + "$"},
			report.Figure{LaTeX: `$\href{javascript:alert(1)}{x}\includegraphics{https://example.org/a.png}$`})
		balanced(t, source, out)
		_, shown, _ := strings.Cut(out, `class="figures"`)
		shown, _, _ = strings.Cut(shown, "</details>")
		for _, bad := range []string{"<script", "<img", "<iframe", "<style", "<form", "<nav", "<h1", `href="javascript`, "<link"} {
			if strings.Contains(shown, bad) {
				t.Errorf("%q: %s in %s", source, bad, shown)
			}
		}
		for z := html.NewTokenizer(strings.NewReader(shown)); z.Next() != html.ErrorToken; {
			for _, a := range z.Token().Attr {
				if a.Key == "style" || strings.HasPrefix(a.Key, "on") {
					t.Errorf("%q: %s= in %s", source, a.Key, shown)
				}
			}
		}
	}
	inert(t, "the largest table", string(page.Sanitised("<table>"+strings.Repeat("<tr><td>1", report.MaxMarkup/9-1))))
}
