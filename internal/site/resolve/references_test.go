package resolve_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

const d2lSite = "[markdown]\ndialects = [\"d2l\"]\n"

// referred lists the targets of a page's references.
func referred(s *site.Site, p *site.Page) (got []string) {
	_ = ast.Walk(p.Doc(), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if r, ok := n.(*markdown.Reference); ok && entering {
			to := s.Links(p).Reference(r)
			text := strings.TrimSpace(string(to.Kind) + " " + to.Number)
			if to.Kind == markdown.Section || r.Title {
				text += " " + to.Title
			}
			if to.Target.Page != nil {
				text += " " + to.Target.Page.Path + to.Target.Suffix
			}
			got = append(got, text)
		}
		return ast.WalkContinue, nil
	})
	return got
}

func TestNumbers(t *testing.T) {
	s, diags := sitetest.Load(t, map[string]string{
		"gpudocs.toml": d2lSite,
		"content/pt/a.md": `# A
:label:` + "`sec_a`" + `

[](#fig-two) [](#tab_x) [](#eq) [](b.md#fig-b) [](b.md) [](b.md#dois) :numref:` + "`fig-b` :numref:`sec_b` :eqref:`eq_b` :ref:`fig-b`" + ` \eqref{eq} \ref{eq_b}

![um](x.png "Um")

![dois](x.png "Dois"){#fig-two}

: Tabela

|a|
|-|
|1|
:label:` + "`tab_x`" + `

$$x \label{eq}$$

$$\text{por } \eqref{eq_b}$$
`,
		"content/pt/b.md":  "# B\n:label:`sec_b`\n\n![b](x.png)\n:label:`fig-b`\n\n$$a$$\n:eqlabel:`eq_a`\n\n$$b$$\n:eqlabel:`eq_b`\n\n## Dois\n",
		"content/pt/x.png": sitetest.PNG(4, 3),
	})
	if diags != "" {
		t.Error(diags)
	}
	want := []string{
		"figure 2 a.md#fig-two", "table 1 a.md#tab_x", "equation 1 a.md#eq", "figure 1 b.md#fig-b", "section B b.md", "section Dois b.md#dois",
		"figure 1 b.md#fig-b", "section B b.md#sec_b", "equation 2 b.md#eq_b", "figure 1 b b.md#fig-b", "equation 1 a.md#eq", "equation 2 b.md#eq_b",
	}
	a := s.Pages[0]
	if diff := cmp.Diff(want, referred(s, a)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got := s.Links(a).Formula(a.Formulas[1]).Typeset(); got != `\text{por } \text{(2)}` {
		t.Errorf("%s", got)
	}
}

func TestNumberDiagnostics(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"unknown labels", map[string]string{"content/pt/a.md": "# A\n:label:`sec_casa`\n\nEm :numref:`sec_cas`, :numref:`nada`.\n"}, `content/pt/a.md:4:4: warning: nothing in this language has the label "sec_cas"
    4 | Em :numref:§sec_cas§, :numref:§nada§.
      |    ^~~~~~~~~~~~~~~~~
  hint: did you mean "sec_casa"?
content/pt/a.md:4:23: warning: nothing in this language has the label "nada"
    4 | Em :numref:§sec_cas§, :numref:§nada§.
      |                       ^~~~~~~~~~~~~~
  hint: a label is written :label:§nada§, {#nada}, or (nada)= in MyST
`},
		{"twice on a page", map[string]string{"content/pt/a.md": "# A\n:label:`s`\n\n## B\n:label:`s`\n"}, `content/pt/a.md:4:1: warning: the id "s" occurs twice on this page
    4 | ## B
      | ^
  hint: give one of the two another id; links lead to the first
`},
		{"on two pages", map[string]string{"content/pt/a.md": ":numref:`s`\n", "content/pt/b.md": "# B\n:label:`s`\n", "content/pt/c.md": "# C\n:label:`s`\n"},
			`content/pt/a.md:1:1: warning: the label "s" stands on several pages: content/pt/b.md:1, content/pt/c.md:1
    1 | :numref:§s§
      | ^~~~~~~~~~~
  hint: this leads to the first; give the others labels of their own
`},
		{"nothing to show", map[string]string{"content/pt/a.md": "Texto :label:`s`\n\nEm :numref:`s`\n"}, `content/pt/a.md:3:4: warning: "s" has no number and no title to show here
    3 | Em :numref:§s§
      |    ^~~~~~~~~~~
  hint: refer to a heading, an equation, or a figure or table with a caption; or write a link with a text
`},
		{"no bibliography", map[string]string{"content/pt/a.md": ":cite:`a` :cite:`b`\n"}, `content/pt/a.md:1:1: warning: this site has no bibliography, so citations show their keys
    1 | :cite:§a§ :cite:§b§
      | ^~~~~~~~~
  hint: write bibliography = "refs.bib" below [markdown] in gpudocs.toml
`},
		{"unknown works", map[string]string{"gpudocs.toml": d2lSite + "bibliography = \"r.bib\"\n", "r.bib": "@book{silva, year=2020}\n@book{silva,}\n@book{x, y}\n", "content/pt/a.md": "[@silv], [@silva]\n"},
			`content/pt/a.md:1:1: warning: r.bib has no work "silv"
    1 | [@silv], [@silva]
      | ^~~~~~~
  hint: did you mean "silva"?
r.bib:2:7: warning: the key "silva" stands already in line 1
    2 | @book{silva,}
      |       ^~~~~
  hint: citations mean the first
r.bib:3:10: warning: a field is expected here: name = {value},
    3 | @book{x, y}
      |          ^
`},
		{"no such file", map[string]string{"gpudocs.toml": d2lSite + "bibliography = \"../r.bib\"\n", "content/pt/a.md": "x\n"}, `gpudocs.toml:3:17: error: "../r.bib" is not a file below the site's folder
    3 | bibliography = "../r.bib"
      |                 ^~~~~~~~
  hint: write it as bibliography = "refs.bib"
`},
		{"a page that is not there", map[string]string{"content/pt/a.md": "```toc\nintro\n```\n"}, `content/pt/a.md:2:1: warning: there is no page "intro"
    2 | intro
      | ^~~~~
`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.files["gpudocs.toml"] == "" {
				tt.files["gpudocs.toml"] = d2lSite
			}
			_, diags := sitetest.Load(t, tt.files)
			if diff := cmp.Diff(strings.ReplaceAll(tt.want, "§", "`"), diags); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestInputFences(t *testing.T) {
	text := "```{.python .input  n=1}\na\n```\n\n```{.python .input}\n#@tab pytorch\nb\n```\n\nE\n\n```{.python .input}\n#@tab all\nc\n```\n"
	site := d2lSite + "[env.pytorch]\npython = \"python3\"\n"
	s, diags := sitetest.Load(t, map[string]string{"gpudocs.toml": site, "content/pt/a.md": text})
	if diags != "" || len(s.Pages[0].Blocks) > 0 {
		t.Errorf("%s %v", diags, s.Pages[0].Blocks)
	}
	s, diags = sitetest.Load(t, map[string]string{"gpudocs.toml": site, "content/pt/a.md": "---\nblocks: {run: true}\n---\n" + text})
	var got []string
	for _, b := range s.Pages[0].Blocks {
		got = append(got, b.Session.Name+" "+b.Session.Env+" "+strings.TrimSpace(b.Code)+" "+string(rune('0'+b.CodeLine-b.Line)))
	}
	if diff := cmp.Diff([]string{"mxnet  a 1", "pytorch pytorch b 2", "pytorch pytorch c 2", "mxnet  c 2"}, got); diff != "" || diags != "" {
		t.Errorf("%s (-want +got)\n%s", diags, diff)
	}
	if s.Pages[0].Blocks[1].Session != s.Pages[0].Blocks[2].Session {
		t.Error("the blocks of one tab run in one session")
	}
}

func TestContentsOrderPages(t *testing.T) {
	s, _ := sitetest.Load(t, map[string]string{"gpudocs.toml": d2lSite, "content/pt/index.md": "# I\n\n```toc\nz\na\nm\n```\n", "content/pt/a.md": "# A\n", "content/pt/m.md": "---\nweight: 9\n---\n# M\n", "content/pt/z.md": "# Z\n"})
	got := map[string]int{}
	for _, p := range s.Pages {
		if got[p.Path] = p.Weight; p.Weight == 0 {
			got[p.Path] = s.ListPositions[p]
		}
	}
	if diff := cmp.Diff(map[string]int{"index.md": 0, "z.md": 1, "a.md": 2, "m.md": 9}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestUnknownTerm checks that the message names the term, not its id.
func TestUnknownTerm(t *testing.T) {
	_, out := sitetest.PageIn(t, "myst", map[string]string{"content/pt/p.md": "# P\n\n{term}`Bloco de threads` {term}`GPU`\n\n:::{glossary}\nGPU\n: x\n:::\n"})
	if !strings.Contains(out, `p.md:6:1: warning: no glossary has the term "bloco de threads"`) || strings.Count(out, ": warning: ") != 1 {
		t.Error(out)
	}
}

// TestLabelsOfBoxes checks references of MyST to tabs, cards and grids, which have no numbers.
func TestLabelsOfBoxes(t *testing.T) {
	s, diags := sitetest.Load(t, map[string]string{
		"gpudocs.toml":    "[markdown]\ndialects = [\"myst\"]\n",
		"content/pt/a.md": "# A\n\n{ref}`tab-x` {ref}`card-x` {ref}`card-y` {ref}`the tabs <tabs-x>`\n\n{ref}`grid-x`\n",
		"content/pt/b.md": "# B\n\n(tabs-x)=\n::::{tab-set}\n:::{tab-item} Um *x*\n:name: tab-x\na\n:::\n::::\n\n" +
			"::::{grid} 2\n:name: grid-x\n:::{card} Dois\n:name: card-x\n:header: H\na\n:::\n:::{card}\n:name: card-y\n:link: a.md\n**Três**\n^^^\na\n:::\n::::\n",
	})
	want := []string{"Um x b.md#tab-x", "Dois b.md#card-x", "Três b.md#card-y", "b.md#grid-x"}
	var got []string
	for _, text := range referred(s, s.Pages[0]) {
		got = append(got, strings.TrimSpace(text))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if strings.Count(diags, ": warning: ") != 1 || !strings.Contains(diags, `"grid-x" has no number and no title`) {
		t.Error(diags)
	}
}
