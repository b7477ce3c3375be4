package include

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A file can mark regions with comments of its language, which pages can show:
//
//	# region setup
//	# endregion
//
// These marks are those of editors. pymdownx.snippets uses # --8<-- [start:setup] and [end:setup].
// The lines with marks are never shown.
var (
	regionForm         = lazyregexp.New(`^[ \t]*(?:#|//|--|/\*|<!--|[;%!'"]|[Rr][Ee][Mm]\b)[ \t]*#?(end)?region\b[ \t]*(.*?)[ \t]*(?:\*/|-->)?[ \t\r]*$`)
	markdownRegionForm = lazyregexp.New(`^[ \t]*<!--[ \t]*#?(end)?region\b[ \t]*(.*?)[ \t]*-->[ \t\r]*$`) // # region is a heading
	sectionForm        = lazyregexp.New(`(?i)(;*)-+8<-+[ \t]+\[[ \t]*(start|end)[ \t]*:[ \t]*([a-z][-_0-9a-z]*)[ \t]*\]`)
)

// A regionMark is a line that begins or ends a region.
type regionMark struct {
	name string
	end  bool
}

// parseMark parses a line of a file.
func parseMark(line string, form *lazyregexp.Regexp) (m regionMark, ok bool) {
	if strings.Contains(line, "8<") {
		if s := sectionForm.FindStringSubmatch(line); s != nil && s[1] == "" {
			return regionMark{s[3], strings.EqualFold(s[2], "end")}, true
		}
	}
	if strings.Contains(line, "region") {
		if s := form.FindStringSubmatch(line); s != nil {
			return regionMark{s[2], s[1] != ""}, true
		}
	}
	return regionMark{}, false
}

// A Problem is the reason why a file, or a part of it, cannot be included.
type Problem struct{ Message, Hint diag.Text }

// Lines returns the numbers of the lines of a file to include: those of a region, or of the whole
// file, and of these a selection. The lines of a region are counted from its first.
func Lines(f *diag.File, region, lines string) ([]int, *Problem) {
	form := regionForm
	if sitefile.IsMarkdown(f.Name) {
		form = markdownRegionForm
	}
	last := f.Line(len(f.Data))
	if f.Text(last) == "" {
		last--
	}
	from, to, names := 1, last, []string(nil) // to is -1 in a region that is open
	var marks []int
	var open []string // regions that are open
	found := region == ""
	for line := 1; line <= last; line++ {
		m, ok := parseMark(f.Text(line), form)
		if !ok {
			continue
		}
		marks = append(marks, line)
		if !m.end {
			if len(open) == maxChain {
				continue
			}
			open, names = append(open, m.name), append(names, m.name)
			if m.name == region && !found {
				from, to, found = line+1, -1, true
				open = []string{m.name}
			}
			continue
		}
		closes := m.name
		if i := len(open) - 1; i >= 0 && (closes == "" || slices.Contains(open, closes)) {
			for i > 0 && closes != "" && open[i] != closes {
				i--
			}
			closes, open = open[i], open[:i]
		}
		if found && to < 0 && closes == region {
			to = line - 1
		}
	}
	switch {
	case !found:
		names = slices.DeleteFunc(names, func(s string) bool { return s == "" })
		hint := diag.Say("include.region-none-hint", "name", path.Base(f.Name), "region", region)
		if len(names) > 0 {
			slices.Sort(names)
			hint = diag.Say("include.file-size-hint", "compact", site.ShortList(texts(slices.Compact(names))))
		}
		return nil, &Problem{diag.Say("include.region-unknown", "name", f.Name, "region", region), diag.Suggest(region, names, hint)}
	case to < 0:
		return nil, &Problem{diag.Say("include.region-not-closed", "region", region, "name", f.Name, "from", from-1),
			diag.Say("include.region-end-hint")}
	}
	ranges, err := lineRanges(lines, to-from+1)
	if err != nil {
		if region == "" {
			err.Message = diag.Say("diag.message-at", "place", f.Name, "what", err.Message)
		} else {
			err.Message = diag.Say("include.region-invalid", "region", region, "name", f.Name, "message", err.Message)
		}
		return nil, err
	}
	var out []int
	for _, r := range ranges {
		for line := from + r[0] - 1; line <= from+r[1]-1; line++ {
			if _, is := slices.BinarySearch(marks, line); !is {
				out = append(out, line)
			}
		}
	}
	return out, nil
}

// lineRanges parses lines="1-20,30" for a text with count lines; "5-" extends to the end. The
// ranges must be in increasing order.
func lineRanges(lines string, count int) (out [][2]int, _ *Problem) {
	if lines == "" {
		return [][2]int{{1, count}}, nil
	}
	hint := diag.Say("include.lines-hint")
	before := 0
	for _, w := range strings.FieldsFunc(lines, func(r rune) bool { return r == ' ' || r == ',' }) {
		from, to, isRange := strings.Cut(w, "-")
		m, err1 := strconv.Atoi(from)
		n, err2 := m, error(nil)
		switch {
		case isRange && to == "":
			n = max(m, count)
		case isRange:
			n, err2 = strconv.Atoi(to)
		}
		switch {
		case err1 != nil || err2 != nil || m < 1 || n < m:
			return nil, &Problem{diag.Say("blocks.line-range-invalid", "name", w), hint}
		case m <= before:
			return nil, &Problem{diag.Say("include.lines-out-of-order", "name", w), hint}
		case n > count:
			return nil, &Problem{diag.Say("include.line-missing", "line", n, "count", count), hint}
		}
		before, out = n, append(out, [2]int{m, n})
	}
	if out == nil {
		return nil, &Problem{diag.Say("include.lines-empty"), hint}
	}
	return out, nil
}

func texts(names []string) (texts []diag.Text) {
	for _, n := range names {
		texts = append(texts, diag.Plain(n))
	}
	return texts
}
