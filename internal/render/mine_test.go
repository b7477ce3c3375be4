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

func TestSoftwareGolden(t *testing.T) { golden(t, "testdata/machine/software.txtar", spoken) }

// crowd is a site with a page, and so many machines that have run it. Of the checks of m042
// one failed.
func crowd(t *testing.T, machines int, change ...func(*Source)) (*Site, string) {
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
		src := Source{Report: r}
		for _, f := range change {
			f(&src)
		}
		sources = append(sources, src)
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

	// What comes later fits into the places of the page, one by one. It comes for a few
	// machines at once.
	files := slices.DeleteFunc(s.Paths(), func(p string) bool { return !strings.HasPrefix(p, "pt/gpu/_on/") })
	if len(files) != 12 {
		t.Errorf("%d files for 92 machines: %v", len(files), files)
	}
	lot := delivered(t, s, "pt/gpu/_on/11.js")
	if len(lot) != 4 {
		t.Errorf("the last lot has %d machines", len(lot))
	}
	if own := lot["m099"][1]; len(own) != 1 || !strings.Contains(own[0], `Funciona em m099: todas as 3 verificações passam`) {
		t.Errorf("outside of the text: %q", own)
	}
	pieces, places := lot["m099"][0], countPlaces(t, page)-1
	if len(pieces) != places || places < 7 {
		t.Fatalf("%d pieces for %d places", len(pieces), places)
	}
	for i, want := range []string{`(m099: Debian)`, `(m099: 1)`, `m099 atende`, `não é para m099`, `para m099`, `<b>m099</b> passou`, `id="code-a.results.100"`} {
		if !strings.Contains(pieces[i], want) {
			t.Errorf("piece %d lacks %s: %s", i, want, pieces[i])
		}
	}
	if !strings.Contains(pieces[6], `type="radio"`) || strings.Contains(pieces[6], "m042") {
		t.Errorf("the tab: %s", pieces[6])
	}

	// A page that says nothing of machines asks for nothing.
	if s.files["pt/_on/0.js"] != nil || strings.Contains(get(t, s, "pt/index.html"), "data-here") {
		t.Error("the first page has files for later")
	}
}

// delivered reads what a page has for a lot of machines: the pieces of its text, and those outside of it.
func delivered(t *testing.T, s *Site, name string) map[string][2][]string {
	t.Helper()
	text, ok := strings.CutPrefix(get(t, s, name), `gpudocsDeliver(`)
	text, done := strings.CutSuffix(text, ");\n")
	if !ok || !done {
		t.Fatal(text)
	}
	return unpack(t, text)
}

// unpack does what theme-early.js does.
func unpack(t *testing.T, text string) map[string][2][]string {
	t.Helper()
	var forms [][]any
	var packed map[string][2][]any
	d := json.NewDecoder(strings.NewReader("[" + text + "]"))
	_, _ = d.Token()
	if err := d.Decode(&forms); err != nil {
		t.Fatal(err, text)
	}
	if err := d.Decode(&packed); err != nil {
		t.Fatal(err, text)
	}
	lot := map[string][2][]string{}
	for name, lists := range packed {
		var both [2][]string
		for i, list := range lists {
			for _, p := range list {
				var b strings.Builder
				if piece, ok := p.([]any); ok {
					for _, part := range forms[int(piece[0].(float64))] {
						n, number := part.(float64)
						switch {
						case !number:
							b.WriteString(part.(string))
						case n == 0:
							b.WriteString(name)
						default:
							b.WriteString(piece[int(n)].(string))
						}
					}
				}
				both[i] = append(both[i], b.String())
			}
		}
		lot[name] = both
	}
	return lot
}

func countPlaces(t *testing.T, page string) (n int) {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	for e := range doc.Descendants() {
		if slices.ContainsFunc(e.Attr, func(a html.Attribute) bool { return a.Key == "data-place" }) {
			n++
		}
	}
	return n
}

