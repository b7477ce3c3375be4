package native_test

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/markdowntest"
)

func TestCitations(t *testing.T) {
	for source, want := range map[string]string{
		"[@a]": "a||", "[see @a2; @b.c, p. 7]": "a2|see| b.c||p. 7", "[@a:b_c-d/e]": "a:b_c-d/e||", "[ @a ]": "a||",
		"[ana@example.org]": "", "[@a](b)": "", "[@a][b]": "", "[@a]: b": "", "[@]": "", "[a]": "", "[@a; b]": "", "[`@a`]": "", `\[@a]`: "",
	} {
		doc, _ := markdowntest.Parse(markdown.Options{Citations: true}, "x "+source+"\n")
		var got []string
		for _, c := range markdown.Find[*markdown.Citation](doc) {
			for _, w := range c.Works {
				got = append(got, w.Key+"|"+w.Before+"|"+w.After)
			}
			if in := ("x " + source)[c.Start:c.Stop]; in != source {
				t.Errorf("%s: the place is %q", source, in)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, not %q", source, got, want)
		}
		if doc, _ := markdowntest.Parse(markdown.Options{}, source); len(markdown.Find[*markdown.Citation](doc)) > 0 {
			t.Errorf("%s is a citation without a bibliography", source)
		}
	}
}
