package diag

import "unicode/utf8"

// Clip returns a text of at most n bytes: s itself, or its beginning and "...". It does not
// cut a character in two.
func Clip(s string, n int) string {
	const mark = "..."
	if len(s) <= n {
		return s
	}
	end := max(0, n-len(mark))
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + mark
}
