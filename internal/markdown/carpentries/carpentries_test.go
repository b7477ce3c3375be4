package carpentries_test

import (
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/complexitytest"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/dialects"
	"github.com/gpudocs/gpudocs/internal/markdown/markdowntest"
)

func TestDivs(t *testing.T) {
	markdowntest.Blocks(t, markdown.Carpentries, [][3]string{
		{"challenge and solution", "::::::::: challenge\n\n## Try\n\na\n\n:::: solution\n\nb\n\n:::::::\n:::::::::\n", `exercise#[::::::::: challenge](title"Try" p"a" solution-[:::: solution](p"b")[:::::::])[:::::::::]`},
		{"all kinds", strings.Join([]string{"::: callout", "::: prereq", "::: prerequisite", "::: discussion", "::: checklist", "::: testimonial"}, "\n:::\n") + "\n:::\n",
			`note[::: callout]()[:::] lesson-prereq[::: prereq]()[:::] lesson-prereq[::: prerequisite]()[:::] lesson-discussion[::: discussion]()[:::] lesson-checklist[::: checklist]()[:::] quote[::: testimonial]()[:::]`},
		{"more kinds", strings.Join([]string{"::: instructor", "::: spoiler", "::: caution", "::: hint"}, "\n:::\n") + "\n:::\n",
			`lesson-instructor-[::: instructor]()[:::] details-[::: spoiler]()[:::] caution[::: caution]()[:::] lesson-hint-[::: hint]()[:::]`},
		{"questions", ":::::: questions\n- \"A?\"\n- B?\n::::::\n", `lesson-questions[:::::: questions](list(item(p"\"A?\"") item(p"B?")))[::::::]`},
		{"tabs", "::: group-tab\n### A\na\n\n### B\nb\n:::\n", `tabs(tab[### A](title"A" p"a") tab[### B](title"B" p"b"))`},
		{"an image", "![Cap](a.png){alt='Alt \"x\"'}\n", `figure#(p"![Cap](a.png){alt='Alt \"x\"'}" caption"")`},
		{"output", "```python\nx\n```\n\n```output\n1\n```\n", `fence"x\n" fence"1\n"`},
	})
}

func TestJekyll(t *testing.T) {
	markdowntest.Blocks(t, markdown.Carpentries, [][3]string{
		{"callouts", "> ## Try\n>\n> a\n>\n> > ## Solution\n> >\n> > b\n> {: .solution}\n{: .challenge}\n\nc\n", `exercise#[>](title"Try" p"a" solution-[>](title"Solution" p"b") container hidden[{: .solution}]()) container hidden[{: .challenge}]() p"c"`},
		{"languages", "~~~\nls\n~~~\n{: .language-bash}\n\n~~~\n1\n~~~\n{: .output}\n", `fence"ls\n" container hidden[{: .language-bash}]() fence"1\n" container hidden[{: .output}]()`},
		{"attributes of other blocks", "a\n{: .b}\n\n{: .c}\n", `p"a" container hidden[{: .b}]() container hidden[{: .c}]()`},
		{"tags", "a\n{% include links.md %}\n\n{% comment %}\nb\n", `p"a" container hidden[{% include links.md %}]() container hidden[{% comment %}]() p"b" !"{% include links.md %}" Liquid is not evaluated: tags are left out`},
		{"a tag with texts stays", "{% include figure.html\n   alt=\"Alt\" caption=\"A *b*\" %}\n\nd\n", `p"{% include figure.html\nalt=\"Alt\" caption=\"A *b*\" %}" p"d"`},
		{"a tag without an end", "{% if a\n\nb\n", `p"{% if a" p"b"`},
		{"front matter", "   \nquestions:\n-  A?\n\nkeypoints:\n-  B\n   c\n   \n\nText\n", `p"questions:" list(item(p"A?")) p"keypoints:" list(item(p"B\nc")) p"Text"`},
	})
	source := "See {{ site.name }} and {% if x %}b{% endif %}, `{{ code }}`, [c]({{ page.root }}{% link d.md %})."
	doc, faults := markdowntest.Parse(markdown.Options{Dialects: markdown.Carpentries}, source)
	if got := markdown.Text(doc, []byte(source), markdown.TextOptions{}); got != "See {{ site.name }} and {% if x %}b{% endif %}, {{ code }}, c." || len(faults) != 1 {
		t.Errorf("%q %v", got, faults)
	}
}

// TestFences checks languages that the line after a fence sets.
func TestFences(t *testing.T) {
	source := "~~~\nls\n~~~\n{: .language-bash}\n\n```error\nx\n```\n\n```{r, eval=FALSE}\ny\n```\n"
	doc, _ := markdowntest.Parse(markdown.Options{Dialects: markdown.Carpentries}, source)
	var got []string
	for _, n := range markdown.Find[*ast.FencedCodeBlock](doc) {
		c := markdown.CodeInfoOf(n)
		got = append(got, c.Language)
		for _, a := range c.Attributes {
			got = append(got, a.Name+"="+a.Value)
		}
	}
	if s := strings.Join(got, " "); s != "bash text title=Error r" {
		t.Error(s)
	}
}

func FuzzCarpentries(f *testing.F) {
	for _, seed := range []string{
		"::: challenge\n## A\n:::\n", "> ## A\n> > b\n> {: .solution}\n{: .challenge}\n", "~~~\na\n~~~\n{: .output}\n", "{% include figure.html file=\"a\" caption=\"b\nc\" %}\n",
		" \nquestions:\n- a\nkeypoints:\n- b\n", "{{ a }} {% b %} [c]{#d}", "![a](b){alt='c'}\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		doc, faults := markdowntest.Parse(markdown.Options{Dialects: markdown.Carpentries}, source)
		for _, fault := range faults {
			if fault.Start < 0 || fault.Stop > len(source) || fault.Start >= fault.Stop {
				t.Fatalf("%+v of %d", fault, len(source))
			}
		}
		markdowntest.CheckSpans(t, doc, []byte(source))
	})
}

func TestHostile(t *testing.T) {
	for _, unit := range []string{"{% a\n", "{% a %}\n\n", "{{ a", "{: .a}\n", "> a\n{: .challenge}\n", "{% include figure.html file=\"a\" %}\n\n", "questions:\n- a\n"} {
		complexitytest.Check(t, unit, 1<<16, func(n int) {
			dialects.New(markdown.Options{Dialects: markdown.Carpentries}).Parser().Parse(text.NewReader([]byte(" \n" + strings.Repeat(unit, n/len(unit)))))
		})
	}
}
