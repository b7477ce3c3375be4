package browser

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"os"
	"path"
	"strings"
	"testing"
)

// The forms of what a snippet displays, with a table that is wider and higher than its box.
const (
	displayedSVG = `<svg xmlns="http://www.w3.org/2000/svg" width="360" height="180"><path d="M20 160L120 60L220 110L340 20" fill="none" stroke="#276" stroke-width="4"/><text x="20" y="30">tflops</text></svg>`
	displayedTeX = `$\displaystyle \int_{0}^{1} \sqrt{1 - x^{2}}\, dx = \frac{\pi}{4}$`
)

func displayedTable() string {
	var b strings.Builder
	b.WriteString(`<div><style scoped>.dataframe td { color: red }</style><table border="1" class="dataframe"><thead><tr style="text-align: right;"><th></th>`)
	for c := range 12 {
		fmt.Fprintf(&b, "<th>kernel_%d</th>", c)
	}
	b.WriteString("</tr></thead><tbody>")
	for r := range 30 {
		fmt.Fprintf(&b, "<tr><th>%d</th>", r)
		for c := range 12 {
			fmt.Fprintf(&b, "<td>%.3f</td>", float64(r*c)/7)
		}
		b.WriteString("</tr>")
	}
	b.WriteString(`</tbody></table></div><h1>Passed</h1><script>document.title = "run"</script><img src="https://example.org/a.png" onerror="document.title = 'run'"><p style="position: fixed; inset: 0">covers</p>`)
	return b.String()
}

// TestDisplays checks a page with everything that a snippet can display: nothing is wider than the window,
// contrast, names, and nothing of the HTML runs, loads or leaves its box.
func TestDisplays(t *testing.T) {
	t.Parallel()
	photo := image.NewRGBA(image.Rect(0, 0, 320, 200))
	for i := range photo.Pix {
		photo.Pix[i] = byte(i / 250)
	}
	photo.Set(0, 0, color.White)
	var jpg bytes.Buffer
	if err := jpeg.Encode(&jpg, photo, nil); err != nil {
		t.Fatal(err)
	}
	figures := []any{map[string]string{"html": displayedTable()}, map[string]string{"svg": displayedSVG}, map[string]any{"jpeg": jpg.Bytes()},
		map[string]string{"latex": displayedTeX}, map[string]string{"latex": "uma tabela"}, map[string]string{"html": "<script>1</script>"}}
	site := serve(t, func(string) bool { return false }, func(s *server) {
		for _, lang := range []string{"pt", "es"} {
			s.write(t, path.Join("content", lang, "index.md"), "---\ntitle: GPU\n---\n\n```python {run name=displayed}\nprint(1)\n```\n")
		}
		s.gpudocs(t, "verify", "--machine", "deepnine")
		const file = "results/deepnine.json"
		var r map[string]any
		if err := json.Unmarshal([]byte(s.read(t, file)), &r); err != nil {
			t.Fatal(err)
		}
		r["checks"].([]any)[0].(map[string]any)["figures"] = figures
		data, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		s.write(t, file, string(data))
	})
	tb := openTab(t, site.base)
	for _, lang := range []string{"pt", "es"} {
		tb.visit(lang + "/")
		tb.openDetails()
		is(tb, "document.querySelectorAll('.figures > .output-html').length", 2)
		is(tb, "document.querySelectorAll('.figures > .output-html math').length", 1)
		is(tb, "[...document.querySelectorAll('.figures > img')].map(i => i.getAttribute('src').split('.').pop()).join()", "svg,jpeg")
		is(tb, "[...document.querySelectorAll('.figures > img, .figures > .output-html')].every(e => e.alt || e.ariaLabel)", true)
		is(tb, "document.querySelectorAll('.output-html :is(h1, script, style, img, [style], [class]:not(.output-heading, .math, .math *))').length", 0)
		is(tb, "document.title.includes('run')", false)
		is(tb, "getComputedStyle([...document.querySelectorAll('.output-html p')].pop()).position", "static")
		is(tb, "(b => b.scrollWidth > b.clientWidth && b.scrollHeight > b.clientHeight)(document.querySelector('.output-html'))", true)
		for _, fault := range eval[audited](tb, audit).Faults {
			t.Errorf("%s: %s", lang, fault)
		}
		for _, width := range []int64{390, 1440} {
			tb.size(width, 900)
			is(tb, "document.documentElement.scrollWidth <= innerWidth", true)
			is(tb, "[...document.querySelectorAll('.figures img')].every(i => i.complete && i.naturalWidth > 0 && i.getBoundingClientRect().right <= innerWidth)", true)
			for _, scheme := range []string{"light", "dark"} {
				tb.scheme(scheme)
				tb.contrast(fmt.Sprint(lang, " at ", width), scheme)
				tb.picture(fmt.Sprintf("displays-%s-%s-%d", lang, scheme, width), true)
				rules := map[string]string{"light 390": allRules, "dark 1440": colourRules}[fmt.Sprint(scheme, " ", width)]
				if rules == "" {
					continue
				}
				t.Run("axe", func(t *testing.T) {
					source, err := os.ReadFile(needModule(t, "axe-core/axe.min.js"))
					if err != nil {
						t.Fatal(err)
					}
					eval[any](tb, string(source)+"\n;null")
					tb.axe("displays", lang, scheme, "html", rules)
				})
			}
		}
	}
}
