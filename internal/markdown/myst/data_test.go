package myst_test

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/complexitytest"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/dialects"
	"github.com/gpudocs/gpudocs/internal/markdown/markdowntest"
)

func TestTables(t *testing.T) {
	csv := func(options, body string) string { return "```{csv-table}\n" + options + "\n" + body + "\n```\n" }
	markdowntest.Blocks(t, markdown.MyST, [][3]string{
		{"caption and label", "```{csv-table} A *b*\n:label: t\n1,2\n3\n```\n", `table#t(table(row(-"" -"") row(-"" -"")) caption"A *b*") !"3" this row has 1 cells, and the table has 2 columns`},
		{"empty", csv("", ""), "table#()"},
		{"a file", csv(":file: d.csv", ""), `p""`},
		{"list", "```{list-table} C\n:header-rows: 1\n:name: t\n\n* - a\n  - *b*\n* - &nbsp;\n  - c\n\n    d\n```\n", `table#t(table(head(-"a" -"*b*") row(-"&nbsp;" -""p"c" p"d")) caption"C")`},
		{"list without cells", ":::{list-table}\n* a\n* - b\n  - c\n:::\n", `table(row(-"a" -"") row(-"b" -"c")) !"*" this row has 1 cells, and the table has 2 columns`},
		{"no list", ":::{list-table}\na\n:::\n", `table#(p"a") !"list-table" this is no table: its body is not one list`},
		{"a figure of its body", ":::{figure-md} f\n![a](b.png)\n\nC\n:::\n", `figure#f(p"![a](b.png)" caption"C")`},
		{"table", ":::{table} C *d*\n:label: t\n:align: center\n\n| a |\n|---|\n| b |\n:::\n", `table#t(table(head(-"a") row(-"b")) caption"C *d*")`},
	})
}

func TestCSV(t *testing.T) {
	csv := func(options, body string) string { return "```{csv-table}\n" + options + "\n" + body + "\n```\n" }
	for _, tt := range [][2]string{
		{csv(":header-rows: 1", "a, b\n1,*x*\n\n 2 ,"), "th a th b td 1 td *x* td 2 td"},
		{csv("", "\"a, \"\"b\"\"\", \"c\nd\", e\"f"), "td a, &quot;b&quot; td c d td e&quot;f"},
		{csv("", "\"a, b\nc"), "td a, b c"},
		{csv(":header: \"a\", \"b, c\"", "1,2"), "th a th b, c td 1 td 2"},
		{csv(":delim: ;", "1,2;3"), "td 1,2 td 3"},
		{csv(":delim: tab", "1\t\t3"), "td 1 td td 3"},
	} {
		html := markdowntest.HTML(t, dialects.New(markdown.Options{Dialects: markdown.MyST}), tt[0])
		cells := strings.NewReplacer("<table>", "", "</table>", "", "<thead>", "", "</thead>", "", "<tbody>", "", "</tbody>", "", "<tr>", "", "</tr>", "",
			"<th>", "th ", "</th>", "", "<td>", "td ", "</td>", "").Replace(html)
		if got := strings.Join(strings.Fields(cells), " "); got != tt[1] {
			t.Errorf("%s\n got %s\nwant %s", tt[0], got, tt[1])
		}
	}
}

func TestStatements(t *testing.T) {
	markdowntest.Blocks(t, markdown.MyST, [][3]string{
		{"theorem", ":::{prf:theorem} T $x$\n:label: t\n:class: dropdown wide\na\n:::\n", `theorem-# id=t class=wide[:::{prf:theorem} T $x$](title"T $x$" p"a")[:::]`},
		{"other names", ":::{proof:criteria}\na\n:::\n:::{lemma}\na\n:::\n:::{prf:Axiom}\n:nonumber:\na\n:::\n", `criterion#[:::{proof:criteria}](p"a")[:::] lemma#[:::{lemma}](p"a")[:::] axiom[:::{prf:Axiom}](p"a")[:::]`},
		{"proof", ":::{prf:proof}\na\n:::\n", `proof[:::{prf:proof}](p"a")[:::]`},
		{"exercise and solution", ":::{exercise}\n:label: e\na\n:::\n:::{solution} e\nb\n:::\n", `exercise# id=e[:::{exercise}](p"a")[:::] solution-[:::{solution} e](p"b")[:::]`},
		{"start and end", ":::{exercise-start}\n:label: e\n:::\na\n\n- b\n:::{exercise-end}\n:::\nc\n", "exercise# id=e[:::{exercise-start}](p\"a\" list(item(p\"b\")))[:::{exercise-end}\n:::] p\"c\""},
		{"nested", ":::{exercise-start}\n:::\n:::{solution-start} e\n:::\na\n:::{solution-end}\n:::\nb\n:::{exercise-end}\n:::\n", "exercise#[:::{exercise-start}](solution-[:::{solution-start} e](p\"a\")[:::{solution-end}\n:::] p\"b\")[:::{exercise-end}\n:::]"},
		{"no end", ":::{exercise-start}\n:::\na\n", `exercise#[:::{exercise-start}](p"a") !"exercise-start" this exercise-start has no exercise-end, so all that follows belongs to it`},
		{"no start", "a\n\n:::{solution-end}\n:::\n", `p"a" !"solution-end" this solution-end ends nothing`},
		{"an end elsewhere", ":::{exercise-start}\n:::\n> :::{exercise-end}\n> :::\n\na\n", `exercise#[:::{exercise-start}](quote() p"a") !"exercise-end" this exercise-end ends nothing !"exercise-start" this exercise-start has no exercise-end, so all that follows belongs to it`},
	})
}

