package spelling

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// TestGlossary checks that the site says the same word for the same thing: the last table of each
// glossary names the words that its language does without, also in the plural. They may stand in
// emphasis, as the original name of a term.
func TestGlossary(t *testing.T) {
	prose := siteProse(t)
	for _, language := range []string{"pt", "es"} {
		name := "content/" + language + "/glossario.md"
		source, err := os.ReadFile(root + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		_, table, _ := strings.Cut(string(source), "{#palavras}")
		instead := map[string]string{}
		for _, row := range row.FindAllStringSubmatch(table, -1) {
			for _, w := range strings.Split(row[2], ", ") {
				instead[strings.Trim(w, "*")] = row[1]
			}
		}
		if len(instead) < 10 {
			t.Errorf("%s: only %d words in the last table", name, len(instead))
		}
		for _, w := range prose[language] {
			low := strings.ToLower(w.text)
			for _, form := range []string{low, strings.TrimSuffix(low, "s"), strings.TrimSuffix(low, "es")} {
				if use := instead[form]; use != "" && !w.emphasized && w.file.Name != name {
					at := w.file.Error(w.start, w.start+len(w.text), diag.Text{}, diag.Text{})
					t.Errorf("%s:%d:%d: %s: the glossary says %s", at.File, at.Line, at.Column, w.text, use)
					break
				}
			}
		}
	}
}

var row = regexp.MustCompile(`(?m)^\| ([^|*-][^|]*) \| ([^|]+) \|$`)
