package content

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

// A file may name parts of itself, in comments of any language, so that pages can
// show one of them:
//
//	# region setup
//	# endregion
//
// as editors fold them, or as pymdownx.snippets has it, # --8<-- [start:setup] and
// [end:setup]. The lines with marks are never shown.
var (
	regionMark  = lazyregexp.New(`^[ \t]*(?:#|//|--|/\*|<!--|[;%!'"]|[Rr][Ee][Mm]\b)[ \t]*#?(end)?region\b[ \t]*(.*?)[ \t]*(?:\*/|-->)?[ \t\r]*$`)
	mdMark      = lazyregexp.New(`^[ \t]*<!--[ \t]*#?(end)?region\b[ \t]*(.*?)[ \t]*-->[ \t\r]*$`) // # region is a heading
	sectionMark = lazyregexp.New(`(?i)(;*)-+8<-+[ \t]+\[[ \t]*(start|end)[ \t]*:[ \t]*([a-z][-_0-9a-z]*)[ \t]*\]`)
)

// A marked line begins or ends a region.
type marked struct {
	name string
	end  bool
}

// mark reads a line of a file.
func mark(line string, form *lazyregexp.Regexp) (m marked, ok bool) {
	if strings.Contains(line, "8<") {
		if s := sectionMark.FindStringSubmatch(line); s != nil && s[1] == "" {
			return marked{s[3], strings.EqualFold(s[2], "end")}, true
		}
	}
	if strings.Contains(line, "region") {
		if s := form.FindStringSubmatch(line); s != nil {
			return marked{s[2], s[1] != ""}, true
		}
	}
	return marked{}, false
}

// A cutError says what is wrong with what an author wants of a file.
type cutError struct{ message, hint diag.Text }

// cut returns the numbers of a file's lines that an author wants: a region, or all
// of it, and of these some. The lines of a region are counted from its first.
func cut(f *diag.File, region, lines string) ([]int, *cutError) {
	form := regionMark
	if isMarkdown(f.Name) {
		form = mdMark
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
		m, ok := mark(f.Text(line), form)
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
		hint := diag.Say("%s has no regions; one begins with a comment such as # region %s", path.Base(f.Name), region)
		if len(names) > 0 {
			slices.Sort(names)
			hint = diag.Say("it has %s", shortList(said(slices.Compact(names))))
		}
		return nil, &cutError{diag.Say("%s has no region %q", f.Name, region), diag.Suggest(region, names, hint)}
	case to < 0:
		return nil, &cutError{diag.Say("the region %q of %s, which begins in line %d, does not end", region, f.Name, from-1), diag.Say("end it with a comment such as # endregion")}
	}
	ranges, err := lineRanges(lines, to-from+1)
	if err != nil {
		if region == "" {
			err.message = diag.Say("%s: %s", f.Name, err.message)
		} else {
			err.message = diag.Say("region %q of %s: %s", region, f.Name, err.message)
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

// lineRanges reads lines="1-20,30", of so many; "5-" goes to the end. They are in
// order, as in the file.
func lineRanges(lines string, count int) (out [][2]int, _ *cutError) {
	if lines == "" {
		return [][2]int{{1, count}}, nil
	}
	hint := diag.Say(`write lines="1-20,30", in the order of the file; "30-" goes to its end`)
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
			return nil, &cutError{diag.Say("%q is not a line or a range of lines", w), hint}
		case m <= before:
			return nil, &cutError{diag.Say("%q stands before what is taken already", w), hint}
		case n > count:
			return nil, &cutError{diag.Say("there is no line %d, for there are %d", n, count), hint}
		}
		before, out = n, append(out, [2]int{m, n})
	}
	if out == nil {
		return nil, &cutError{diag.Say("lines names no lines"), hint}
	}
	return out, nil
}

func said(names []string) (texts []diag.Text) {
	for _, n := range names {
		texts = append(texts, diag.Say("%s", n))
	}
	return texts
}
