package check

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

func TestSite(t *testing.T) {
	t.Parallel()
	s := siteOf(t, map[string]string{
		"content/pt/index.md": "# Início\n[só](so.md)\n", "content/es/index.md": "# Inicio\n",
		"content/pt/so.md":    "# Só\n[a](ambos.md#uso) [b](ambos.md#dado) [c](/pt/ambos.md) [d](index.md#início)\n",
		"content/pt/ambos.md": "# A\n## Uso\n## D {#dado}\n", "content/es/ambos.md": "# A\n## El uso\n## D {#dado}\n",
		"content/es/otro.md": "# O\n",
		"content/pt/fig.md":  "# F\n![x](ok.svg) ![y](cut.svg) ![z](cut.svg) ![w](entity.svg)\n",
		"content/pt/ok.svg":  "<svg/>", "content/pt/cut.svg": "<svg>\n<g>", "content/pt/entity.svg": "<!DOCTYPE svg [<!ENTITY a 'b'>]><svg a='&a;'>",
	})
	want := []string{
		"0 notice translation: this page does not exist in es; readers see the original with a notice | write content/es/fig.md, or translation: fig into the front matter of the page there",
		`2 warning image: the image "cut.svg" is damaged: line 2: unexpected EOF | export it again`,
		"0 notice translation: this page does not exist in es; readers see the original with a notice | write content/es/so.md, or translation: so into the front matter of the page there",
		`2 notice anchor: readers of es, which lacks this page, come to content/es/ambos.md, which has no heading or anchor "uso" | give the heading the same id in all languages: {#uso}`,
		`2 notice anchor: readers of es, which lacks this page, come to content/es/index.md, which has no heading or anchor "início" | give the heading the same id in all languages: {#início}`,
		"0 notice translation: this page does not exist in pt; readers see the original with a notice | write content/pt/otro.md, or translation: otro into the front matter of the page there",
	}
	got := lines(Site(s))
	for _, list := range []*[]string{&want, &got} {
		*list = append([]string(nil), *list...)
	}
	less := cmp.Transformer("set", func(l []string) map[string]bool {
		m := map[string]bool{}
		for _, s := range l {
			m[s] = true
		}
		return m
	})
	if d := cmp.Diff(want, got, less); d != "" || len(got) != len(want) {
		t.Errorf("%d findings (-want +got)\n%s", len(got), d)
	}
}

func TestRaise(t *testing.T) {
	t.Parallel()
	l := diag.List{{Severity: diag.Warning, Rule: site.RuleLink}, {Severity: diag.Warning, Rule: site.RuleAlt}, {Severity: diag.Notice, Rule: site.RuleAnchor}, {Severity: diag.Warning}}
	for strict, want := range map[bool]string{false: "error warning notice warning", true: "error error notice error"} {
		var got []string
		for _, d := range Raise(l, strict) {
			got = append(got, d.Severity.String())
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("strict %v: %s, want %s", strict, s, want)
		}
	}
}

