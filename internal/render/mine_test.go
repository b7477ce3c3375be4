package render

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/net/html"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/themes"
)

// spoken is a theme that shows what a page says of machines, and nothing else.
var spoken fs.FS = Overlay(fstest.MapFS{
	"layouts/page.html": file(`{{.MachineNames}} | {{.HereNames}}{{range .Machines}}
{{if .Begins}}{{.GPU}}:{{end}} {{.Name}}{{if .Local}} (local){{end}}{{if .Ends}};{{end}}{{end}}
{{range .Verdicts}}{{.Machine}}{{if .Local}} (local){{end}}: {{.Status}}, {{.Text}}{{range .Blocks}}
  {{.Name}} {{.StatusText}} {{.URL}}{{end}}
{{end}}{{.Heading}}
{{.Body}}`),
	"layouts/zz.html": file(`{{define "code"}}{{.Anchor}} {{.Needs}}{{.When}}{{range .Requirements}}
  {{.Machine}} {{.Status}}: {{.Text}}, {{.Found}}{{end}}{{range .Meant}}
  {{.Machine}} {{.Fits}}: {{.Text}}{{end}}{{with .Panel}}{{range .Fares}}
  {{.Machine}} {{.Status}}: {{.StatusText}}{{end}}
  {{.Left}}{{range .Results}} {{.ID}}={{.Machine}}{{end}}{{end}}
{{end}}{{define "live"}}{{.Value}}{{range .Others}} ({{.Machine}}: {{.Value}}){{end}}{{end}}`),
}, bare)

func TestMachineGolden(t *testing.T) { golden(t, "testdata/machine/machine.txtar", spoken) }

// crowd is a site with a page, and so many machines that have run it. Of the checks of m042
// one failed.
func crowd(t *testing.T, machines int) (*Site, string) {
	files := map[string]string{"content/pt/index.md": "# Início\n:::machines\n:::\n", "content/pt/gpu.md": "# GPU de {live}`m000.os`\n{live}`m001.gpus`\n" +
		"```bash {run name=a needs=\"gpus >= 1\"}\necho a\n```\n```text {expect when=\"gpus == 0\"}\n```\n```text {expect}\n```\n```bash {run name=b}\necho b\n```\n```bash {run name=c}\necho c\n```\n"}
	ids := checkIDs(t, files)
	var sources []Source
	for i := range machines {
		r := &report.Report{Schema: 1, Generator: "made up", Machine: report.Machine{Name: fmt.Sprintf("m%03d", i), OS: "Debian", Arch: "amd64",
			GPU: report.GPU{Status: report.GPUOk, Devices: []report.Device{{Name: "NVIDIA L4"}}}}}
		for _, name := range []string{"a", "b", "c"} {
			c := report.Check{ID: ids[name], Kind: "bash", Page: "gpu", Name: name, Outcome: report.Passed, Stdout: &report.Stream{Text: strings.Repeat("saída ", 100)}}
			if name == "b" && i == 42 {
				c.Outcome, c.Reason = report.Failed, &report.Reason{Code: report.ReasonMismatch}
			}
			r.Checks = append(r.Checks, c)
		}
		sources = append(sources, Source{Report: r})
	}
	s := newSite(t, files, themes.Default(), Options{}, sources...)
	return s, get(t, s, "pt/gpu/index.html")
}

// TestManyMachines: a page must not grow with the machines of the lab, and lose nothing.
func TestManyMachines(t *testing.T) {
	few, small := crowd(t, maxHere)
	if slices.ContainsFunc(few.Paths(), func(p string) bool { return strings.Contains(p, "_on/") }) {
		t.Error("a page that holds all has files for later")
	}
	s, page := crowd(t, 100)
	if limit := len(small) + 100*120; len(page) > limit { // their names in the list
		t.Errorf("%d machines: %d bytes; 100 machines: %d bytes, more than %d", maxHere, len(small), len(page), limit)
	}
	for _, want := range []string{`data-for="m042"`, `<p class="panel-left">Mais 92 máquinas`, ` data-here="m000 m001 m002 m003 m004 m005 m006 m042"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if strings.Contains(page, `data-for="m099"`) {
		t.Error("the page holds pieces of m099")
	}

	// What comes later fits into the places of the page, one by one.
	text, ok := strings.CutPrefix(get(t, s, "pt/gpu/_on/m099.js"), `gpudocsDeliver("m099", `)
	text, done := strings.CutSuffix(text, ");\n")
	var pieces []string
	if err := json.Unmarshal([]byte(text), &pieces); err != nil || !ok || !done {
		t.Fatal(err, text)
	}
	places := 0
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && hasAttribute(n, "data-place") {
			places++
		}
	}
	if len(pieces) != places || places < 8 {
		t.Fatalf("%d pieces for %d places", len(pieces), places)
	}
	for i, want := range []string{`(m099: Debian)`, `Funciona em m099: todas as 3 verificações passam`, `(m099: 1)`, `m099 atende`, `não é para m099`, `para m099`, `<b>m099</b> passou`, `id="code-a.results.100"`} {
		if !strings.Contains(pieces[i], want) {
			t.Errorf("piece %d lacks %s: %s", i, want, pieces[i])
		}
	}
	if !strings.Contains(pieces[7], `type="radio"`) || strings.Contains(pieces[7], "m042") {
		t.Errorf("the tab: %s", pieces[7])
	}

	// A page that says nothing of machines asks for nothing.
	if s.files["pt/_on/m099.js"] != nil || strings.Contains(get(t, s, "pt/index.html"), "data-here") {
		t.Error("the first page has files for later")
	}
}

// TestMachinesOfOwnPages: the list of machines stands on pages that nobody wrote, too.
func TestMachinesOfOwnPages(t *testing.T) {
	s, _ := crowd(t, 2)
	w := s.picker("pt")
	if len(w) != 2 || !w[0].Begins || w[0].Ends || w[1].Begins || !w[1].Ends {
		t.Errorf("%+v", w)
	}
	if none := newSite(t, map[string]string{"content/pt/index.md": "# A\n{live}`m.os`\n"}, themes.Default(), Options{}); strings.Contains(get(t, none, "pt/index.html"), "picker") {
		t.Error("a site without machines has a list of them")
	}
}
