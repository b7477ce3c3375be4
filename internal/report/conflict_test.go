package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/complexitytest"
)

// TestConflict: each of Git's conflict markers is found, at its place, and nothing else is taken for one.
func TestConflict(t *testing.T) {
	for data, want := range map[string]string{
		"a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> other\n": "<<<<<<< HEAD",
		"a\r\n<<<<<<< HEAD\r\nb\r\n":                      "<<<<<<< HEAD",
		"a\n||||||| merged common ancestors\nb\n":         "||||||| merged common ancestors",
		"a\n=======\n":     "=======",
		"a\n>>>>>>> other": ">>>>>>> other",
		"<<<<<<<<<<< longer, by the attribute\n=======\n":      "<<<<<<<<<<< longer, by the attribute",
		strings.Replace(least, `"os"`, "\n=======\n\"os\"", 1): "=======",
		"":                             "",
		"a\n":                          "",
		"<<<<<< six\n":                 "",
		" <<<<<<< not at the start\n":  "",
		"<<<<<<<x\n":                   "",
		"#######\n":                    "",
		`"=======": 1`:                 "",
		least:                          "",
		`"<<<<<<< HEAD\n=======\n": 1`: "",
	} {
		start, end, found := conflict([]byte(data))
		if got := data[start:end]; got != want || found != (want != "") || found && start > 0 && data[start-1] != '\n' {
			t.Errorf("%q: %q, %v, want %q", data, got, found, want)
		}
	}
	complexitytest.Check(t, "<<<<<<\n", 1<<20, func(n int) {
		if _, _, found := conflict(bytes.Repeat([]byte("<<<<<<\n"), n/7)); found {
			t.Error("six are no marker")
		}
	})
}
