package page

import (
	"fmt"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
)

// A wide table is in a box that scrolls, with the keyboard too.
func (v *writer) table(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	tag := "<div class=\"scroll\" tabindex=\"0\"><table>\n"
	if !entering {
		tag = "</table></div>\n"
	} else if first := n.FirstChild(); first != nil && first.Kind() == extast.KindTableRow {
		tag += "<tbody>\n" // goldmark writes it after a head only
	}
	_, err := w.WriteString(tag)
	return ast.WalkContinue, err
}

// tableCell sets the alignment of a cell by a class: HTML has no attribute for it any more, and the
// content security policy forbids style attributes.
func (v *writer) tableCell(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n, tag := node.(*extast.TableCell), "td"
	if n.Parent().Kind() == extast.KindTableHeader {
		tag = "th"
	}
	if !entering {
		_, err := fmt.Fprintf(w, "</%s>\n", tag)
		return ast.WalkContinue, err
	}
	_, _ = fmt.Fprintf(w, "<%s", tag)
	if n.Alignment == extast.AlignRight || n.Alignment == extast.AlignCenter {
		_, _ = fmt.Fprintf(w, ` class="to-%s"`, n.Alignment)
	}
	html.RenderAttributes(w, n, nil)
	_, err := w.WriteString(">")
	return ast.WalkContinue, err
}

// task writes the checkbox of a task. It cannot be pressed, but it is read out, so it needs a name.
func (v *writer) task(w util.BufWriter, _ []byte, n ast.Node) error {
	checked, name := "", "task_open"
	if n.(*extast.TaskCheckBox).IsChecked {
		checked, name = ` checked=""`, "task_done"
	}
	_, err := fmt.Fprintf(w, `<input%s disabled="" type="checkbox" aria-label="%s"> `, checked, util.EscapeHTML([]byte(v.t.Get(name))))
	return err
}
