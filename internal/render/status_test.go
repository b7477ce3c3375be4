package render

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/url"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/gpudocs/gpudocs/internal/render/feeds"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/render/status"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/themes"
)

// lab returns a made-up site of pages with ten checks each, and the reports of machines.
func lab(t testing.TB, pages, machines int) (map[string]string, []results.Source) {
	files := map[string]string{"content/pt/index.md": "# Início\n", "content/es/index.md": "# Inicio\n"}
	for p := range pages {
		var b strings.Builder
		fmt.Fprintf(&b, "# Página %d\n", p)
		for c := range 10 {
			fmt.Fprintf(&b, "\n```bash {run name=p%dc%d}\necho %d %[2]d\n```\n", p, c, p)
		}
		files[fmt.Sprintf("content/pt/s%d/p%03d.md", p%7, p)] = b.String()
	}
	ids := checkIDs(t, files)
	var sources []results.Source
	for m := range machines {
		r := &report.Report{Schema: 1, Machine: report.Machine{Name: fmt.Sprintf("m%03d", m), OS: "Debian", GPU: report.GPU{Status: report.GPUNone}}}
		for p := range pages {
			for c := range 10 {
				name := fmt.Sprintf("p%dc%d", p, c)
				check := report.Check{ID: ids[name], Kind: "bash", Page: fmt.Sprintf("s%d/p%03d", p%7, p), Name: name, Outcome: report.Passed,
					Ran: time.Date(2026, 11, 1+m%20, c, 0, 0, 0, time.UTC)}
				for h := range m % 4 {
					check.History = append(check.History, report.Past{Ran: check.Ran.AddDate(0, 0, -1-h), Outcome: []report.Outcome{report.Failed, report.Passed}[h%2]})
				}
				r.Checks = append(r.Checks, check)
			}
		}
		sources = append(sources, results.Source{Report: r})
	}
	return files, sources
}

// TestStatusLinks checks that the targets of the status page's links exist.
func TestStatusLinks(t *testing.T) {
	t.Parallel()
	s := labSite(t, "testdata/status.txtar", Options{BaseURL: "https://example.org/docs/"}, nil)
	links := regexp.MustCompile(`(?:href|src)="([^"]*)"`)
	for _, from := range []string{"pt/_status/", "es/_status/", "pt/gpu/uso/"} {
		n := 0
		for _, m := range links.FindAllStringSubmatch(get(t, s, from+"index.html"), -1) {
			u, err := url.Parse(m[1])
			if err != nil || u.IsAbs() || u.Path == "" {
				continue
			}
			to := path.Join("/"+from, u.Path)[1:]
			if strings.HasSuffix(u.Path, "/") {
				to = strings.TrimPrefix(to+"/index.html", "/")
			}
			page := get(t, s, to)
			if u.Fragment != "" && !strings.Contains(page, `id="`+u.Fragment+`"`) {
				t.Errorf("%s leads to %s, which has no %q", from, to, u.Fragment)
			}
			n++
		}
		if n < 10 {
			t.Errorf("%s has %d links", from, n)
		}
	}
}

