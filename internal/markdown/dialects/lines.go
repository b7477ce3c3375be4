package dialects

import (
	"bytes"
	"iter"
	"strings"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

// A Line is a line of a file, without its line end, or the text after the marks that open a fence.
type Line struct {
	Text string
	At   int // its offset
	// Fence is the text after the marks of the fence around the line, and FenceAt the offset of that.
	Fence   string
	FenceAt int
	zone    markdown.Zone
}

// lines returns the lines of a text.
func lines(text string, isCode func(at int) bool) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		end := FrontEnd(text)
		var f Fences
		indents := indentedCode{blank: true}
		var raw rawHTML
		fence := Line{zone: markdown.InInfo}
		for next := 0; next < len(text); {
			at := next
			t, _, _ := strings.Cut(text[at:], "\n")
			next = at + len(t) + 1
			l := Line{Text: strings.TrimSuffix(t, "\r"), At: at, zone: markdown.InCode}
			if end > 0 && at <= end {
				l.zone = markdown.InFrontMatter
			} else if isCode == nil || !isCode(at) {
				before := f.Mark
				indented := before == "" && indents.next(l.Text)
				switch inside := !indented && f.Inside(l.Text); {
				case inside && before == "":
					fence.Text = strings.TrimLeft(l.Text, " \t>-*+`~")
					fence.At = at + len(l.Text) - len(fence.Text)
					l = fence
				case inside:
					l.Fence, l.FenceAt = fence.Text, fence.At
				case !indented && !raw.next(l.Text):
					l.zone = markdown.InProse
				}
			}
			if l.zone == markdown.InProse {
				l.Text = uncoded(l.Text)
			}
			if !yield(l) {
				return
			}
		}
	}
}

// indentedCode follows the blocks of indented code of a text line by line. Indented lines in lists and
// in the blocks of dialects are no code.
type indentedCode struct {
	code, blank bool // the line before
	within      bool // the last line without indentation begins something that may contain lines
}

// next reports whether a line is indented code.
func (c *indentedCode) next(text string) bool {
	trimmed := strings.TrimLeft(text, " \t")
	switch {
	case trimmed == "":
		c.blank = true
		return c.code
	case trimmed == text:
		c.within = strings.ContainsRune("-*+!?=:/>", rune(text[0])) || '0' <= text[0] && text[0] <= '9'
		c.code = false
	default:
		deep := text[0] == '\t' || len(text)-len(trimmed) >= 4
		c.code = deep && !c.within && (c.blank || c.code)
	}
	c.blank = false
	return c.code
}

// rawHTML follows the comments and <pre> elements of a text line by line.
type rawHTML struct{ end string }

// next reports whether a line is in one.
func (h *rawHTML) next(text string) bool {
	if h.end == "" {
		t := strings.TrimLeft(text, " \t>")
		if strings.HasPrefix(t, "<!--") {
			h.end = "-->"
		} else if strings.HasPrefix(t, "<pre>") || strings.HasPrefix(t, "<pre ") {
			h.end = "</pre>"
		} else {
			return false
		}
	}
	if strings.Contains(text, h.end) {
		h.end = ""
	}
	return true
}

// A Fences follows the fences of a text line by line, without its AST.
type Fences struct {
	// Mark is that of the open fence, or empty.
	Mark string
}

// Inside reports whether a line is code or the line of a fence.
func (f *Fences) Inside(text string) bool {
	if !strings.Contains(text, "```") && !strings.Contains(text, "~~~") {
		return f.Mark != ""
	}
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
func FrontEnd(text string) int {
	for start, at := 0, 0; at < len(text); at = start {
		line, _, _ := strings.Cut(text[at:], "\n")
		start = at + len(line) + 1
		switch s := strings.TrimRight(line, " \t\r"); {
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
	for at := 0; at < len(b); at++ {
		run := at
		for run < len(b) && b[run] == '`' {
			run++
		}
		end := markdown.CodeEnd(t, run, run-at)
		if run == at || end < 0 {
			at = run
			continue
		}
		from, to := run, end // what is blanked: of roles, only the text
		if at == 0 || b[at-1] != ':' && b[at-1] != '}' {
			from, to = at, end+run-at
		}
		copy(b[from:to], bytes.Repeat([]byte{' '}, to-from))
		at = end + run - at - 1
	}
	return string(b)
}
