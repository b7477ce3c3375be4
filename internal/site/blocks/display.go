package blocks

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/attribute"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// The attributes read here change how code is shown, and never what runs: they are not part of the
// id of a check.

// displayAttributes are the attributes that determine how code is shown.
var displayAttributes = []string{"tab", "title", "hl_lines", "numbers", "hide", "annotate"}

// shownAttributes are the attributes of a block that is only shown.
var shownAttributes = append([]string{"diff", "file", "region", "lines"}, displayAttributes...)

// maxNumber bounds the first line number.
const maxNumber = 999_999

// readDisplay reads the attributes that determine how the code is shown.
func (r *Reader) readDisplay(f *Fence, a fenceAttributes) {
	f.Title, f.Tab = a.by["title"].Value, a.by["tab"].Value
	if hl, ok := a.by["hl_lines"]; ok {
		f.Marked = a.lines(hl)
	}
	if a.flag("diff", diag.Say("blocks.diff-value")) {
		f.Code, f.Signs, f.signColumn = cutSigns(f.Code)
	}
	count := len(site.CodeLines(f.Code))
	if numbers, ok := a.by["numbers"]; ok {
		f.Numbers = a.numbers(numbers, f.Origin, count)
	}
	if hide, ok := a.by["hide"]; ok {
		f.Hidden = a.lines(hide)
		if slices.ContainsFunc(f.Hidden, func(lines [2]int) bool { return lines[1] > count }) {
			a.fault(hide, diag.Say("blocks.hide-beyond-end", "value", hide.Value, "count", count))
			f.Hidden = nil
		}
	}
	f.Annotated = a.has("annotate")
}

// numbers returns the numbers of the lines. They begin at 1 or at the attribute's value; code from
// a file has the numbers that its lines have there. In MkDocs' linenums="10 2" only the first
// number is used, and linenums="0" means no numbers.
func (a *fenceAttributes) numbers(at attribute.Attribute, from *site.Origin, count int) []int {
	first := 1
	if at.HasValue {
		words := strings.Fields(at.Value)
		n, err := 0, error(nil)
		if len(words) > 0 {
			n, err = strconv.Atoi(words[0])
		}
		if len(words) == 0 || err != nil || n < 0 || n > maxNumber || n == 0 && at.Name == "numbers" {
			a.fault(at, diag.Say("blocks.numbers-invalid", "value", at.Value))
			return nil
		}
		if n == 0 {
			return nil
		}
		first = n
	} else if from != nil {
		return slices.Clone(from.Lines)
	}
	out := make([]int, count)
	for i := range out {
		out[i] = first + i
	}
	return out
}

// lines reads line ranges, "2 4-6", which may also be separated by commas.
func (a *fenceAttributes) lines(at attribute.Attribute) [][2]int {
	var out [][2]int
	for _, w := range strings.FieldsFunc(at.Value, func(r rune) bool { return r == ' ' || r == ',' }) {
		from, to, ok := strings.Cut(w, "-")
		if !ok {
			to = from
		}
		m, err1 := strconv.Atoi(from)
		n, err2 := strconv.Atoi(to)
		if err1 != nil || err2 != nil || m < 1 || n < m {
			a.fault(at, diag.Say("blocks.line-range-invalid", "name", w).WithHint(diag.Say("blocks.line-range-hint", "name", at.Name)))
			continue
		}
		out = append(out, [2]int{m, n})
	}
	if len(out) == 0 && at.Value == "" {
		a.fault(at, diag.Say("blocks.lines-empty", "name", at.Name).WithHint(diag.Say("blocks.line-range-hint", "name", at.Name)))
	}
	return out
}

// cutSigns removes the column of signs from the lines of a unified diff: + before an added line, -
// before a removed one, a blank before any other. column is false if the other lines are not
// indented by that blank.
func cutSigns(code string) (without string, signs []byte, column bool) {
	lines := site.CodeLines(code)
	column = true
	for _, l := range lines {
		column = column && (l == "" || strings.ContainsRune("+- ", rune(l[0])))
	}
	for i, l := range lines {
		sign := byte(' ')
		switch {
		case l == "":
		case l[0] == '+' || l[0] == '-':
			sign, lines[i] = l[0], l[1:]
		case column:
			lines[i] = l[1:]
		}
		signs = append(signs, sign)
	}
	if len(lines) == 0 {
		return "", nil, false
	}
	return strings.Join(lines, "\n") + "\n", signs, column
}