// TestLinkToStatus checks that authors can link to the status page if the site has one.
func TestLinkToStatus(t *testing.T) {
	t.Parallel()
	const links = "# A\n[a](_status/) [b](/pt/_status#_checks) <a href=\"/pt/_status/?on=m\">c</a> [d](https://example.org/pt/_status/)\n"
	for _, c := range []struct {
		block    string
		warnings int
	}{{"```bash {run}\ntrue\n```\n", 0}, {"", 4}} {
		fsys := fstest.MapFS{"gpudocs.toml": file("base_url = \"https://example.org/\"\n" + config), "content/pt/index.md": file(links + c.block)}
		site, diags := load.Load(fsys, load.Options{})
		if len(diags) != c.warnings {
			t.Errorf("%d checks: %v", len(c.block), diags)
		}
		s, _, err := New(t.Context(), site, nil, themes.Default(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		page := get(t, s, "pt/index.html")
		for _, want := range []string{`<a href="_status/">a</a>`, `<a href="_status/#_checks">b</a>`, `<a href="_status/?on=m">c</a>`} {
			if strings.Contains(page, want) != (c.warnings == 0) {
				t.Errorf("%d checks: %s\n%s", len(c.block), want, page)
			}
		}
	}
}

// TestNothingToCheck checks that a site without checks has no status page, and links to none.
func TestNothingToCheck(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{"content/pt/index.md": "# A\n"}, themes.Default(), Options{BaseURL: "https://example.org"})
	for _, p := range s.Paths() {
		if strings.HasPrefix(p, feeds.BadgeDir) || strings.HasPrefix(p, feeds.ResultsDir) || strings.Contains(p, "_status") {
			t.Errorf("%s exists", p)
		}
	}
	if page := get(t, s, "pt/index.html"); strings.Contains(page, "_status") || strings.Contains(page, "application/json") {
		t.Error("the page links to the status page")
	}
}

// TestBadgeNames checks the names of badges, and that conflicting names are reported.
func TestBadgeNames(t *testing.T) {
	t.Parallel()
	block := "# A\n```bash {run}\ntrue\n```\n"
	fsys := fstest.MapFS{"gpudocs.toml": file(config), "content/pt/index.md": file(block), "content/pt/gpu/index.md": file(block), "content/pt/gpu/m1.md": file(block),
		"content/pt/livre.md": file("# Sem\n"), "content/badges/m2.svg": file("<svg/>"), "content/badges/outro.svg": file("<svg/>")}
	site, diags := load.Load(fsys, load.Options{})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	var sources []results.Source
	for _, name := range []string{"all", "m1", "m2"} {
		sources = append(sources, results.Source{Report: &report.Report{Schema: 1, Machine: report.Machine{Name: name}}})
	}
	s, diags, err := New(t.Context(), site, sources, themes.Default(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range s.Paths() {
		if name, ok := strings.CutPrefix(p, "badges/"); ok && !strings.HasPrefix(name, "es") {
			names = append(names, strings.TrimSuffix(name, ".svg"))
		}
	}
	if want := []string{"all", "m1", "m2", "outro", "pt/_all", "pt/_all/all", "pt/_all/m1", "pt/_all/m2", "pt/gpu", "pt/gpu/all", "pt/gpu/m1", "pt/gpu/m1/all", "pt/gpu/m1/m1", "pt/gpu/m1/m2", "pt/gpu/m2", "pt/index", "pt/index/all", "pt/index/m1", "pt/index/m2"}; !slices.Equal(names, want) {
		t.Errorf("got  %q\nwant %q", names, want)
	}
	var reported []string
	for _, d := range diags {
		reported = append(reported, d.File+": "+d.Message.String())
	}
	for _, want := range []string{"results/all.json: no badge /badges/all.svg", "results/m2.json: no badge /badges/m2.svg", "content/pt/gpu/m1.md: no badge /badges/pt/gpu/m1.svg"} {
		if !slices.ContainsFunc(reported, func(s string) bool { return strings.Contains(s, want) }) {
			t.Errorf("%s is not reported: %q", want, reported)
		}
	}
	if got := get(t, s, "badges/m2.svg"); got != "<svg/>" {
		t.Errorf("the author's file is lost: %s", got)
	}
}

func TestResultsSchema(t *testing.T) {
	t.Parallel()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	for _, name := range []string{"report.schema.json", "results.schema.json"} {
		data, err := os.ReadFile("../../docs/" + name)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err == nil {
			err = c.AddResource(name, doc)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	schema, err := c.Compile("results.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, golden := range []string{"testdata/status", "results/testdata/signatures", "results/testdata/every-field"} {
		s := labSite(t, golden+".txtar", Options{BaseURL: "https://example.org/docs/", Generator: "gpudocs test"}, nil)
		for _, p := range s.Paths() {
			if !strings.HasPrefix(p, feeds.ResultsDir) {
				continue
			}
			n++
			text := get(t, s, p)
			v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
			if err == nil {
				err = schema.Validate(v)
			}
			if err != nil {
				t.Errorf("%s %s: %v\n%s", golden, p, err, text)
			}
			var any map[string]any
			if json.Unmarshal([]byte(text), &any) != nil || any["schema"] != 1.0 {
				t.Errorf("%s %s: schema %v", golden, p, any["schema"])
			}
			if bad := strings.Replace(text, `"schema": 1`, `"schema": 2`, 1); bad != text {
				if v, _ := jsonschema.UnmarshalJSON(strings.NewReader(bad)); schema.Validate(v) == nil {
					t.Error("the schema accepts another version")
				}
			}
		}
	}
	if n < 10 {
		t.Errorf("%d files", n)
	}
	manual, err := os.ReadFile("../../docs/content/en/feeds.md")
	examples := regexp.MustCompile("(?s)```json\n(.*?)```").FindAllSubmatch(manual, -1)
	if err != nil || len(examples) != 2 {
		t.Fatalf("the manual has %d examples, %v", len(examples), err)
	}
	for _, e := range examples {
		if v, err := jsonschema.UnmarshalJSON(bytes.NewReader(e[1])); err != nil || schema.Validate(v) != nil {
			t.Errorf("the manual's example: %v, %v\n%s", err, schema.Validate(v), e[1])
		}
	}
}

// TestFeedLinks checks that every page links to the feeds. Without an address of the site there is no Atom feed.
func TestFeedLinks(t *testing.T) {
	t.Parallel()
	page := get(t, labSite(t, "testdata/status.txtar", Options{BaseURL: "https://example.org/docs/"}, nil), "pt/gpu/uso/index.html")
	for _, link := range []string{`<link rel="alternate" type="application/atom&#43;xml" title="Mudanças de resultados e páginas" href="../../_status/feed.xml">`,
		`<link rel="alternate" type="application/json" title="Todos os resultados (JSON)" href="../../../_results/index.json">`} {
		if !strings.Contains(page, link) {
			t.Errorf("no %s", link)
		}
	}
	if s := labSite(t, "testdata/status.txtar", Options{}, nil); s.plan.files["pt/_status/feed.xml"] != nil || strings.Contains(get(t, s, "pt/index.html"), "feed.xml") {
		t.Error("a feed without an address of its own")
	}
}

// A check whose first run failed is in what failed on the status page, and not among the unsteady ones.
func TestFirstRunFailed(t *testing.T) {
	t.Parallel()
	files := map[string]string{"content/pt/index.md": "# A\n```bash {run name=x}\nfalse\n```\n```gpu {name=asked}\nruns cu124\n```\n"}
	at := time.Date(2026, 11, 1, 10, 0, 0, 0, time.UTC)
	c := report.Check{ID: checkIDs(t, files)["x"], Kind: "bash", Page: "index", Name: "x", Outcome: report.Failed, Ran: at.AddDate(0, 0, 2)}
	c.History = []report.Past{{Outcome: report.Failed, Ran: at}}
	no := report.Check{Kind: report.KindGPU, Page: "index", Name: "asked", Want: "runs cu124", Asks: true, Outcome: report.Failed, Ran: at} // an answer
	for name, id := range checkIDs(t, files) {
		if strings.HasPrefix(name, "asked") {
			no.ID, no.Name = id, name
		}
	}
	r := &report.Report{Schema: 1, Machine: report.Machine{Name: "m"}, Checks: []report.Check{c, no}}
	s := newSite(t, files, themes.Default(), Options{BaseURL: "https://example.org"}, results.Source{Report: r})
	if page := get(t, s, "pt/_status/index.html"); strings.Contains(page, `id="_unsteady"`) || !strings.Contains(page, `id="_failed"`) {
		t.Error(page)
	}
}

// TestWithoutTitle checks that the feeds and badges of a site without a title have that of its first page. Atom
// requires a name for the author.
func TestWithoutTitle(t *testing.T) {
	t.Parallel()
	files := map[string]string{"gpudocs.toml": "base_url = \"https://example.org/\"\n[languages.pt]\nname = \"Português\"\n",
		"content/pt/index.md": "---\nupdated: 2026-11-01\n---\n# Ala [1] _x_\n```bash {run name=x}\ntrue\n```\n"}
	s := newSite(t, files, themes.Default(), Options{BaseURL: "https://example.org/"})
	if feed := get(t, s, "pt/_status/feed.xml"); !strings.Contains(feed, "<name>Ala [1] x</name>") || !strings.Contains(feed, "<title>Ala [1] x – ") {
		t.Error(feed)
	}
	if b := get(t, s, "badges/all.svg"); !strings.Contains(b, "<title>Ala [1] x: ") {
		t.Error(b)
	}
	if index := get(t, s, "_results/index.json"); !strings.Contains(index, `"title": "Ala [1] x"`) {
		t.Error(index)
	}
	// The text to copy is valid Markdown for any title.
	if page := get(t, s, "pt/_status/index.html"); !strings.Contains(page, `<code>[![Ala \[1\] x](https://example.org/badges/pt/_all.svg)](https://example.org/pt/_status/)</code>`) {
		t.Error(page)
	}
}

// TestHostileStatus checks that no report can insert markup or control characters into the status page, a badge or
// a feed.
func TestHostileStatus(t *testing.T) {
	t.Parallel()
	evil := "<script>alert(1)</script>\x1b\u202e\"'"
	files := map[string]string{"content/pt/index.md": "# A\n```bash {run name=x}\ntrue\n```\n"}
	past := []report.Past{{Ran: time.Unix(1, 0), Outcome: report.Passed, Captures: []report.Capture{{Name: evil, Value: "1", Unit: evil}}}}
	r := &report.Report{Schema: 1, Machine: report.Machine{Name: "m", CPU: evil, GPU: report.GPU{Status: report.GPUOk, Devices: []report.Device{{Name: evil}}}},
		Checks: []report.Check{{ID: checkIDs(t, files)["x"], Kind: "bash", Page: evil, Name: evil, Outcome: report.Failed, Ran: time.Unix(2, 0),
			Reason: &report.Reason{Code: report.ReasonException, Said: evil}, Captures: []report.Capture{{Name: evil, Value: "NaN", Unit: evil}}, History: past,
			Measurement: &report.Measurement{What: evil, Unit: evil, DType: "fp32", GPUs: []report.Measured{{Rate: 1, Peak: 2, Backend: evil}}, CPU: &report.MeasuredCPU{Rate: 1, Library: evil}}}}}
	s := newSite(t, files, themes.Default(), Options{BaseURL: "https://example.org"}, results.Source{Report: r})
	for _, name := range []string{"pt/_status/index.html", "pt/_status/feed.xml", "badges/m.svg"} {
		text := get(t, s, name)
		for _, bad := range []string{"<script>alert", "\x1b", "\u202e"} {
			if strings.Contains(text, bad) {
				t.Errorf("%s holds %q", name, bad)
			}
		}
	}
	if err := xml.Unmarshal([]byte(get(t, s, "pt/_status/feed.xml")), new(struct{})); err != nil {
		t.Error(err)
	}
	if page := get(t, s, "pt/_status/index.html"); strings.Count(page, "&lt;script&gt;alert") < 5 {
		t.Error("the hostile texts are lost: ", page)
	}
}

// BenchmarkStatus generates all status pages, badges and feeds in both languages: for a hundred machines and a
// thousand checks, and for a tenth and ten times of either.
func BenchmarkStatus(b *testing.B) {
	for _, size := range []struct{ machines, checks int }{{10, 1000}, {100, 1000}, {10, 10_000}} {
		b.Run(fmt.Sprintf("machines=%d/checks=%d", size.machines, size.checks), func(b *testing.B) {
			files, sources := lab(b, size.checks/10, size.machines)
			n, bytes := 0, 0
			for b.Loop() {
				b.StopTimer()
				s := newSite(b, files, themes.Default(), Options{BaseURL: "https://example.org"}, sources...)
				b.StartTimer()
				n, bytes = 0, 0
				for _, p := range s.Paths() {
					if strings.HasPrefix(p, feeds.BadgeDir) || strings.HasPrefix(p, feeds.ResultsDir) || strings.Contains(p, status.Dir) {
						data, _, err := s.File(p)
						if err != nil {
							b.Fatal(err)
						}
						n, bytes = n+1, bytes+len(data)
					}
				}
			}
			b.ReportMetric(float64(n), "files")
			b.ReportMetric(float64(bytes)/1e6, "MB")
		})
	}
}
