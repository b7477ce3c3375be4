package content

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/diag"
)

// How code is shown. Nothing here touches what runs: a check is known by the code
// of its block, whatever a reader sees of it.

// lookNames are the attributes that say how code is shown.
var lookNames = []string{"tab", "title", "hl_lines", "numbers", "hide", "annotate"}

// shownNames are those of a block that is only shown.
var shownNames = append([]string{"diff", "file", "region", "lines"}, lookNames...)

// maxNumber bounds the number of a first line.
const maxNumber = 999_999

// look reads how the code is shown.
func (r *blockReader) look(f *Fence, a fenceAttributes) {
	f.Title, f.Tab = a.by["title"].value, a.by["tab"].value
	if hl, ok := a.by["hl_lines"]; ok {
		f.Marked = a.lines(hl)
	}
	if diff, ok := a.by["diff"]; ok {
		if diff.hasValue {
			a.fault(diff, diag.Say("diff takes no value"), diag.Say("write {diff} behind the code's own language"))
		}
		f.Code, f.Signs, f.column = cutSigns(f.Code)
	}
	count := len(codeLinesOf(f.Code))
	if numbers, ok := a.by["numbers"]; ok {
		f.Numbers = a.numbers(numbers, f.origin, count)
	}
	if hide, ok := a.by["hide"]; ok {
		f.Hidden = a.lines(hide)
		for i := range f.Hidden {
			if f.Hidden[i][1] > count {
				a.fault(hide, diag.Say("hide=%q reaches behind the last line, which is %d", hide.value, count), diag.Say("lines are counted from 1, and from the block's first"))
				f.Hidden = nil
				break
			}
		}
	}
	if _, ok := a.by["annotate"]; ok {
		f.annotated = true
	}
}

// codeLinesOf splits code into its lines, without their ends.
func codeLinesOf(code string) []string {
	if code == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(code, "\n"), "\n")
}

// numbers are those of the lines: from 1, from the author's, or those that included
// code has in its file. MkDocs writes linenums="10 2", of which the first counts,
// and linenums="0" for none.
func (a *fenceAttributes) numbers(at attribute, from *origin, count int) []int {
	first := 1
	if at.hasValue {
		words := strings.Fields(at.value)
		n, err := 0, error(nil)
		if len(words) > 0 {
			n, err = strconv.Atoi(words[0])
		}
		if len(words) == 0 || err != nil || n < 0 || n > maxNumber || n == 0 && at.name == "numbers" {
			a.fault(at, diag.Say("%q is no number of a line", at.value), diag.Say("write numbers, or numbers=10 to begin with 10"))
			return nil
		}
		if n == 0 {
			return nil
		}
		first = n
	} else if from != nil {
		return slices.Clone(from.lines)
	}
	out := make([]int, count)
	for i := range out {
		out[i] = first + i
	}
	return out
}

// lines reads the lines of an attribute, "2 4-6", also with commas.
func (a *fenceAttributes) lines(at attribute) [][2]int {
	var out [][2]int
	for _, w := range strings.FieldsFunc(at.value, func(r rune) bool { return r == ' ' || r == ',' }) {
		from, to, ok := strings.Cut(w, "-")
		if !ok {
			to = from
		}
		m, err1 := strconv.Atoi(from)
		n, err2 := strconv.Atoi(to)
		if err1 != nil || err2 != nil || m < 1 || n < m {
			a.fault(at, diag.Say("%q is not a line or a range of lines", w), diag.Say(`write %s="2 4-6"`, at.name))
			continue
		}
		out = append(out, [2]int{m, n})
	}
	if len(out) == 0 && at.value == "" {
		a.fault(at, diag.Say("%s names no lines", at.name), diag.Say(`write %s="2 4-6"`, at.name))
	}
	return out
}

// cutSigns takes the column of signs from the lines of a diff, as it stands in a
// unified one: + before a line that is added, - before one that is removed, a blank
// before any other. Where the other lines have no such column, theirs is none.
func cutSigns(code string) (without string, signs []byte, column bool) {
	lines := codeLinesOf(code)
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
