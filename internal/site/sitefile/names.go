package sitefile

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// ContentFolder is the folder of all pages and assets.
const ContentFolder = "content"

// MarkdownEndings are the endings of the names of Markdown files: those of Quarto and R Markdown, too.
var MarkdownEndings = []string{".md", ".markdown", ".qmd", ".Rmd"}

// IsMarkdown reports whether a file is Markdown.
func IsMarkdown(name string) bool {
	return slices.ContainsFunc(MarkdownEndings, func(e string) bool { return strings.EqualFold(path.Ext(name), e) })
}

// URLPath converts the path of a file to that of an address: blanks become hyphens, and letters
// with accents are in NFC. Brackets are left out, and "1 - a" becomes "1-a".
func URLPath(p string) string {
	p = norm.NFC.String(p)
	if !strings.ContainsAny(p, brackets+" ") {
		return p
	}
	parts := strings.Split(p, "/")
	for i, part := range parts {
		plain := PlainURLPath(part)
		if strings.ContainsAny(part, brackets) || strings.Contains(part, "  ") || strings.Contains(part, " -") || strings.Contains(part, "- ") {
			words := strings.FieldsFunc(part, func(r rune) bool { return r == ' ' || r == '-' || strings.ContainsRune(brackets, r) })
			plain = cmp.Or(strings.Join(words, "-"), plain)
		}
		parts[i] = plain
	}
	return strings.Join(parts, "/")
}

const brackets = "()[]{}<>"

// PlainURLPath is URLPath without leaving out marks, as addresses were made before.
func PlainURLPath(p string) string { return strings.ReplaceAll(norm.NFC.String(p), " ", "-") }

// IsNotebook reports whether a file is a Jupyter notebook.
func IsNotebook(name string) bool { return strings.EqualFold(path.Ext(name), ".ipynb") }

// IsPage reports whether a file below a language's folder is a page.
func IsPage(name string) bool { return IsMarkdown(name) || IsNotebook(name) }

// CompareNatural orders names as people count: "2 - b" comes before "10 - c".
func CompareNatural(a, b string) int {
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		if !isDigit(a[i]) || !isDigit(b[j]) {
			if a[i] != b[j] {
				return cmp.Compare(a[i], b[j])
			}
			i, j = i+1, j+1
			continue
		}
		m, n := number(a[i:]), number(b[j:])
		x, y := strings.TrimLeft(a[i:i+m], "0"), strings.TrimLeft(b[j:j+n], "0")
		if d := cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y)); d != 0 {
			return d
		}
		i, j = i+m, j+n
	}
	return cmp.Or(cmp.Compare(len(a)-i, len(b)-j), cmp.Compare(a, b)) // also of names that differ in zeros before a number
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// number returns the length of the digits at the beginning of a text.
func number(s string) (n int) {
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}
