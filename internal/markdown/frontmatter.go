package markdown

import "github.com/yuin/goldmark/parser"

// A FrontMatter is what the front matter of a page says that its dialect needs.
type FrontMatter struct {
	// CellLanguage is the language of the code cells that name none.
	CellLanguage string
	// SkipCells is set if the code cells of the page do not run.
	SkipCells bool
	// Substitutions are texts by name, for {{ name }}.
	Substitutions map[string]string
}

var frontMatterKey = parser.NewContextKey()

// SetFrontMatter records the front matter before a page is parsed.
func SetFrontMatter(pc parser.Context, f FrontMatter) { pc.Set(frontMatterKey, f) }

// FrontMatterOf returns the front matter of the page that is parsed.
func FrontMatterOf(pc parser.Context) FrontMatter {
	f, _ := pc.Get(frontMatterKey).(FrontMatter)
	return f
}
