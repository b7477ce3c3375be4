package markdown

import "strings"

// A Dialect is a set of syntaxes of other tools, in addition to those of every page.
type Dialect uint

// The dialects, which can be combined.
const (
	// Obsidian is the dialect of Obsidian's vaults: wiki links, embedded notes, ==marks==.
	Obsidian Dialect = 1 << iota
	// D2L is the dialect of d2lbook: labels and references, tabs of frameworks, .input fences.
	D2L
	// MkDocs is the dialect of MkDocs with Material's extensions: !!! and /// blocks, === tabs,
	// snippets.
	MkDocs
	// MyST is the dialect of MyST and Jupyter Book: directives, roles, code cells.
	MyST
	// Quarto is the dialect of Quarto: cells with options, divs with classes, cross references.
	Quarto
	// Carpentries is the dialect of the Carpentries' lessons: divs with classes, R Markdown.
	Carpentries

	// AllDialects are all of them.
	AllDialects Dialect = 1<<iota - 1
)

var dialectNames = []string{"obsidian", "d2l", "mkdocs", "myst", "quarto", "carpentries"}

// DialectNames returns the names that authors write, in the order of the bits.
func DialectNames() []string { return append([]string(nil), dialectNames...) }

// ParseDialect returns the dialect of a name.
func ParseDialect(name string) (d Dialect, ok bool) {
	for i, n := range dialectNames {
		if n == name {
			return 1 << i, true
		}
	}
	return 0, false
}

// Has reports whether all dialects of other are in d.
func (d Dialect) Has(other Dialect) bool { return d&other == other }

// String returns the names, separated by commas.
func (d Dialect) String() string {
	var names []string
	for i, n := range dialectNames {
		if d.Has(1 << i) {
			names = append(names, n)
		}
	}
	return strings.Join(names, ", ")
}
