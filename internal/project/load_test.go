package project

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/render"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/history"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// found lists diagnostics as "severity file key".
func found(l diag.List) (list []string) {
	for _, d := range l {
		list = append(list, fmt.Sprintf("%s %s %s", d.Severity, d.File, d.Message.Key()))
	}
	return list
}

// TestLoad: what a build gets of a folder, and which faults of it leave nothing to render.
func TestLoad(t *testing.T) {
	_, line := newKey(t, "lab")
	for _, tt := range []struct {
		name    string
		files   map[string]string
		local   *report.Report
		renders bool
		diags   []string
	}{
		{name: "a page", renders: true},
		{name: "a broken report", files: map[string]string{"results/lab.json": "{"}, renders: true, diags: []string{"warning results/lab.json"}},
		{name: "a broken list of signers", files: map[string]string{site.ConfigFile: "[trust]\nallowed_signers = \"s\"\n", "s": "what is this\n"}, diags: []string{"error s"}},
		{name: "a list of signers", files: map[string]string{site.ConfigFile: "[trust]\nallowed_signers = \"s\"\n", "s": line}, renders: true},
		{name: "a broken theme", files: map[string]string{site.ConfigFile: "theme = \"mine\"\n", "themes/mine/theme.toml": "x = 1\n"}, diags: []string{"error themes/mine/theme.toml config.key-unknown"}},
		{name: "no page", files: map[string]string{"content/en/index.md": ""}, renders: true},
		{name: "no settings", files: map[string]string{site.ConfigFile: "x"}, diags: []string{"error gpudocs.toml"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := open(t, small(tt.files))
			in := p.Inputs()
			in.Local = tt.local
			l, err := p.Load(t.Context(), in, render.Options{})
			if err != nil || (l.Render != nil) != tt.renders {
				t.Fatalf("rendered %v, %v, %v", l.Render != nil, l.Diags, err)
			}
			for i, want := range tt.diags {
				if got := found(l.Diags); len(got) <= i || !strings.HasPrefix(got[i], want) {
					t.Errorf("got %q, want %q", got, tt.diags)
				}
			}
			if len(tt.diags) == 0 && l.Diags.HasErrors() {
				t.Error(l.Diags)
			}
		})
	}
}

// TestLoadPublic: what is published may be less than the site, or nothing.
func TestLoadPublic(t *testing.T) {
	p := open(t, small(nil))
	in := p.Inputs()
	in.Public = func(*site.Site) *site.Site { return nil }
	if l, err := p.Load(t.Context(), in, render.Options{}); err != nil || l.Render != nil || l.Content == nil {
		t.Errorf("%+v, %v", l, err)
	}
	in.Public = func(s *site.Site) *site.Site { return s }
	l, err := p.Load(t.Context(), in, render.Options{BaseURL: "https://example.org/a/"})
	if err != nil || l.Render == nil {
		t.Fatal(l.Diags, err)
	}
	data, ok, err := l.Render.File("en/index.html")
	if !ok || err != nil || !strings.Contains(string(data), Generator()) {
		t.Error("the page does not name its generator", ok, err)
	}
}

// TestSources: the local report replaces the committed one of its machine, and those that cannot be read are named.
func TestSources(t *testing.T) {
	broken := Report{Name: "results/gpu-a.json", Fault: &diag.Diagnostic{}}
	named := Report{Name: "results/Not A Name.json", Fault: &diag.Diagnostic{}}
	reports := []Report{{Report: reportOf("lab"), Name: "results/lab.json"}, {Report: reportOf("x"), Name: "results/x.json"}, broken, named}
	for _, tt := range []struct {
		local          *report.Report
		sources, names string
	}{
		{nil, "lab x", "gpu-a"},
		{reportOf("lab"), "x lab*", "gpu-a"},
		{reportOf("gpu-a"), "lab x gpu-a*", ""},
	} {
		var got []string
		for _, s := range sources(reports, tt.local, &site.Config{}) {
			name := s.Report.Machine.Name
			if s.Local {
				name += "*"
			}
			got = append(got, name)
		}
		if strings.Join(got, " ") != tt.sources {
			t.Errorf("sources %q, want %q", got, tt.sources)
		}
		if got := unreadMachines(reports, tt.local); strings.Join(got, " ") != tt.names {
			t.Errorf("not read: %q, want %q", got, tt.names)
		}
	}
}

