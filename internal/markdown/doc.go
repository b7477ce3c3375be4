// Package markdown defines what the packages below it share: the nodes that several dialects of
// Markdown produce, the faults of authors, and [Syntax].
//
// # From text to tree
//
// Data flows from text to a tree of nodes. Package dialects parses a page into a goldmark AST, without files, configuration or other
// pages. It combines CommonMark (commonmark), what every page may use (native, container, figure,
// formula, typography), and the dialects of the page (obsidian, d2l, mkdocs, myst, quarto,
// carpentries). Each of these exports one [Syntax]. The dialects do not import each other.
//
// # Nodes
//
// "> [!NOTE]", ":::note", "!!! note" and "/// note" all become a [Callout], and as many forms
// become [Tabs], so that the renderer knows only one. Such nodes are defined here. A node of only
// one syntax is defined in its package, next to the parser.
//
// # Recognition
//
// The [Form]s of a dialect are the marks by which a page in it is recognised, and that import --check
// counts. They are found line by line, before anything is parsed.
//
// # Adding a syntax
//
// Write one file in the package of the dialect, such as mkdocs/keys.go: the node, its parser, a
// function that writes it as HTML, and PlainText ([Texter]) if the text of the node is not that of
// its children. Add the parser and the function to the package's Syntax, a test, and a line in
// docs/content/en/dialects.md.
//
// # Places
//
// The source is parsed as it is and never edited before: every offset in the AST is one of the
// file. A node of a dialect records the extent of its marks ([Span]).
//
// A parser never fails. It records a [Fault] of the author in its context, and the text stays on
// the page as it is written.
package markdown
