package survey

import (
	"bytes"
	"iter"
	"strings"
)

// A zone is a part of a text in which forms are searched.
type zone int

const (
	prose zone = iota // outside of code and code spans
	info              // after an opening fence
	code              // in a fence
)

// A Line is a line of a file, without its line end, or the text after the marks that open a fence.
type Line struct {
	Text string
	At   int // its offset
	// Fence is the text after the marks of the fence around the line, and FenceAt the offset of that.
	Fence   string
	FenceAt int
	zone    zone
}

// lines returns the lines after the front matter. Code spans are blanked.
func lines(text string, isCode func(at int) bool) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		front := FrontEnd([]byte(text))
		var f Fences
		fence := Line{zone: info}
		for next := 0; next < len(text); {
			at := next
			t, _, _ := strings.Cut(text[at:], "\n")
			next = at + len(t) + 1
			if front > 0 && at <= front {
				continue
			}
			l := Line{Text: strings.TrimSuffix(t, "\r"), At: at, zone: code}
			if isCode == nil || !isCode(at) {
				before := f.Mark
				switch inside := f.Inside(l.Text); {
				case inside && before == "":
					fence.Text = strings.TrimLeft(l.Text, " \t>-*+`~")
					fence.At = at + len(l.Text) - len(fence.Text)
					l = fence
				case inside:
					l.Fence, l.FenceAt = fence.Text, fence.At
				default:
					l.zone, l.Text = prose, uncoded(l.Text)
				}
			}
			if !yield(l) {
				return
			}
		}
	}
}

// A Fences follows the fences of a text line by line, without its AST.
type Fences struct {
	// Mark is that of the open fence, or empty.
	Mark string
}

// Inside reports whether a line is code or the line of a fence.
func (f *Fences) Inside(text string) bool {
	t := strings.TrimLeft(text, " \t>")
	if f.Mark != "" {
		run := len(t) - len(strings.TrimLeft(t, f.Mark[:1]))
		if run >= len(f.Mark) && strings.TrimSpace(t[run:]) == "" {
			f.Mark = ""
		}
		return true
	}
	t = strings.TrimLeft(strings.TrimLeft(t, "-*+0123456789.)"), " \t")
	for _, c := range []string{"`", "~"} {
		run := len(t) - len(strings.TrimLeft(t, c))
		if run >= 3 && (c == "~" || !strings.Contains(t[run:], "`")) {
			f.Mark = t[:run]
			return true
		}
	}
	return false
}

// FrontEnd returns the offset of the line that closes the front matter, or 0 if the text has none.
func FrontEnd(data []byte) int {
	for start, at := 0, 0; at < len(data); at = start {
		line, _, _ := bytes.Cut(data[at:], []byte("\n"))
		start = at + len(line) + 1
		switch s := string(bytes.TrimRight(line, " \t\r")); {
		case at == 0 && s != "---":
			return 0
		case at > 0 && (s == "---" || s == "..."):
			return at
		}
	}
	return 0
}

// uncoded returns a line with its code spans blanked, except those of roles: :label:`x`.
func uncoded(t string) string {
	if !strings.Contains(t, "`") {
		return t
	}
	b := []byte(t)
	for at := 0; at < len(b); {
		if b[at] != '`' {
			at++
			continue
		}
		run := at
		for run < len(b) && b[run] == '`' {
			run++
		}
		mark := t[at:run]
		end := strings.Index(t[run:], mark)
		if end < 0 {
			at = run
			continue
		}
		end += run
		for i := run; i < end; i++ {
			b[i] = ' '
		}
		if at == 0 || b[at-1] != ':' && b[at-1] != '}' {
			for i := at; i < run; i++ {
				b[i], b[end+i-at] = ' ', ' '
			}
		}
		at = end + len(mark)
	}
	return string(b)
}
