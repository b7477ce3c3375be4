package render

import (
	"bytes"
	"image"
	"image/png"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/themes"
)

func pngOf(t *testing.T, width, height int) report.Figure {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
		t.Fatal(err)
	}
	return report.Figure{PNG: b.Bytes()}
}

// TestFigures checks that a figure drawn by a block is one file of the site for all pages and machines that show
// it, and that the pages refer to it.
func TestFigures(t *testing.T) {
	block := "```python {run name=plot}\nplot()\n```\n"
	files := map[string]string{"content/pt/a/b.md": block, "content/es/a/b.md": block}
	id := checkIDs(t, files)["plot"]
	machine := func(name string, figures ...report.Figure) results.Source {
		return results.Source{Report: &report.Report{Schema: 1, Machine: report.Machine{Name: name, GPU: report.GPU{Status: report.GPUNone}}, Checks: []report.Check{{
			ID: id, Kind: "python", Page: "a/b", Name: "plot", Outcome: report.Passed, Ran: time.Unix(1e9, 0), Figures: figures,
		}}}}
	}
	one, two, unused := pngOf(t, 64, 48), pngOf(t, 10, 20), pngOf(t, 7, 7)
	gone := machine("three", unused)
	gone.Report.Checks[0].ID, gone.Report.Checks[0].Page = report.GPULine("x"), "nowhere"
	s := newSite(t, files, themes.Default(), Options{}, machine("one", one, two), machine("two", one), gone)

	var published []string
	for _, p := range s.Paths() {
		if strings.HasPrefix(p, results.FigureDir+"/") {
			published = append(published, p)
		}
	}
	if want := []string{results.FigureFile(one), results.FigureFile(two)}; !slices.Equal(published, slices.Sorted(slices.Values(want))) {
		t.Fatalf("published %q, want %q", published, want)
	}
	if got := get(t, s, results.FigureFile(two)); got != string(two.PNG) {
		t.Error("the file is not the figure")
	}
	for page, alt := range map[string]string{
		"pt/a/b/index.html": "Figura 2 desenhada pelo bloco plot em só CPU, one",
		"es/a/b/index.html": "Figura 2 dibujada por el bloque plot en solo CPU, one",
	} {
		want := `<img src="../../../` + results.FigureFile(two) + `" width="10" height="20" alt="` + alt + `" loading="lazy" decoding="async">`
		if html := get(t, s, page); !strings.Contains(html, want) || strings.Count(html, results.FigureFile(one)) != 2 || strings.Contains(html, "data:image") {
			t.Errorf("%s lacks %s", page, want)
		}
	}
}
