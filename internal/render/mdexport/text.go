package mdexport

import (
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

var marks = lazyregexp.New("[\\\\`*_\\[\\]<>&|~$#]")

// Escape returns plain text as Markdown in one line, with all markup escaped.
func Escape(s string) string { return Literal(strings.Join(strings.Fields(s), " ")) }

// Literal returns plain text as Markdown, with all markup escaped.
func Literal(s string) string { return marks.ReplaceAllString(s, `\$0`) }

// unpointed encodes what would end an address in angle brackets.
var unpointed = strings.NewReplacer("<", "%3C", ">", "%3E", "\n", "", "\t", "%09", "\\", "%5C")

// Destination returns an address as the destination of a link.
func Destination(address string) string {
	if !strings.ContainsAny(address, " ()<>\t\n\\") {
		return address
	}
	return "<" + unpointed.Replace(address) + ">"
}

// CodeSpan returns text as code in a line.
func CodeSpan(s string) string {
	s = strings.NewReplacer("\n", " ", "\r", "").Replace(s)
	mark := strings.Repeat("`", longestRun(s)+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") || s == "" || strings.Trim(s, " ") != s && strings.Trim(s, " ") != "" {
		s = " " + s + " "
	}
	return mark + s + mark
}

// Fenced returns code as a block.
func Fenced(info, code string) string {
	mark := strings.Repeat("`", max(3, longestRun(code)+1))
	if code != "" && !strings.HasSuffix(code, "\n") {
		code += "\n"
	}
	return mark + info + "\n" + code + mark
}

// longestRun returns the length of the longest run of backquotes.
func longestRun(s string) (longest int) {
	n := 0
	for i := range len(s) {
		if s[i] != '`' {
			n = 0
			continue
		}
		n++
		longest = max(longest, n)
	}
	return longest
}

// prefixed adds first to the first line of a text, and rest to the others. Blank lines get no trailing
// spaces.
func prefixed(s, first, rest string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		prefix := rest
		if i == 0 {
			prefix = first
		}
		if line == "" {
			prefix = strings.TrimRight(prefix, " \t")
		}
		lines[i] = prefix + line
	}
	return strings.Join(lines, "\n")
}
