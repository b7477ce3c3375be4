// Package spelling checks the prose of this repository's sites with dictionaries, in each language: the
// text of pages and drawings that is not code, addresses, formulas or attributes, and the default theme's
// texts. A word is right if it is in hunspell's dictionary or in one of the lists in words/: common.txt
// for all languages, and one for each. A word in the lists that the site no longer uses is a fault too.
//
//	go test ./test/spelling            # what is wrong, with places and suggestions
//	go test ./test/spelling -update    # writes the lists again: check the changes
//
// Write names of programs, files and options as code, and they are not checked. In a list, a word in
// lower case matches one with capitals too; one with capitals is a name.
//
// TestGlossary holds the site to the glossary's table of words.
//
// The dictionaries are Debian's hunspell-pt-br, hunspell-es and hunspell-en-gb. Debian has one Spanish dictionary for all
// countries: es_ES is the file, the names of other countries are links to it. So it has words and verb
// forms of every country, and cannot show whether a text is neutral.
package spelling

import (
	"cmp"
	"flag"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

var update = flag.Bool("update", false, "write the lists of words anew")

// required is the variable that makes the test fail if it would be skipped.
const required = "GPUDOCS_REQUIRE_SPELLING"

// dictionaries are hunspell's, by the languages of the sites.
var dictionaries = map[string]string{"pt": "pt_BR", "es": "es_ES", "en": "en_GB"}

const root = "../.."

// sites are the folders of the sites: the tutorials and the manual.
var sites = []string{".", "docs"}

func TestSpelling(t *testing.T) {
	for _, d := range dictionaries {
		if err := installed(d); err != nil {
			if os.Getenv(required) != "" {
				t.Fatal(err)
			}
			t.Skipf("apt-get install hunspell hunspell-pt-br hunspell-es hunspell-en-gb: %v", err)
		}
	}
	prose := siteProse(t)
	common, lists := openList(t, "words/common.txt"), map[string]*list{}
	var missing []missed
	for language, words := range prose {
		own := openList(t, "words/"+language+".txt")
		lists[language] = own
		missing = append(missing, misses(t, language, words, common, own)...)
	}
	if *update {
		renew(t, missing, common, lists)
		return
	}
	slices.SortFunc(missing, func(a, b missed) int {
		return cmp.Or(cmp.Compare(a.at.File, b.at.File), cmp.Compare(a.at.Line, b.at.Line), cmp.Compare(a.at.Column, b.at.Column))
	})
	for _, m := range missing {
		t.Errorf("%s:%d:%d: %s is in no dictionary (%s) and in no list; perhaps: %s", m.at.File, m.at.Line, m.at.Column, m.part, dictionaries[m.language], first(m.suggestions))
	}
	for _, l := range append(slices.Collect(maps.Values(lists)), common) {
		for _, w := range l.orphans() {
			t.Errorf("%s: the site no longer uses %s", l.file, w)
		}
	}
}

// first returns the first few suggestions, as the last ones are far-fetched.
func first(suggestions string) string {
	list := strings.Split(cmp.Or(suggestions, "-"), ", ")
	return strings.Join(list[:min(len(list), 5)], ", ")
}

func openList(t *testing.T, file string) *list {
	t.Helper()
	l, err := readList(file)
	if err != nil && !*update {
		t.Error(err)
	}
	if l == nil {
		t.FailNow()
	}
	return l
}

// A missed word is one that is neither in the dictionary nor in the lists.
type missed struct {
	lack
	language string
	at       diag.Diagnostic
}

func misses(t *testing.T, language string, words []word, common, own *list) (list []missed) {
	t.Helper()
	var each []string // the words in no list: hunspell takes long to find suggestions
	listed := func(w string) bool {
		in, here := common.has(w), own.has(w) // both must record it
		return in || here
	}
	for _, w := range words {
		for _, part := range parts.Split(w.text, -1) {
			listed(part)
		}
		if !listed(w.text) {
			each = append(each, w.text)
		}
	}
	slices.Sort(each)
	lacks, err := unknown(dictionaries[language], slices.Compact(each))
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range words {
		for _, l := range lacks[w.text] {
			if len([]rune(l.part)) > 1 && !listed(l.part) {
				at := w.start + max(0, strings.Index(w.text, l.part))
				list = append(list, missed{l, language, w.file.Error(at, at+len(l.part), diag.Text{}, diag.Text{})})
			}
		}
	}
	return list
}

var parts = regexp.MustCompile(`['’‑-]`)

// renew writes the lists without unused words, and with the missing ones: in the list of a language, or
// in the common list if more than one language lacks a word.
func renew(t *testing.T, missing []missed, common *list, lists map[string]*list) {
	t.Helper()
	in := map[string]map[string]bool{}
	small := map[string]bool{}
	for _, m := range missing {
		small[m.part] = m.part == strings.ToLower(m.part)
	}
	for _, m := range missing {
		w := m.part
		if low := strings.ToLower(w); small[low] {
			w = low
		}
		if in[w] == nil {
			in[w] = map[string]bool{}
		}
		in[w][m.language] = true
	}
	more := map[*list][]string{}
	for w, languages := range in {
		to := common
		for language := range languages {
			if len(languages) == 1 {
				to = lists[language]
			}
		}
		more[to] = append(more[to], w)
	}
	for _, l := range append(slices.Collect(maps.Values(lists)), common) {
		if err := l.write(more[l]); err != nil {
			t.Error(err)
		}
	}
}

// siteProse returns the words of the site by language. Drawings that languages share have only names and
// numbers, which are right in all of them.
func siteProse(t *testing.T) map[string][]word {
	t.Helper()
	prose := map[string][]word{}
	for _, dir := range sites {
		site, diags := load.Load(os.DirFS(path.Join(root, dir)), load.Options{Drafts: true})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		for _, p := range site.Pages {
			language := p.Language.Code
			if dictionaries[language] == "" {
				t.Fatalf("no dictionary for %s", language)
			}
			file, err := os.ReadFile(path.Join(root, dir, p.File.Name))
			if err != nil {
				t.Fatal(err)
			}
			prose[language] = append(prose[language], proseOf(p, file)...)
		}
	}
	for language := range dictionaries {
		err := fs.WalkDir(os.DirFS(root), "content", func(name string, d fs.DirEntry, err error) error {
			if err != nil || path.Ext(name) != ".svg" || !strings.HasPrefix(name, "content/"+language+"/") {
				return err
			}
			data, err := os.ReadFile(root + "/" + name)
			if err != nil {
				return err
			}
			words, err := drawn(diag.NewFile(name, data))
			prose[language] = append(prose[language], words...)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		name := "themes/default/i18n/" + language + ".toml"
		data, err := os.ReadFile(root + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		prose[language] = append(prose[language], texts(name, data)...)
		if len(prose[language]) < 1000 {
			t.Errorf("only %d words in %s", len(prose[language]), language)
		}
	}
	return prose
}
