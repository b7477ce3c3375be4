package markdown_test

import (
	"testing"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

// TestParseAttributes checks what is a list of attributes.
func TestParseAttributes(t *testing.T) {
	for line, want := range map[string]bool{
		"{}": true, "{a}": true, "{#a .b c=d e='f' g=\"h\"}": true, "{: .a}": true, "{a.b}": true,
		"{#}": false, "{.}": false, "{#=a}": false, "{a": false, "{a='b}": false, "{a='b'c}": false, "a}": false,
	} {
		if _, ok := markdown.ParseAttributes([]byte(line), 0); ok != want {
			t.Errorf("%s: %v, want %v", line, ok, want)
		}
	}
}
