package render

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"strings"
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/themes"
)

const curve = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 20"><path d="M0 0L30 20"/></svg>`

// displaying makes a site with a page of one block, for which each machine reports these figures.
func displaying(t *testing.T, machines int, figures ...report.Figure) *Site {
	files := map[string]string{"content/pt/a.md": "```python {run name=plot}\nplot()\n```\n"}
	id := checkIDs(t, files)["plot"]
	var sources []results.Source
	for i := range machines {
		sources = append(sources, results.Source{Report: &report.Report{Schema: 1, Machine: report.Machine{Name: fmt.Sprintf("m%d", i), GPU: report.GPU{Status: report.GPUNone}}, Checks: []report.Check{{
			ID: id, Kind: "python", Page: "a", Name: "plot", Outcome: report.Passed, Ran: time.Unix(1e9, 0), Figures: figures,
		}}}})
	}
	return newSite(t, files, themes.Default(), Options{}, sources...)
}

// TestDisplays checks that pictures are published, and that the feed of a site with many machines has each form.
func TestDisplays(t *testing.T) {
	var photo bytes.Buffer
	if err := jpeg.Encode(&photo, image.NewGray(image.Rect(0, 0, 5, 4)), nil); err != nil {
		t.Fatal(err)
	}
	figures := []report.Figure{{HTML: "<table><tr><td>19.5</td></tr></table>"}, {SVG: curve}, {JPEG: photo.Bytes()}, {LaTeX: `$\frac{a}{2}$`}, {LaTeX: "uma tabela <b>"}, {HTML: "<script>alert(1)</script>"},
		{SVG: strings.Replace(curve, ` viewBox="0 0 30 20"`, "", 1)}}
	s := displaying(t, results.MaxIncluded+1, figures...)
	if data := get(t, s, results.FigureFile(figures[1])); data != curve {
		t.Errorf("published %q", data)
	}
	feed := get(t, s, "_results/m8.json")
	for _, want := range []string{`19.5`, `math display`, `"url": "` + results.FigureFile(figures[2]) + `"`, `"text": "uma tabela`} {
		if !strings.Contains(feed, want) {
			t.Errorf("no %s in\n%s", want, feed)
		}
	}
	if strings.Contains(feed, "alert(1)") {
		t.Error("the feed has a script")
	}
}
