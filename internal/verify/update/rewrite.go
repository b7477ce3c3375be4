package update

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// A replacement replaces some lines of a fenced block.
type replacement struct {
	// fence is the line of the opening fence, from 1. size is the number of lines in
	// the block.
	fence, size int
	// from and to are the lines to replace, counted from 0 in the block.
	from, to int
	lines    []string
}

// rewrite replaces lines of fenced blocks and leaves every other byte of the file as it
// is. New lines get the line ends of the block and its prefix in lists and quotes. A
// fence is lengthened if a new line would close it.
//
// rewrite knows little of Markdown: its caller must parse the result and check it.
func rewrite(data []byte, all []replacement) []byte {
	lines := bytes.SplitAfter(data, []byte("\n"))
	if n := len(lines); len(lines[n-1]) == 0 {
		lines = lines[:n-1]
	}
	open := len(lines) > 0 && !bytes.HasSuffix(lines[len(lines)-1], []byte("\n"))
	if open {
		lines[len(lines)-1] = append(slices.Clip(lines[len(lines)-1]), '\n')
	}
	// Last to first, so that line numbers stay valid.
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b replacement) int {
		return cmp.Or(cmp.Compare(b.fence, a.fence), cmp.Compare(b.from, a.from))
	})
	sizes := map[int]int{}
	for _, r := range all {
		if _, ok := sizes[r.fence]; !ok {
			sizes[r.fence] = r.size
		}
		f := newFence(lines, r.fence, sizes[r.fence])
		var with [][]byte
		for _, l := range r.lines {
			with = append(with, f.line(l))
		}
		f.lengthen(lines, r.lines)
		lines = slices.Replace(lines, r.fence+r.from, r.fence+r.to, with...)
		sizes[r.fence] += len(with) - (r.to - r.from)
	}
	out := bytes.Join(lines, nil)
	if open {
		out = bytes.TrimSuffix(bytes.TrimSuffix(out, []byte("\n")), []byte("\r"))
	}
	return out
}

// A fence describes a fenced block of a file.
type fence struct {
	// open and end are the indexes of the opening and the closing line. end is 0 if the
	// end of a list, a quote or the file closes the block.
	open, end int
	marker    string // "```"
	prefix    string // before each line, in lists and quotes
	lineEnd   string // of its lines
}

var (
	fenceMarker  = regexp.MustCompile("`{3,}|~{3,}")
	closingFence = regexp.MustCompile("^([ \t>]*)(`{3,}|~{3,})[ \t]*\r?\n$")
	// closer matches a line of output that could be read as a closing fence.
	closer = regexp.MustCompile("^ {0,3}(`{3,}|~{3,})[ \t]*$")
)

func newFence(lines [][]byte, line, size int) fence {
	opening := string(lines[line-1])
	f := fence{open: line - 1, lineEnd: "\n"}
	if strings.HasSuffix(opening, "\r\n") {
		f.lineEnd = "\r\n"
	}
	at := fenceMarker.FindStringIndex(opening)
	f.marker = opening[at[0]:at[1]]
	f.prefix = strings.TrimPrefix(opening[:at[0]], "\ufeff")
	beside := strings.Trim(f.prefix, " \t>") != "" // as in "- ```"
	if end := line + size; end < len(lines) {
		if m := closingFence.FindSubmatch(lines[end]); m != nil && f.closes(string(m[2])) {
			f.end = end
			if beside {
				f.prefix, beside = string(m[1]), false
			}
		}
	}
	if beside {
		f.prefix = strings.Map(func(r rune) rune {
			if r == '>' || r == '\t' {
				return r
			}
			return ' '
		}, f.prefix)
	}
	if strings.HasSuffix(f.prefix, ">") {
		f.prefix += " " // otherwise the quote would take the first space of a line
	}
	return f
}

func (f fence) closes(marker string) bool {
	return marker[0] == f.marker[0] && len(marker) >= len(f.marker)
}

func (f fence) line(text string) []byte {
	if text == "" {
		return []byte(strings.TrimRight(f.prefix, " \t") + f.lineEnd)
	}
	return []byte(f.prefix + text + f.lineEnd)
}

// lengthen makes the fence longer than any new line that would close it.
func (f fence) lengthen(lines [][]byte, with []string) {
	more := ""
	for _, l := range with {
		if m := closer.FindStringSubmatch(l); m != nil && f.closes(m[1]) {
			if n := len(m[1]) + 1 - len(f.marker); n > len(more) {
				more = strings.Repeat(f.marker[:1], n)
			}
		}
	}
	if more == "" {
		return
	}
	lines[f.open] = bytes.Replace(lines[f.open], []byte(f.marker), []byte(f.marker+more), 1)
	if f.end > 0 {
		closing := fenceMarker.Find(lines[f.end])
		if n := len(f.marker) + len(more) - len(closing); n > 0 {
			lines[f.end] = bytes.Replace(lines[f.end], closing, append(slices.Clip(closing), more[:n]...), 1)
		}
	}
}
