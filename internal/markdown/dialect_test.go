package markdown

import "testing"

func TestDialects(t *testing.T) {
	var all Dialect
	for _, name := range DialectNames() {
		d, ok := ParseDialect(name)
		if !ok || d == 0 || all.Has(d) || d.String() != name {
			t.Errorf("%s: %b %v, %s", name, d, ok, d)
		}
		all |= d
	}
	if s := all.String(); s != "obsidian, d2l, mkdocs" {
		t.Errorf("all: %s", s)
	}
	if _, ok := ParseDialect("Obsidian"); ok {
		t.Error("names are in lower case")
	}
}
