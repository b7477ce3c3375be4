package search

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/themes"
)

// madeUp returns a number of pages: their words have the frequencies of a natural language (Zipf's
// law), with a vocabulary that grows with the site, sections of about a hundred words and some code.
func madeUp(pages int) []Page {
	r := rand.New(rand.NewPCG(1, uint64(pages)))
	var stems []string
	syllables := strings.Fields("ba ce di fo gu la me ni po ru sa te vi xo za cha lho nhe pra cri bro tra gle flu ca de mi no pe rio ção ista mento dor")
	seen := map[string]bool{}
	for len(stems) < 6000+20*pages {
		var w strings.Builder
		for range 2 + r.IntN(3) {
			w.WriteString(syllables[r.IntN(len(syllables))])
		}
		if !seen[w.String()] {
			seen[w.String()] = true
			stems = append(stems, w.String())
		}
	}
	zipf := rand.NewZipf(r, 1.1, 8, uint64(len(stems)-1))
	endings := []string{"", "", "", "s", "r", "ndo", "do"}
	words := func(n int) string {
		var b strings.Builder
		for i := range n {
			if i > 0 {
				b.WriteByte(' ')
			}
			if i%3 == 2 {
				b.WriteString("de ")
			}
			b.WriteString(stems[zipf.Uint64()] + endings[r.IntN(len(endings))])
		}
		return b.String()
	}
	list := make([]Page, pages)
	for i := range list {
		p := Page{URL: fmt.Sprintf("parte-%d/pagina-%d/", i/20, i), Title: words(4)}
		for n := range 7 {
			s := Section{ID: fmt.Sprint("secao-", n), Heading: words(3), Blocks: []Block{{Text: words(45)}, {Text: words(55)}}}
			if n%2 == 1 {
				s.Blocks = append(s.Blocks, Block{Text: "x_" + stems[r.IntN(len(stems))] + " = " + stems[zipf.Uint64()] + ".run(n=1000)\nprint(x)", Code: true})
			}
			p.Sections = append(p.Sections, s)
		}
		list[i] = p
	}
	return list
}

func compressed(data []byte) int {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.DefaultCompression)
	_, _ = w.Write(data)
	_ = w.Close()
	return b.Len()
}

// scriptSize returns the compressed size of the browser's script.
func scriptSize(t *testing.T) int {
	t.Helper()
	names, err := fs.Glob(themes.Default(), "assets/search.js/*.js")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	var all []byte
	for _, n := range names {
		data, err := fs.ReadFile(themes.Default(), n)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(data) { // as internal/render does
			if line = bytes.TrimLeft(line, " \t"); !bytes.HasPrefix(line, []byte("//")) {
				all = append(all, line...)
			}
		}
	}
	return compressed(all)
}

// TestBytes: what a reader loads until the first results are shown with their contexts: the script,
// the head, and the files for words that are frequent, rare, or being typed; the cost of a word that
// is not found; and the number of files of a site.
func TestBytes(t *testing.T) {
	const firstShown = 3 // of 50-dialog.js
	if script, err := fs.ReadFile(themes.Default(), "assets/search.js/50-dialog.js"); err != nil || !strings.Contains(string(script), fmt.Sprintf("first = %d,", firstShown)) {
		t.Fatalf("50-dialog.js shows another number of pages first, %v", err)
	}
	script := scriptSize(t)
	for _, c := range []struct{ pages, most, nowhere, files int }{{250, 30_000, 40_000, 140}, {1000, 50_000, 50_000, 330}} {
		site := madeUp(c.pages)
		e := engineOf(t, "pt", site)
		if len(e.Files) > c.files {
			t.Errorf("%d pages have %d files, at most %d are allowed", c.pages, len(e.Files), c.files)
		}
		ask := func(query string, most int) answer {
			e.anew()
			a := e.ask(query, firstShown)
			size := script + e.parts // which servers do not compress
			for _, name := range e.loaded {
				size += compressed(e.Files[name])
			}
			t.Logf("%d pages, %d files: %q finds %d pages with %d files, %d bytes of which %d in parts", c.pages, len(e.Files), query, len(a.Pages), len(e.loaded), size, e.parts)
			if size > most {
				t.Errorf("%q: %d bytes until the first answer, at most %d are allowed", query, size, most)
			}
			return a
		}
		text := strings.Fields(site[7].Sections[2].Blocks[0].Text)
		rare := slices.MaxFunc(text, func(a, b string) int { return len(a) - len(b) })
		for _, query := range []string{text[0] + " " + text[4], text[0], rare, rare[:4], site[3].Title} {
			if a := ask(query, c.most); len(a.Pages) == 0 {
				t.Errorf("%d pages: %q finds nothing", c.pages, query)
			}
		}
		for _, query := range []string{"xyzzyplugh", "kwxyv"} {
			if a := ask(query, c.nowhere); len(a.Pages) > 0 {
				t.Errorf("%d pages: %q finds %d", c.pages, query, len(a.Pages))
			}
		}
	}
}

// The same pages make the same files, and a different page makes a different folder.
func TestDeterministic(t *testing.T) {
	a, b := Build("pt", madeUp(30), nil), Build("pt", madeUp(30), nil)
	if !slices.EqualFunc(a, b, func(a, b File) bool { return a.Name == b.Name && bytes.Equal(a.Data, b.Data) }) {
		t.Error("the same pages make other files")
	}
	if c := Build("pt", madeUp(31), nil); c[1].Name == a[1].Name {
		t.Errorf("another site has %s too", c[1].Name)
	}
}

// A block that is longer than a chunk is cut between words, and no word is lost.
func TestLongBlocks(t *testing.T) {
	long := strings.Repeat("palavra ", 2000) + "quarkônio " + strings.Repeat("ção", 4000)
	got := pieces(long)
	if strings.Join(got, "") != long {
		t.Error("the pieces are not the text")
	}
	for _, p := range got {
		if len(p) > chunkSize || strings.Contains(p, "\ufffd") {
			t.Errorf("a piece of %d bytes", len(p))
		}
	}
	e := engineOf(t, "pt", []Page{{URL: "a/", Title: "A", Sections: []Section{{Blocks: []Block{{Text: long}}}}}})
	if a := e.ask("quarkonio", 1); len(a.Shown) != 1 || !strings.Contains(a.Shown[0].Snippet, "[quarkônio]") {
		t.Errorf("got %+v", a)
	}
}

func BenchmarkBuild(b *testing.B) {
	for _, pages := range []int{250, 1500, 10000} {
		site := madeUp(pages)
		b.Run(fmt.Sprint(pages), func(b *testing.B) {
			var size, zipped, terms, head int
			for b.Loop() {
				size, terms = 0, 0
				for _, f := range Build("pt", site, nil) {
					size += len(f.Data)
					if strings.Contains(f.Name, "/t") {
						terms += len(f.Data)
					}
				}
			}
			files := Build("pt", site, nil)
			head = compressed(files[0].Data)
			for _, f := range files {
				zipped += compressed(f.Data)
			}
			b.ReportMetric(float64(size)/1e6, "MB")
			b.ReportMetric(float64(zipped)/1e6, "MB-gzip")
			b.ReportMetric(float64(terms)/1e6, "MB-terms")
			b.ReportMetric(float64(head), "B-head")
			b.ReportMetric(float64(len(files)), "files")
		})
	}
}
