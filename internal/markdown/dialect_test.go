package markdown_test

import (
	"testing"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

func TestDialects(t *testing.T) {
	var all markdown.Dialect
	for _, name := range markdown.DialectNames() {
		d, ok := markdown.ParseDialect(name)
		if !ok || d == 0 || all.Has(d) || d.String() != name {
			t.Errorf("%s: %b %v, %s", name, d, ok, d)
		}
		all |= d
	}
	if s := all.String(); s != "obsidian, d2l, mkdocs, myst, quarto, carpentries" || all != markdown.AllDialects {
		t.Errorf("all: %s", s)
	}
	if _, ok := markdown.ParseDialect("Obsidian"); ok {
		t.Error("names are in lower case")
	}
}