// TestSARIF checks what SARIF 2.1.0 demands of the parts that gpudocs writes, by the
// sections of the standard.
func TestSARIF(t *testing.T) {
	t.Parallel()
	data, err := SARIF(diag.List{
		{Severity: diag.Warning, Rule: site.RuleAlt, File: "content/pt/a b:c%.md", Line: 3, Column: 5, Width: 4, Message: diag.Plain("m <&>"), Hint: diag.Plain("h")},
		{Severity: diag.Notice, Rule: RuleTranslation, File: "a:b.md", Message: diag.Plain("whole file")},
		{Message: diag.Plain("no place")},
	}, "docs", "1.0")
	if err != nil {
		t.Fatal(err)
	}
	var log struct {
		Version string
		Runs    []struct {
			ColumnKind string
			Tool       struct {
				Driver struct {
					Name  string
					Rules []struct {
						ID               string
						ShortDescription struct{ Text string }
					}
				}
			}
			Results []struct {
				RuleID    string
				RuleIndex int
				Level     string
				Message   struct{ Text string }
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           *struct{ StartLine, StartColumn, EndColumn int }
					}
				}
			}
		}
	}
	if err := json.Unmarshal(data, &log); err != nil {
		t.Fatal(err)
	}
	if log.Version != "2.1.0" || len(log.Runs) != 1 || log.Runs[0].ColumnKind != "unicodeCodePoints" || log.Runs[0].Tool.Driver.Name == "" { // 3.13.2, 3.14.17, 3.19.8
		t.Fatalf("%s", data)
	}
	run := log.Runs[0]
	seen := map[string]bool{}
	for _, r := range run.Tool.Driver.Rules { // 3.49.3: ids are unique
		if seen[r.ID] || r.ID == "" || r.ShortDescription.Text == "" {
			t.Errorf("rule %+v", r)
		}
		seen[r.ID] = true
	}
	uri := regexp.MustCompile(`^[A-Za-z0-9._~!$&'()*+,;=@%/-]+$`) // 3.4.3, RFC 3986 4.2: no : in the first part
	for _, r := range run.Results {
		if run.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID || r.Message.Text == "" || !map[string]bool{"error": true, "warning": true, "note": true}[r.Level] { // 3.27.5, 3.27.6, 3.27.10, 3.27.11
			t.Errorf("result %+v", r)
		}
		for _, l := range r.Locations {
			if first, _, _ := strings.Cut(l.PhysicalLocation.ArtifactLocation.URI, "/"); strings.Contains(first, ":") || !uri.MatchString(strings.ReplaceAll(l.PhysicalLocation.ArtifactLocation.URI, ":", "")) {
				t.Errorf("uri %q", l.PhysicalLocation.ArtifactLocation.URI)
			}
			if g := l.PhysicalLocation.Region; g != nil && (g.StartLine < 1 || g.StartColumn < 1 || g.EndColumn != 0 && g.EndColumn < g.StartColumn) { // 3.30.5 to 3.30.8
				t.Errorf("region %+v", g)
			}
		}
	}
	first := run.Results[0].Locations[0].PhysicalLocation
	if first.ArtifactLocation.URI != "docs/content/pt/a%20b:c%25.md" || first.Region.EndColumn != 9 || run.Results[0].Message.Text != "m <&>\nhint: h" {
		t.Errorf("%+v", run.Results[0])
	}
	if run.Results[1].Locations[0].PhysicalLocation.Region != nil || run.Results[2].Locations != nil || run.Results[2].RuleID != ruleContent {
		t.Errorf("%+v", run.Results[1:])
	}
	if data, _ := SARIF(nil, "", ""); !strings.Contains(string(data), `"results": []`) { // 3.14.23: looked, and nothing found
		t.Errorf("%s", data)
	}
}

// TestRulesAreDescribed checks that the rules of packages site and check have descriptions.
func TestRulesAreDescribed(t *testing.T) {
	t.Parallel()
	for _, d := range (diag.List{{Rule: site.RuleLink}, {Rule: site.RuleAnchor}, {Rule: site.RuleImage}, {Rule: site.RuleAlt}, {Rule: site.RuleFootnote},
		{Rule: site.RuleReference}, {Rule: site.RuleUnused}, {Rule: site.RuleHTML}, {Rule: site.RuleID}, {Rule: site.RuleRunnable},
		{Rule: RuleTranslation}, {Rule: RuleExternal}, {Rule: RuleMoved}}) {
		if rules[d.Rule] == "" {
			t.Errorf("rule %q is not described", d.Rule)
		}
	}
}

// TestRules checks that docs/content/en/check.md names exactly the rules of the SARIF log.
func TestRules(t *testing.T) {
	data, err := os.ReadFile("../../../docs/content/en/check.md")
	if err != nil {
		t.Fatal(err)
	}
	table, _, _ := bytes.Cut(data, []byte("## Other servers"))
	named := map[string]bool{ruleContent: true}
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z]+)` \\|").FindAllSubmatch(table, -1) {
		named[string(m[1])] = true
		if rules[string(m[1])] == "" {
			t.Errorf("the rule %s is not in the log", m[1])
		}
	}
	for id := range rules {
		if !named[id] {
			t.Errorf("docs/content/en/check.md does not name the rule %s", id)
		}
	}
}
