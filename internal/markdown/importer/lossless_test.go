package importer

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

var (
	tagForm = regexp.MustCompile(`(?s)<!--.*?-->|<[^>]*>`)
)

// wordsOf are runs of letters and digits.
func wordsOf(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) })
}

// shown returns the words of the text and the code of a page.
func (p *page) shown() (words []string) {
	data := p.src.data
	add := func(s []byte) { words = append(words, wordsOf(string(s))...) }
	_ = ast.Walk(p.parse(), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			add(n.Segment.Value(data))
		case *ast.String:
			add(n.Value)
		case *ast.AutoLink:
			add(n.Label(data))
		case *ast.HTMLBlock:
			block := linesText(n, data)
			if n.HasClosure() {
				block = append(block, n.ClosureLine.Value(data)...)
			}
			add(tagForm.ReplaceAll(block, []byte(" ")))
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			add(linesText(n, data))
		case *markdown.Math:
			add([]byte(n.TeX))
		case *markdown.MathBlock:
			add([]byte(n.TeX))
		}
		return ast.WalkContinue, nil
	})
	return words
}

func linesText(n ast.Node, data []byte) (b []byte) {
	for i := range n.Lines().Len() {
		s := n.Lines().At(i)
		b = append(b, s.Value(data)...)
	}
	return b
}

// same compares words without regard to their order, as tabs may have been merged.
func same(t *testing.T, name string, before, after []string) {
	t.Helper()
	count := map[string]int{}
	for _, w := range before {
		count[w]++
	}
	for _, w := range after {
		count[w]--
	}
	var lost, new []string
	for w, n := range count {
		if n > 0 {
			lost = append(lost, w)
		} else if n < 0 {
			new = append(new, w)
		}
	}
	if len(lost)+len(new) > 0 {
		t.Errorf("%s: lost %.300q, new %.300q", name, lost, new)
	}
}

// lossless checks that an import keeps the words of its page, and that a second import changes nothing.
func lossless(t *testing.T, name string, data []byte, o Options) Result {
	t.Helper()
	if _, bad := firstNonText(data); bad {
		return Result{}
	}
	p := &page{name: name, options: o, dialects: Survey(name, data).Dialects(), result: &Result{}}
	p.read(data)
	p.eol = eol(data)
	p.flattened()
	// A flattened notebook is no Markdown yet: all of its words count.
	raw := string(data)
	for _, form := range []*lazyregexp.Regexp{promptForm, resultForm} {
		raw = inText(form.String()).ReplaceAllString(raw, "")
	}
	if len(p.src.data) != len(data) {
		prompt := inText(`^In ?\[(?:\d+|\s*)\]:`) // code may follow it
		same(t, name+", its cells", wordsOf(prompt.ReplaceAllString(unfenced(raw), "")), wordsOf(prompt.ReplaceAllString(unfenced(string(p.src.data)), "")))
	}
	r := Convert(name, data, o)
	before := p.shown()
	p.src = newSource(r.Data)
	same(t, name, before, p.shown())
	again := Convert(r.Name, r.Data, o)
	if !bytes.Equal(again.Data, r.Data) {
		t.Errorf("%s: a second import changes it:\n%s", name, firstDifference(r.Data, again.Data))
	}
	return r
}

// inText compiles an expression that matches in all lines.
func inText(form string) *regexp.Regexp {
	return regexp.MustCompile("(?m)" + strings.Replace(form, `[ \t]*$`, `[ \t]*\r?$`, 1))
}

var addedFence = regexp.MustCompile("(?m)^`{3,}(?:python|bash|text)?(?: \\{[^}\n]*\\})?\r?$")

func unfenced(s string) string {
	return addedFence.ReplaceAllString(regexp.MustCompile(regexp.QuoteMeta(markOpen)+`.*?-->`).ReplaceAllString(s, ""), "")
}

func firstDifference(a, b []byte) string {
	at := 0
	for at < len(a) && at < len(b) && a[at] == b[at] {
		at++
	}
	from := max(at-80, 0)
	return string(a[from:min(at+120, len(a))]) + "\n--- becomes\n" + string(b[from:min(at+120, len(b))])
}

// folder returns a folder of real texts, which are not part of the repository.
func folder(t *testing.T, variable, name string) string {
	dir := os.Getenv(variable)
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared", name)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("there is no %s here; %s names a folder of pages to test with", dir, variable)
	}
	return dir
}

func TestRealPages(t *testing.T) {
	for _, real := range []struct{ variable, name string }{{"GPUDOCS_SEEDS", "seeds"}, {"GPUDOCS_CORPUS", "corpus"}} {
		t.Run(real.name, func(t *testing.T) {
			dir := folder(t, real.variable, real.name)
			files := pagesBelow(t, dir)
			guesses := 0
			for name, data := range files {
				guesses += lossless(t, name, data, Options{}).Guesses
				if real.name == "seeds" {
					lossless(t, name, data, Options{Run: true})
				}
			}
			t.Logf("%d pages, %d guesses", len(files), guesses)
		})
	}
}

func pagesBelow(t *testing.T, dir string) map[string][]byte {
	files := map[string][]byte{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error {
		if ext := filepath.Ext(name); err != nil || e.IsDir() || ext != ".md" && ext != ".txt" {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		files[name] = data
		return err
	})
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	return files
}
