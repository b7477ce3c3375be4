package text

import (
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/themes"
)

// languages are those with files of their own.
var languages = []string{"en", "es", "pt"}

// groupNames are the groups of texts, without the one of dates.
func groupNames(t testing.TB) (names []string) {
	t.Helper()
	found, err := fs.Glob(files, fallback+"/*.toml")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		if name := strings.TrimSuffix(path.Base(f), ".toml"); name != dateGroup {
			names = append(names, name)
		}
	}
	return names
}

var placeholder = regexp.MustCompile(`\{[a-z][a-z_]*(:q)?\}`)

// syntax is what authors write in pages and files between braces: it is no placeholder.
var syntax = []string{"{diff}", "{end}", "{expect}", "{live}", "{path}", "{run}", "= {value},", "= {valor},"}

// placeholdersOf returns the placeholders of a text, each once.
func placeholdersOf(text string) []string {
	for _, s := range syntax {
		text = strings.ReplaceAll(text, s, "")
	}
	found := placeholder.FindAllString(text, -1)
	slices.Sort(found)
	return slices.Compact(found)
}

// TestSameTexts checks that all languages have the groups, keys, placeholders and quotation marks of
// the English texts.
func TestSameTexts(t *testing.T) {
	for _, name := range groupNames(t) {
		for _, code := range languages[1:] {
			own := group(code, name)
			if own == nil {
				t.Errorf("%s/%s.toml is missing", code, name)
				continue
			}
			compare(t, code+"/"+name+".toml", group(fallback, name), own)
		}
	}
	for _, code := range languages[1:] {
		read, err := fs.Glob(files, code+"/*.toml")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range read {
			if _, err := fs.Stat(files, fallback+"/"+path.Base(f)); err != nil {
				t.Errorf("%s has no English file", f)
			}
		}
		if d := group(code, dateGroup).Date; len(d.Months) != 12 || d.Format == "" || d.Decimal == "" {
			t.Errorf("%s/date.toml: %+v", code, d)
		}
		en, err := readLayer(themes.Default(), fallback)
		if err != nil {
			t.Fatal(err)
		}
		own, err := readLayer(themes.Default(), code)
		if err != nil {
			t.Fatal(err)
		}
		compare(t, "themes/default/i18n/"+code+".toml", en, own)
	}
}

func compare(t *testing.T, file string, en, own *texts) {
	t.Helper()
	if d := cmp.Diff(slices.Sorted(maps.Keys(en.Strings)), slices.Sorted(maps.Keys(own.Strings))); d != "" {
		t.Errorf("%s: other texts than in English (-en +this)\n%s", file, d)
	}
	if d := cmp.Diff(slices.Sorted(maps.Keys(en.Plurals)), slices.Sorted(maps.Keys(own.Plurals))); d != "" {
		t.Errorf("%s: other plurals than in English (-en +this)\n%s", file, d)
	}
	for key, text := range en.Strings {
		got := own.Strings[key]
		if !slices.Equal(placeholdersOf(text), placeholdersOf(got)) {
			t.Errorf("%s: %s has the placeholders %v, and in English %v", file, key, placeholdersOf(got), placeholdersOf(text))
		}
		if blank(text) != blank(got) {
			t.Errorf("%s: %s begins or ends with a blank where it does not in English, or the other way", file, key)
		}
	}
	for key, forms := range own.Plurals {
		if forms["one"] == "" || forms["other"] == "" {
			t.Errorf("%s: %s lacks the form one or other", file, key)
		}
		if want, got := placeholdersOf(en.Plurals[key]["other"]), placeholdersOf(forms["other"]); !slices.Equal(want, got) {
			t.Errorf("%s: %s has the placeholders %v, and in English %v", file, key, got, want)
		}
	}
}

// blank reports whether a text begins, and whether it ends, with a blank.
func blank(s string) [2]bool { return [2]bool{strings.HasPrefix(s, " "), strings.HasSuffix(s, " ")} }

// TestPluralForms checks that every form is of a category of its language, and has only placeholders
// that the form "other" has too.
func TestPluralForms(t *testing.T) {
	have := map[string][]string{"en": {"one", "other"}, "es": {"one", "many", "other"}, "pt": {"one", "many", "other"}}
	for _, code := range languages {
		for _, name := range groupNames(t) {
			for key, forms := range group(code, name).Plurals {
				for category, text := range forms {
					if !slices.Contains(have[code], category) {
						t.Errorf("%s/%s.toml: %s has the form %q, which the language does not have", code, name, key, category)
					}
					for _, h := range placeholdersOf(text) {
						if !slices.Contains(placeholdersOf(forms["other"]), h) {
							t.Errorf("%s/%s.toml: the form %s of %s has the placeholder %s, and other has not", code, name, category, key, h)
						}
					}
				}
			}
		}
	}
}