// TestUnknownReferences: a reference for a machine that no report has is a warning, unless a report cannot be read.
func TestUnknownReferences(t *testing.T) {
	list := site.References{{Of: "lab", At: diag.Diagnostic{File: "gpudocs.toml", Line: 3}}}
	for _, tt := range []struct {
		reports []Report
		local   *report.Report
		want    int
	}{
		{nil, nil, 1},
		{[]Report{{Report: reportOf("lab")}}, nil, 0},
		{[]Report{{Report: reportOf("x")}}, nil, 1},
		{[]Report{{Report: reportOf("x")}, {Report: reportOf("lab")}}, nil, 0},
		{[]Report{{Fault: &diag.Diagnostic{}}}, nil, 0},
		{nil, reportOf("lab"), 0},
		{nil, reportOf("x"), 1},
	} {
		got := unknownReferences(list, tt.reports, tt.local)
		if len(got) != tt.want || tt.want > 0 && (got[0].Line != 3 || got[0].Severity != diag.Warning || got[0].Hint.IsZero()) {
			t.Errorf("%+v: %v", tt, got)
		}
	}
}

func TestUndated(t *testing.T) {
	of := func(name string, updated time.Time) *site.Page {
		return &site.Page{Source: diag.NewFile(name, nil), Updated: updated}
	}
	s := &site.Site{Pages: []*site.Page{of("a", time.Time{}), of("b", ran), of("c", time.Time{})}}
	cut := history.Dates{Cut: map[string]bool{"a": true, "b": true}}
	for _, tt := range []struct {
		dates history.Dates
		err   error
		want  string
	}{
		{history.Dates{}, nil, ""},
		{cut, nil, "1 page"},
		{cut, errors.New("no git"), "no git"},
	} {
		if got := undated(s, tt.dates, tt.err); got.IsZero() != (tt.want == "") || !strings.Contains(got.String(), tt.want) {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

// TestRecognised: the most frequent signs of a dialect come first, and at most three of them.
func TestRecognised(t *testing.T) {
	p := open(t, map[string]string{
		site.ConfigFile:        "",
		"content/en/index.md":  "# A\n\n> [!note] Title\n> x\n\n![[b]]\n",
		"content/en/b.md":      "# B\n\n%%comment%% ![[index]]\n",
		"content/en/plain.md":  "# C\n",
		"content/pt/index.md":  "# A\n",
		"content/pt/plain.md":  "# C\n",
		"content/pt/plain2.md": "# D\n",
	})
	s, _ := p.Inputs().Content()
	if s == nil {
		t.Fatal("no site")
	}
	if got := Codes(s); got != "en 3, pt 3" {
		t.Error(got)
	}
	lines := Recognised(s)
	if len(lines) != 1 || !strings.Contains(lines[0].String(), "obsidian") || !strings.Contains(lines[0].String(), "2 pages") {
		t.Errorf("%v", lines)
	}
	obsidian, _ := markdown.ParseDialect("obsidian")
	s.Pages = nil
	for _, sign := range []string{"d", "b", "c", "a", "c"} {
		s.Pages = append(s.Pages, &site.Page{RecognisedBy: sign, Dialects: obsidian})
	}
	if lines := Recognised(s); len(lines) != 1 || !strings.Contains(lines[0].String(), "c, a, b, ...") {
		t.Errorf("%v", lines)
	}
	s.Pages = nil
	s.Courses = []*site.Course{{File: "mkdocs.yml", LeftOut: 2}, {File: "myst.yml"}}
	if lines := Recognised(s); len(lines) != 1 || !strings.Contains(lines[0].String(), "mkdocs.yml") {
		t.Errorf("%v", lines)
	}
}

// TestReader: each build reads again what has changed, and nothing else.
func TestReader(t *testing.T) {
	p := open(t, small(map[string]string{"results/lab.json": encoded(t, "lab"), site.ConfigFile: "[trust]\nallowed_signers = \"s\"\n", "s": ""}))
	r, err := NewReader(p.Dir)
	if err != nil {
		t.Fatal(err)
	}
	// read returns the page's title and the reports after changes.
	read := func(changed ...string) (string, int) {
		t.Helper()
		in, err := r.After(changed)
		if err != nil {
			t.Fatal(err)
		}
		s, diags := in.Content()
		if s == nil || len(s.Pages) == 0 {
			t.Fatal(diags)
		}
		reports, _ := in.Reports(s.Config)
		return s.Pages[0].Title, len(reports)
	}
	want := func(what, title string, reports int, changed ...string) {
		t.Helper()
		if gotTitle, gotReports := read(changed...); gotTitle != title || gotReports != reports {
			t.Errorf("%s: %s, %d reports; want %s, %d", what, gotTitle, gotReports, title, reports)
		}
	}
	want("the first", "A", 1)
	page, second := p.Path("content/en/index.md"), p.Path("results/x.json")
	write(t, page, "# B\n")
	write(t, second, encoded(t, "x"))
	want("something else has changed", "A", 1, "content/en/other.md")
	want("the page", "B", 1, "content/en/index.md")
	want("a report", "B", 2, "results/x.json")
	if err := os.Remove(second); err != nil {
		t.Fatal(err)
	}
	want("the folder of the reports", "B", 1, "results")
	write(t, second, encoded(t, "x"))
	want("the list of signers", "B", 2, "s")
	if err := os.Remove(second); err != nil {
		t.Fatal(err)
	}
	want("all", "B", 1)
	write(t, second, "{")
	want("a broken report", "B", 2, "results/x.json")
	write(t, second, encoded(t, "x"))
	if err := os.Remove(p.ReportFile("lab")); err != nil {
		t.Fatal(err)
	}
	want("after a broken one all are read again", "B", 1, "content/en/other.md")

	// The folder is away, and another one is there then.
	away := p.Dir + "-away"
	if err := os.Rename(p.Dir, away); err != nil {
		t.Fatal(err)
	}
	if _, err := r.After([]string{"content/en/index.md"}); err == nil {
		t.Error("the folder is gone")
	}
	if data, err := r.FS.Open(site.ConfigFile); err != nil {
		t.Error("files of the old folder are still served:", err)
	} else {
		data.Close()
	}
	write(t, page, "# C\n")
	write(t, p.Path(site.ConfigFile), "")
	want("another folder", "C", 0, "content/en/other.md")
	if err := errors.Join(os.RemoveAll(p.Dir), os.Rename(away, p.Dir)); err != nil {
		t.Fatal(err)
	}
	want("the old folder again", "B", 1, "content/en/other.md")
}

// TestReaderLinks: reports behind links are read again each time, because a link can change under another name.
func TestReaderLinks(t *testing.T) {
	p := open(t, small(map[string]string{"reports/lab.json": encoded(t, "lab")}))
	if err := os.Symlink("reports", p.Path(ResultsDir)); err != nil {
		t.Skip(err)
	}
	r, err := NewReader(p.Dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []int{1, 2} {
		in, err := r.After([]string{"content"})
		if err != nil {
			t.Fatal(err)
		}
		s, _ := in.Content()
		if reports, diags := in.Reports(s.Config); len(reports) != want {
			t.Errorf("%d reports, %v, want %d", len(reports), diags, want)
		}
		write(t, p.Path("reports/x.json"), encoded(t, "x"))
	}
}

// TestReaderPaths: which paths a preview watches: those that builds read.
func TestReaderPaths(t *testing.T) {
	p := open(t, small(map[string]string{
		site.ConfigFile:       "[trust]\nallowed_signers = \"keys/s\"\n",
		"keys/s":              "",
		"content/en/index.md": "# A\n\n```python {file=\"src/lib/a.py\"}\n```\n\n```bash {run files=\"../../data/*.csv\"}\ntrue\n```\n",
		"src/lib/a.py":        "print(1)\n",
		"data/x.csv":          "1\n",
	}))
	r, err := NewReader(p.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if r.Ignores("keys/s", false) || !r.Ignores("src/lib/a.py", false) {
		t.Error("before the first build the list of signers is known, and no included file")
	}
	in, err := r.After(nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, diags := in.Content(); diags.HasErrors() {
		t.Fatal(diags)
	}
	for path, want := range map[string]bool{ // a folder ends with a slash
		"content/": false, "content/en/a.md": false, "content/.git/": true, "content/en/.hidden/": true, "content/.a.md": false,
		"results/": false, "results/lab.json": false, "themes/": false, "themes/mine/a.css": false, "gpudocs.toml": false,
		"public/": true, ".git/": true, ".gpudocs/": true, "README.md": true,
		"keys/": false, "keys/s": false, "keys/other": true,
		"src/": false, "src/lib/": false, "src/lib/a.py": false, "src/lib/b.py": true, "src/other": true,
		"data/": false, "data/x.csv": false, "data/new.csv": false, "data/.x": true,
	} {
		name, dir := strings.CutSuffix(path, "/")
		if got := r.Ignores(name, dir); got != want {
			t.Errorf("%s is ignored: %v", path, got)
		}
	}
	if got := r.Folders(); !slices.Equal(got, []string{"content", "content/en", "content/en/src", "content/en/src/lib", "data", "src", "src/lib"}) {
		t.Errorf("folders %q", got)
	}
}
