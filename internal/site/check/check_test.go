package check

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
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

// TestRules: docs/content/en/check.md names exactly the rules that the code sets.
func TestRules(t *testing.T) {
	t.Parallel()
	const internal = "../.."
	set := regexp.MustCompile(`\bRule[A-Za-z]*(?::| =|  +=) +"([a-z]+)"`)
	used := map[string]bool{}
	err := filepath.WalkDir(internal, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		data, err := os.ReadFile(file)
		for _, m := range set.FindAllSubmatch(data, -1) {
			used[string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile("../../../docs/content/en/check.md")
	if err != nil {
		t.Fatal(err)
	}
	table, _, _ := bytes.Cut(data, []byte("## Other servers"))
	named := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z]+)` \\|").FindAllSubmatch(table, -1) {
		named[string(m[1])] = true
	}
	if d := cmp.Diff(used, named); d != "" {
		t.Errorf("the rules of the code and of docs/content/en/check.md differ (-code +manual)\n%s", d)
	}
}
