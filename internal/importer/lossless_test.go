package importer

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
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

// shown are the words of the page that a text is in some dialects.
func shown(data []byte, o Options) (words []string) {
	d := o.Dialects
	data = elsewhere.ReplaceAll(data, nil)
	p := &page{src: newSource(data)}
	add := func(s []byte) { words = append(words, wordsOf(string(s))...) }
	_ = ast.Walk(p.parse(markdown.Options{Dialects: d, Citations: true}), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		if n.Kind().String() == "GpudocsTabTitle" { // a fence with tab= has none
			return ast.WalkSkipChildren, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			add(n.Segment.Value(data))
		case *ast.String:
			add(n.Value)
		case *ast.AutoLink:
			add(n.Label(data))
		case *ast.Image: // where its text is its caption too, that is enough
			return ast.WalkSkipChildren, nil
		case *ast.RawHTML:
		case *ast.HTMLBlock:
			block := linesText(n, data)
			if n.HasClosure() {
				block = append(block, n.ClosureLine.Value(data)...)
			}
			add(tagForm.ReplaceAll(block, []byte(" ")))
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			code := linesText(n, data)
			if f, ok := n.(*ast.FencedCodeBlock); ok && d.Has(markdown.MkDocs) && markdown.InTerminal(f, data) {
				code = []byte(markdown.TerminalText(string(code)))
			}
			add(code)
		case *markdown.Keys:
			add([]byte(strings.Join(n.Labels, " ")))
		case *markdown.CodeInclude:
			if _, found := o.Files.read("x.md", n.File); !found {
				add([]byte(n.File))
			}
		case *markdown.Embed: // a note stands elsewhere, and what is no include is a link to it
			l := p.lineAround(n.Start)
			if alone := strings.Trim(string(data[l.start:l.stop]), " \t>") == string(data[n.Start:n.Stop]); markdown.MediumOf(n.File) == markdown.NoteMedium && !(alone && n.Subpath() == "") {
				add([]byte(pathText(n.NotePath)))
			}
		case *markdown.Callout: // an own kind is shown as its title
			if _, titled := n.FirstChild().(*markdown.CalloutTitle); !titled && !n.Plain && !nativeCallout(n.Name) {
				add([]byte(capital(n.Name)))
			}
		case *markdown.Math:
			add([]byte(n.TeX))
		case *markdown.MathBlock:
			add([]byte(n.TeX))
		case *markdown.Contents:
			for _, e := range n.Entries { // one that comes along is shown by its title
				if !o.Files.has(e.Page+".md") && !o.Files.has(e.Page+".ipynb") {
					add([]byte(e.Page))
				}
			}
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

// same compares words. Tabs may have come together, so that order does not count.
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

// lossless holds an import to the words of its page, and to change nothing again.
func lossless(t *testing.T, name string, data []byte, o Options, example bool) Result {
	t.Helper()
	if _, bad := broken(data); bad {
		return Result{}
	}
	if !o.Given {
		o.Dialects, o.Given = Look(name, data).Dialects(), true
	}
	p := &page{name: name, options: o, result: &Result{}}
	p.read(data)
	p.eol = eol(data)
	p.flattened()
	// A flattened notebook is no Markdown yet: all of its words count.
	raw := string(data)
	for _, form := range []*lazyregexp.Regexp{promptForm, resultForm} {
		raw = inText(form.String()).ReplaceAllString(raw, "")
	}
	if len(p.src.data) != len(data) {
		prompt := inText(`^In ?\[(?:\d+|\s*)\]:`) // code may stand behind it
		same(t, name+", its cells", wordsOf(prompt.ReplaceAllString(unfenced(raw), "")), wordsOf(prompt.ReplaceAllString(unfenced(string(p.src.data)), "")))
	}
	r := Convert(name, data, o)
	before := shown(p.src.data, o)
	if o.Dialects.Has(markdown.D2L) { // a reference that leads nowhere shows its label
		for _, m := range regexp.MustCompile(":(?:num)?ref:`([^`\n]+)`").FindAllSubmatch(p.src.data, -1) {
			if label := string(m[1]); o.Labels[label] == "" && !slices.Contains(Labels(p.src.data), label) {
				before = append(before, wordsOf(label)...)
			}
		}
	}
	same(t, name, before, shown(r.Data, Options{}))
	again := Convert(r.Name, r.Data, Options{Run: o.Run, Files: o.Files, Labels: o.Labels})
	if !bytes.Equal(again.Data, r.Data) {
		t.Errorf("%s: imported again it changes:\n%s", name, firstDifference(r.Data, again.Data))
	}
	return r
}

// elsewhere is what brings the text of another file, before the page is parsed; and
// the colon in the attributes of a heading, which goldmark does not read.
var elsewhere = regexp.MustCompile("(?m)^[ \\t>]*(?::{3,}include .*\\r?\n[ \\t>]*:{3,}|-+8<-+ .*|-+8<-+\r?\n(?:.*\n)*?-+8<-+|\\{!.*!\\})[ \\t]*\\r?$|(?:\\{:[ \\t]*#[\\w-]+[ \\t]*\\}$)")

// inText is a form of a line, looked for in all lines.
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

// folder is one of real texts, which are no part of the repository.
func folder(t *testing.T, variable, name string) string {
	dir := os.Getenv(variable)
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", name)
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
			files, labels := pagesBelow(t, dir)
			guesses := 0
			for name, data := range files {
				guesses += lossless(t, name, data, Options{Labels: labels}, false).Guesses
				if real.name == "seeds" {
					lossless(t, name, data, Options{Labels: labels, Run: true}, false)
				}
			}
			t.Logf("%d pages, %d guesses", len(files), guesses)
		})
	}
}

func pagesBelow(t *testing.T, dir string) (map[string][]byte, map[string]string) {
	files, labels := map[string][]byte{}, map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error {
		if ext := filepath.Ext(name); err != nil || e.IsDir() || ext != ".md" && ext != ".txt" {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		files[name] = data
		for _, l := range Labels(data) {
			labels[l] = name
		}
		return err
	})
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	return files, labels
}
