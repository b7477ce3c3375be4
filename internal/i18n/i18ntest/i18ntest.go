// Package i18ntest holds files of texts to one another.
package i18ntest

import (
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"
)

type file struct {
	Strings map[string]string
	Plurals map[string]map[string]string
}

var hole = regexp.MustCompile(`\{[a-z_]+\}`)

// Complete fails the test unless i18n/<code>.toml of each language has the very
// keys of i18n/en.toml, with the same {holes} in each text.
func Complete(t *testing.T, layer fs.FS, codes ...string) {
	t.Helper()
	en := read(t, layer, "en")
	for _, code := range codes {
		own := read(t, layer, code)
		if d := cmp.Diff(slices.Sorted(maps.Keys(en.Strings)), slices.Sorted(maps.Keys(own.Strings))); d != "" {
			t.Errorf("%s: the keys differ from en:\n%s", code, d)
		}
		if d := cmp.Diff(slices.Sorted(maps.Keys(en.Plurals)), slices.Sorted(maps.Keys(own.Plurals))); d != "" {
			t.Errorf("%s: the plurals differ from en:\n%s", code, d)
		}
		for k, text := range en.Strings {
			want, got := hole.FindAllString(text, -1), hole.FindAllString(own.Strings[k], -1)
			slices.Sort(want)
			slices.Sort(got)
			if !slices.Equal(want, got) {
				t.Errorf("%s: %s has %v, en has %v", code, k, got, want)
			}
		}
		for k, forms := range own.Plurals {
			if forms["one"] == "" || forms["other"] == "" {
				t.Errorf("%s: %s lacks a form", code, k)
			}
		}
	}
}

func read(t *testing.T, layer fs.FS, code string) (f file) {
	t.Helper()
	data, err := fs.ReadFile(layer, "i18n/"+code+".toml")
	if err == nil {
		err = toml.Unmarshal(data, &f)
	}
	if err != nil {
		t.Fatal(err)
	}
	return f
}
