package quarto

import (
	"math"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/pandoc"
)

// statements are the kinds of statements by the first part of their labels:
// https://quarto.org/docs/authoring/cross-references.html#theorems-and-proofs.
var statements = map[string]string{"thm": "theorem", "lem": "lemma", "cor": "corollary", "prp": "proposition", "cnj": "conjecture",
	"def": "definition",
	"exm": "example", "exr": "exercise", "sol": "solution", "rem": "remark", "alg": "algorithm"}

// callouts are the first parts of the labels of callouts.
var callouts = map[string]string{"nte": "note", "tip": "tip", "wrn": "warning", "imp": "important", "cau": "caution"}

// div returns the node of a div: https://quarto.org/docs/reference/.
func div(d *pandoc.Div) ast.Node {
	series, _, labelled := strings.Cut(d.Given.ID, "-")
	kind, isCallout := strings.CutPrefix(d.Name, "callout-")
	switch {
	case d.LeftOut():
		return d.Nothing()
	case isCallout, d.Has("callout"):
		if !isCallout {
			kind = "note"
		}
		fold := map[string]markdown.Fold{"true": markdown.Folded, "false": markdown.Unfolded}[d.Given.Get("collapse")]
		return d.Callout(markdown.CalloutKind(kind), fold)
	case d.Has("panel-tabset"), d.Has("tabset"):
		return d.Tabs()
	case labelled && pandoc.Series[series] != "":
		return d.Figure(pandoc.Series[series], columns(d))
	case labelled && statements[series] != "", d.Name == "proof", d.Name == "remark", d.Name == "solution":
		name := statements[series]
		if name == "" {
			name = d.Name
		}
		n := d.Statement(name)
		n.Counted = n.Counted && labelled
		return n
	case d.Has("column-margin"), d.Has("aside"):
		n := d.Callout("note", markdown.NoFold)
		n.Plain = n.FirstChild() == nil
		n.SetAttributeString("class", []byte("inline end"))
		return n
	}
	if n := columns(d); n > 0 {
		return d.Grid(n)
	}
	if twelfths := width(d); twelfths > 0 || d.Has("column") {
		return &markdown.Card{Plain: true, Twelfths: twelfths}
	}
	return d.NativeOrPlain()
}

// columns returns how many columns the content of a div has, or 0.
func columns(d *pandoc.Div) int {
	n, _ := strconv.Atoi(d.Given.Get("layout-ncol"))
	switch layout := d.Given.Get("layout"); {
	case n > 0:
	case layout != "":
		row, _, _ := strings.Cut(strings.TrimLeft(layout, "[ "), "]")
		n = strings.Count(row, ",") + 1
	case d.Given.Get("layout-nrow") != "":
		rows, _ := strconv.Atoi(d.Given.Get("layout-nrow"))
		n = (d.ChildCount() + rows - 1) / max(rows, 1)
	case d.Has("columns"), d.Has("grid"):
		n = d.ChildCount()
	}
	return max(min(n, 12), 0)
}

// width returns the width of a column in twelfths, or 0: width="40%", .g-col-6.
func width(d *pandoc.Div) int {
	for _, c := range d.Given.Classes {
		if n, err := strconv.Atoi(strings.TrimPrefix(c, "g-col-")); err == nil && n >= 1 && n <= 12 {
			return n
		}
	}
	percent, err := strconv.ParseFloat(strings.TrimSuffix(d.Given.Get("width"), "%"), 64)
	if err != nil || percent <= 0 || percent > 100 {
		return 0
	}
	return max(int(math.Round(percent*12/100)), 1)
}