func TestGrids(t *testing.T) {
	markdowntest.Blocks(t, markdown.MyST, [][3]string{
		{"grid", "::::{grid} 1 2 2 3\n:::{card} A *b*\nc\n:::\n:::{grid-item}\n:columns: 12 4\nd\n\ne\n:::\n::::\n", `grid3(card(title(p"A *b*") p"c") card-4(p"d" p"e"))`},
		{"card", ":::{card} T\n:header: H\n:footer: *F*\n:link: https://example.org\nb\n:::\n", `card@(header(p"H") title(p"T") p"b" footer(p"*F*"))`},
		{"lines in a card", ":::{card} T\nh\n^^^\nb\n\n+++\nf\n:::\n", `card(header(p"h") title(p"T") p"b" footer(p"f"))`},
		{"a card without a title", ":::{card}\n:link: a.md\n\n**h**\n^^^\nb\n:::\n", `card@(title(p"**h**") p"b")`},
		{"only a link", ":::{grid-item-card}\n:link: a.md\nb\n:::\n", `card@(title(p"") p"b")`},
		{"buttons", ":::{button-link} https://example.org\n:color: primary\nText *b*\n:::\n:::{button-ref} a\n:::\n", `p"Text *b*" p""`},
	})
}

func TestGlossary(t *testing.T) {
	markdowntest.Blocks(t, markdown.MyST, [][3]string{
		{"terms", ":::{glossary}\n[Big *O*](https://example.org)\nO\n: a\n\nGPU\n: b\n:::\n", `terms(- id=term-big-o"[Big *O*](https://example.org)" - id=term-o"O" meaning(p"a") - id=term-gpu"GPU" meaning(p"b"))`},
		{"indented", ":::{glossary}\nTerm one\n  a *b*\n  c\n\nB\n  d\n:::\n", `terms(- id=term-term-one"Term one" meaning(p"a *b*\nc")) terms(- id=term-b"B" meaning(p"d"))`},
	})
}

func TestDataIsLinear(t *testing.T) {
	for name, page := range map[string][2]string{
		"csv": {"csv-table", "1,\"a, \"\"b\"\"\",c\n"}, "unequal": {"csv-table", "1\n1,2\n"}, "quotes": {"csv-table", "\"a,b\n\"\"\"\"\n"}, "wide": {"csv-table", "a,"},
		"list": {"list-table", "* - a\n  - b\n"}, "terms": {"glossary", "a\n  b\n\n"}, "ends": {"note", ":::{solution-end}\n:::\n"}, "starts": {"note", ":::{solution-start} a\n:::\n"},
		"gates": {"note", ":::{solution-start} a\n:::\na\n:::{solution-end}\n:::\n"}, "cards": {"note", ":::{card} a\na\n^^^\nb\n:::\n"}, "card": {"card", "a\n^^^\n"},
	} {
		complexitytest.Check(t, name, 10_000, func(n int) {
			markdowntest.Parse(markdown.Options{Dialects: markdown.MyST}, "```{"+page[0]+"}\n\n"+strings.Repeat(page[1], n)+"\n```\n")
		})
	}
}

func FuzzData(f *testing.F) {
	for _, page := range []string{"```{csv-table} a\n:header: a, \"b\n\"a, \"\"b\n\n\"c\n```\n", "```{list-table}\n* - a\n  -\n* b\n```\n",
		":::{exercise-start}\n:::\n- a\n\n:::{exercise-end}\n:::\n", "```{card} a\n:link: b\na\n^^^\nb\n+++\nc\n```\n", ":::{glossary}\na\n  b\n:::\n", ":::{solution} a\n:::\n"} {
		f.Add(page)
	}
	f.Fuzz(func(t *testing.T, page string) {
		doc, faults := markdowntest.Parse(markdown.Options{Dialects: markdown.MyST}, page)
		markdowntest.CheckSpans(t, doc, []byte(page))
		for _, fault := range faults {
			if fault.Start < 0 || fault.Start > fault.Stop || fault.Stop > len(page) {
				t.Errorf("a fault at %v of %d bytes", fault.Span, len(page))
			}
		}
	})
}
