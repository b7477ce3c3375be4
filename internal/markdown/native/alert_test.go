package native_test

import (
	"testing"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/markdowntest"
)

func TestAlerts(t *testing.T) {
	markdowntest.Blocks(t, 0, [][3]string{
		{"GitHub's", "> [!NOTE]\n> text\n", `note[> [!NOTE]](p"text")`},
		{"in lower case, without blanks", ">[!tip]\n>text\nlazy\n", `tip[>[!tip]](p"text\nlazy")`},
		{"of several blocks", "> [!WARNING]\n> a\n>\n> - b\n\nc\n", `warning[> [!WARNING]](p"a" list(item(p"b"))) p"c"`},
		{"empty is a quote", "> [!NOTE]\n\nb\n", `quote(p"[!NOTE]") p"b"`},
		{"two", "> [!NOTE]\n> a\n\n> [!TIP]\n> b\n", `note[> [!NOTE]](p"a") tip[> [!TIP]](p"b")`},
		{"in a list", "- > [!CAUTION]\n  > a\n", `list(item(caution[> [!CAUTION]](p"a")))`},
		{"a link is no alert", "> [!NOTE](x)\n", `quote(p"[!NOTE](x)")`},
		{"with a title", "> [!NOTE] T\n> a\n", `quote(p"[!NOTE] T\na") !"[!NOTE]" [!note] is no alert as GitHub knows it, and stays a quote`},
		{"with another name", "> [!nota]\n> a\n", `quote(p"[!nota]\na") !"[!nota]" [!nota] is no alert as GitHub knows it, and stays a quote`},
	})
	markdowntest.Blocks(t, markdown.Obsidian, [][3]string{
		{"title", "> [!info] A *b*\n> c\n", `info[> [!info] A *b*](title"A *b*" p"c")`},
		{"folds", "> [!faq]- A\n> b\n\n> [!TLDR]+\n> c\n", `question-[> [!faq]- A](title"A" p"b") abstract+[> [!TLDR]+](p"c")`},
		{"title alone", "> [!bug] A", `bug[> [!bug] A](title"A")`},
		{"own kind", "> [!minha receita|wide] A\n> b\n", `minha receita[> [!minha receita|wide] A](title"A" p"b")`},
		{"nested", "> [!question] A\n> > [!todo]- B\n> > c\n> \n> d\n", `question[> [!question] A](title"A" todo-[> [!todo]- B](title"B" p"c") p"d")`},
		{"a no-break space", "> [!note]\u00a0A b\n> c\n\n> [!tip]\u00a0\n> d\n", "note[> [!note]\u00a0A b](title\"A b\" p\"c\") tip[> [!tip]\u00a0](p\"d\")"},
		{"empty name", "> [! ]\n", `quote(p"[! ]")`},
	})
}
