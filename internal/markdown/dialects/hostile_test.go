package dialects_test

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/complexitytest"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/markdowntest"
)

// TestHostile checks that a page of opening marks only is parsed in time proportional to its length.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a few seconds")
	}
	for _, unit := range []string{"^", "==", "=a", "~a", "++a+", "{", "{a=\"", "![a](b \"", "![a](b 'c')\n\n", "*[a]: b\n", ":a", "\"", "\"a ", " 'a", " 'a\" ", "a--b ", "...", ":::figure\n", ":::figure {{", "文**", ">**文", "文\"a", "[a](b){.c}", ":material-a:", "{{a}} ", "{% a ", "{{a", "{* ", "{* a *}\n", "::: a.b\n", "{.a}\n", "{.a}\n\n", "<div class=\"grid cards\" markdown>\n\n- a\n\n  ---\n"} {
		complexitytest.Check(t, unit, 256<<10, func(n int) {
			markdowntest.Parse(markdown.Options{Smart: true, Language: "es", Dialects: markdown.MkDocs}, strings.Repeat(unit, n/len(unit))+"\n\n*[b]: c\n")
		})
	}
}
