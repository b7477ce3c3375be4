package textout

import (
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

var marks = lazyregexp.New("[\\\\`*_\\[\\]<>&|~$#]")

// Escape returns plain text as Markdown in one line, with all markup escaped.
func Escape(s string) string { return literal(strings.Join(strings.Fields(s), " ")) }

// literal returns plain text as Markdown, with all markup escaped.
func literal(s string) string { return marks.ReplaceAllString(s, `\$0`) }

// unpointed encodes what would end an address in angle brackets.
var unpointed = strings.NewReplacer("<", "%3C", ">", "%3E", "\n", "", "\t", "%09", "\\", "%5C")

// Destination returns an address as the destination of a link.
func Destination(address string) string {
	if !strings.ContainsAny(address, " ()<>\t\n\\") {
		return address
	}
	return "<" + unpointed.Replace(address) + ">"
}

// unbroken makes a line of lines.
var unbroken = strings.NewReplacer("\n", " ", "\r", "")

// codeSpan returns text as code in a line.
func codeSpan(s string) string {
	s = unbroken.Replace(s)
	mark := strings.Repeat("`", longestRun(s)+1)
	padded := strings.HasPrefix(s, " ") && strings.HasSuffix(s, " ") && strings.Trim(s, " ") != ""
	if s == "" || padded || strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return mark + s + mark
}

// fenced returns code as a block.
func fenced(info, code string) string {
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
