// Package docs tests the documentation: its links have targets, and its examples do what it describes.
package docs

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/site/frontmatter"
)

const root = "../.."

// A document is a Markdown file of the repository: its text, its tree, and the anchors of its headings.
type document struct {
	src     []byte
	tree    ast.Node
	anchors []string
}

// documents returns the manual, and the documents at the root of the repository, by their paths.
func documents(t *testing.T) map[string]document {
	t.Helper()
	fsys := os.DirFS(root)
	names, err := fs.Glob(fsys, "docs/content/*/*.md")
	if err != nil {
		t.Fatal(err)
	}
	top, err := fs.Glob(fsys, "*.md")
	if err != nil {
		t.Fatal(err)
	}
	docs := map[string]document{}
	for _, name := range append(names, top...) {
		src, err := fs.ReadFile(fsys, name)
		if err != nil {
			t.Fatal(err)
		}
		docs[name] = parse(src)
	}
	if len(docs) < 20 {
		t.Fatalf("found %d documents", len(docs))
	}
	return docs
}

func parse(src []byte) document {
	if _, _, end, ok, _ := frontmatter.Split(src); ok {
		src = append(bytes.Repeat([]byte("\n"), end), src[end:]...) // positions stay those of the file
	}
	d := document{src: src, tree: goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(src))}
	for n := range nodes(d.tree) {
		if n.Kind() == ast.KindHeading {
			d.anchors = append(d.anchors, anchor(content(n, src), d.anchors))
		}
	}
	return d
}

// nodes returns all nodes of a tree, in document order.
func nodes(tree ast.Node) func(func(ast.Node) bool) {
	return func(yield func(ast.Node) bool) {
		_ = ast.Walk(tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if entering && !yield(n) {
				return ast.WalkStop, nil
			}
			return ast.WalkContinue, nil
		})
	}
}

// content returns the text of a node without its markup.
func content(n ast.Node, src []byte) string {
	var b strings.Builder
	for c := range nodes(n) {
		switch c := c.(type) {
		case *ast.Text:
			b.Write(c.Value(src))
		case *ast.String:
			b.Write(c.Value)
		}
	}
	return b.String()
}

// anchor returns the anchor that GitHub gives to a heading. Later headings of the same text get a number.
func anchor(heading string, taken []string) string {
	base := strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-', r == '_', unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r):
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
	id := base
	for n := 1; slices.Contains(taken, id); n++ {
		id = base + "-" + string(rune('0'+n))
	}
	return id
}

// fault returns why the target of a link in the file from does not exist, or "" if it exists.
func fault(docs map[string]document, from, target string) string {
	target, ours := strings.CutPrefix(target, "https://github.com/gpudocs/gpudocs/blob/main/")
	if !ours && strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
		return ""
	}
	name, fragment, _ := strings.Cut(target, "#")
	file := from
	if ours {
		file = name
	} else if name != "" {
		file = path.Join(path.Dir(from), name)
	}
	if _, err := os.Stat(filepath.Join(root, file)); err != nil {
		return "there is no file " + file
	}
	// A translation may link to its own original.
	if translated := path.Join(path.Dir(from), path.Base(file)); strings.HasPrefix(target, "../en/") && translated != from && docs[translated].tree != nil {
		return "there is a translation, " + translated
	}
	if d, ok := docs[file]; ok && fragment != "" && !slices.Contains(d.anchors, fragment) {
		return file + " has no heading #" + fragment
	}
	return ""
}

func TestLinks(t *testing.T) {
	t.Parallel()
	docs := documents(t)
	for name, d := range docs {
		for n := range nodes(d.tree) {
			var target string
			switch n := n.(type) {
			case *ast.Link:
				target = string(n.Destination)
			case *ast.Image:
				target = string(n.Destination)
			default:
				continue
			}
			if why := fault(docs, name, target); why != "" {
				t.Errorf("%s: link to %s: %s", name, target, why)
			}
		}
	}
}

// TestLinksAreChecked checks that a dead link, a dead anchor, and a repeated heading are found.
func TestLinksAreChecked(t *testing.T) {
	t.Parallel()
	docs := map[string]document{"docs/content/en/serve.md": parse([]byte("# A `b` & c\n\n## Same\n\n## Same\n"))}
	for target, want := range map[string]string{
		"serve.md#a-b--c":        "",
		"serve.md#same-1":        "",
		"serve.md":               "",
		"../../../README.md":     "",
		"https://example.org/#x": "",
		"#gone":                  "docs/content/en/serve.md has no heading #gone",
		"serve.md#same-2":        "docs/content/en/serve.md has no heading #same-2",
		"gone.md":                "there is no file docs/content/en/gone.md",
		"https://github.com/gpudocs/gpudocs/blob/main/gone.md": "there is no file gone.md",
	} {
		if got := fault(docs, "docs/content/en/serve.md", target); got != want {
			t.Errorf("%s: %q, want %q", target, got, want)
		}
	}
	docs["docs/content/pt/serve.md"] = parse([]byte("# A\n"))
	for target, want := range map[string]string{
		"../en/verify.md": "",
		"../en/serve.md":  "there is a translation, docs/content/pt/serve.md",
		"verify.md":       "there is no file docs/content/pt/verify.md",
	} {
		if got := fault(docs, "docs/content/pt/index.md", target); got != want {
			t.Errorf("%s in a translation: %q, want %q", target, got, want)
		}
	}
}

// mention is where source code, a help text, a hint or a tutorial names a page of the manual.
var mention = regexp.MustCompile(`\bdocs/[a-z./-]+\.(?:md|json)\b(?:#[\p{L}\p{N}_-]+)?`)

// TestMentions: pages of the manual that programs and tutorials name are there.
func TestMentions(t *testing.T) {
	t.Parallel()
	docs := documents(t)
	found := 0
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			switch d.Name() {
			case ".git", ".gpudocs", "docs", "node_modules", "public", "shared", "testdata":
				return fs.SkipDir
			}
			return nil
		}
		switch path.Ext(name) {
		case ".go", ".toml", ".md", ".html", ".sh", ".py":
		default:
			return nil
		}
		if strings.HasSuffix(name, "_test.go") || name == "CHANGELOG.md" { // names of made-up files; older names
			return nil
		}
		src, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return err
		}
		for _, target := range mention.FindAllString(string(src), -1) {
			found++
			if why := fault(docs, "README.md", target); why != "" {
				t.Errorf("%s names %s: %s", name, target, why)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found < 50 {
		t.Errorf("found %d places that name a page of the manual", found)
	}
}

// TestBeginnings checks that each page of the manual begins with a title and a short introduction.
func TestBeginnings(t *testing.T) {
	t.Parallel()
	for name, d := range documents(t) {
		if !strings.HasPrefix(name, "docs/") {
			continue
		}
		title := d.tree.FirstChild()
		if h, ok := title.(*ast.Heading); !ok || h.Level != 1 {
			t.Errorf("%s does not begin with a title", name)
			continue
		}
		if p := title.NextSibling(); p == nil || p.Kind() != ast.KindParagraph || len(content(p, d.src)) > 500 {
			t.Errorf("%s: no short paragraph follows the title", name)
		}
	}
}
