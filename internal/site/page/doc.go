// Package page parses one file, a Markdown page or a notebook, without regard to other pages.
//
// [Parser.Parse] in parser.go is the entry: it decodes the file (file.go), applies the front matter
// (package frontmatter, addresses.go), includes other files (package include), and parses the
// Markdown (markdown.go), whose steps take the page and its syntax tree, and return what they found:
//
//	sections.go      lines of the page, and hashes of sections, for translations
//	collect.go       the nodes for later steps, and the ids that the author gave
//	code.go          fences are replaced; cells are
//	                 replaced by their blocks (notebook.go), and marks in code are linked to the
//	                 list after it (annotate.go)
//	numbers.go       figures, equations and their labels
//	tabs.go          groups of tabs
//	nesting.go       raw HTML that browsers would not accept
//	definitions.go   unused and undefined references
//
// At the end the tree is packed (package tree).
package page
