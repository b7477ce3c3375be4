package container_test

import (
	"testing"

	"github.com/gpudocs/gpudocs/internal/markdown/markdowntest"
)

func TestContainers(t *testing.T) {
	markdowntest.Blocks(t, 0, [][3]string{
		{"without a title", ":::note\ntext\n:::\nb\n", `note[:::note](p"text")[:::] p"b"`},
		{"title with markup and attributes", ":::  Tip A *b*: c  {#x .wide fold}\n:::\n", `tip- id=x class=wide[:::  Tip A *b*: c  {#x .wide fold}](title"A *b*: c")[:::]`},
		{"open fold", ":::info {fold=open}\n:::\n", `info+[:::info {fold=open}]()[:::]`},
		{"details fold by themselves", ":::details\na\n:::\n", `details-[:::details](p"a")[:::]`},
		{"braces that are the title's", ":::note Set {a, b!}\n:::\n", `note[:::note Set {a, b!}](title"Set {a, b!}")[:::]`},
		{"nested by more colons", "::::note\n:::tip\na\n:::\n::::\n", `note[::::note](tip[:::tip](p"a")[:::])[::::]`},
		{"of the same length", ":::note\n:::tip\na\n:::\nb\n:::\n", `note[:::note](tip[:::tip](p"a")[:::] p"b")[:::]`},
		{"the outer ends the inner", "::::note\n:::tip\na\n::::\nb\n", `note[::::note](tip[:::tip](p"a"))[::::] p"b" !":::tip" the ::: container is not closed`},
		{"not closed", "a\n:::note\nb", `p"a" note[:::note](p"b") !":::note" the ::: container is not closed`},
		{"marks in a fence", ":::note\n```\n:::\n```\n:::\n", `note[:::note](fence":::\n")[:::]`},
		{"in a quote", "> :::note\n> a\n> :::\n\nb\n", `quote(note[:::note](p"a")[:::]) p"b"`},
		{"in a list, behind a tab", "- a\n\n\t:::note T\n\tb\n\t:::\n", `list(item(p"a" note[:::note T](title"T" p"b")[:::]))`},
		{"a name that is none", "::: {.note}\na\n:::\n\n:::a:b\n", `p"::: {.note}\na\n:::" p":::a:b" !":::" this line ends nothing, and is shown as text`},
		{"marks that end nothing", "::: \na\n\n> ::::\n\n:::note\n:::\n:::\n", `p"::: \na" quote(p"::::") note[:::note]()[:::] p":::" !":::" this line ends nothing, and is shown as text !"::::" this line ends nothing, and is shown as text !":::" this line ends nothing, and is shown as text`},
		{"unknown", ":::nota Olá *x*\na\n:::\n", `note[:::nota Olá *x*](title"nota Olá *x*" p"a")[:::] !"nota" unknown container "nota"`},
		{"unknown attribute", ":::note T {fold=yes size=3}\n:::\n", `note[:::note T {fold=yes size=3}](title"T")[:::] !"fold=yes" fold cannot be "yes" !"size=3" unknown attribute "size"`},
		{"machines", ":::machines\n:::\n", `container machines[:::machines]()[:::]`},
		{"tabs", "::::tabs\n:::tab Linux `x` {#l}\na\n:::\n:::tab {selected}\nb\n:::\n::::\n", "tabs(tab id=l[:::tab Linux `x` {#l}](title\"Linux `x`\" p\"a\")[:::] tab+[:::tab {selected}](title\"tab\" p\"b\")[:::]) !\":::tab {selected}\" a tab without a title"},
		{"exercise", ":::exercise Sum *it* {#ex .wide fold}\na\n:::\n", `exercise-# id=ex class=wide[:::exercise Sum *it* {#ex .wide fold}](title"Sum *it*" p"a")[:::]`},
		{"solutions", ":::solution {for=ex fold=open}\na\n:::\n:::solution How\n:::\n", `solution+[:::solution {for=ex fold=open}](p"a")[:::] solution-[:::solution How](title"How")[:::]`},
		{"attributes of exercises", ":::exercise {for=a}\n:::\n:::solution {of=a}\n:::\n", `exercise#[:::exercise {for=a}]()[:::] solution-[:::solution {of=a}]()[:::] !"for=a" unknown attribute "for" !"of=a" unknown attribute "of"`},
		{"interrupts a paragraph", "a\n:::note\nb\n:::\nc\n", `p"a" note[:::note](p"b")[:::] p"c"`},
		{"deep indentation is code", "    :::note\n\n:::note\n    :::\n:::\n", `code":::note\n" note[:::note](code":::\n")[:::]`},
	})
}
