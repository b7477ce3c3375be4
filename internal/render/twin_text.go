package render

import (
	"regexp"
	"strings"
)

// marks are the characters that could begin markup in a line of Markdown.
var marks = regexp.MustCompile("[\\\\`*_\\[\\]<>&|~$#]")

// escaped is a text in one line of Markdown, none of it read as markup.
func escaped(s string) string {
	return marks.ReplaceAllString(strings.Join(strings.Fields(s), " "), `\$0`)
}

// quoted are the characters that would be something else in the quotes of a link's title.
var quoted = regexp.MustCompile(`["\\&]`)

// begins is what would begin a block where a line of a paragraph begins with it.
var begins = regexp.MustCompile("^(#{1,6}[ \t]|[-+*][ \t]|>|:{3}|`{3}|~{3}|[=-]+[ \t]*$)")

// destination is an address in the parentheses of a link.
func destination(s string) string {
	if !strings.ContainsAny(s, " ()<>\t\n\\") {
		return s
	}
	return "<" + strings.NewReplacer("<", "%3C", ">", "%3E", "\n", "", "\t", "%09", "\\", "%5C").Replace(s) + ">"
}

// codeSpan is a text as code in a line.
func codeSpan(s string) string {
	s = strings.NewReplacer("\n", " ", "\r", "").Replace(s)
	mark := strings.Repeat("`", longestRun(s, '`')+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") || s == "" || strings.Trim(s, " ") != s && strings.Trim(s, " ") != "" {
		s = " " + s + " "
	}
	return mark + s + mark
}

// fenced is code in a block of its own.
func fenced(info, code string) string {
	mark := strings.Repeat("`", max(3, longestRun(code, '`')+1))
	if code != "" && !strings.HasSuffix(code, "\n") {
		code += "\n"
	}
	return mark + info + "\n" + code + mark
}

func longestRun(s string, c byte) (longest int) {
	n := 0
	for i := range len(s) {
		if s[i] != c {
			n = 0
			continue
		}
		n++
		longest = max(longest, n)
	}
	return longest
}

// prefixed puts marks before the lines of a text: one before the first, and another before
// those behind it. An empty line gets no blank at its end.
func prefixed(s, first, rest string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		mark := rest
		if i == 0 {
			mark = first
		}
		lines[i] = strings.TrimRight(mark, " ") + line
		if line != "" {
			lines[i] = mark + line
		}
	}
	return strings.Join(lines, "\n")
}

// joined joins what is not empty.
func joined(parts []string, by string) string {
	var b strings.Builder
	for _, p := range parts {
		if p == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(by)
		}
		b.WriteString(p)
	}
	return b.String()
}

// cell is a text as a cell of a table, in which a bar is escaped.
func cell(s string) string {
	var b strings.Builder
	s = strings.NewReplacer("\\\n", "<br>", "\n", " ").Replace(s)
	for i := range len(s) {
		if s[i] == '|' && (i == 0 || s[i-1] != '\\') {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// table writes rows of cells, the first of which is the head. sides are how the columns are
// aligned: "left", "right", "center", or nothing.
func table(rows [][]string, sides []string) string {
	var b strings.Builder
	for i, row := range rows {
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
		if i > 0 {
			continue
		}
		for _, side := range sides {
			b.WriteString(map[string]string{"left": "| :-- ", "right": "| --: ", "center": "| :-: "}[side])
			if side != "left" && side != "right" && side != "center" {
				b.WriteString("| --- ")
			}
		}
		b.WriteString("|\n")
	}
	return strings.TrimRight(b.String(), "\n")
}
