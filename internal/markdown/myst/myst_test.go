package myst_test

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/markdowntest"
)

// TestManyDirectives checks that directives that have ended do not count as nested.
func TestManyDirectives(t *testing.T) {
	doc, faults := markdowntest.Parse(markdown.Options{Dialects: markdown.MyST}, strings.Repeat(":::{note}\na\n:::\n\n```{code} c\nx\n```\n\n", 50))
	if n := len(markdown.Find[*markdown.Callout](doc)); n != 50 || len(faults) > 0 {
		t.Errorf("%d notes, %v", n, faults)
	}
}

func TestDirectives(t *testing.T) {
	markdowntest.Blocks(t, markdown.MyST, [][3]string{
		{"backticks", "a\n```{note}\ntext\n```\nb\n", "p\"a\" note[```{note}](p\"text\")[```] p\"b\""},
		{"colons", ":::{tip} A *b*\ntext\n:::\n", `tip[:::{tip} A *b*](title"A *b*" p"text")[:::]`},
		{"tildes, and a blank before the name", "~~~ {note}\ntext\n~~~\n", `note[~~~ {note}](p"text")[~~~]`},
		{"an argument without a body is the body", "```{note} Text\n```\n", "note[```{note} Text](p\"Text\")[```]"},
		{"nested by more marks", "::::{note}\n:::{tip}\na\n:::\nb\n::::\nc\n", `note[::::{note}](tip[:::{tip}](p"a")[:::] p"b")[::::] p"c"`},
		{"ended by more marks", "```{note}\na\n`````\nb\n", "note[```{note}](p\"a\")[`````] p\"b\""},
		{"the first end of that length is the end", "```{note}\n```python\nx\n```\nb\n", "note[```{note}](fence\"x\\n\")[```] p\"b\""},
		{"other marks within", "```{note}\n:::{tip}\na\n:::\n```\n", "note[```{note}](tip[:::{tip}](p\"a\")[:::])[```]"},
		{"not closed", "```{note}\na\n\nb\n", "note[```{note}](p\"a\" p\"b\") !\"```{note}\" the ``` container is not closed"},
		{"in a list and a quote", "- > :::{note}\n  > a\n  > :::\n  b\n", `list(item(quote(note[:::{note}](p"a")[:::]) p"b"))`},
		{"options", ":::{note} T\n:class: wide dropdown\n:name: x\n\na\n:::\n", `note- id=x class=wide[:::{note} T](title"T" p"a")[:::]`},
		{"options in YAML", ":::{note} T\n---\nclass: >\n  wide\n  dropdown\n\"name\": 'x' \n---\na\n:::\n", `note- id=x class=wide[:::{note} T](title"T" p"a")[:::]`},
		{"options in braces", ":::{note .dropdown #x open=true} T\na\n:::\n", `note+ id=x[:::{note .dropdown #x open=true} T](title"T" p"a")[:::]`},
		{"a body that looks like options", ":::{note}\na\n:b: c\n:::\n", `note[:::{note}](p"a\n:b: c")[:::]`},
		{"options without an end", ":::{note}\n---\na: b\n:::\n", `note[:::{note}](code"a: b\n")[:::] !":::{note}" the options of this directive have no end`},
		{"options of code without an end", "```{code-cell}\n---\na: b\nx\n```\n", "fence\"a: b\\nx\\n\" !\"```{code-cell}\" the options of this directive have no end"},
		{"text that is hidden to the end of the page", "> ```{comment}\n> a\n\nb\n\n:::{index} c\n\nd\n", "quote() p\"b\" !\"```{comment}\" the ``` container is not closed !\":::{index} c\" the ::: container is not closed"},
		{"code that is not closed", "```{code} python\na\n", `fence"a\n"`},
		{"images and embedded figures with a body", "```{image} a.png\n*b*\n\nc\n```\n> ```{embed} d\n> e\n> ```\n", `p"" p"*b*" p"c" quote(p"" p"e")`},
		{"a kind by its class", ":::{admonition} T\n:class: warning\na\n:::\n", `warning[:::{admonition} T](title"T" p"a")[:::]`},
		{"unknown, told once", ":::{nota} Olá *x*\na\n:::\n:::{nota}\n- b\n:::\n", `p"Olá *x*" p"a" list(item(p"b")) !"nota" unknown directive "nota", whose text is kept`},
		{"no directives", "``` {.python}\na\n```\n\n```{note\n```\n\n```{a=b}\n```\n\n``` {x} `y`\n", "fence\"a\\n\" fence\"\" fence\"\" p\"``` {x} `y`\""},
		{"a footer after a list", ":::{card} T\n- a\n\n+++\nb\n:::\n", `card(title(p"T") list(item(p"a")) footer(p"b"))`},
		{"a blank value", "```{csv-table}\n:header: a,b\n\nc,d\n\n\" \"\ne,f\n```\n", `table(head(-"" -"") row(-"" -"") row(-"" -""))`},
		{"a role without an end", "a {ref}`b\nc\n", "p\"a {ref}`b\\nc\""},
		{"containers of every page", ":::note\na\n:::\n", `note[:::note](p"a")[:::]`},
	})
}