// TestPlacesOfTheDistrusted: of a machine whose report is not to be believed a page says less, in
// the same places.
func TestPlacesOfTheDistrusted(t *testing.T) {
	for _, distrusted := range []string{"m042 m099", "m000 m001 m002 m003 m004 m005 m006 m007 m008"} {
		s, page := crowd(t, 100, func(src *Source) {
			if strings.Contains(distrusted, src.Report.Machine.Name) {
				src.Signature.State = SignedOther
			}
		})
		places := countPlaces(t, page)
		for n := range 12 {
			for name, pieces := range delivered(t, s, fmt.Sprintf("pt/gpu/_on/%d.js", n)) {
				if n := len(pieces[0]) + len(pieces[1]); n != places {
					t.Errorf("distrusted: %s: %s: %d pieces for %d places", distrusted, name, n, places)
				}
			}
		}
	}
	s, _ := crowd(t, 100, func(src *Source) { src.Signature.State = SignedOther })
	if pieces := delivered(t, s, "pt/gpu/_on/11.js")["m099"][0]; len(pieces) == 0 || !strings.Contains(pieces[5], "<b>m099</b> assinatura inválida") {
		t.Errorf("%q", pieces)
	}
}

// TestSectionOfManyMachines: the page of a whole section holds of each page what that holds, in the same places, and has
// no files of its own: the others come from those of the pages.
func TestSectionOfManyMachines(t *testing.T) {
	s, _ := crowd(t, 100)
	page := get(t, s, "pt/_print/index.html")
	if strings.Count(page, ` data-here="m000 m001 m002 m003 m004 m005 m006 m042" data-page="../gpu/"`) != 1 || strings.Count(page, "data-here") != 1 || strings.Contains(page, `data-of="m099"`) {
		t.Error("other machines are here")
	}
	if slices.ContainsFunc(s.Paths(), func(p string) bool { return strings.Contains(p, "_print/_on/") }) {
		t.Error("the section has files for later")
	}
	if pieces, places := delivered(t, s, "pt/gpu/_on/11.js")["m099"][0], countPlaces(t, page); len(pieces) != places || places < 7 {
		t.Errorf("%d pieces for %d places", len(pieces), places)
	}
	few, _ := crowd(t, maxHere)
	if slices.ContainsFunc(few.Paths(), func(p string) bool { return strings.Contains(p, "_on/") }) || strings.Contains(get(t, few, "pt/_print/index.html"), "data-here") {
		t.Error("a section that holds all has more to load")
	}
}

// TestVerdictFolds: a verdict is no longer than a page's beginning; the rest of it is folded, and
// of very many blocks counted.
func TestVerdictFolds(t *testing.T) {
	var page strings.Builder
	page.WriteString("# A\n")
	for i := range 60 {
		fmt.Fprintf(&page, "```bash {run name=b%d}\necho %d\n```\n", i, i)
	}
	files := map[string]string{"content/pt/index.md": page.String()}
	r := &report.Report{Schema: 1, Generator: "made up", Machine: report.Machine{Name: "m1", OS: "Debian", Arch: "amd64"}}
	ids := checkIDs(t, files)
	view := func(failed int) VerdictView {
		r.Checks = nil
		for i := range 60 {
			c := report.Check{ID: ids[fmt.Sprintf("b%d", i)], Kind: "bash", Page: "index", Name: fmt.Sprintf("b%d", i), Outcome: report.Passed}
			if i < failed {
				c.Outcome, c.Reason = report.Failed, &report.Reason{Code: report.ReasonMismatch}
			}
			r.Checks = append(r.Checks, c)
		}
		s := newSite(t, files, themes.Default(), Options{}, Source{Report: r})
		v := &pageWriter{page: s.content.Pages[0], placed: placed{s.content.Pages[0], s.content.Pages[0].Language}, r: s, t: s.strings["pt"]}
		if text := get(t, s, "pt/index.html"); strings.Count(text, `#code-b`) != min(failed, maxVerdictLinks) {
			t.Errorf("%d failed: %d links", failed, strings.Count(text, `#code-b`))
		}
		return v.verdicts()[0]
	}
	for _, c := range []struct{ failed, seen, folded, more int }{{0, 0, 0, 0}, {5, 5, 0, 0}, {6, 4, 2, 0}, {40, 4, 36, 0}, {41, 4, 36, 1}, {60, 4, 36, 20}} {
		if v := view(c.failed); len(v.Blocks) != c.seen || len(v.Folded) != c.folded || v.More != c.more || v.Rest() != c.folded+c.more {
			t.Errorf("%d failed: %d seen, %d folded, %d more", c.failed, len(v.Blocks), len(v.Folded), v.More)
		}
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
