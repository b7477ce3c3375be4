// Package page parses one file, a Markdown page or a notebook, without regard to other pages.
//
// [Parser.Parse] in parser.go is the entry: it decodes the file (file.go), applies the front matter
// (package frontmatter), includes other files (package include), and parses the Markdown.
// markdown.go then runs the steps on the syntax tree, whose order matters:
//
//	collect.go       the nodes for later steps, and the ids that the author gave
//	codefile.go      code from files; package blocks replaces the fences
//	notebook.go      cells are replaced by their blocks
//	annotate.go      marks in code are linked to the list after it
//	numbers.go       figures, equations and their labels
//	sections.go      hashes of sections, for translations
//	tabs.go          groups of tabs
//	definitions.go   unused and undefined references
//	nesting.go       raw HTML that browsers would not accept
//
// At the end the tree is packed (package tree).
package page
