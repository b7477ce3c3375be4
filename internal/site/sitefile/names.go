package sitefile

import (
	"path"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// ContentFolder is the folder of all pages and assets.
const ContentFolder = "content"

// IsMarkdown reports whether a file is Markdown.
func IsMarkdown(name string) bool {
	return strings.EqualFold(path.Ext(name), ".md") || strings.EqualFold(path.Ext(name), ".markdown")
}

// URLPath converts the path of a file to that of an address: blanks become hyphens, and letters
// with accents are in NFC.
func URLPath(p string) string { return strings.ReplaceAll(norm.NFC.String(p), " ", "-") }

// IsNotebook reports whether a file is a Jupyter notebook.
func IsNotebook(name string) bool { return strings.EqualFold(path.Ext(name), ".ipynb") }

// IsPage reports whether a file below a language's folder is a page.
func IsPage(name string) bool { return IsMarkdown(name) || IsNotebook(name) }
